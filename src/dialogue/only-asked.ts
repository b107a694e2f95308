import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import type { Slots } from '../nlu/slots/index.js';
import { foldText } from '../nlu/slots/text.js';
import { pattern, readWords } from '../nlu/words.js';

/** Hears that something is only asked about, and wanted of nobody. */
export interface OnlyAskedReader {
  /** True where a text asks whether something is possible, or a right: "is it possible to have a copy of my data?". */
  asksPossible(text: string): boolean;
  /**
   * What a message asks beside saying that what came before was no request: "that was only a question. Within how many days?"
   * @returns empty where it asks nothing else; null where it says no such thing
   */
  besideOnlyAsked(text: string): string | null;
  /** True where a text asks whether something would have to be done: "so I would have to cancel and book again?". */
  supposes(text: string): boolean;
  /** True where a text asks what holds on a condition, and tells nothing that has happened: "if they turn me away, is it paid back?". */
  asksOnCondition(text: string): boolean;
  /** The sentence of a message that wants something explained, in the form of an order: "please set out the procedure"; null where none does. */
  explanationIn(text: string): string | null;
}

const patterns = z.array(pattern).min(1);
const schema = z.strictObject({
  possible: patterns,
  supposes: patterns,
  conditions: patterns,
  no_request: patterns,
  explain: patterns,
});

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createOnlyAskedReader(
  slots: Pick<Slots, 'sentencesOf'>,
  languages: readonly Language[],
): OnlyAskedReader {
  const files = languages.map((language) => readWords(language, 'only-asked', schema));
  const any = (key: keyof z.infer<typeof schema>): string =>
    `(?:${files.flatMap((file) => file[key]).join('|')})(?![a-z0-9])`;
  const possible = new RegExp(`(?<![a-z0-9])${any('possible')}`);
  const supposes = new RegExp(`(?<![a-z0-9])${any('supposes')}`);
  const condition = new RegExp(`(?<![a-z0-9])${any('conditions')}`);
  const noRequest = new RegExp(`(?<![a-z0-9])${any('no_request')}`);
  const explain = new RegExp(`^\\W*${any('explain')}`);
  return {
    asksPossible: (text) => text.includes('?') && possible.test(foldText(text)),
    supposes: (text) => text.includes('?') && supposes.test(foldText(text)),
    asksOnCondition: (text) => text.includes('?') && condition.test(foldText(text)),
    besideOnlyAsked(text) {
      const sentences = slots.sentencesOf(text).flatMap((one) => one.split(/;\s+/));
      if (!sentences.some((one) => noRequest.test(foldText(one)))) return null;
      return sentences.filter((one) => one.includes('?') && !noRequest.test(foldText(one))).join(' ');
    },
    explanationIn: (text) =>
      slots.sentencesOf(text).find((one) => !one.includes('?') && explain.test(foldText(one))) ?? null,
  };
}
