import { readFile } from 'node:fs/promises';
import type { Language } from '../core/domain/taxonomy.js';
import type { Analysis, Analyzer } from './analysis.js';
import { type AttendingReader, ahead, type Guess } from './attending.js';
import type { Features } from './features.js';
import { readModel } from './model-file.js';
import { createThreatReader, type Threat } from './preferred.js';
import { foldText } from './slots/text.js';
import { type DangerGuess, type DangerKind, HEARD, SURE_DANGER } from './triage-rules.js';
import { readMarks } from './words.js';

/** The engine's intent for each kind. Who writes for a paper wants a person. */
export const INTENT_OF: Readonly<Record<string, string>> = {
  harm: 'safety_incident',
  self_harm: 'safety_incident',
  discrimination: 'discrimination',
  legal: 'legal_threat',
  account: 'security_incident',
  press: 'talk_to_human',
  privacy: 'privacy_request',
};

/** Hears danger beside what is asked: a model of its own, the same for every company, which no intent competes with. */
export interface DangerReader {
  /**
   * @param message as the intents are told from it
   * @param analyzer reads a part of it by itself: a threat of law is one whatever else the message asks for
   * @param isPlain true where its words say plainly that the customer wants to die, which needs no model
   */
  read(message: Analysis, analyzer: Pick<Analyzer, 'analyze'>, isPlain?: boolean): DangerGuess;
}

/** Who asks for their data often only asks how it is kept: that is for the intents to tell. */
const UNTOLD = 'privacy';
const INTENTS: ReadonlySet<string> = new Set(Object.values(INTENT_OF));
/** A wish for a person or for one's data is no danger, and stands whether there is one or not. */
const TAKEN_BACK: ReadonlySet<string> = new Set(
  [...INTENTS].filter((name) => name !== INTENT_OF.press && name !== INTENT_OF[UNTOLD]),
);

/** A message in Spanish is for people from here on: it has no word vectors and the fewest sentences to learn from. */
const HEARD_IN_SPANISH = 0.99;

/** True where more words are Spanish alone than of the languages that are taught well. */
function isSpanish(text: string): boolean {
  const [own, english, portuguese] = (['es', 'en', 'pt-BR'] as const).map((one) => readMarks(one).words);
  const words = foldText(text).match(/\p{L}+/gu) ?? [];
  const foreign = words.filter((word) => english?.has(word) || portuguese?.has(word));
  return words.filter((word) => own?.has(word)).length > foreign.length;
}

/** From here on the intents are believed that somebody asks for their data, however calm that is; a question has its article. */
const SURE_PRIVACY = 0.5;

/** From here on it is believed whatever is said in jest beside it. */
const CERTAIN = 0.95;

/**
 * Puts the intent for people first where danger is heard, and takes it back where all is calm; what says plainly that somebody is
 * harmed, or only who comes along, stays as it is.
 * @param ranked all intents, the likeliest first
 */
export function applyDanger(
  { tellsHarm, isOfCompany, isInJest, onlyDenies }: AttendingReader,
  danger: DangerGuess,
  text: string,
  ranked: readonly Guess[],
): readonly Guess[] {
  const [first] = ranked;
  if (first === undefined || isOfCompany(text)) return ranked;
  const isJest = danger.chance < CERTAIN && isInJest(text);
  const isDenied = onlyDenies(text);
  const isHeard =
    !isDenied && danger.chance >= HEARD && (danger.chance >= HEARD_IN_SPANISH || !isSpanish(text));
  if (isHeard && !isJest && danger.kind !== UNTOLD) {
    if (INTENTS.has(first.intent) && first.confidence >= SURE_DANGER) return ranked;
    const meant = ranked.find(({ intent }) => intent === INTENT_OF[danger.kind]);
    return meant ? ahead(ranked, meant, SURE_DANGER) : ranked;
  }
  const isCalm = isJest || isDenied || (danger.isCalm && !tellsHarm(text));
  const isGuess =
    first.intent === INTENT_OF[UNTOLD] && first.confidence < SURE_PRIVACY && !text.includes('?');
  if (!(TAKEN_BACK.has(first.intent) || isGuess) || !isCalm) return ranked;
  const others = ranked.filter(({ intent }) => !TAKEN_BACK.has(intent) && intent !== first.intent);
  const [likeliest] = others;
  return likeliest ? ahead(others, likeliest, likeliest.confidence) : ranked;
}

/** Below this chance nothing is. */
const CALM = 0.25;
/** Names and fragments have fewer, and may be anything. */
const ENOUGH_WORDS = 7;
const MODEL_FILE = new URL('../../data/nlu/dangers.bin', import.meta.url);

/**
 * Loads the model that `npm run train:nlu` made.
 * @throws Error where it is missing or damaged
 */
export async function createDangerReader(languages: readonly Language[]): Promise<DangerReader> {
  const model = readModel(await readFile(MODEL_FILE));
  const kinds = model.classesOf('danger') as readonly DangerKind[];
  const calm = kinds.indexOf('calm');
  const threatsIn = createThreatReader(languages);
  const guess = (features: Features): DangerGuess => {
    const [chances = new Float32Array()] = model.predict(model.vectorize(features));
    let best = -1;
    chances.forEach((chance, at) => {
      if (at !== calm && (best < 0 || chance > (chances[best] ?? 0))) best = at;
    });
    const chance = 1 - (chances[calm] ?? 1);
    const told = Math.min(1, features.word.length / ENOUGH_WORDS);
    return { kind: kinds[best] ?? 'harm', chance: chance * told, isCalm: chance < CALM };
  };
  return {
    read({ features, signals, cleaned }, analyzer, isPlain = false) {
      if (isPlain) return { kind: 'self_harm', chance: 1, isCalm: false };
      const whole = guess(features);
      if (whole.chance >= HEARD || signals.counts.legal === 0) return whole;
      const threatens = ({ text, isLast }: Threat): boolean => {
        const part = analyzer.analyze(text);
        const { kind, chance, isCalm } = guess(part.features);
        const isNamed = part.signals.counts.legal > 0 && kind === 'legal' && !isCalm;
        // What is to follow where nothing is done needs few words: "or I call my lawyer".
        return isNamed && (isLast || chance >= HEARD);
      };
      return threatsIn(cleaned).some(threatens) ? { kind: 'legal', chance: HEARD, isCalm: false } : whole;
    },
  };
}
