import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { createCounts, either, readDateWords } from '../nlu/slots/date-words.js';
import { foldText } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';

/** Reads whether customers ask if they can be at several things, and how long things take. */
export interface TimesReader {
  /** True where a text asks whether things are at the same time. */
  asksClash(text: string): boolean;
  /** How long a text says that something takes, in minutes; null where it does not say. */
  minutesIn(text: string): number | null;
}

const schema = z.object({ clashing: z.array(z.string()), minutes: z.string() });
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
  return {
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
