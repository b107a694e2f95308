import type { RecordSense } from '../../core/ports/language-layer.js';
import { follows, mannerOf } from './arithmetic.js';
import { dayNamed } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { figuresIn } from './figures.js';
import { clausesOf, isNeverDone, ofAnotherField, ofAnotherPayment, WRITTEN_DOWN } from './mix-ups.js';
import {
  FEE,
  FEES,
  hasFigure,
  isDeadline,
  isSame,
  kindOf,
  kindsIn,
  LEDGER,
  type Mention,
  sharesCount,
  titleBeside,
} from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import type { RecordWords } from './record-words.js';
import type { RecordBook } from './records.js';
import type { Sentence } from './sentences.js';
import { fold, type Token } from './tokens.js';

/*
 * An amount, a day, an hour or a number of one record, said of another. Only what contradicts the records is stopped: a
 * figure that is another's and not that of the record it stands with. What no record has is for the check of figures.
 */

const BINDING: ReadonlySet<Figure['kind']> = new Set(['money', 'date', 'day', 'time', 'weekday', 'count']);
/** Smaller numbers count all kinds of things. */
const FEW = 3;
/** Says that something else is meant than what was spoken of. */
const OTHER =
  /(?<!\p{L})(?:other|another|others|then|after|next|also|outr[oa]s?|depois|tambem|proxim[oa]s?|otr[oa]s?|luego)(?!\p{L})/u;
/** Stands for the one that was spoken of. */
const PRONOUN = /(?<!\p{L})(?:(?:for|of|on) it|it|por el[ea]|del[ea]|nel[ea]|por (?:ella|él))(?!\p{L})/iu;
/** Says it of every one that is named. */
const EACH = /(?<!\p{L})(?:each|apiece|cada)(?!\p{L})/iu;
const CENTS = 100;
const SHORTEST = 4;
/** Words that begin with the same letters may be one. */
const STEM = 5;

/** Compares the figures of one turn's answers with the records that these say them of. */
export class Bindings {
  readonly #rows: readonly RecordRow[];
  readonly #titles = new Map<string, string>();
  /** Words of places that one record alone has. */
  readonly #places = new Map<string, string>();
  /** How the words of the sentence begin that is being read. */
  #words: readonly string[] = [];
  /** What rules and the customer name. */
  readonly #common: readonly Figure[];

  constructor(
    private readonly evidence: { readonly facts: Facts; readonly records: RecordBook },
    private readonly sense: RecordSense,
    private readonly nouns: RecordWords,
  ) {
    const { facts, records } = evidence;
    this.#rows = records.rows;
    for (const { title, names, done } of records.all)
      if (title !== null && !done) for (const name of names) this.#titles.set(name, title);
    const shared = new Set<string>();
    for (const { title, words } of this.#rows)
      for (const word of title === null ? [] : words) {
        const other = this.#places.get(word);
        if (title !== null && word.length >= SHORTEST) this.#places.set(word, title);
        if (other !== undefined && other !== title) shared.add(word);
      }
    for (const word of shared) this.#places.delete(word);
    this.#common = [...facts.rules, facts.asked].flatMap((text) => figuresIn(text, facts.currency));
  }

  /**
   * The first figure of a sentence that is another record's; null where none is.
   * @param all the figures of the whole answer
   * @param before the record that was spoken of; null where that were several or none
   */
  wrongIn(sentence: Sentence, all: readonly Figure[], before: string | null): Figure | null {
    if (this.#rows.length === 0 || sentence.question) return null;
    const end = sentence.from + sentence.text.length;
    const figures = all.filter(({ kind, from }) => BINDING.has(kind) && from >= sentence.from && from < end);
    const mentions = this.#mentionsIn(sentence.tokens);
    if (figures.length === 0) return null;
    const unpaid = ofAnotherPayment(sentence, figures, this.#rows);
    if (unpaid) return unpaid;
    const undone = figures.find((figure) =>
      isNeverDone(figure, sentence, this.titleIn(sentence) ?? before, this.#rows, this.sense),
    );
    if (undone) return undone;
    this.#words = sentence.tokens.flatMap(({ text }) =>
      text.length >= SHORTEST ? [text.slice(0, STEM)] : [],
    );
    if (mentions.length > 0)
      return (
        this.#misplaced(sentence, figures, mentions) ??
        this.#misdated(sentence, figures, mentions) ??
        this.#unknownPrice(sentence, figures, all, mentions)
      );
    const kinds = kindsIn(sentence.tokens, this.sense, this.nouns);
    const mistaken = ofAnotherField(sentence, figures, this.#rows, this.sense);
    if (mistaken) return mistaken;
    const untitled = this.#rows.filter((row) => row.title === null && kinds.has(kindOf(row)));
    const isOfRecords = this.#rows.some(
      ({ title, kind }) => title !== null && kinds.has(kind) && !(LEDGER.has(kind) && kinds.has(FEES)),
    );
    if (untitled.length > 0 && !isOfRecords) {
      const meant = figures.filter(({ kind }) =>
        untitled.some(
          ({ money, moments }) => (kind === 'money' ? money.size : kind === 'count' ? 0 : moments.length) > 0,
        ),
      );
      return meant.find((figure) => this.#isForeign(figure, before, kinds, true)) ?? null;
    }
    if (before === null || OTHER.test(fold(sentence.text))) return null;
    if (kinds.size > 0) {
      const [sum, ...more] = figures.filter(({ kind }) => kind === 'money');
      const isOfIt = sum && more.length === 0 && PRONOUN.test(sentence.text);
      return isOfIt && this.#isForeign(sum, before, kinds, false) ? sum : null;
    }
    return figures.find((figure) => this.#isForeign(figure, before, kinds, false)) ?? null;
  }

  /** The one record that a sentence speaks of; null where it names several, or none. */
  titleIn({ tokens }: Sentence): string | null {
    const titles = new Set(this.#mentionsIn(tokens).map(({ title }) => title));
    const [title = null] = titles;
    return titles.size === 1 ? title : null;
  }

  /** The one record that the customer's own words name; null where these are several or none. */
  get asked(): string | null {
    const words = fold(this.evidence.facts.asked).split(/[^\p{L}]+/u);
    const isIn = (name: string) =>
      words.some(
        (word) => word === name || (word.length >= STEM && word.slice(0, STEM) === name.slice(0, STEM)),
      );
    const titles = new Set([...this.#titles].flatMap(([name, title]) => (isIn(name) ? [title] : [])));
    const [title = null] = titles;
    return titles.size === 1 ? title : null;
  }

  /** Of each kind every figure is of the record before it, or every one of the record behind it. */
  #misplaced(sentence: Sentence, figures: readonly Figure[], mentions: readonly Mention[]): Figure | null {
    const kinds = kindsIn(sentence.tokens, this.sense, this.nouns);
    const isEach = EACH.test(sentence.text);
    const clauses = isEach ? null : clausesOf(sentence, figures, mentions);
    if (clauses)
      return (
        clauses.find(({ figure, title }) => this.#isForeign(figure, title, kinds, false, mentions))?.figure ??
        null
      );
    for (const kind of BINDING) {
      const same = figures.filter((figure) => figure.kind === kind);
      if (isEach && kind === 'money' && same.length === 1)
        return (
          same.find((one) =>
            mentions.some(({ title }) => this.#isForeign(one, title, kinds, false, mentions)),
          ) ?? null
        );
      const wrong = ([1, -1] as const).map((side) =>
        same.find((figure) =>
          this.#isForeign(figure, titleBeside(mentions, figure, side), kinds, false, mentions),
        ),
      );
      const [first] = wrong;
      if (first !== undefined && !wrong.includes(undefined)) return first;
    }
    return null;
  }

  /** An amount of no record and no rule for something that has one, unless it was worked out of others that are shown. */
  #unknownPrice(
    { text }: Sentence,
    figures: readonly Figure[],
    all: readonly Figure[],
    mentions: readonly Mention[],
  ): Figure | null {
    if (all.some(({ kind }) => kind === 'percent') || mannerOf(text, '').compares) return null;
    const shown = all.flatMap(({ kind, values: [value] }) =>
      kind === 'money' ? [Number(value)] : kind === 'count' ? [Number(value) * CENTS] : [],
    );
    const isSaid = (figure: Figure) =>
      this.#common.some((one) => isSame(one, figure)) || this.#rows.some((row) => hasFigure(row, figure));
    const isWorkedOut = (sum: number) => {
      const parts = shown.filter((one) => one !== sum);
      return (
        parts.reduce((whole, one) => whole + one, 0) === sum ||
        follows(sum, parts) ||
        this.evidence.facts.sums.has(sum)
      );
    };
    const hasPrice = (title: string | null) =>
      this.#rows.some((row) => row.title === title && row.money.size > 0);
    return (
      figures.find(
        (figure) =>
          figure.kind === 'money' &&
          hasPrice(titleBeside(mentions, figure, 1)) &&
          !isSaid(figure) &&
          !isWorkedOut(Number(figure.values[0])),
      ) ?? null
    );
  }

  /** A day of a payment, where nothing but the thing itself is spoken of; "today", of a thing of another day. */
  #misdated(
    { text, tokens, from }: Sentence,
    figures: readonly Figure[],
    mentions: readonly Mention[],
  ): Figure | null {
    const { facts } = this.evidence;
    const [title, ...more] = new Set(mentions.map((one) => one.title));
    if (title === undefined || more.length > 0) return null;
    const own = this.#rows.filter((row) => row.title === title);
    const days = own.flatMap(({ moments, kind }) =>
      moments.flatMap(({ day, field }) => (LEDGER.has(kind) || WRITTEN_DOWN.test(field) ? [] : [day])),
    );
    const dated = figures.find(({ kind }) => kind === 'date');
    const isBooked = [...tokens.map((one) => one.text), ...fold(facts.asked).split(/[^\p{L}]+/u)].some(
      (word) => this.sense.stateOf(word) !== null || this.sense.kindsOf(word).length > 0 || FEE.test(word),
    );
    if (dated) {
      const isOwn = days.length === 0 || dated.values.some((day) => days.includes(String(day)));
      const isWritten = own.some(({ moments }) => moments.some(({ day }) => dated.values.includes(day)));
      return !isOwn && isWritten && !isBooked ? dated : null;
    }
    const time = figures.find(
      ({ kind, values }) =>
        kind === 'time' &&
        own.some(({ moments }) => moments.some(({ minute }) => values.includes(minute ?? -1))),
    );
    const named = time ? dayNamed(fold(text.slice(0, time.to - from)), facts.today) : null;
    return time && named !== null && days.length > 0 && !days.includes(named.slice(5)) && !isBooked
      ? time
      : null;
  }

  /** True for what another record has, and neither this one nor what is of none. @param strict for what is of none alone */
  #isForeign(
    figure: Figure,
    title: string | null,
    kinds: ReadonlySet<string>,
    strict: boolean,
    mentions: readonly Mention[] = [],
  ): boolean {
    if (figure.kind === 'count' && figure.values.some((value) => Number(value) < FEW)) return false;
    if (this.#common.some((one) => isSame(one, figure))) return false;
    const own = title === null ? [] : this.#rows.filter((row) => row.title === title);
    if (own.some((row) => hasFigure(row, figure) || isDeadline(row, figure, this.evidence.facts)))
      return false;
    if (figure.kind === 'count' && !sharesCount(own, this.#rows, figure)) return false;
    if (this.evidence.facts.sums.has(Number(figure.values[0])) && figure.kind === 'money') return false;
    // No other has to have a weekday for it to be wrong: a payment was made on every one of them.
    const isPlaced = figure.kind === 'weekday' && own.some(({ moments }) => moments.length > 0);
    return (
      (isPlaced ||
        this.#rows.some((row) => row.title !== null && row.title !== title && hasFigure(row, figure))) &&
      !this.#rows.some(
        (row) =>
          row.title !== null &&
          !mentions.some((one) => one.title === row.title) &&
          this.#isHinted(row.title) &&
          hasFigure(row, figure),
      ) &&
      !this.#rows.some(
        (row) =>
          row.title === null &&
          hasFigure(row, figure) &&
          (strict || kinds.has(kindOf(row)) || (figure.kind !== 'money' && !isPlaced)),
      )
    );
  }

  /** "The improv show": a title in other words, or in another language. */
  #isHinted(title: string): boolean {
    return [...this.#titles, ...this.#places].some(
      ([name, of]) => of === title && this.#words.includes(name.slice(0, STEM)),
    );
  }

  #mentionsIn(tokens: readonly Token[]): readonly Mention[] {
    const mentions: Mention[] = [];
    for (const { text, from, capital } of tokens) {
      const title = capital ? this.#titles.get(text) : undefined;
      if (title !== undefined && mentions.at(-1)?.title !== title) mentions.push({ title, from });
    }
    return mentions;
  }
}
