import type { RecordSense } from '../../core/ports/language-layer.js';
import { isWorkedOut, mannerOf } from './arithmetic.js';
import { namedDaysIn, shifted } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { figuresWithin } from './figures.js';
import { WRITTEN_DOWN } from './mix-ups.js';
import { FEE, hasFigure, isDeadline, isSame, LEDGER } from './record-figures.js';
import type { RecordNames } from './record-names.js';
import type { RecordRow } from './record-rows.js';
import type { RecordWords } from './record-words.js';
import type { Sentence } from './sentences.js';
import { fold, tokensOf } from './tokens.js';

/*
 * What an amount or a day of an answer may be said of: each has to stand in a row of the records that its sentence, or what it
 * answers, speaks of, and a day in a field of which it speaks. That the records have it somewhere is not enough.
 */

/** Says that an amount is taken again and again. */
const MONTHLY = /^\s*(?:\/|(?:an?|per|each|every|por|ao|cada|al)\s)\s*(?:month|m[eê]s|mo)(?!\p{L})/iu;
/** What is worked out of several stands in no row. */
const DERIVED =
  /(?<!\p{L})(?:total\p{L}*|altogether|together|in all|sum|adds?|comes? to|each|per|average|half|double|difference|more|less|save\p{L}*|saving\p{L}*|som\p{L}+|ao todo|junt[oa]s|cada|media|metade|dobro|diferenca|a mais|a menos|econom\p{L}+|sobra\p{L}*|leaves?|minus|plus)(?!\p{L})/u;
/** Where what is said of another sum or day begins. */
const PARTS = /;|, (?=e |and |but |mas )|\. /gu;
/** Stands between a sum and its day. */
const ON = /^ (?:on|em)(?: the)? $/u;
/** So far before a day the word that says what came about on it may stand. */
const NEAR = 6;
/** Until when something can be done. */
const UNTIL =
  /(?<!\p{L})(?:by|until|till|up to|before|no later than|ate|antes d[eoa]|hasta)(?: (?:the|o|as?|[\d:h]+(?:am|pm)?|on|em|do|no|dia|\p{L}+day,?|\p{L}+-feira,?|noon|midnight)){0,5} ?$/u;
/** Counts back from it. */
const BACK = /(?<!\p{L})(?:hours?|horas?|24 ?h|days?|dias?|day before|vespera)(?!\p{L})/u;
/** What is left of the time until then. */
const TIME_LEFT =
  /(?<!\p{L})(?:time|while|weeks?|tempo|semanas?)(?: (?:left|still|yet|ainda|to go))? (?:until|till|before|ate)/u;
/** What can be done until a day. */
const UNDOES =
  /(?<!\p{L})(?:cancel\p{L}*|refund\p{L}*|desist\p{L}*|reembols\p{L}*|devolv\p{L}*|drop|back|volta)(?!\p{L})/u;
/** Speaks of others than were named. */
const OTHERS = /(?<!\p{L})(?:others?|outr[oa]s?|demais|rest|resto)(?!\p{L})/u;
/** Words that begin with the same letters may be one. */
const STEM = 6;
const SHORTEST = 4;

/** What came about on a day, by the state that a word before it says. */
const ROLES: Readonly<Record<string, (row: RecordRow, field: string) => boolean>> = {
  refund: (row, field) =>
    row.kind === 'refund' || (!LEDGER.has(row.kind) && /chang|updat|modif|refund/.test(field)),
  cancel: (row, field) =>
    row.kind === 'refund' || (!LEDGER.has(row.kind) && /chang|updat|modif|cancel|end/.test(field)),
  pay: (row, field) => (LEDGER.has(row.kind) && row.kind !== 'refund') || /creat|paid|order|plac/.test(field),
  fail: (row) => LEDGER.has(row.kind),
  attend: (row, field) => !LEDGER.has(row.kind) && !/creat/.test(field),
};

/** What of a turn the figures of an answer may rest on. */
export class Grounds {
  /** The records by the words of their names and places: those that tell them apart, and all. */
  readonly #byName = new Map<string, Set<string>>();
  readonly #byWord = new Map<string, Set<string>>();
  readonly #asked: ReadonlySet<string>;
  readonly #askedDays: ReadonlySet<string>;
  readonly #asksFee: boolean;
  readonly #before = new WeakMap<Sentence, Spoken>();

  constructor(
    private readonly facts: Facts,
    /** What rules and the customer name. */
    private readonly common: readonly Figure[],
    private readonly rows: readonly RecordRow[],
    private readonly names: RecordNames,
    private readonly sense: RecordSense,
    nouns: RecordWords,
  ) {
    for (const { title, words } of rows) {
      if (title === null) continue;
      const called = [title, ...words].join(' ');
      for (const word of nouns.distinctive(called)) add(this.#byName, keyOf(word), title);
      for (const { text: word } of tokensOf(called)) add(this.#byWord, keyOf(word), title);
    }
    this.#asked = this.#spokenIn(facts.asked, this.#byName);
    this.#askedDays = new Set(this.#datedIn(facts.asked));
    this.#asksFee = speaksOfFee(wordsIn(facts.asked));
  }

  /**
   * The first amount or day of a sentence that no record has of which it speaks; null where each has its own.
   * @param all the figures of the whole answer
   * @param sentencesBefore asked where it has one
   */
  wrongIn(
    sentence: Sentence,
    all: readonly Figure[],
    sentencesBefore: () => readonly Sentence[],
  ): Figure | null {
    if (sentence.question || this.rows.length === 0) return null;
    const figures = figuresWithin(all, sentence);
    if (!figures.some(({ kind }) => kind === 'money' || kind === 'date')) return null;
    const earlier = sentencesBefore();
    const mentioned = this.names.mentionsIn(sentence.tokens).map(({ title }) => title);
    const own = new Set([...mentioned, ...this.#spokenIn(sentence.text, this.#byName)]);
    const before = this.#spokenBefore(earlier);
    const named = own.size > 0 ? own : before.named;
    const dated = [...before.dated, ...this.#datedIn(sentence.text)];
    const hinted = named.size === 0 ? [] : [...this.#spokenIn(sentence.text, this.#byWord), ...dated];
    const spoken = new Set([...named, ...hinted]);
    const clause = { sentence, figures, all, own, spoken, before: earlier.at(-1) };
    const sums = figures.filter(({ kind }) => kind === 'money');
    const foreign = sums.filter((figure) => this.#isOfOthers(figure, clause));
    // "It was $ 380.00 against $ 60.00 for the other".
    if (foreign.length > 0 && foreign.length === sums.length) return foreign[0] ?? null;
    const dates = figures.filter(({ kind }) => kind === 'date');
    const others = dates.filter((figure) => this.#isAnotherDay(figure, clause));
    return others.length > 0 && (own.size > 1 || others.length === dates.length) ? (others[0] ?? null) : null;
  }

  /** What the question and the sentences before one speak of, each sentence read once. */
  #spokenBefore(earlier: readonly Sentence[]): Spoken {
    let so: Spoken = { named: this.#asked, dated: this.#askedDays };
    const from = earlier.findLastIndex((one) => this.#before.has(one));
    const last = earlier[from];
    if (last) so = this.#before.get(last) ?? so;
    for (const one of earlier.slice(from + 1)) {
      const [named, dated] = [this.#spokenIn(one.text, this.#byName), this.#datedIn(one.text)];
      so = { named: new Set([...so.named, ...named]), dated: new Set([...so.dated, ...dated]) };
      this.#before.set(one, so);
    }
    return so;
  }

  /** The records that the words of a text name. */
  #spokenIn(text: string, known: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
    const words = fold(text).split(/[^\p{L}]+/u);
    return new Set(
      words.flatMap((word) => (word.length < SHORTEST ? [] : [...(known.get(keyOf(word)) ?? [])])),
    );
  }

  /** Those that are on a day which a text calls tomorrow or yesterday. */
  #datedIn(text: string): readonly string[] {
    const days = new Set(namedDaysIn(fold(text), this.facts.today).map(({ day }) => day.slice(5)));
    return this.rows.flatMap(({ title, moments }) =>
      title !== null && moments.some(({ day, minute }) => minute !== null && days.has(day)) ? [title] : [],
    );
  }

  #isOfOthers(figure: Figure, { sentence, figures, all, own, spoken, before }: Clause): boolean {
    const having = this.rows.filter((row) => hasFigure(row, figure));
    if (having.length === 0 || this.common.some((one) => isSame(one, figure))) return false;
    const { text, from } = sentence;
    const plain = fold(text);
    const isFee = having.some(({ title }) => title === null);
    if (MONTHLY.test(text.slice(figure.to - from))) return !isFee && !DERIVED.test(plain);
    if (having.some(({ title }) => title !== null && spoken.has(title))) return false;
    const isOfFee = (one: Sentence) => speaksOfFee(one.tokens.map((token) => token.text));
    const asksFee = this.#asksFee || (before !== undefined && isOfFee(before));
    if (isFee && (isOfFee(sentence) || (own.size === 0 && asksFee))) return false;
    if (spoken.size === 0 || OTHERS.test(plain)) return false;
    if (own.size !== 1 && (DERIVED.test(plain) || mannerOf(text, this.facts.asked).totals)) return false;
    if (own.size !== 1 && isWorkedOut(Number(figure.values[0]), all, this.facts)) return false;
    // "$ 45.00, paid on 22 October": its own day names it.
    return !(
      own.size === 0 &&
      having.some((row) =>
        figures.some(
          (one) =>
            one.kind !== 'money' &&
            one.kind !== 'count' &&
            this.#sameTitle(row).some((same) => hasFigure(same, one)),
        ),
      )
    );
  }

  #sameTitle(row: RecordRow): readonly RecordRow[] {
    return row.title === null ? [row] : this.rows.filter(({ title }) => title === row.title);
  }

  /** "$ 59.90, paid on 18 November", where what has that amount has no such day. */
  #isOfAnotherSum(date: Figure, { sentence: { text, from }, figures }: Clause): boolean {
    const ends = [...text.matchAll(PARTS)].map(({ index }) => from + index);
    const partOf = (one: Figure) => ends.filter((end) => end < one.from).length;
    const part = figures.filter((one) => partOf(one) === partOf(date));
    const [sum, ...sums] = part.filter(({ kind }) => kind === 'money');
    const days = part.filter(({ kind }) => kind === 'date' || kind === 'day');
    if (!sum || sums.length > 0 || days.length > 1) return false;
    const having = this.rows.filter((row) => hasFigure(row, sum));
    const paid = having.filter(({ kind }) => LEDGER.has(kind));
    // "$ 30.00 on 8 November": the day on which it was paid or returned.
    const between = text.slice(Math.min(sum.to, date.to) - from, Math.max(sum.from, date.from) - from);
    const known = ON.test(between) ? paid : having.flatMap((row) => this.#sameTitle(row));
    return (
      paid.length > 0 &&
      !known.some(
        (row) => hasFigure(row, date) || (!LEDGER.has(row.kind) && isDeadline(row, date, this.facts)),
      )
    );
  }

  #isAnotherDay(figure: Figure, clause: Clause): boolean {
    const { sentence, figures, own, spoken } = clause;
    const day = String(figure.values[0]);
    if (this.common.some((one) => isSame(one, figure))) return false;
    const text = fold(sentence.text);
    const before = text.slice(0, figure.from - sentence.from);
    const { today } = this.facts;
    const isBefore = (one: string) => shifted(`${today.slice(0, 4)}-${one}`, -1).slice(5) === day;
    const cells = this.rows
      .filter(({ title }) => title === null || spoken.size === 0 || spoken.has(title))
      .flatMap((row) =>
        row.moments.map((moment) => ({
          row,
          ...moment,
          isPlace: row.title !== null && !LEDGER.has(row.kind) && !WRITTEN_DOWN.test(moment.field),
        })),
      );
    const isIn = (some: readonly { readonly day: string }[]) => some.some((one) => one.day === day);
    const places = cells.filter(({ isPlace }) => isPlace);
    if (UNTIL.test(before)) {
      if (!UNDOES.test(text) || BACK.test(text) || TIME_LEFT.test(before)) return false;
      return isIn(places) && !places.some((one) => isBefore(one.day));
    }
    const days = namedDaysIn(text, today).map((one) => one.day.slice(5));
    if (days.includes(day) || OTHERS.test(text)) return false;
    if (day === today.slice(5) && figures.some(({ kind }) => kind === 'span')) return false;
    if (this.#isOfAnotherSum(figure, clause)) return true;
    const at = sentence.tokens.findIndex((token) => token.from >= figure.from);
    const near = sentence.tokens.slice(Math.max(0, at - NEAR), at);
    const state = near.flatMap(({ text: word }) => this.sense.stateOf(word) ?? []).at(-1);
    const role = state === undefined ? undefined : ROLES[state];
    if (role) {
      const meant = cells.filter(({ row, field }) => role(row, field));
      return meant.length > 0 && !isIn(meant);
    }
    const words = sentence.tokens.map((token) => token.text);
    const isOfAccount =
      speaksOfFee(words) ||
      words.some((word) => this.sense.momentOf(word) !== null) ||
      figures.some(({ kind }) => kind === 'money');
    if (own.size > 0) {
      // Something that is named is on its own days; where nothing was paid or changed, on those on which it takes place.
      const isBooked = [...words, ...wordsIn(this.facts.asked)].some(
        (word) =>
          !['attend', 'miss', null].includes(this.sense.stateOf(word)) || this.sense.kindsOf(word).length > 0,
      );
      const titled = isBooked || isOfAccount ? cells.filter(({ row }) => row.title !== null) : places;
      return (
        titled.length > 0 && !isIn(isOfAccount ? cells : titled) && !titled.some((one) => isBefore(one.day))
      );
    }
    return (
      !isIn(cells) &&
      !places.some((one) => isBefore(one.day)) &&
      this.rows.some(({ moments }) => isIn(moments))
    );
  }
}

/** What was spoken of: by name, and by its day. */
interface Spoken {
  readonly named: ReadonlySet<string>;
  readonly dated: ReadonlySet<string>;
}

/** A sentence with what it speaks of: by itself, or as what it goes on with. */
interface Clause {
  readonly sentence: Sentence;
  readonly figures: readonly Figure[];
  readonly all: readonly Figure[];
  readonly own: ReadonlySet<string>;
  readonly spoken: ReadonlySet<string>;
  readonly before: Sentence | undefined;
}

function wordsIn(text: string): readonly string[] {
  return fold(text).split(/[^\p{L}]+/u);
}

/** "Retrospective" and "retrospectiva" are one word, and so is what is named in the plural. */
function keyOf(word: string): string {
  return word.replace(/s$/, '').slice(0, STEM);
}

function add(map: Map<string, Set<string>>, key: string, title: string): void {
  if (key.length >= SHORTEST) map.set(key, (map.get(key) ?? new Set()).add(title));
}

function speaksOfFee(words: readonly string[]): boolean {
  return words.some((word) => FEE.test(word));
}
