import type { EntityWords } from '../../core/domain/entity.js';
import { type Counts, type DateWords, either, isAny } from './date-words.js';
import { foldText } from './text.js';

/** Where an id stands in a folded text. */
interface IdSpan {
  readonly id: string;
  /** Of which entity it is. */
  readonly entity: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the ids of a company's records in what customers write. */
export interface IdReader {
  /** How an id may begin, for a regular expression; never empty. */
  readonly prefixes: string;
  /** Where ids stand in a folded text, in the order written. */
  spans(folded: string): readonly IdSpan[];
  /** Ids in a text as the records write them (`res_001`), each once, in the order written. @param entity of these alone */
  find(text: string, entity?: string): readonly string[];
}

type WithIds = EntityWords & { readonly ids: NonNullable<EntityWords['ids']> };

/**
 * Makes the reader of ids for the entities that have them.
 * @param currency words of amounts, as an alternative of regular expressions
 */
export function createIdReader(entities: readonly EntityWords[], currency: string): IdReader {
  const rules = entities
    .filter((entity): entity is WithIds => entity.ids !== null)
    .flatMap((entity) =>
      patternsOf(entity, currency).map((pattern) => ({ pattern, ids: entity.ids, entity: entity.id })),
    );
  const spans = (folded: string): readonly IdSpan[] => {
    const found: IdSpan[] = [];
    for (const { pattern, ids, entity } of rules) {
      for (const match of folded.matchAll(pattern)) {
        const end = match.index + match[0].length;
        if (found.some((other) => match.index < other.end && other.start < end)) continue;
        found.push({ id: normalId(ids, match[1] ?? ''), entity, start: match.index, end });
      }
    }
    return found.sort((a, b) => a.start - b.start);
  };
  const prefixes = rules.flatMap(({ ids }) => ids.prefixes);
  return {
    prefixes: prefixes.length === 0 ? '(?!)' : [...new Set(prefixes)].join('|'),
    spans,
    find: (text, entity) => [
      ...new Set(
        spans(foldText(text)).flatMap((span) =>
          entity === undefined || span.entity === entity ? span.id : [],
        ),
      ),
    ],
  };
}

/** The id as the data writes it: the prefix and enough digits. */
function normalId({ prefixes, digits }: WithIds['ids'], number: string): string {
  return `${prefixes[0]}_${number.replace(/^0+(?=\d)/, '').padStart(digits, '0')}`;
}

/**
 * "res 14", "#RES-014" and, only with enough digits (fewer is a position in a list), "order 014",
 * "order no. 014", "R014".
 */
function patternsOf(
  { nouns, ids: { prefixes, letter, digits } }: WithIds,
  currency: string,
): readonly RegExp[] {
  const names = Object.values(nouns)
    .flat()
    .map((noun) => `${noun}s?`);
  const number = `\\d{${digits},9}`;
  return [
    new RegExp(`(?<![a-z0-9])#?(?:${prefixes.join('|')})[\\s_.:#-]{0,3}(\\d{1,9})(?![\\d])`, 'g'),
    new RegExp(
      `(?<![a-z0-9])(?:${names.join('|')}|id)[\\s_.:#-]{0,3}(?:id |number |num |numero |no\\.? ?|n[o.]{0,2} ?|code |codigo )?[:#]?\\s?(${number})(?![\\d]| ?(?:${currency})|[.,]\\d)`,
      'g',
    ),
    ...(letter === null
      ? []
      : [new RegExp(`(?<![a-z0-9$])#?${letter}[_-]?(${number})(?![\\d]|[.,]\\d| ?(?:${currency}))`, 'g')]),
    new RegExp(`(?<![\\w#&])#(0\\d{${digits - 1},8})(?!\\d)`, 'g'),
  ];
}

/** For how many days something was asked; null where no length is said. */
export type FindDays = (text: string) => number | null;

/**
 * Makes the reader of lengths of time: "for 2 weeks", "por um mês", "1 month and a half". A month is 30 days. It finds none
 * in a point in time ("in 3 days", "há 2 meses") and in "até janeiro".
 */
export function createDayCounter(all: readonly DateWords[], { pattern, countOf }: Counts): FindDays {
  const lengths = all.map(({ lengths }) => lengths);
  const units = lengths.flatMap(({ units }) => units);
  const before = either(lengths.flatMap(({ not_after: words }) => words));
  const after = either(lengths.flatMap(({ not_before: words }) => words));
  const half = either(lengths.flatMap(({ half }) => half));
  const duration = new RegExp(
    `(\\b(?:${before}) )?(?<![\\d.,/-])\\b(${pattern})[ -]?(${either(units.flatMap(({ words }) => words))})\\b( (?:${half}))?( (?:${after}))?`,
    'g',
  );
  return (text) => {
    let total = 0;
    for (const match of foldText(text).matchAll(duration)) {
      if (match[1] !== undefined || match[5] !== undefined) continue;
      const days = units.find(({ words }) => isAny(words, match[3] ?? ''))?.days ?? 0;
      total += countOf(match[2] ?? '') * days + (match[4] === undefined ? 0 : Math.round(days / 2));
    }
    return total > 0 && total <= 3_650 ? total : null;
  };
}
