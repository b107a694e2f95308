import type { WordSense } from '../../core/ports/language-layer.js';
import { Nearness, SAYS, sumOf } from './nearness.js';
import { type Passage, type Term, termsOf, type Unit, unitsOf } from './passages.js';
import { type Sentence, sentencesOf } from './sentences.js';
import { tokensOf } from './tokens.js';

/** A longer unit says less of each of its words. */
const LENGTH = 0.01;
/** A unit beside the best one is likelier to go with it than one far away. */
const NEIGHBOUR = 0.2;
/** Less of a sentence than this in the unit that is nearest, or in the two nearest: it is about something else. */
const [ABOUT, ABOUT_TWO] = [0.34, 0.5];
/** So much of a sentence may lie outside the nearest unit for its passage to be what was meant, and so many words it has. */
const [LOOSE, FEWEST] = [0.5, 3];
/** So many words may be said by two sentences. */
const LONG = 8;
/** More passages are no answer; and so many say what one sentence says. */
const [PASSAGES, SOURCES] = [5, 2];

/** Where the articles speak of what a sentence speaks of. */
interface Place {
  /** The unit that has most of its words; null where none speaks of it. */
  readonly unit: Unit | null;
  /** How much of it that unit lacks. */
  readonly apart: number;
  /** How near each of its words is to each unit. */
  readonly rows: readonly Float32Array[];
}

/** Finds the passages of a turn's articles that say what an answer speaks of, so that they can be sent instead of it. */
export class Quotes {
  readonly #units: readonly Unit[];
  readonly #near: Nearness;
  readonly #sense: WordSense;

  /** @param asked the customer's own words */
  constructor(
    passages: readonly Passage[],
    private readonly asked: string,
    sense: WordSense,
  ) {
    this.#sense = sense;
    this.#units = passages.flatMap((passage) => unitsOf(passage, sense));
    const terms = this.#units.flatMap((unit) => unit.terms);
    const home = Int32Array.from(this.#units.flatMap((unit, at) => unit.terms.map(() => at)));
    this.#near = new Nearness(terms, home, this.#units.length, sense);
  }

  /** What the articles say of what a text speaks of and of what was asked, in their order and with their marks; null where nothing. */
  quote(text: string): string | null {
    const said = sentencesOf(text.normalize('NFC')).filter(({ question }) => !question);
    // Where something is wrong, a loose likeness may be wrong too.
    const drawn = said
      .map((one) => this.#placeOf(one))
      .filter(({ apart, rows }) => apart <= LOOSE && rows.length >= FEWEST);
    const asked = sentencesOf(this.asked).map((one) => this.#placeOf(one));
    const found = new Set<Unit>();
    for (const { unit, rows } of [...drawn, ...asked])
      for (const one of unit === null ? [] : [unit, ...this.#leftBy(rows, [unit], SOURCES - 1)])
        if (found.size < PASSAGES) found.add(one);
    for (const unit of this.#leftBy(
      drawn.flatMap(({ rows }) => rows),
      found,
      PASSAGES,
    ))
      found.add(unit);
    const passages = this.#units.flatMap((unit) =>
      found.has(unit) ? [`${unit.passage} [${unit.article}]`] : [],
    );
    return passages.length === 0 ? null : [...new Set(passages)].join('\n\n');
  }

  /** How much of what a text speaks of one sentence of the articles says, or two of them where it is long: 0 to 1. */
  backing(text: string): number {
    const terms = termsOf(tokensOf(text), this.#sense).filter(({ number }) => number === null);
    const rows = terms.map((term) => this.#near.coverOf(term));
    if (rows.length === 0) return 1;
    const sums = this.#units.map((_unit, at) => sumOf(rows, (row) => row[at] ?? 0));
    const most = Math.max(0, ...sums);
    const best = sums.indexOf(most);
    if (rows.length < LONG || best < 0) return most / rows.length;
    const second = this.#second(rows, best);
    return sumOf(rows, (row) => Math.max(row[best] ?? 0, row[second] ?? 0)) / rows.length;
  }

  #placeOf({ tokens }: Sentence): Place {
    const terms: readonly Term[] = termsOf(tokens, this.#sense);
    const rows = terms.map((term) => this.#near.coverOf(term));
    let [best, most] = [-1, 0];
    for (const [at, unit] of rows.length === 0 ? [] : this.#units.entries()) {
      const score = sumOf(rows, (row) => row[at] ?? 0) - LENGTH * Math.sqrt(unit.terms.length);
      if (score > most) [best, most] = [at, score];
    }
    if (best < 0) return { unit: null, apart: 1, rows };
    const [inBest, inPair] = [
      sumOf(rows, (row) => row[best] ?? 0),
      sumOf(rows, (row) => Math.max(row[best] ?? 0, row[this.#second(rows, best)] ?? 0)),
    ];
    const speaks = inBest >= ABOUT * rows.length || inPair >= ABOUT_TWO * rows.length;
    return { unit: speaks ? (this.#units[best] ?? null) : null, apart: 1 - inBest / rows.length, rows };
  }

  /** The unit that has most of what the best one lacks. */
  #second(rows: readonly Float32Array[], best: number): number {
    let [second, most] = [-1, 0];
    for (const at of this.#units.keys()) {
      const more = sumOf(rows, (row) => Math.max(0, (row[at] ?? 0) - (row[best] ?? 0)));
      const gain = more + (Math.abs(at - best) === 1 ? NEIGHBOUR : 0);
      if (gain > most) [second, most] = [at, gain];
    }
    return second;
  }

  /** Units for the words that those found lack, of each the one whose passage has most of them. */
  #leftBy(rows: readonly Float32Array[], found: Iterable<Unit>, most: number): readonly Unit[] {
    const more: Unit[] = [];
    let open = rows.filter((row) => row.some((value) => value >= SAYS));
    for (const unit of found) open = open.filter((row) => !this.#has(row, unit));
    while (open.length > 0 && more.length < most) {
      const counts = this.#units.map((unit) => open.filter((row) => this.#has(row, unit)).length);
      const next = this.#units[counts.indexOf(Math.max(...counts))];
      if (next === undefined) break;
      more.push(next);
      open = open.filter((row) => !this.#has(row, next));
    }
    return more;
  }

  #has(row: Float32Array, { passage }: Unit): boolean {
    return this.#units.some((unit, at) => unit.passage === passage && (row[at] ?? 0) >= SAYS);
  }
}
