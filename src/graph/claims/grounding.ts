import type { StatementReader, WordSense } from '../../core/ports/statement-reader.js';
import { type Passage, type Term, type Unit, unitOf, unitsOf } from './passages.js';
import { type Sentence, sentencesOf } from './sentences.js';

/** So near a word must be to be taken for the same one, for one that says it, and for one that belongs to it. */
const [SAME, SAYS, BESIDE] = [0.75, 0.7, 0.6];
/** Words of one idea, and the nearest and farthest that vectors alone make of two words. */
const [IDEA, NEAREST, FARTHEST] = [0.9, 0.85, 0.5];
/** What the customer said may be said again, though no article says it. */
const ASKED = 0.7;
/** A longer unit says less of each of its words. */
const LENGTH = 0.01;
/** A unit beside the best one is likelier to go with it than one far away. */
const NEIGHBOUR = 0.2;
/** Of two units that have a word the better one has it. */
const PREFERRED = 0.05;
const MOST = 4;
/** Less of a sentence than this in the unit that is nearest: it is about something else. */
const ABOUT = 0.34;
/** More passages are no answer. */
const PASSAGES = 3;

/** How a sentence compares with the articles it is said from. */
export interface Comparison {
  /** Signs that nothing supports it, by name. */
  readonly signs: Readonly<Record<string, number>>;
  /** The unit that says it best; null where none speaks of it. */
  readonly nearest: Unit | null;
}

/**
 * Whether the articles of a turn say what an answer says. Closed by default: a sentence that tells something has to be
 * near what one of their sentences says, in words, figures, bounds and denials. How much each sign counts was learnt from
 * answers of which it is known whether they are true.
 */
export class Grounding {
  readonly #units: readonly Unit[];
  readonly #terms: readonly Term[];
  /** Which unit a term stands in, and where the terms of each unit start. */
  readonly #home: Int32Array;
  readonly #starts: readonly number[];
  readonly #meanings: readonly { readonly other: Float32Array; readonly places: readonly number[] }[];
  readonly #places = new Map<string, number[]>();
  readonly #ideas = new Map<number, number[]>();
  readonly #near = new Map<string, Float32Array>();
  readonly #own: ReadonlySet<string>;
  readonly #numbers: ReadonlySet<number | null>;
  readonly #asked: ReadonlySet<string>;
  readonly #read = new Map<string, Comparison>();
  readonly #sense: WordSense;

  /** @param asked the customer's own words */
  constructor(
    passages: readonly Passage[],
    private readonly asked: string,
    language: string,
    private readonly statements: StatementReader,
  ) {
    this.#sense = statements.sense(language);
    this.#units = passages.flatMap((passage) => unitsOf(passage, this.#sense));
    this.#terms = this.#units.flatMap(({ terms }) => terms);
    this.#home = Int32Array.from(this.#units.flatMap(({ terms }, unit) => terms.map(() => unit)));
    this.#own = new Set(this.#units.map(({ text }) => text));
    this.#numbers = new Set(this.#terms.map(({ number }) => number));
    let start = 0;
    this.#starts = this.#units.map(({ terms }) => {
      start += terms.length;
      return start - terms.length;
    });
    this.#asked = new Set(sentencesOf(asked).flatMap(({ words }) => [...words]));
    const words = new Map<string, number[]>();
    for (const [at, { word, number }] of this.#terms.entries()) {
      if (number !== null) continue;
      push(words, word, at);
      for (const form of this.#sense.formsOf(word)) push(this.#places, form, at);
      for (const idea of this.#sense.ideasOf(word)) push(this.#ideas, idea, at);
    }
    this.#meanings = [...words].map(([word, places]) => ({ other: this.#sense.vectorOf(word), places }));
  }

  /** The first sentence that nothing supports; null where all are said from the articles. */
  unsupported(text: string): string | null {
    return (
      sentencesOf(text.normalize('NFC'))
        .find((one) => this.#isDoubtful(one))
        ?.text.trim() ?? null
    );
  }

  /**
   * The text without what speaks of nothing in the articles; null where that is not what is wrong with it, or where nothing
   * is left that speaks of them.
   */
  without(text: string): string | null {
    const sentences = sentencesOf(text.normalize('NFC'));
    const doubtful = new Set(sentences.filter((sentence) => this.#isDoubtful(sentence)));
    const kept = sentences.filter((sentence) => !doubtful.has(sentence));
    const speaks = (sentence: Sentence) => this.compare(sentence).nearest !== null;
    if ([...doubtful].some(speaks) || !kept.some(speaks)) return null;
    return kept.reduce((whole, sentence) => whole + sentence.text, '').trim();
  }

  #isDoubtful(sentence: Sentence): boolean {
    const text = sentence.text.trim();
    if (sentence.question || !/\p{L}/u.test(text) || this.#own.has(text)) return false;
    const weights = this.statements.grounding;
    let sum = weights.bias ?? 0;
    for (const [name, value] of Object.entries(this.compare(sentence).signs))
      sum += (weights[name] ?? 0) * value;
    return sum > 0;
  }

  /**
   * What the articles themselves say of what a text speaks of, in its order, with their marks; where it speaks of nothing
   * in them, of what was asked; null where they have nothing.
   */
  quote(text: string): string | null {
    const said = sentencesOf(text.normalize('NFC')).filter(({ question }) => !question);
    for (const sentences of [said, sentencesOf(this.asked)]) {
      const found = new Map<string, string>();
      for (const sentence of sentences) {
        const { nearest } = this.compare(sentence);
        if (nearest === null || found.size >= PASSAGES) continue;
        found.set(nearest.passage, nearest.article === null ? '' : ` [${nearest.article}]`);
      }
      if (found.size > 0) return [...found].map(([passage, mark]) => `${passage}${mark}`).join('\n\n');
    }
    return null;
  }

  /** Compares one sentence with what the articles say. */
  compare(sentence: Sentence): Comparison {
    const before = this.#read.get(sentence.text);
    if (before) return before;
    const claim = this.#claimOf(sentence);
    const cover = claim.terms.map((term) => this.#coverOf(term));
    const best = this.#best(claim, cover);
    const second = this.#second(cover, best);
    const pair = [best, second].filter((unit) => unit >= 0);
    const known = pair.flatMap((unit) => this.#units[unit] ?? []);
    const nearest = this.#units[best] ?? null;
    const bounds = new Set(known.flatMap((unit) => [...unit.bounds]));
    const count = claim.terms.length;
    const inBest = sumOf(cover, (row) => row[best] ?? 0);
    const missing = sumOf(cover, (row, at) => 1 - this.#anywhere(row, claim.terms[at]));
    const { flips, unbound } = this.#compareScopes(claim, pair, best);
    const { acts } = this.statements.read(sentence.text.trim());
    const signs: Record<string, number> = {
      ...{ flips, unbound, done: acts.done, claim: acts.claim, promise: acts.promise },
      missing: Math.min(MOST, missing),
      apart: count === 0 ? 0 : 1 - inBest / count,
      denies: Number(claim.denials > 0 && known.every(({ denials }) => denials === 0)),
      whole: nearest === null ? 0 : this.#shareSaid(nearest, claim),
      length: Math.log1p(count),
      empty: Number(count === 0),
    };
    for (const name of claim.bounds) if (!bounds.has(name)) signs[`+${name}`] = 1;
    for (const name of nearest?.bounds ?? []) if (!claim.bounds.has(name)) signs[`-${name}`] = 1;
    const comparison = { signs, nearest: count > 0 && inBest / count >= ABOUT ? nearest : null };
    this.#read.set(sentence.text, comparison);
    return comparison;
  }

  /** What a sentence claims beside figures that stand in no article: these are worked out, and checked as such. */
  #claimOf({ text, tokens }: Sentence): Unit {
    const claim = unitOf(text, tokens, this.#sense);
    return {
      ...claim,
      terms: claim.terms.filter(({ number }) => number === null || this.#numbers.has(number)),
    };
  }

  /** How near a term is to each term of the articles. */
  #nearnessOf({ word, number }: Term): Float32Array {
    const key = number === null ? word : `#${number}`;
    const before = this.#near.get(key);
    if (before) return before;
    const row = new Float32Array(this.#terms.length);
    if (number !== null)
      for (const [at, term] of this.#terms.entries()) row[at] = Number(term.number === number);
    else this.#readWord(word, row);
    this.#near.set(key, row);
    return row;
  }

  #readWord(word: string, row: Float32Array): void {
    for (const idea of this.#sense.ideasOf(word))
      for (const at of this.#ideas.get(idea) ?? []) row[at] = IDEA;
    for (const form of this.#sense.formsOf(word)) for (const at of this.#places.get(form) ?? []) row[at] = 1;
    if (row.some((value) => value > 0)) return;
    const vector = this.#sense.vectorOf(word);
    if (vector.every((value) => value === 0)) return;
    for (const { other, places } of this.#meanings) {
      const value = cosine(vector, other);
      if (value >= FARTHEST) for (const at of places) row[at] = Math.min(NEAREST, value);
    }
  }

  /** How near the nearest term of each unit is. */
  #coverOf(term: Term): Float32Array {
    const cover = new Float32Array(this.#units.length);
    const row = this.#nearnessOf(term);
    for (let at = 0; at < row.length; at += 1) {
      const value = row[at] ?? 0;
      if (value === 0) continue;
      const unit = this.#home[at] ?? 0;
      if (value > (cover[unit] ?? 0)) cover[unit] = value;
    }
    return cover;
  }

  #anywhere(row: Float32Array, term: Term | undefined): number {
    return row.reduce((most, value) => Math.max(most, value), this.#asked.has(term?.word ?? '') ? ASKED : 0);
  }

  #best(claim: Unit, cover: readonly Float32Array[]): number {
    let [best, most] = [-1, 0];
    if (claim.terms.length === 0) return best;
    for (const [at, { terms }] of this.#units.entries()) {
      const score = sumOf(cover, (row) => row[at] ?? 0) - LENGTH * Math.sqrt(terms.length);
      if (score > most) [best, most] = [at, score];
    }
    return best;
  }

  /** The unit that has most of what the best one lacks. */
  #second(cover: readonly Float32Array[], best: number): number {
    let [second, most] = [-1, 0];
    if (best < 0) return second;
    for (const at of this.#units.keys()) {
      const more = sumOf(cover, (row) => Math.max(0, (row[at] ?? 0) - (row[best] ?? 0)));
      const gain = more + (Math.abs(at - best) === 1 ? NEIGHBOUR : 0);
      if (gain > most) [second, most] = [at, gain];
    }
    return second;
  }

  /** How many words are denied in one and not in the other, and how many numbers stand beside other words. */
  #compareScopes({ terms }: Unit, pair: readonly number[], best: number) {
    let [flips, unbound] = [0, 0];
    for (const [place, term] of terms.entries()) {
      const row = this.#nearnessOf(term);
      const home = this.#homeOf(row, pair, best);
      if (home < 0) continue;
      const beside = [terms[place + 1], terms[place - 1]]
        .filter((other): other is Term => other !== undefined && other.number === null)
        .map((other) => this.#nearnessOf(other));
      let [agrees, isBound] = [false, beside.length === 0];
      const from = this.#starts[home] ?? 0;
      for (let at = from; this.#home[at] === home; at += 1) {
        if ((row[at] ?? 0) < SAYS) continue;
        agrees ||= this.#terms[at]?.denied === term.denied;
        isBound ||= beside.some((other) =>
          [1, -1, 2, -2].some((step) => this.#home[at + step] === home && (other[at + step] ?? 0) > BESIDE),
        );
      }
      if (term.number === null && !agrees) flips += 1;
      if (term.number !== null && !isBound) unbound += 1;
    }
    return { flips: Math.min(MOST, flips), unbound: Math.min(MOST, unbound) };
  }

  /** The unit of a pair that has a term; -1 where neither does. */
  #homeOf(row: Float32Array, pair: readonly number[], best: number): number {
    let [home, most] = [-1, SAME];
    for (const unit of pair) {
      const more = unit === best ? PREFERRED : 0;
      for (let at = this.#starts[unit] ?? 0; this.#home[at] === unit; at += 1) {
        const score = (row[at] ?? 0) + more;
        if (score > more && (score > most || (home < 0 && score >= most))) [home, most] = [unit, score];
      }
    }
    return home;
  }

  /** How much of a unit a sentence says: what it leaves out may be what bounds it. */
  #shareSaid(unit: Unit, claim: Unit): number {
    const from = this.#starts[this.#units.indexOf(unit)] ?? 0;
    const said = unit.terms.filter((_term, at) =>
      claim.terms.some((term) => (this.#nearnessOf(term)[from + at] ?? 0) > NEAREST - 0.05),
    );
    return said.length / Math.max(1, unit.terms.length);
  }
}

function sumOf(rows: readonly Float32Array[], of: (row: Float32Array, at: number) => number): number {
  return rows.reduce((sum, row, at) => sum + of(row, at), 0);
}

function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

function push<Key>(map: Map<Key, number[]>, key: Key, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
