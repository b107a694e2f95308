import { buildMatcher, type PhraseMatcher } from './vocabulary.js';

/** The word lists of a signals file. */
export const SIGNAL_LISTS = [
  'positive',
  'negative',
  'anger',
  'repeated',
  'intensifier',
  'negator',
  'urgent',
  'today',
  'human',
  'legal',
  'discrimination',
  'privacy',
  'security',
  'money',
] as const;
export type SignalList = (typeof SIGNAL_LISTS)[number];

/** What the words, the capitals and the punctuation of a text say about mood and urgency: counts, or shares from 0 to 1. */
export interface Signals {
  readonly counts: Readonly<Record<SignalList, number>>;
  /** Share of capitals among the letters, 0 for texts of less than 8 letters or with one word only. */
  readonly capitals: number;
  readonly exclamations: number;
  readonly happyFaces: number;
  readonly angryFaces: number;
  /** Names of the signals, for the classifier. */
  readonly names: readonly string[];
}

/** Happy and unhappy emoji and smileys. */
const HAPPY = /[😀😃😄😁😊🙂😍🥰😘🤗👏🙌🎉❤💖💜💙🙏⭐🌟😻👍💪🥳]|(?:^|\s):-?\)|<3/gu;
const ANGRY = /[😠😡🤬😤💢👎😒🙄🤮💩🖕]|(?:^|\s):-?\(/gu;

/** Words after a negator that are turned round ("not happy", "nao gostei"). */
const NEGATION_REACH = 3;

function capitalShare(text: string): number {
  let upper = 0;
  let letters = 0;
  for (const word of text.split(/\s+/)) {
    // One shouted acronym ("CPF", "MASP") is no shouting.
    for (const char of word.length > 1 ? word : '') {
      if (char !== char.toLowerCase()) upper += 1;
      if (char.toLowerCase() !== char.toUpperCase()) letters += 1;
    }
  }
  return letters >= 8 && /\s/.test(text.trim()) ? upper / letters : 0;
}

function level(count: number): string {
  return count === 0 ? '0' : count === 1 ? '1' : count === 2 ? '2' : '3+';
}

/** Reads signals by the word lists of data/nlu/signals.*.json, both languages at once (people mix them). */
export class SignalReader {
  readonly #matcher: PhraseMatcher;

  constructor(lists: readonly Readonly<Record<string, string>>[]) {
    const joined: Record<string, string> = {};
    for (const name of SIGNAL_LISTS) joined[name] = lists.map((list) => list[name] ?? '').join(' ');
    this.#matcher = buildMatcher(joined);
  }

  /**
   * @param cleaned text as the customer wrote it, after `cleanText`
   * @param tokens the same text after `tokenize`
   */
  read(cleaned: string, tokens: readonly string[]): Signals {
    const counts: Record<SignalList, number> = {
      positive: 0,
      negative: 0,
      anger: 0,
      repeated: 0,
      intensifier: 0,
      negator: 0,
      urgent: 0,
      today: 0,
      human: 0,
      legal: 0,
      discrimination: 0,
      privacy: 0,
      security: 0,
      money: 0,
    };
    let lastNegator = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index] ?? '';
      const names = this.#matcher.word(token);
      const phrases = this.#matcher.phrases(tokens, index);
      for (const name of phrases.length > 0 ? [...names, ...phrases] : names) {
        const key = name as SignalList;
        const negated = index - lastNegator <= NEGATION_REACH;
        if (key === 'positive' && negated) counts.negative += 1;
        else if (key === 'negative' && negated && !phrases.includes(name)) counts.negative += 0.5;
        else counts[key] += 1;
      }
      if (names.includes('negator')) lastNegator = index;
    }
    const exclamations = (cleaned.match(/!/g) ?? []).length;
    const happyFaces = (cleaned.match(HAPPY) ?? []).length;
    const angryFaces = (cleaned.match(ANGRY) ?? []).length;
    // Many write in capitals because the key is on, or because they always do: they only make louder what is angry already.
    const isLoud = counts.anger + counts.repeated + angryFaces > 0 || exclamations > 1;
    const capitals = isLoud ? capitalShare(cleaned) : 0;
    return {
      counts,
      capitals,
      exclamations,
      happyFaces,
      angryFaces,
      names: signalNames(counts, capitals, exclamations, happyFaces, angryFaces, /[!?]{3}/.test(cleaned)),
    };
  }
}

function signalNames(
  counts: Readonly<Record<SignalList, number>>,
  capitals: number,
  exclamations: number,
  happyFaces: number,
  angryFaces: number,
  punctuated: boolean,
): string[] {
  const names: string[] = [];
  for (const key of ['positive', 'negative', 'anger', 'repeated'] as const)
    names.push(`${key} ${level(Math.floor(counts[key]))}`);
  for (const key of ['human', 'legal', 'discrimination', 'privacy', 'security'] as const) {
    if (counts[key] > 0) names.push(key);
  }
  if (capitals > 0.6) names.push('shouting');
  names.push(`exclamations ${level(exclamations)}`);
  if (punctuated) names.push('punctuated');
  if (happyFaces > 0) names.push('happy');
  if (angryFaces > 0) names.push('angry');
  return names;
}
