import { NEAREST, type Nearness } from './nearness.js';
import type { Term, Unit } from './passages.js';
import { CONDITION } from './sentences.js';
import { tokensOf } from './tokens.js';

/** So near a word must be to be taken for the same one, for one that says it, and for one that belongs to it. */
export const [SAME, SAYS, BESIDE] = [0.75, 0.7, 0.6];
/** Of two units that have a word the better one has it. */
const PREFERRED = 0.05;
/** Where a word beside a number may stand in the article, and how many of these places are right beside it. */
const STEPS = [1, -1, 2, -2, 3, -3];
const NEXT = 4;
/** More signs of one kind say no more. */
export const MOST = 4;

/** How the words of a sentence stand to each other, against how they stand in the articles. */
export class Scopes {
  /**
   * @param home which unit each term stands in
   * @param starts where the terms of each unit start
   * @param asked what the customer's own words say
   */
  constructor(
    private readonly units: readonly Unit[],
    private readonly terms: readonly Term[],
    private readonly home: Int32Array,
    private readonly starts: readonly number[],
    private readonly near: Nearness,
    private readonly asked: readonly Term[],
  ) {}

  /** How much of the condition under which a unit says it neither the sentence nor the question has. */
  conditionLeftOut({ text, terms }: Unit, claim: Unit): number {
    const found = CONDITION.exec(text);
    if (!found) return 0;
    const end = text.slice(found.index).search(/[,;:.]/);
    const under = new Set(
      tokensOf(text.slice(found.index, end < 0 ? undefined : found.index + end)).map((one) => one.text),
    );
    const words = terms.filter(({ word }) => under.has(word));
    const said = [...claim.terms, ...this.asked];
    const left = words.filter((one) => !said.some((other) => this.#isNear(one, other)));
    return left.length / Math.max(1, words.length);
  }

  #isNear(one: Term, other: Term): boolean {
    if (one.number !== null || other.number !== null) return one.number === other.number;
    const row = this.near.nearnessOf(other);
    return this.terms.some((term, at) => term.word === one.word && (row[at] ?? 0) >= SAYS);
  }

  /** How many words are denied in one and not in the other, and how many numbers stand beside other words. */
  compare({ terms }: Unit, pair: readonly number[], best: number) {
    let [flips, unbound, loose] = [0, 0, 0];
    for (const [place, term] of terms.entries()) {
      const row = this.near.nearnessOf(term);
      const home = this.#homeOf(row, pair, best);
      if (home < 0) continue;
      const beside = [terms[place + 1], terms[place - 1]]
        .filter((other): other is Term => other !== undefined && other.number === null)
        .map((other) => this.near.nearnessOf(other));
      let [agrees, isBound, isTight] = [false, beside.length === 0, beside.length === 0];
      const from = this.starts[home] ?? 0;
      for (let at = from; this.home[at] === home; at += 1) {
        if ((row[at] ?? 0) < SAYS) continue;
        agrees ||= this.terms[at]?.denied === term.denied;
        const stands = (other: Float32Array, reach: number) =>
          STEPS.slice(0, reach).some(
            (step) => this.home[at + step] === home && (other[at + step] ?? 0) > BESIDE,
          );
        isBound ||= beside.some((other) => stands(other, NEXT));
        isTight ||= beside.every((other) => stands(other, STEPS.length));
      }
      if (term.number === null && !agrees) flips += 1;
      if (term.number !== null && !isBound) unbound += 1;
      if (term.number !== null && !isTight) loose += 1;
    }
    return {
      flips: Math.min(MOST, flips),
      unbound: Math.min(MOST, unbound),
      loose: Math.min(MOST, loose),
    };
  }

  /** The unit of a pair that has a term; -1 where neither does. */
  #homeOf(row: Float32Array, pair: readonly number[], best: number): number {
    let [home, most] = [-1, SAME];
    for (const unit of pair) {
      const more = unit === best ? PREFERRED : 0;
      for (let at = this.starts[unit] ?? 0; this.home[at] === unit; at += 1) {
        const score = (row[at] ?? 0) + more;
        if (score > more && (score > most || (home < 0 && score >= most))) [home, most] = [unit, score];
      }
    }
    return home;
  }

  /** How much of a unit a sentence says: what it leaves out may be what bounds it. */
  shareSaid(unit: Unit, claim: Unit): number {
    const from = this.starts[this.units.indexOf(unit)] ?? 0;
    const said = unit.terms.filter((_term, at) =>
      claim.terms.some((term) => (this.near.nearnessOf(term)[from + at] ?? 0) > NEAREST - 0.05),
    );
    return said.length / Math.max(1, unit.terms.length);
  }
}
