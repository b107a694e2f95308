import type { EntityWords } from '../../core/domain/entity.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { remembered } from '../remembered.js';
import { readFillers } from '../words.js';
import type { DateOptions } from './dates.js';
import type { FilterWords } from './filter-words.js';
import { type FilterReader, type FilterReading, narrowsNothing } from './filters.js';
import type { RecordWords } from './record-words.js';
import { fold, tokenize } from './text.js';

/** A message as the question for a list. */
interface ListReading extends Pick<FilterReading, 'filters'> {
  /** Whose it asks for: what the customer has, what anybody may choose from; null where it does not say. */
  readonly of: 'own' | 'offered' | null;
  /** Id of the entity whose name it says, where customers have such; null where it says none. */
  readonly entity: string | null;
  /** True where it narrows something down. */
  readonly narrows: boolean;
  /** True where it begins as what changes a list that was shown. */
  readonly leads: boolean;
  /** True where it speaks of the place of the list that was shown: "there". */
  readonly there: boolean;
  /** True where it asks for whatever there is: "anything in Recife?" */
  readonly open: boolean;
  /** True where it says that the place does not matter: "and in any other city?" */
  readonly anywhere: boolean;
  /** True where it asks whether there is really none of what was looked for, or none nearer: "nothing free?", "is there none around here?". */
  readonly sameWish: boolean;
  /** True where it speaks of the day of what was just spoken of: "on the same day". */
  readonly sameDay: boolean;
  /** True where it names whom it is for: "nothing for children?" */
  readonly audience: boolean;
  /** True where it names what one of a list may be: "a concert". */
  readonly ofKind: boolean;
  /** True where it asks what the amounts of a list come to. */
  readonly sums: boolean;
  /** True where it asks for what costs less than what was shown. */
  readonly cheaper: boolean;
  /** True where it may change a list that was shown: it does not begin as what points at one of it. */
  readonly goesOn: boolean;
  /** True where it asks how many a list holds, and nothing else. */
  readonly counts: boolean;
  /** The place that it names, where that is none of the company's; null where it names none. */
  readonly elsewhere: string | null;
  /** True where it asks whether the company is in a place: "do you operate in Campinas?", "is that a no for Campinas?". */
  readonly serves: boolean;
  /** True where every word of it is explained by that. */
  readonly isWhole: boolean;
  /** The words that nothing explains, without accents, in their order. */
  readonly rest: readonly string[];
}

/** Reads a message as the question for a list; null where it is too long for one, or points at one of what was shown. */
export type ReadList = (text: string, options: DateOptions) => ListReading | null;

const LONGEST = 160;

/** What the reader is made of. */
interface ListReaders {
  readonly entities: readonly EntityWords[];
  readonly filters: FilterReader;
  readonly words: FilterWords;
  readonly records: RecordWords;
  readonly languages: readonly Language[];
}

/** Makes the reader of a company. @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createListReader({ entities, filters, words, records, languages }: ListReaders): ReadList {
  const fillers = new Set(languages.flatMap(readFillers));
  const any = (source: string, flags = '') => new RegExp(`(?<![a-z0-9'])(?:${source})(?![a-z0-9])`, flags);
  const known = new RegExp(`^(?:${words.words}|${records.things}|${records.company})$`);
  const [leads, points] = [new RegExp(`^\\W*(?:(?:${words.leads})(?![a-z0-9])\\W*){1,3}`), any(words.points)];
  const written = new RegExp(words.points_written, 'iu');
  const there = any(words.there, 'g');
  const [sums, eachSum] = [any(words.sums), any(words.sums, 'g')];
  const tooFar = new RegExp(`(?:${words.denied_after})(?![a-z0-9])`, 'g');
  const [cheaper, eachCheaper] = [any(words.cheaper), any(words.cheaper, 'g')];
  const counts = new RegExp(`^(?:${words.counts})$`);
  const placed = new RegExp(
    `(?<![a-z0-9'])(?:${words.placed}) ([a-z'-]+(?: [a-z'-]+){0,3})(?=[^a-z'-]|$)`,
    'g',
  );
  const serves = any(words.serves.replaceAll('<company>', records.company), 'g');
  const kind = any(records.kinds);
  const open = any(words.open);
  const [anywhere, sameDay, audience] = [any(words.anywhere), any(words.same_day), any(words.audience)];
  const [sameWish, eachSameWish] = [any(words.same_wish), any(words.same_wish, 'g')];
  const opening = new RegExp(`^\\W*(?:(?:${[...fillers].join('|')})\\W+)+`);
  const [own, offered] = [any(words.own), any(words.offered)];
  const [eachOwn, eachOffered, eachAudience] = [words.own, words.offered, words.audience].map((source) =>
    any(source, 'g'),
  ) as [RegExp, RegExp, RegExp];
  const article = /^\W*(?:the|[ao]|el|la)\s/;
  const several = entities.filter(({ single }) => !single);
  const have = several.filter(({ ids }) => ids !== null);
  const namesOf = (all: readonly EntityWords[], kinds: boolean) =>
    new Set(
      all.flatMap(({ nouns, kinds: also }) =>
        languages.flatMap((language) => [
          ...(nouns[language] ?? []),
          ...(kinds ? (also[language] ?? []) : []),
        ]),
      ),
    );
  const [mine, theirs] = [
    namesOf(have, false),
    namesOf(
      several.filter((one) => !have.includes(one)),
      true,
    ),
  ];
  const readList: ReadList = (text, options) => {
    if (text.length > LONGEST) return null;
    const folded = filters.plain(text);
    if (points.test(folded) || written.test(text)) return null;
    const { filters: found, places } = filters.read(text, options);
    let left = folded;
    for (const { start, end } of places)
      left = left.slice(0, start) + ' '.repeat(end - start) + left.slice(end);
    const isCheaper = cheaper.test(left);
    left = left.replace(eachCheaper, (said) => ' '.repeat(said.length));
    // "Cool. What about Rio?" goes on as "what about Rio?" does.
    const begins = folded.replace(opening, '');
    const spoken = tokenize(left).map(({ word }) => word);
    const asked = left
      .replace(opening, (said) => (leads.test(begins) ? ' ' : said))
      .replace(leads, ' ')
      .replace(there, ' ')
      .replace(tooFar, ' ')
      .replace(eachSum, ' ')
      .replace(eachOffered, ' ')
      .replace(serves, ' ')
      .replace(anywhere, ' ')
      .replace(eachSameWish, ' ')
      .replace(sameDay, ' ')
      .replace(eachAudience, ' ')
      .replace(eachOwn, ' ');
    const rest = tokenize(asked)
      .map(({ word }) => word)
      .filter((word) => !known.test(word) && !fillers.has(word));
    // Its name begins and ends with unknown words: "Juiz de Fora".
    const elsewhere = [...left.matchAll(placed)].flatMap(({ index, 0: all, 1: name = '' }) => {
      const named = name.split(' ');
      const length = named.findLastIndex((word) => rest.includes(word)) + 1;
      const start = index + all.length - name.length;
      const end = start + named.slice(0, length).join(' ').length;
      const isOne = length > 0 && rest.includes(named[0] ?? '') && rest.every((word) => named.includes(word));
      return isOne && found.places.length === 0 ? [writtenAt(text, start, end)] : [];
    });
    const plural = (names: ReadonlySet<string>): boolean =>
      spoken.some((word) => word.endsWith('s') && [...names].some((name) => isPlural(word, name)));
    const isOffered = offered.test(left) || plural(theirs) || (found.price !== null && !own.test(left));
    const of = own.test(left) || (plural(mine) && !isOffered) ? 'own' : isOffered ? 'offered' : null;
    const entity = have.find((one) => plural(namesOf([one], false)))?.id ?? null;
    return {
      filters: found,
      of,
      entity: of === 'own' ? entity : null,
      narrows: !narrowsNothing(found),
      leads: leads.test(folded) || leads.test(begins),
      there: folded.search(there) >= 0,
      open: open.test(left),
      anywhere: found.places.length === 0 && anywhere.test(left),
      sameWish: sameWish.test(left),
      sameDay: sameDay.test(left),
      audience: audience.test(left),
      ofKind: kind.test(left),
      cheaper: isCheaper,
      sums: sums.test(left),
      counts: counts.test(spoken.join(' ')),
      elsewhere: elsewhere[0] ?? null,
      serves: folded.search(serves) >= 0,
      goesOn: leads.test(folded) || !article.test(folded),
      isWhole: rest.length === 0,
      rest,
    };
  };
  // No day, and no hour that somebody names, begins within a minute.
  return remembered(readList, (text, { now, language = '' }) =>
    [Math.floor(now.getTime() / 60_000), language, text].join(' '),
  );
}

/** A stretch of the folded text, as it was written. */
function writtenAt(text: string, start: number, end: number): string {
  const { at } = fold(text);
  return text.slice(at[start] ?? 0, at[end] ?? text.length).trim();
}

function isPlural(word: string, noun: string): boolean {
  return word.startsWith(noun.slice(0, -2)) && word.length > noun.length;
}
