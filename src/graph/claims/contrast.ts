import type { WordSense } from '../../core/ports/language-layer.js';
import type { Figure } from './figure.js';
import { figuresIn } from './figures.js';
import { Nearness, SAYS } from './nearness.js';
import { type Passage, type Term, termsOf } from './passages.js';
import { CONDITION, type Sentence, sentencesOf } from './sentences.js';

/*
 * A figure that articles give of one thing, said of another: the five visits of one plan, of the other plan. A part of an
 * article that has another figure of that kind and clearly more of the words around it contradicts the figure.
 */

/** A part of an article that names one figure of a kind. */
interface Part {
  readonly figures: readonly Figure[];
  readonly terms: readonly Term[];
  /** Words with a capital: of plans, of ways to pay. */
  readonly names: ReadonlySet<string>;
  /** Those of its sentence, and all of its figures. */
  readonly subjects: ReadonlySet<string>;
  readonly whole: readonly Figure[];
}

/** A part with its number. */
interface Place {
  readonly part: Part;
  readonly at: number;
}

const KINDS: ReadonlySet<Figure['kind']> = new Set([
  'money',
  'percent',
  'span',
  'business_days',
  'day',
  'count',
]);
/** Where a part of a sentence ends. */
const JOINT = /[,;:()–—]|(?<!\p{L})(?:and|but|while|or|e|mas|enquanto|ou)(?!\p{L})/u;
/** By so many words of its clause the other part has to say more. */
const MARGIN = 2;
/** Fewer words are no clause. */
const FEWEST = 2;

/** Compares the figures of an answer with the parts of articles that they may be of. */
export class Contrast {
  readonly #parts: readonly Part[];
  readonly #near: Nearness;
  readonly #starts: readonly number[];
  readonly #sense: WordSense;
  /** What the customer named. */
  readonly #told: readonly Figure[];

  constructor(
    passages: readonly Passage[],
    private readonly asked: string,
    sense: WordSense,
    private readonly currency: string,
  ) {
    this.#sense = sense;
    this.#told = figuresIn(asked, currency);
    this.#parts = passages.flatMap(({ text }) => sentencesOf(text).flatMap((one) => this.#partsOf(one.text)));
    const terms = this.#parts.flatMap((part) => part.terms);
    const home = Int32Array.from(this.#parts.flatMap((part, at) => part.terms.map(() => at)));
    let start = 0;
    this.#starts = this.#parts.map((part) => {
      start += part.terms.length;
      return start - part.terms.length;
    });
    this.#near = new Nearness(terms, home, this.#parts.length, this.#sense);
  }

  /** The first figure of a sentence that another part of the articles contradicts; null where none does. */
  wrongIn(sentence: Sentence, all: readonly Figure[], before: Sentence | null): Figure | null {
    if (sentence.question) return null;
    const end = sentence.from + sentence.text.length;
    const isExample = CONDITION.test(sentence.text);
    const own = all.filter(
      ({ kind, from }) =>
        KINDS.has(kind) && from >= sentence.from && from < end && !(isExample && kind === 'count'),
    );
    return own.find((figure) => this.#isContradicted(figure, sentence, own, before)) ?? null;
  }

  #isContradicted(
    figure: Figure,
    sentence: Sentence,
    own: readonly Figure[],
    before: Sentence | null,
  ): boolean {
    const rows = this.#parts.map((part, at) => ({ part, at }));
    const having = rows.filter(({ part }) => part.figures.some((one) => isSame(one, figure)));
    const others = rows.filter(
      ({ part }) =>
        part.figures.some((one) => isLike(one, figure)) && !part.figures.some((one) => isSame(one, figure)),
    );
    // What stands in no article follows from them, or is the customer's own.
    if (
      others.length === 0 ||
      (having.length === 0 && !this.#told.some((one) => isLike(one, figure) && isSame(one, figure)))
    )
      return false;
    if (this.#isUnpaired(figure, sentence, own, having)) return true;
    const like = own.filter((one) => isLike(one, figure));
    if (having.length === 0) return false;
    if (this.#isSwapped(like, figure, sentence)) return true;
    // An article says them of the same.
    const isWhole = ({ part }: Place) => like.every((one) => part.whole.some((other) => isSame(one, other)));
    if (like.length > 1 && having.some(isWhole)) return false;
    const words = clauseOf(sentence, figure);
    const clause = this.#termsIn(words);
    const [mine = 0, theirs = 0] = [having, others].map((some) =>
      Math.max(...some.map(({ at }) => this.#score(clause, at))),
    );
    if (theirs - mine >= MARGIN) return true;
    const ahead = sentence.text.slice(0, figure.from - sentence.from);
    const isNamedIn = (some: readonly Place[], text: string) => {
      const named = new Set(sentencesOf(text).flatMap((one) => [...one.words]));
      return some.some(({ part }) =>
        (some === having ? [...part.subjects] : namesOf(part, figure)).some((name) => named.has(name)),
      );
    };
    for (const [level, text] of [words, ahead, before?.text ?? '', this.asked].entries()) {
      if (isNamedIn(having, text)) return false;
      if (isNamedIn(others, text)) return true;
      if (level === 0 && (like.length > 1 || (mine >= MARGIN && mine > theirs))) return false;
    }
    return false;
  }

  /** "Three within 30 days, for 60 days": two figures of one sentence, each where the article has the other. */
  #isSwapped(like: readonly Figure[], figure: Figure, { text, from }: Sentence): boolean {
    const at = like.indexOf(figure);
    const next = like[at + 1];
    if (next === undefined || isSame(next, figure)) return false;
    const [own, other] = [
      this.#termsIn(text.slice((like[at - 1]?.to ?? from) - from, figure.from - from)),
      this.#termsIn(text.slice(figure.to - from, next.from - from)),
    ];
    const places = (of: Figure) =>
      [...this.#parts.entries()].filter(([, part]) => part.figures.some((one) => isSame(one, of)));
    return places(figure).some(([mine, part]) =>
      places(next).some(
        ([its, { whole }]) =>
          whole === part.whole &&
          its !== mine &&
          this.#score(own, its) > this.#score(own, mine) &&
          this.#score(other, mine) > this.#score(other, its),
      ),
    );
  }

  /** "R$ 41.93 and five visits", where the one sentence that has the amount has two visits. */
  #isUnpaired(
    figure: Figure,
    { words }: Sentence,
    own: readonly Figure[],
    having: readonly Place[],
  ): boolean {
    if (having.some(({ part }) => namesOf(part, figure).some((name) => words.has(name)))) return false;
    return own.some((other) => {
      if (other.kind === figure.kind) return false;
      const beside = this.#parts.filter(({ figures }) => figures.some((one) => isSame(one, other)));
      const [first] = beside;
      return (
        first !== undefined &&
        beside.every(({ whole }) => whole === first.whole) &&
        first.whole.some((one) => isLike(one, figure)) &&
        !own.some((one) => isLike(one, figure) && first.whole.some((stated) => isSame(stated, one))) &&
        !first.whole.some((one) => isSame(one, figure))
      );
    });
  }

  #score(terms: readonly Term[], at: number): number {
    const [start = 0, length = 0] = [this.#starts[at], this.#parts[at]?.terms.length];
    return terms.reduce((sum, term) => {
      const row = this.#near.nearnessOf(term).subarray(start, start + length);
      const best = row.reduce((most, value) => Math.max(most, value), 0);
      return sum + (best >= SAYS ? 1 : 0);
    }, 0);
  }

  #termsIn(text: string): readonly Term[] {
    const tokens = sentencesOf(text).flatMap((one) => one.tokens);
    return termsOf(tokens, this.#sense).filter(({ number }) => number === null);
  }

  /** A piece, and where it has two figures of a kind, what stands up to the first and what follows it. */
  #cut(piece: string): readonly { readonly piece: string; readonly figures: readonly Figure[] }[] {
    const figures = figuresIn(piece, this.currency).filter(({ kind }) => KINDS.has(kind));
    const first = figures.find((one, at) => {
      const next = figures[at + 1];
      return next && isLike(next, one) && /\p{L}{4}/u.test(piece.slice(one.to, next.from));
    });
    if (!first) return [{ piece, figures }];
    return [
      { piece: piece.slice(0, first.to), figures: figures.filter(({ to }) => to <= first.to) },
      ...this.#cut(piece.slice(first.to)),
    ];
  }

  #namesIn(text: string): ReadonlySet<string> {
    const tokens = sentencesOf(text).flatMap((one) => one.tokens);
    return new Set(
      tokens.flatMap(({ text: word, capital, number }) =>
        capital && number === null && word.length > 1 && !this.#sense.isSmall(word) ? [word] : [],
      ),
    );
  }

  /** The parts of a sentence, each with the figures it has; what has none belongs to the parts beside it. */
  #partsOf(text: string): readonly Part[] {
    const read = piecesOf(text).flatMap((piece) => this.#cut(piece));
    const subjects = this.#namesIn(text);
    const all = read.flatMap(({ figures }) => figures);
    return read.flatMap(({ piece, figures }, at) => {
      if (figures.length === 0) return [];
      let whole = piece;
      for (let back = at - 1; read[back]?.figures.length === 0; back -= 1)
        whole = `${read[back]?.piece} ${whole}`;
      for (let next = at + 1; read[next]?.figures.length === 0; next += 1)
        whole = `${whole} ${read[next]?.piece}`;
      return [{ figures, terms: this.#termsIn(whole), names: this.#namesIn(whole), subjects, whole: all }];
    });
  }
}

function piecesOf(text: string): readonly string[] {
  return text.split(new RegExp(JOINT, 'gu')).filter((piece) => piece.trim() !== '');
}

/** The words around a figure up to the next signs, and before these where there are none. */
function clauseOf({ text, from }: Sentence, figure: Figure): string {
  const before = text.slice(0, figure.from - from).split(JOINT);
  const after = text.slice(figure.to - from).split(JOINT);
  const near = `${before.at(-1) ?? ''} ${after[0] ?? ''}`;
  return (near.match(/\p{L}{4,}/gu)?.length ?? 0) >= FEWEST ? near : `${before.at(-2) ?? ''} ${near}`;
}

/** What a figure is said of: the whole sentence is about it where it has no other of its kind. */
function namesOf({ names, subjects, whole }: Part, figure: Figure): readonly string[] {
  return [...(whole.filter((one) => isLike(one, figure)).length > 1 ? names : subjects)];
}

function singular({ noun = '' }: Figure): string {
  return noun.replace(/s$/, '');
}

/** Of the same kind and of the same things. */
function isLike(one: Figure, other: Figure): boolean {
  return one.kind === other.kind && singular(one) === singular(other);
}

function isSame(one: Figure, other: Figure): boolean {
  return isLike(one, other) && one.values.some((value) => other.values.includes(value));
}
