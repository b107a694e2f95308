import type { StatementReader, WordSense } from '../../core/ports/language-layer.js';
import { Nearness, sumOf } from './nearness.js';
import { isEcho, omittedIn, takesOver } from './omissions.js';
import { type Comparison, type Passage, type Term, type Unit, unitOf, unitsOf } from './passages.js';
import { MOST, SAYS, Scopes } from './scopes.js';
import { type Sentence, sentencesOf } from './sentences.js';
import { Sources } from './sources.js';

/** So much of a sentence may lie outside the nearest unit where one of its figures is wrong, and so many words it has. */
const [LOOSE, FEWEST] = [0.5, 3];
/** What the customer said may be said again, though no article says it. */
const ASKED = 0.7;
/** A longer unit says less of each of its words. */
const LENGTH = 0.01;
/** A unit beside the best one is likelier to go with it than one far away. */
const NEIGHBOUR = 0.2;
/** Less of a sentence than this in the unit that is nearest, or in the two nearest: it is about something else. */
const [ABOUT, ABOUT_TWO] = [0.34, 0.5];
/** From here on a sentence is taken for kind words that commit to nothing. */
const KIND = 0.8;
/** So much may speak against a sentence with a figure that was worked out, where the passages stand beside it. */
const WORKED_OUT = 1.5;
/** Where something is in an app may be said beside anything. */
const PATH = /\s[>›»]\s/u;
/** Signs that are enough by themselves. */
const ASTRAY = ['flips', 'loose', 'outside', 'echo', '+only', '-only', '+must', '+always'];
/** So much of a sentence may be words that no article has. */
const STRANGE = 1 / 3;
/** More passages are no answer; and so many say what one sentence says. */
const [PASSAGES, SOURCES] = [5, 2];

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
  readonly #near: Nearness;
  readonly #own: ReadonlySet<string>;
  readonly #numbers: ReadonlySet<number | null>;
  readonly #asked: ReadonlySet<string>;
  readonly #scopes: Scopes;
  readonly #sources: Sources;
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
    this.#near = new Nearness(this.#terms, this.#home, this.#units.length, this.#sense);
    this.#sources = new Sources(this.#units);
    const told = sentencesOf(asked).flatMap((one) => unitOf(one.text, one.tokens, this.#sense).terms);
    this.#scopes = new Scopes(this.#units, this.#terms, this.#home, this.#starts, this.#near, told);
  }

  /** The first sentence that nothing supports; null where all are said from the articles. */
  unsupported(text: string): string | null {
    const sentences = sentencesOf(text.normalize('NFC'));
    const doubtful = sentences.find((one) => this.#isDoubtful(one))?.text ?? this.#omitted(sentences)?.text;
    return doubtful?.trim() ?? null;
  }

  /** What the articles that a text draws on say and it must not leave out. */
  #omitted(sentences: readonly Sentence[]): Unit | null {
    const from = new Set(sentences.map((one) => this.compare(one).nearest?.article));
    const spoken = this.#units.filter(({ article }) => article !== null && from.has(article));
    return omittedIn(sentences, this.asked, spoken, this.#sense);
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
    const isBeside = (sentence: Sentence) =>
      !speaks(sentence) && !this.#worksOut(sentence) && this.wordsOf(sentence).length < 2;
    if (![...doubtful].every(isBeside) || !kept.some(speaks) || this.#omitted(sentences)) return null;
    return kept.reduce((whole, sentence) => whole + sentence.text, '').trim();
  }

  #isDoubtful(sentence: Sentence): boolean {
    const text = sentence.text.trim();
    if (sentence.question || !/\p{L}/u.test(text) || this.#own.has(text)) return false;
    if (!/\d/.test(text) && this.statements.read(text).acts.courtesy > KIND) return false;
    const { nearest } = this.compare(sentence);
    return (
      this.#isAstray(sentence) ||
      this.#doubtOf(sentence) > 0 ||
      takesOver(sentence, this.asked, nearest, this.#sense)
    );
  }

  /**
   * What no likeness makes good: a word that is denied on one side alone, a number beside other words than in the article or
   * the customer's alone, "only" on one side, "must" or "always" in it alone, words of several paragraphs, or much that no article says.
   */
  #isAstray(sentence: Sentence): boolean {
    const { strange = 0, length = 0, ...signs } = this.compare(sentence).signs;
    const isWrong = ASTRAY.some((name) => (signs[name] ?? 0) > 0);
    return isWrong || strange >= Math.max(1, STRANGE * Math.expm1(length));
  }

  /** How much speaks against a sentence; above 0 it is not borne out. */
  #doubtOf(sentence: Sentence): number {
    const weights = this.statements.grounding;
    let sum = weights.bias ?? 0;
    for (const [name, value] of Object.entries(this.compare(sentence).signs))
      sum += (weights[name] ?? 0) * value;
    return sum;
  }

  /** Those words of a sentence that the articles have. */
  wordsOf(sentence: Sentence): readonly string[] {
    return this.#claimOf(sentence)
      .terms.filter((term) => this.#near.coverOf(term).some((value) => value >= SAYS))
      .map(({ word }) => word);
  }

  /**
   * What the articles themselves say of what a text speaks of and of what was asked, in their order and with their marks,
   * after what it rightly works out from them; null where they have nothing.
   * @param mayWorkOut whether its figures were found to follow from theirs
   */
  quote(text: string, mayWorkOut = true): string | null {
    const said = sentencesOf(text.normalize('NFC')).filter(({ question }) => !question);
    const omitted = this.#omitted(said);
    const found = new Set<Unit>(omitted ? [omitted] : []);
    // Where a figure is wrong, a loose likeness may be wrong too.
    const drawn = mayWorkOut ? said : said.filter((one) => !this.#isLoose(one));
    const sentences = [...drawn, ...sentencesOf(this.asked)];
    for (const sentence of sentences)
      for (const unit of this.#sourcesOf(sentence)) if (found.size < PASSAGES) found.add(unit);
    const words = drawn.flatMap((one) => this.#rowsOf(one));
    for (const unit of this.#sources.leftBy(words, found, PASSAGES)) found.add(unit);
    const passages = new Map(
      this.#units.flatMap((unit) =>
        found.has(unit) ? [[unit.passage, `${unit.passage} [${unit.article}]`]] : [],
      ),
    );
    if (passages.size === 0) return null;
    const kept = said.filter((one) => mayWorkOut && this.#worksOut(one));
    return [kept.map((one) => one.text.trim()).join(' '), ...passages.values()]
      .filter((part) => part !== '')
      .join('\n\n');
  }

  #rowsOf(sentence: Sentence): readonly Float32Array[] {
    return this.#claimOf(sentence).terms.map((term) => this.#near.coverOf(term));
  }

  /** The units that say what a sentence says. */
  #sourcesOf(sentence: Sentence): readonly Unit[] {
    const { nearest } = this.compare(sentence);
    if (nearest === null) return [];
    return [nearest, ...this.#sources.leftBy(this.#rowsOf(sentence), [nearest], SOURCES - 1)];
  }

  #isLoose(sentence: Sentence): boolean {
    const { apart = 1, length = 0 } = this.compare(sentence).signs;
    return apart > LOOSE || length < Math.log1p(FEWEST);
  }

  /** True where a sentence has a figure that was worked out of those of the articles, and nothing much speaks against it. */
  #worksOut(sentence: Sentence): boolean {
    if (takesOver(sentence, this.asked, this.compare(sentence).nearest, this.#sense)) return false;
    const has = sentence.tokens.some(({ number, digits }) => digits && !this.#numbers.has(number));
    return has && this.#doubtOf(sentence) < WORKED_OUT;
  }

  /** Compares one sentence with what the articles say. */
  compare(sentence: Sentence): Comparison {
    const before = this.#read.get(sentence.text);
    if (before) return before;
    const claim = this.#claimOf(sentence);
    const cover = claim.terms.map((term) => this.#near.coverOf(term));
    const best = this.#best(claim, cover);
    const second = this.#second(cover, best);
    const pair = [best, second].filter((unit) => unit >= 0);
    const known = pair.flatMap((unit) => this.#units[unit] ?? []);
    const nearest = this.#units[best] ?? null;
    const bounds = new Set(known.flatMap((unit) => [...unit.bounds]));
    const count = claim.terms.length;
    const inBest = sumOf(cover, (row) => row[best] ?? 0);
    const missing = sumOf(cover, (row, at) => 1 - this.#anywhere(row, claim.terms[at]));
    const { flips, unbound, loose } = this.#scopes.compare(claim, pair, best);
    const { acts } = this.statements.read(sentence.text.trim());
    const signs: Record<string, number> = {
      ...{ flips, unbound, loose, done: acts.done, claim: acts.claim, promise: acts.promise },
      missing: Math.min(MOST, missing),
      strange: Math.min(
        MOST,
        sumOf(cover, (row, at) => Number(this.#anywhere(row, claim.terms[at]) < ASKED)),
      ),
      elsewhere: Math.min(
        MOST,
        sumOf(cover, (row) => Number(this.#isElsewhere(row, nearest, pair))),
      ),
      outside: PATH.test(sentence.text)
        ? 0
        : Math.min(
            MOST,
            sumOf(cover, (row) => Number(this.#isOutside(row, nearest))),
          ),
      echo: Number(isEcho(sentence, this.asked, this.#numbers)),
      condition: nearest === null ? 0 : this.#scopes.conditionLeftOut(nearest, claim),
      apart: count === 0 ? 0 : 1 - inBest / count,
      denies: Number(claim.denials > 0 && known.every(({ denials }) => denials === 0)),
      whole: nearest === null ? 0 : this.#scopes.shareSaid(nearest, claim),
      length: Math.log1p(count),
      empty: Number(count === 0),
    };
    for (const name of claim.bounds) if (!bounds.has(name)) signs[`+${name}`] = 1;
    for (const name of nearest?.bounds ?? []) if (!claim.bounds.has(name)) signs[`-${name}`] = 1;
    const inPair = sumOf(cover, (row) => Math.max(row[best] ?? 0, row[second] ?? 0));
    const speaks = count > 0 && (inBest >= ABOUT * count || inPair >= ABOUT_TWO * count);
    const comparison = { signs, nearest: speaks && nearest?.article !== null ? nearest : null };
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

  #anywhere(row: Float32Array, term: Term | undefined): number {
    return row.reduce((most, value) => Math.max(most, value), this.#asked.has(term?.word ?? '') ? ASKED : 0);
  }

  /** True for a word that the articles have, but not in the paragraph that says the rest of the sentence. */
  #isOutside(row: Float32Array, nearest: Unit | null): boolean {
    const inside = this.#units.some(
      ({ passage }, at) => passage === nearest?.passage && (row[at] ?? 0) >= SAYS,
    );
    return !inside && row.some((value) => value >= SAYS);
  }

  /** True for a word that the article says, but not where it says the rest of the sentence. */
  #isElsewhere(row: Float32Array, nearest: Unit | null, pair: readonly number[]): boolean {
    const beside = this.#units.some(
      (unit, at) => (pair.includes(at) || unit.passage === nearest?.passage) && (row[at] ?? 0) >= SAYS,
    );
    return !beside && row.some((value) => value >= SAYS);
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
}
