import type { WordSense } from '../../core/ports/language-layer.js';
import { isRate, startsIn } from './day-words.js';
import type { Figure } from './figure.js';
import { isLike, isSame, isSameRow, type Part, partsBy, singular, withoutStarts } from './figure-parts.js';
import { figuresIn, figuresWithin } from './figures.js';
import { Nearness, SAYS } from './nearness.js';
import { isOfAnotherName, namesIn, type Passage, type Term, termsOf } from './passages.js';
import { remembered } from './remembered.js';
import { CONDITION, type Sentence, sentencesOf } from './sentences.js';
import { fold, type Token, tokensOf } from './tokens.js';

/*
 * A figure that articles give of one thing, said of another: the five visits of one plan, of the other plan. Each place of
 * an article that has a figure of that kind is compared with the words around the figure in the answer; where they tell
 * clearly of a place that has another figure, the answer has mistaken one for the other.
 */

/** Where an article gives a figure. */
interface Place {
  /** One, or the two ends of a range. */
  readonly figures: readonly Figure[];
  /** The words of its part of the sentence, and all that it stands under: its sentence, the line above a list, the title. */
  readonly near: readonly Term[];
  readonly wide: readonly Term[];
  /** All places of its sentence that have figures of that kind, in their order. */
  readonly row: readonly Part[];
  /** Names in its sentence, or in its part of one. */
  readonly names: ReadonlySet<string>;
}

const KINDS: ReadonlySet<Figure['kind']> = new Set([
  'money',
  'percent',
  'span',
  'business_days',
  'day',
  'count',
  'contact',
  'start',
]);
/** A word of the part itself weighs one, a word of what it stands under so much. */
const UNDER = 0.4;
/** Fewer words are looked at together with the sentence before and the question. */
const FEW = 4;
/** And fewer than these tell nothing without the question. */
const FEWEST = 3;
/** Larger numbers are no examples. */
const EXAMPLE = 24;
/** By so much the other place has to say more. */
const MARGIN = 1;
/** So near to where a range begins its end stands. */
const RANGE = 6;
/** One word may be all in which two opposites differ. */
const OPPOSED = 0.75;

/** Compares the figures of an answer with the places of articles that they may be of. */
export class Contrast {
  readonly #places: readonly Place[];
  readonly #near: Nearness;
  readonly #starts: readonly (readonly [number, number])[];
  /** What the customer named. */
  readonly #told: readonly Figure[];

  constructor(
    passages: readonly Passage[],
    private readonly asked: string,
    private readonly sense: WordSense,
    currency: string,
  ) {
    this.#told = figuresIn(asked, currency);
    this.#places = passages.flatMap((passage) => placesIn(passage, sense, currency));
    const terms = this.#places.flatMap(({ near, wide }) => [...near, ...wide]);
    const home = Int32Array.from(
      this.#places.flatMap(({ near, wide }, at) => [...near, ...wide].map(() => at)),
    );
    let start = 0;
    this.#starts = this.#places.map(({ near, wide }) => {
      const own = start;
      start += near.length + wide.length;
      return [own, own + near.length] as const;
    });
    this.#near = new Nearness(terms, home, this.#places.length, this.sense);
  }

  /** The first figure of a sentence that another place of the articles contradicts; null where none does. */
  wrongIn(sentence: Sentence, all: readonly Figure[], before: Sentence | null): Figure | null {
    if (sentence.question) return null;
    const isExample = CONDITION.test(sentence.text);
    const starts = startsIn(fold(sentence.text), sentence.from);
    const own = [...figuresWithin(all, sentence), ...starts].filter(
      ({ kind, values, start, noun }) =>
        KINDS.has(kind) &&
        !isRate(noun) &&
        // Where a range begins its end tells as much; what begins now and what next month are of two things.
        start !== true &&
        !(kind === 'start' && new Set(starts.flatMap((one) => one.values)).size > 1) &&
        !(isExample && kind === 'count' && Number(values[0]) <= EXAMPLE),
    );
    const isEnd = ({ from, kind }: Figure) =>
      kind === 'span' && all.some(({ start, to }) => start === true && to < from && from - to < RANGE);
    return own.find((one) => !isEnd(one) && this.#isContradicted(one, sentence, own, before)) ?? null;
  }

  #isContradicted(
    figure: Figure,
    sentence: Sentence,
    all: readonly Figure[],
    before: Sentence | null,
  ): boolean {
    const like = this.#places.flatMap((place, at) =>
      place.figures.some((one) => isLike(one, figure)) ? [{ place, at }] : [],
    );
    const having = like.filter(({ place }) => place.figures.some((one) => isSame(one, figure)));
    const others = like.filter((one) => !having.includes(one));
    // What stands in no article follows from them, or is the customer's own.
    const isTold = this.#told.some((one) => isSame(one, figure));
    if (others.length === 0 || (having.length === 0 && !isTold)) return false;
    const { from } = sentence;
    const same = all.filter((one) => isLike(one, figure));
    // "At most five days: three for us and two for the bank."
    const parts = same.filter((one) => one !== figure).map(({ values }) => Number(values[0]));
    if (parts.length > 1 && parts.reduce((sum, one) => sum + one, 0) === figure.values[0]) return false;
    const inText = same.map((one) => ({ ...one, from: one.from - from, to: one.to - from }));
    const text = withoutStarts(sentence.text, inText);
    const row = partsBy(text, inText);
    const part = row.find(({ figures }) => figures.some((one) => one.from === figure.from - from));
    if (row.length === 1 && isOfAnotherName(this.#clauseWords(sentence, figure), having, others)) return true;
    const isSwapped = this.#isSwapped(row, having);
    if (isSwapped !== null) return isSwapped;
    const own = termsIn(this.sense, part?.text ?? text);
    // "It takes six days": of what was asked.
    const wide = termsIn(
      this.sense,
      `${text} ${own.length < FEW ? `${this.asked} ${before?.text ?? ''}` : ''}`,
    );
    const words = own.length < FEWEST ? termsIn(this.sense, `${part?.text ?? text} ${this.asked}`) : own;
    const scored = (at: number) => this.#score(words, at) + UNDER * this.#score(wide, at);
    const most = Math.max(...others.map(({ at }) => scored(at)));
    // "5 visits rather than 2": where the other one is given too, what stands beside each tells them apart.
    const isGiven = others
      .filter(({ at }) => scored(at) === most)
      .every(({ place }) => place.figures.some((one) => same.some((other) => isSame(one, other))));
    const score = (at: number) => (isGiven ? this.#score(own, at) : scored(at));
    const best = (some: readonly { readonly at: number }[]) =>
      Math.max(0, ...some.map(({ at }) => score(at)));
    const isBeside = ({ at }: { readonly at: number }) => this.#besides(own, at) === own.length;
    if (own.length > 1 && having.some(isBeside) && !others.some(isBeside)) return false;
    // The customer's own figure is wrong only where an article says all the rest of another.
    if (isTold) return own.length >= FEW && best(others) >= (1 + UNDER) * own.length;
    return best(others) - best(having) >= (figure.kind === 'start' ? OPPOSED : MARGIN);
  }

  /**
   * "Basic has two visits, Premium five", where an article says both in that order: true where the words beside them are
   * each other's, null where no article has them side by side.
   */
  #isSwapped(row: readonly Part[], having: readonly { readonly place: Place }[]): boolean | null {
    if (row.length < 2) return null;
    const stated = having.find(({ place }) => isSameRow(place.row, row))?.place.row;
    if (!stated) return null;
    const said = row.map(({ text }) => termsIn(this.sense, text));
    const theirs = stated.map(({ text }) => termsIn(this.sense, text));
    const isIn = (term: Term, terms: readonly Term[]) => terms.some((one) => this.#isSame(one, term));
    // What one part alone has tells it from the others.
    const own = theirs.map((terms, at) =>
      terms.filter((term) => theirs.every((other, place) => place === at || !isIn(term, other))),
    );
    // The words beside one are those of another, whose own words do not stand beside it.
    const tells = said.map((terms) => own.map((those) => terms.filter((term) => isIn(term, those)).length));
    const isRight = (at: number) => (tells[at]?.[at] ?? 0) > 0;
    return said.some(
      (_terms, at) =>
        !isRight(at) &&
        said.some((_other, place) => place !== at && (tells[at]?.[place] ?? 0) > 0 && !isRight(place)),
    );
  }

  /** The words of the part between semicolons that a figure stands in. */
  #clauseWords({ text, from, words }: Sentence, figure: Figure): ReadonlySet<string> {
    const start = text.lastIndexOf(';', figure.from - from) + 1;
    const end = text.indexOf(';', figure.from - from);
    if (start === 0 && end === -1) return words;
    return new Set(tokensOf(text.slice(start, end === -1 ? undefined : end)).map((token) => token.text));
  }

  #isSame(one: Term, other: Term): boolean {
    const forms = this.sense.formsOf(one.word);
    return one.word === other.word || this.sense.formsOf(other.word).some((form) => forms.includes(form));
  }

  /** How many of some words stand beside the figure of a place. */
  #besides(terms: readonly Term[], at: number): number {
    const [start, middle] = this.#starts[at] ?? [0, 0];
    return terms.filter((term) =>
      this.#near
        .nearnessOf(term)
        .subarray(start, middle)
        .some((value) => value >= SAYS),
    ).length;
  }

  /** How much of some words a place says. */
  #score(terms: readonly Term[], at: number): number {
    const [start, middle] = this.#starts[at] ?? [0, 0];
    const end = this.#starts[at + 1]?.[0];
    const says = (row: Float32Array) => row.some((value) => value >= SAYS);
    return terms.reduce((sum, term) => {
      const row = this.#near.nearnessOf(term);
      if (says(row.subarray(start, middle))) return sum + 1;
      return sum + (says(row.subarray(middle, end)) ? UNDER : 0);
    }, 0);
  }
}

/** The places of an article in one sense of words, read once. */
function placesIn(passage: Passage, sense: WordSense, currency: string): readonly Place[] {
  const reader = readers.get(sense) ?? readerOf(sense);
  readers.set(sense, reader);
  return reader(passage, currency);
}

type PlaceReader = (passage: Passage, currency: string) => readonly Place[];
const readers = new WeakMap<WordSense, PlaceReader>();

function readerOf(sense: WordSense): PlaceReader {
  return remembered(
    (passage, currency) => placesOf(passage, sense, currency),
    ({ title, text }, currency) => `${currency}\n${title}\n\n${text}`,
  );
}

function placesOf({ text, title }: Passage, sense: WordSense, currency: string): readonly Place[] {
  let above = '';
  const all = sentencesOf(text);
  const called = new Set([...namesIn(sentencesOf(title), 0), ...namesIn(all, 1)]);
  return all.flatMap((sentence) => {
    const isLine = /^\s*(?:[-•*]|\d{1,2}[.)])/.test(sentence.text);
    if (/:\s*$/.test(sentence.text)) above = sentence.text;
    else if (!isLine && sentence.text.trim() !== '') above = '';
    const figures = [
      ...figuresIn(sentence.text, currency).filter(({ kind, noun }) => KINDS.has(kind) && !isRate(noun)),
      ...startsIn(fold(sentence.text)),
    ];
    const kinds = new Map<string, Figure[]>();
    for (const figure of figures) {
      const key = `${figure.kind} ${singular(figure)}`;
      kinds.set(key, [...(kinds.get(key) ?? []), figure]);
    }
    const wide = termsIn(sense, `${title} ${above} ${sentence.text}`);
    const named = (tokens: readonly Token[]) =>
      new Set(tokens.flatMap(({ text: word }) => (called.has(word) ? [word] : [])));
    return [...kinds.values()].flatMap((like) => {
      const row = partsBy(withoutStarts(sentence.text, like), like);
      return row.map((part) => ({
        figures: part.figures,
        near: termsIn(sense, part.text),
        wide,
        row,
        // "Basic for 59.90 and Premium for 119.90": each beside its own name.
        names: named(row.length > 1 ? tokensOf(part.text) : sentence.tokens),
      }));
    });
  });
}

function termsIn(sense: WordSense, text: string): readonly Term[] {
  const seen = new Set<string>();
  return termsOf(
    sentencesOf(text).flatMap((one) => one.tokens),
    sense,
  ).filter(({ number, word }) => number === null && !seen.has(word) && seen.add(word));
}
