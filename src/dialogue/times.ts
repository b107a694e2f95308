import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { createCounts, either, readDateWords } from '../nlu/slots/date-words.js';
import { foldText } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';

/** Reads whether customers ask for a yes or a no, if they can be at several things, and how long things take. */
export interface TimesReader {
  /** True where a text asks whether things are at the same time. */
  asksClash(text: string): boolean;
  /** True where a text asks for a yes or a no, and for nothing else. */
  asksWhether(text: string): boolean;
  /** The same, where it asks whether something is so: "is it in April?" */
  asksWhetherIs(text: string): boolean;
  /** The same, where it asks whether something was done: "did I pay for it?" */
  asksWhetherDone(text: string): boolean;
  /** True for words of what is over, and of nothing that is to come of it. */
  speaksOfPast(text: string): boolean;
  /** How long a text says that something takes, in minutes; null where it does not say. */
  minutesIn(text: string): number | null;
}

const schema = z.object({
  clashing: z.array(z.string()),
  minutes: z.string(),
  yes_no: z.strictObject({ opens: z.string(), otherwise: z.string(), being: z.string(), done: z.string() }),
});
/** Leaves the answer open: "do they pay it back or not?". */
const OPEN_END = /\b(?:or not|or no|ou nao|ou n|o no)\W*$/;

/** Speaks of what is over. */
const OVER =
  /\b(?:already|last|was|were|did|(?:have|has) (?:been|already)|ja|ultim[ao]s?|passad[ao]s?|f(?:oi|oram|ui|omos)|cobraram|paguei|ya|fue|fueron)\b/;
/** And of what is to come of it. */
const AHEAD = /\b(?:will|would|if|vou|vai|vao|seria|caso|se|voy|va)\b|'ll\b/;
/** Longer messages tell a story. */
const LONGEST = 200;
const HOUR = 60;
/** No show is longer: what takes days is no question of hours. */
const LONGEST_HOURS = 12;

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createTimesReader(languages: readonly Language[]): TimesReader {
  const files = languages.map((language) => readWords(language, 'dialogue', schema));
  const dates = readDateWords(languages);
  const counts = createCounts(dates);
  const clashing = new RegExp(`\\b(?:${either(files.flatMap((words) => words.clashing))})\\b`);
  const lengthOf = (unit: readonly string[]) =>
    new RegExp(`\\b(${counts.pattern}) (?:${either(unit)})(?![a-z])`);
  const [minutes, hours] = [
    lengthOf(files.map((words) => words.minutes)),
    lengthOf(dates.flatMap(({ units }) => units.hour)),
  ];
  const any = (words: string) => new RegExp(`\\b(?:${words})\\b`);
  const deciding = files.map(({ yes_no: { opens, otherwise, being, done } }) => ({
    // A language that opens such a question as it tells something marks it at its end.
    opens: new RegExp(opens === '' ? String.raw`\?` : `^\\W*(?:${opens})\\b`),
    ...{ otherwise: any(otherwise), being: any(being), done: any(done) },
  }));
  const decides = (text: string, of: 'being' | 'done' | null): boolean => {
    const said = foldText(text);
    if (text.length > LONGEST || deciding.some(({ otherwise }) => otherwise.test(said))) return false;
    return deciding.some((words) => words.opens.test(said) && (of === null || words[of].test(said)));
  };
  return {
    speaksOfPast,
    asksWhether: (text) => decides(text, null),
    asksWhetherIs: (text) => decides(text, 'being'),
    asksWhetherDone: (text) => decides(text, 'done'),
    asksClash: (text) => text.length <= LONGEST && clashing.test(foldText(text)),
    minutesIn(text) {
      const folded = foldText(text);
      const [, inMinutes] = minutes.exec(folded) ?? [];
      if (inMinutes !== undefined) return counts.countOf(inMinutes);
      const [, inHours] = hours.exec(folded) ?? [];
      const count = inHours === undefined ? 0 : counts.countOf(inHours);
      return count > 0 && count <= LONGEST_HOURS ? count * HOUR : null;
    },
  };
}

/** True for words of what is over, and of nothing that is to come of it. */
export function speaksOfPast(text: string): boolean {
  const asked = foldText(text).replace(OPEN_END, ' ');
  return OVER.test(asked) && !AHEAD.test(asked);
}
