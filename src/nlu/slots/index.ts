import { type EntityWords, NO_FILTERS } from '../../core/domain/entity.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { minorDigits } from '../../core/prices.js';
import { type Bare, createBare } from '../courtesy.js';
import { type ClauseReader, createClauses } from './clauses.js';
import { createCorrections, type ReadCorrection } from './corrections.js';
import { createCounts, readDateWords } from './date-words.js';
import { createDateFinder, type FindDates } from './dates.js';
import { readFilterWords } from './filter-words.js';
import { createFilterReader, type FilterReader } from './filters.js';
import { createDayCounter, createIdReader, type FindDays, type IdReader } from './ids-and-days.js';
import { createInputReader, type InputReader } from './inputs.js';
import { createListReader, type ReadList } from './lists.js';
import { createOwnQuestions, type ReadOwnAsked } from './own-questions.js';

import { createPeriodReader, type FindPeriod } from './period.js';
import { createRecordWords } from './record-words.js';
import { createSelection, type SelectCandidate } from './selection.js';
import { createSpans } from './spans.js';
import { type AskedOfSeveral, type Compared, createSuperlatives } from './superlatives.js';
import { foldText, leadsOf } from './text.js';
import { withoutNames } from './title-match.js';
import { createRequestReader, type RequestReader } from './withdrawal.js';
import { createYesNo, type ReadYesNo } from './yes-no.js';
import { type AnswerWords, readAnswerWords } from './yes-no-words.js';

export { choiceNamed } from './choices.js';
export { findKept, findPreference } from './preference.js';
export type { Candidate, Selection, SelectOptions } from './selection.js';
export { leadsOf } from './text.js';

/** Whose records customers speak of, and where. */
export interface SlotsOptions {
  readonly entities: readonly EntityWords[];
  /** Name of the company, as customers greet it. */
  readonly companyName: string;
  /** ISO 4217. */
  readonly currency: string;
  /** IANA name of where "today" is. */
  readonly timeZone: string;
  /** In which customers are read. */
  readonly languages: readonly Language[];
}

/** What can be read from a message about a company's records, without a model. */
export interface Slots extends RequestReader, ClauseReader {
  readonly ids: IdReader;
  readonly findDates: FindDates;
  readonly findDays: FindDays;
  readonly findPeriod: FindPeriod;
  readonly readInputs: InputReader['readInputs'];
  readonly withoutInputs: InputReader['withoutInputs'];
  /** The entities of what "to", "on" and the like lead to, by what their records are called: "put it on another plan". */
  ledTo(text: string): readonly string[];
  /** True where a text calls something what records of this entity are called. */
  isCalled(text: string, entity: string): boolean;
  readonly selectCandidate: SelectCandidate;
  /** What lists are narrowed down to. */
  readonly filters: FilterReader;
  readonly readList: ReadList;
  /** What a message says instead of what it said. */
  readonly readCorrection: ReadCorrection;
  /**
   * Reads a message as the answer to an open yes/no question. Consent is taken only from a closed list of phrases that open
   * (or make up) the message and are not followed by a negation, condition, contrast, question or another target: money
   * moves on it, so every doubt is `unclear`.
   */
  readonly readYesNo: ReadYesNo;
  /** The words it reads them by. */
  readonly answers: AnswerWords;
  /** True where a stretch between commas points at one of several records: "the jazz one". Without accents. */
  pointsAtOne(folded: string): boolean;
  /** By what "the cheapest" or "the soonest" compares; null where the text has neither. */
  comparedIn(text: string): Compared | null;
  /** What is asked of several records that a text names. */
  askedOfSeveral(text: string): AskedOfSeveral;
  /** What a message asks, without greeting, apologies and who is writing. */
  readonly bare: Bare;
  /** True where a clause asks for a fact: "tell me when it is". */
  asksFact(text: string): boolean;
  /** Names of what the text says has become of a record of this entity; empty where it says none. */
  saidOf(text: string, entity: string): ReadonlySet<string>;
  readonly readOwnAsked: ReadOwnAsked;
  /** The text with the word for a record where it names one of these by its title. */
  withoutNames(text: string, names: readonly string[], language: Language): string;
  /** True for a word of what records are called. */
  isThing(word: string): boolean;
  /** What one of several records may be called, as alternatives of a pattern. */
  readonly things: string;
  /** True for a word of what a record may be for: "reading". */
  isKind(word: string): boolean;
  /** True for a word that tells one title from others: no thing, kind, day or common word. */
  isName(word: string): boolean;
  /** The form under which a word of titles is compared. */
  stem(word: string): string;
  /** True where the text speaks of what a customer has at most one of, by its name, or of the account as a whole. */
  speaksOfSingle(text: string): boolean;
  /** The first word of a text for what a customer has at most one of: "subscription"; null where it has none. */
  singleIn(text: string): string | null;
}

/** Shorter words of a title tell nothing. */
const SHORTEST_NAME = 4;
/** Only whether a word is a day counts, and not which. */
const ANY_DAY = new Date(0);

/**
 * Makes the readers of slots for a company.
 * @throws RangeError where the time zone is unknown
 */
export function createSlots({ entities, companyName, currency, timeZone, languages }: SlotsOptions): Slots {
  const words = createRecordWords({ entities, companyName, currency, languages });
  const ids = createIdReader(entities, words.currency);
  const dates = readDateWords(languages);
  const counts = createCounts(dates);
  const findDates = createDateFinder(timeZone, words.things, dates, counts);
  const findDays = createDayCounter(dates, counts);
  const answers = readAnswerWords(languages, `${words.things}|${words.single}`);
  const superlatives = createSuperlatives(languages);
  const selectCandidate = createSelection(words, ids, findDates, superlatives);
  const said = new Map(entities.map((entity) => [entity.id, saidIn(entity)]));
  const readYesNo = createYesNo(words, findDates, answers);
  const filterWords = readFilterWords(languages);
  const findSpans = createSpans({ findDates, dates, counts, words: filterWords, timeZone });
  const { currency: unit } = words;
  const digits = minorDigits(currency);
  const filters = createFilterReader({
    entities,
    findSpans,
    words: filterWords,
    currency: unit,
    digits,
    timeZone,
  });
  const several = entities.filter((entity) => !entity.single);
  // What a customer has has an id; what it is for may have none.
  const named = several.find((entity) => entity.ids !== null) ?? several[0];
  const noun = (language: Language) => named?.nouns[language]?.[0];
  const { naming } = answers;
  const pointing = new RegExp(naming.length === 0 ? '(?!)' : `^(?:${naming.join('|')})$`);
  const only = new RegExp(`\\b(?:${words.single})\\b`);
  const single = new RegExp(`\\b(?:${words.single}|account|conta)\\b`);
  const kind = new RegExp(`^(?:${words.kinds})s?$`);
  const kindWords = new Map(
    entities.map(({ id, nouns, also }) => {
      const all = [...Object.values(nouns), ...Object.values(also)].flat();
      return [id, new RegExp(`\\b(?:${all.join('|') || '(?!)'})s?\\b`)] as const;
    }),
  );
  return {
    ids,
    findDates,
    findDays,
    findPeriod: createPeriodReader(findDates, findDays, timeZone, (text) => answers.changes.kindsIn(text)),
    selectCandidate: atHours(selectCandidate, filters),
    filters,
    readList: createListReader({ entities, filters, words: filterWords, records: words, languages }),
    readCorrection: createCorrections(languages),
    readYesNo,
    answers,
    ...createInputReader({
      ...{ findDates, readYesNo, timeZone, currency: words.currency, digits },
      besideName: answers.besideName,
    }),
    ledTo: (text) => {
      const tails = leadsOf(text).map(({ tail }) => foldText(tail));
      const named = tails.flatMap((tail) => ids.spans(tail).map(({ entity }) => entity));
      return [
        ...named,
        ...[...kindWords].flatMap(([id, called]) => (tails.some((tail) => called.test(tail)) ? [id] : [])),
      ];
    },
    isCalled: (text, entity) => kindWords.get(entity)?.test(foldText(text)) ?? false,
    pointsAtOne: (folded) => pointing.test(folded),
    comparedIn: superlatives.comparedIn,
    askedOfSeveral: superlatives.askedOfSeveral,
    ...createClauses(words, ids, languages),
    bare: createBare(companyName),
    ...createRequestReader(words, selectCandidate, answers.fillersOf(undefined)),
    saidOf(text, entity) {
      const folded = foldText(text);
      const patterns = said.get(entity) ?? [];
      return new Set(patterns.flatMap(([name, pattern]) => (pattern.test(folded) ? [name] : [])));
    },
    readOwnAsked: createOwnQuestions(entities, languages),
    withoutNames: (text, names, language) =>
      noun(language) === undefined ? text : withoutNames(text, names, noun(language) ?? '', words),
    isKind: (word) => kind.test(word),
    isName: (word) =>
      word.length >= SHORTEST_NAME &&
      !(words.isCommon(word) || words.isThing(word) || kind.test(word)) &&
      findDates(word, { now: ANY_DAY }).length === 0,
    isThing: words.isThing,
    things: words.things,
    stem: words.stem,
    singleIn: (text) => only.exec(foldText(text))?.[0] ?? null,
    speaksOfSingle: (text) => single.test(foldText(text)),
  };
}

/** The same; of a list "the morning one" is the one that is in the morning. */
function atHours(selectCandidate: SelectCandidate, filters: FilterReader): SelectCandidate {
  return (text, candidates, options) => {
    const picked = selectCandidate(text, candidates, options);
    const { listed = [] } = options;
    if (picked.kind !== 'none' || listed.length < 2) return picked;
    const { hours } = filters.read(text, options).filters;
    const among = candidates.filter(({ id, startsAt, location = null }) => {
      const record = { startsAt, place: location, amount: null, attributes: {} };
      return listed.includes(id) && filters.fits(record, { ...NO_FILTERS, hours }, '');
    });
    const [one, ...others] = hours === null ? [] : among;
    if (one === undefined) return picked;
    return others.length === 0
      ? { kind: 'one', id: one.id, by: 'date', confidence: AT_HOURS }
      : { kind: 'many', ids: among.map(({ id }) => id), by: 'date' };
  };
}

/** How sure the part of a day says which of a list is meant. */
const AT_HOURS = 0.85;

function saidIn({ said }: EntityWords): readonly (readonly [string, RegExp])[] {
  return Object.entries(said).flatMap(([name, phrases]) => {
    const all = Object.values(phrases).flat();
    return all.length === 0 ? [] : [[name, new RegExp(`\\b(?:${all.join('|')})\\b`)] as const];
  });
}
