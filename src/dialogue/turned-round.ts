import { z } from 'zod';
import type { AskedInput, EntityRecord } from '../core/domain/entity.js';
import type { MeantQuestion } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Slots } from '../nlu/slots/index.js';
import { fold, foldText } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';
import type { ActReader } from './acts.js';

/** What a few words may lean on. */
export interface Leaning {
  /** The question that was asked last, whole. */
  readonly question: string;
  /** What was answered to it. */
  readonly reply: string;
  /** What the customer has or was shown. */
  readonly records: readonly EntityRecord[];
  /** Those of them that the words name. */
  readonly named: readonly EntityRecord[];
  /** What the look-ups may be asked for. */
  readonly inputs: readonly AskedInput[];
  /** True while a change waits for the customer's yes: then only its number is asked for anew. */
  readonly isOpen: boolean;
  readonly now: Date;
  readonly language: Language;
}

const leadingSchema = z.object({ again: z.array(z.string()) });
const schema = z.strictObject({
  denying: z.array(z.string()),
  month_lead: z.array(z.string()),
  opposites: z.array(z.tuple([z.string(), z.string()])),
});

/** Of more words a message says by itself what it asks. */
const MOST_WORDS = 9;

/**
 * Reads what a few words turn round in the question asked last: its time ("no, not January, this month"), or a word of it into the
 * opposite ("how much without a plan?", "and with?"). Null where they say anything else.
 * @throws HubError `config_invalid` where the engine does not know one of the languages
 */
export function createTurning(
  slots: Slots,
  acts: Pick<ActReader, 'read'>,
  languages: readonly Language[],
): (text: string, leaning: Leaning) => MeantQuestion | null {
  const files = languages.map((language) => readWords(language, 'turned', schema));
  const leading = languages.map((language) => readWords(language, 'dialogue', leadingSchema));
  const begins = (patterns: readonly string[]) =>
    new RegExp(`^\\W*(?:(?:${patterns.join('|')})(?![a-z0-9'])\\W*){1,3}`);
  const again = begins(leading.flatMap((words) => words.again));
  const denying = begins(files.flatMap((words) => words.denying));
  const leads = files.flatMap((words) => words.month_lead);
  const opposites = files.flatMap((words) => words.opposites);
  const meant = (text: string): MeantQuestion => ({ text, question: text });
  const inPlace = (question: string, said: string, before: string): MeantQuestion | null => {
    const { folded, at } = fold(question);
    const from = folded.search(new RegExp(`(?<![a-z0-9])${before}(?![a-z0-9])`));
    if (from < 0) return null;
    return meant(
      `${question.slice(0, at[from] ?? 0)}${said}${question.slice(at[from + before.length] ?? 0)}`,
    );
  };

  const otherTime = (text: string, { question, now, language }: Leaning): MeantQuestion | null => {
    const { folded, at } = fold(text.trim());
    const [denied = ''] = denying.exec(folded) ?? [];
    if (denied === '') return null;
    const value = text.trim().slice(at[denied.length] ?? 0);
    const options = { now, language };
    // The bare name of a month may be a name as well, and is none here.
    const isMonth = (word: string): boolean =>
      leads.some((lead) => slots.findDates(`${lead} ${word}`, options).length > 0);
    const names = (foldText(value).match(/[a-z]+/g) ?? []).filter(isMonth);
    const [date = names[0] && { text: `${leads[0]} ${names[0]}` }] = slots.findDates(value, options);
    if (!date) return null;
    const { places } = slots.filters.read(value, options);
    const left = [...foldText(value)]
      .map((letter, i) => (places.some(({ start, end }) => start <= i && i < end) ? ' ' : letter))
      .join('');
    if ((acts.read(left)?.rest ?? [left]).some((word) => !names.includes(word))) return null;
    const [before, ...others] = slots.findDates(question, { now, language });
    const replaced =
      before && others.length === 0 ? inPlace(question, date.text, foldText(before.text)) : null;
    return replaced ?? meant(`${question.replace(/[\s?!.]+$/u, '')} ${date.text}?`);
  };

  const opposite = (text: string, { question }: Leaning): MeantQuestion | null => {
    const folded = foldText(text.trim());
    const [lead = ''] = again.exec(folded) ?? [];
    const said = folded.slice(lead.length).replace(/\W+$/, '');
    const pair = lead === '' ? undefined : opposites.find((words) => words.includes(said));
    const other = pair?.find((word) => word !== said);
    return other === undefined ? null : inPlace(question, said, other);
  };

  return (text, leaning) => {
    if (leaning.isOpen || text.trim().split(/\s+/).length > MOST_WORDS) return null;
    return otherTime(text, leaning) ?? opposite(text, leaning);
  };
}
