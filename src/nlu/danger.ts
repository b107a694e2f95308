import { readFile } from 'node:fs/promises';
import type { IntentTable } from '../core/domain/intent.js';
import { type AttendingReader, ahead, type Guess } from './attending.js';
import type { Features } from './features.js';
import { readModel } from './model-file.js';
import { HEARD, HEARD_BESIDE, SURE_DANGER } from './triage-rules.js';

/**
 * What a message may tell that is for people, whatever it asks beside that: somebody was hurt or is in danger (`harm`), wants to
 * die or is close to one who does (`self_harm`), was treated worse for who they are, goes to law, has lost their account or card to
 * a stranger, asks for the press, or demands what is kept of them. `calm` is everything else.
 */
export const DANGER_KINDS = [
  ...['calm', 'harm', 'self_harm', 'discrimination', 'legal', 'account', 'press', 'privacy'],
] as const;
export type DangerKind = (typeof DANGER_KINDS)[number];

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

/** What is heard in a message. */
export interface DangerGuess {
  /** The likeliest kind but `calm`. */
  readonly kind: DangerKind;
  /** Chance (0..1) that it is for people; of few words little is believed. */
  readonly chance: number;
  /** True where hardly anything in it is, so that what intents or single words take for danger is none. */
  readonly isCalm: boolean;
}

/** Hears danger beside what is asked: a model of its own, the same for every company, which no intent competes with. */
export interface DangerReader {
  /**
   * @param features of a message, as the intents are told from
   * @param isPlain true where its words say plainly that the customer wants to die, which needs no model
   */
  read(features: Features, isPlain?: boolean): DangerGuess;
}

/** Who asks for their data often only asks how it is kept: that is for the intents to tell. */
const UNTOLD = 'privacy';
const INTENTS: ReadonlySet<string> = new Set(Object.values(INTENT_OF));
/** A wish for a person or for one's data is no danger, and stands whether there is one or not. */
const TAKEN_BACK: ReadonlySet<string> = new Set(
  [...INTENTS].filter((name) => name !== INTENT_OF.press && name !== INTENT_OF[UNTOLD]),
);

/** From here on it is believed that something else is asked for; less is enough for praise, and for what is read or done of the records. */
const SURE = 0.8;
const LIKELY = 0.3;
/** From here on it is believed whatever is said in jest beside it. */
const CERTAIN = 0.95;
const PRAISE = 'praise';
const OF_RECORDS: ReadonlySet<string> = new Set(['account', 'action']);

/**
 * Puts the intent for people first where danger is heard, and takes it back where all is calm; what says plainly that somebody is
 * harmed, or only who comes along, stays as it is.
 * @param ranked all intents, the likeliest first
 */
export function heardOfDanger(
  { tellsHarm, isOfCompany, isInJest }: AttendingReader,
  intents: IntentTable,
  danger: DangerGuess,
  text: string,
  ranked: readonly Guess[],
): readonly Guess[] {
  const [first] = ranked;
  if (first === undefined || isOfCompany(text)) return ranked;
  const { group } = intents.of(first.intent);
  const isPlain = OF_RECORDS.has(group) || first.intent === PRAISE;
  const isOther = isPlain || (group !== 'people' && group !== 'out_of_scope');
  const isAsked = isOther && first.confidence >= (isPlain ? LIKELY : SURE);
  const isJest = danger.chance < CERTAIN && isInJest(text);
  if (!isJest && danger.kind !== UNTOLD && danger.chance >= (isAsked ? HEARD_BESIDE : HEARD)) {
    if (INTENTS.has(first.intent) && first.confidence >= SURE_DANGER) return ranked;
    const meant = ranked.find(({ intent }) => intent === INTENT_OF[danger.kind]);
    return meant ? ahead(ranked, meant, SURE_DANGER) : ranked;
  }
  const isCalm = isJest || (danger.isCalm && !tellsHarm(text));
  if (!TAKEN_BACK.has(first.intent) || !isCalm) return ranked;
  const others = ranked.filter(({ intent }) => !TAKEN_BACK.has(intent));
  const [likeliest] = others;
  return likeliest ? ahead(others, likeliest, likeliest.confidence) : ranked;
}

/** Below this chance nothing is. */
const CALM = 0.05;
/** Names and fragments have fewer, and may be anything. */
const ENOUGH_WORDS = 7;
const MODEL_FILE = new URL('../../data/nlu/dangers.bin', import.meta.url);

/**
 * Loads the model that `npm run train:nlu` made.
 * @throws Error where it is missing or damaged
 */
export async function createDangerReader(): Promise<DangerReader> {
  const model = readModel(await readFile(MODEL_FILE));
  const kinds = model.classesOf('danger') as readonly DangerKind[];
  const calm = kinds.indexOf('calm');
  return {
    read(features, isPlain = false) {
      if (isPlain) return { kind: 'self_harm', chance: 1, isCalm: false };
      const [chances = new Float32Array()] = model.predict(model.vectorize(features));
      let best = -1;
      chances.forEach((chance, at) => {
        if (at !== calm && (best < 0 || chance > (chances[best] ?? 0))) best = at;
      });
      const chance = 1 - (chances[calm] ?? 1);
      const told = Math.min(1, features.word.length / ENOUGH_WORDS);
      return { kind: kinds[best] ?? 'harm', chance: chance * told, isCalm: chance < CALM };
    },
  };
}
