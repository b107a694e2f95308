import type { RecordSense } from '../../core/ports/language-layer.js';
import { MONTHS, shifted, WEEKDAYS } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import {
  clausesOf,
  isComparable,
  LEDGER,
  type Mention,
  type RecordLexicon,
  type Spoken,
  unique,
  type Value,
} from './record-parts.js';
import { isPlaced } from './record-places.js';
import type { RecordRow } from './record-rows.js';
import {
  isAbsent,
  isCounted,
  isGone,
  isLatest,
  isNext,
  isOfEach,
  statesAreSo,
  sumsAreShown,
} from './record-states.js';
import type { RecordWords } from './record-words.js';
import type { RecordBook } from './records.js';
import type { Sentence } from './sentences.js';
import { fold, type Token } from './tokens.js';

/*
 * A sentence about records goes out as it is only where each thing that it says is borne out by one record: its words are
 * ones that can be checked, every day, hour, amount and place is of the record it stands with, and every state that it names is
 * that record's. All else is for rules to say.
 */

/** What of a sentence no record bears out. */
export type AlignmentFault =
  | 'word'
  | 'value'
  | 'state'
  | 'absent'
  | 'latest'
  | 'next'
  | 'each'
  | 'count'
  | 'sum';

/** Fewer letters name no place. */
const SHORTEST = 3;
const NAMED_DAYS: ReadonlyMap<string, number> = new Map([
  ...['today', 'tonight', 'hoje', 'hoy'].map((word): [string, number] => [word, 0]),
  ...['tomorrow', 'amanha'].map((word): [string, number] => [word, 1]),
  ...['yesterday', 'ontem', 'ayer'].map((word): [string, number] => [word, -1]),
  ['anteontem', -2],
]);
/** "Three weeks from today" is another day. */
const COUNTED_FROM = /^(?:from|de|after)$/;
/** Reads sentences about the records of one turn. */
export class RecordAlignment implements RecordLexicon {
  readonly rows: readonly RecordRow[];
  readonly #titles = new Map<string, string>();
  readonly #titleWords = new Set<string>();
  readonly #places = new Set<string>();
  readonly #kinds = new Map<string, readonly string[]>();

  constructor(
    private readonly evidence: { readonly facts: Facts; readonly records: RecordBook },
    readonly sense: RecordSense,
    private readonly nouns: RecordWords,
  ) {
    const { records } = evidence;
    this.rows = records.rows;
    for (const { title, names, done } of records.all) {
      if (title === null || done) continue;
      for (const name of names) this.#titles.set(name, title);
      for (const word of fold(title).split(/[^\p{L}]+/u)) this.#titleWords.add(word);
    }
    for (const { words, title } of this.rows)
      for (const word of title === null ? [] : words)
        if (word.length >= SHORTEST && !this.#titleWords.has(word)) this.#places.add(word);
  }

  /** Whether records are all there is to compare with: what was found out about them is said in sentences of its own. */
  get reads(): boolean {
    return this.rows.length > 0 && this.evidence.facts.statements.length === 0;
  }

  /** The customer's own words. */
  get asked(): string {
    return this.evidence.facts.asked;
  }

  get now(): number {
    return this.evidence.facts.moments[0] ?? 0;
  }

  titleOf(word: string): string | undefined {
    return this.#titles.get(word);
  }

  /** What the customer's own words speak of. */
  get askedOf(): Spoken {
    const words = fold(this.evidence.facts.asked).split(/[^\p{L}]+/u);
    return {
      titles: unique(words.flatMap((word) => this.#titles.get(word) ?? [])),
      kinds: unique(words.flatMap((word) => this.kindsOf(word))),
    };
  }

  /**
   * Reads one sentence.
   * @param figures those of the whole answer
   * @param before what was spoken of
   * @returns what is not borne out, null where all is; and what it speaks of
   */
  read(
    sentence: Sentence,
    figures: readonly Figure[],
    before: Spoken,
  ): { readonly fault: AlignmentFault | null; readonly spoken: Spoken } {
    const { tokens } = sentence;
    const mentions = this.#mentionsIn(tokens);
    const titles = unique(mentions.map(({ title }) => title));
    const kinds = unique(tokens.flatMap(({ text: word }) => this.kindsOf(word)));
    const spoken = {
      titles: titles.length > 0 ? titles : before.titles,
      kinds: kinds.length > 0 || titles.length > 0 ? kinds : before.kinds,
    };
    const values = this.#valuesIn(sentence, figures);
    const clauses = clausesOf(sentence, figures);
    const about = kinds.length > 0 ? kinds : before.kinds;
    const said = { sentence, figures, values, mentions, clauses, titles, spoken, about };
    const checks: readonly (readonly [AlignmentFault, () => boolean])[] = [
      ['word', () => this.#isKnown(tokens, values)],
      ['value', () => isPlaced(said, this)],
      ['state', () => clauses.every((clause) => statesAreSo(clause, said, this))],
      ['absent', () => clauses.every((clause) => isAbsent(clause, said, this))],
      ['latest', () => isLatest(said, this)],
      ['next', () => isNext(said, this)],
      ['each', () => isOfEach(said, this)],
      ['count', () => isCounted(said, this)],
      ['sum', () => sumsAreShown(said, this)],
    ];
    const fault = checks.find(([, isSo]) => !isSo())?.[0] ?? null;
    return { fault, spoken };
  }

  /** The first record that an answer names and does not say to be cancelled, though it is; null where there is none. */
  goneIn(sentences: readonly Sentence[]): string | null {
    const words = sentences.flatMap(({ tokens }) => tokens.map(({ text }) => text));
    const told = [...words, ...fold(this.asked).split(/[^\p{L}]+/u)];
    const isTold = (word: string) =>
      this.sense.stateOf(word) === 'cancel' || this.kindsOf(word).some((kind) => LEDGER.has(kind));
    if (told.some(isTold)) return null;
    const named = new Set(words.flatMap((word) => this.#titles.get(word) ?? []));
    return this.rows.find((row) => row.title !== null && named.has(row.title) && isGone(row))?.title ?? null;
  }

  /** True where each word is one that can be checked. */
  #isKnown(tokens: readonly Token[], values: readonly Value[]): boolean {
    const { facts, records } = this.evidence;
    const asked = new Set(fold(facts.asked).split(/[^\p{L}\d]+/u));
    return tokens.every(({ text: word, number, from }, at) => {
      if (number !== null || !/\p{L}/u.test(word) || word.length < 2) return true;
      if (isAddressed(tokens, at)) return true;
      if (values.some((value) => value.kind !== 'place' && value.from === from)) return true;
      return (
        this.sense.knows(word) ||
        this.nouns.names(word) ||
        asked.has(word) ||
        facts.sourced.has(word) ||
        MONTHS.has(word) ||
        WEEKDAYS.has(word) ||
        this.#titles.has(word) ||
        records.named(new Set([word])).length > 0
      );
    });
  }

  #mentionsIn(tokens: readonly Token[]): readonly Mention[] {
    const mentions: Mention[] = [];
    for (const { text, from } of tokens) {
      const title = this.#titles.get(text);
      if (title !== undefined && mentions.at(-1)?.title !== title) mentions.push({ title, from });
    }
    return mentions;
  }

  /** The kinds of rows that a word speaks of: by what they are called, or by the state they are in. */
  kindsOf(word: string): readonly string[] {
    const before = this.#kinds.get(word);
    if (before) return before;
    const state = this.sense.stateOf(word);
    const name = this.nouns.entityOf(word);
    const isSo = ({ kind, title, deeds }: RecordRow) =>
      title === null &&
      state !== null &&
      state !== 'pending' &&
      state !== 'active' &&
      state !== 'free' &&
      !LEDGER.has(kind) &&
      deeds.has(state);
    const own = this.rows.filter((row) => row.kind === name || isSo(row)).map(({ kind }) => kind);
    // What is called by the name of another entity is one that has a title: "the show" is what was booked.
    const titled = this.rows.flatMap(({ kind, title }) =>
      title !== null && !LEDGER.has(kind) ? [kind] : [],
    );
    const named = name === null ? [] : own.length > 0 || LEDGER.has(name) ? [name] : titled;
    const kinds = unique([...this.sense.kindsOf(word), ...own, ...named]);
    this.#kinds.set(word, kinds);
    return kinds;
  }

  #valuesIn({ tokens, from, text }: Sentence, figures: readonly Figure[]): readonly Value[] {
    const { today } = this.evidence.facts;
    const own = figures.filter((one) => one.from >= from && one.from < from + text.length);
    // Of an allowance people say the month that it is for.
    const isNow = (months: readonly (number | string)[]) =>
      months.includes(Number(today.slice(5, 7))) && !tokens.some(({ text: word }) => this.#titles.has(word));
    const isPlace = (place: number) =>
      tokens.some(
        ({ text: word, capital, from: start }) => start === place && capital && this.#places.has(word),
      );
    const values: Value[] = own.flatMap(({ kind, values: all, from: start }) =>
      isComparable(kind) && !(kind === 'month' && (isPlace(start) || isNow(all)))
        ? [{ kind, values: all, from: start }]
        : [],
    );
    for (const [at, { text: word, capital, from: start }] of tokens.entries()) {
      const step = NAMED_DAYS.get(word);
      if (capital && at > 0 && this.#places.has(word))
        values.push({ kind: 'place', values: [word], from: start });
      else if (step !== undefined && !COUNTED_FROM.test(tokens[at - 1]?.text ?? '')) {
        const further = word === 'amanha' && tokens[at - 2]?.text === 'depois' ? 1 : 0;
        values.push({ kind: 'date', values: [shifted(today, step + further).slice(5)], from: start });
      }
    }
    return values.toSorted((one, other) => one.from - other.from);
  }
}

/** "Yes, Ana, …": who is spoken to. */
function isAddressed(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  return (
    tokens[at]?.capital === true &&
    (before === undefined || [',', '.', '\n'].includes(before.text)) &&
    (after === undefined || /^[,.:;!?\n–—]$/.test(after.text) || after.capital)
  );
}
