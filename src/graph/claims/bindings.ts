import type { RecordSense } from '../../core/ports/language-layer.js';
import { mannerOf } from './arithmetic.js';
import { contraryTo } from './conditions.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { figuresIn, figuresWithin } from './figures.js';
import { Grounds } from './grounds.js';
import { clausesOf, isNeverDone, ofAnotherField, type Span, titleWith } from './mix-ups.js';
import { ofNoPlace, ofNoPlan } from './own-names.js';
import {
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
import { RecordNames } from './record-names.js';
import type { RecordRow } from './record-rows.js';
import type { RecordWords } from './record-words.js';
import type { RecordBook } from './records.js';
import { miscounts } from './row-counts.js';
import type { Sentence } from './sentences.js';
import { fold } from './tokens.js';
import { ofAnotherMoment, UNTIL } from './when.js';

/*
 * An amount, a day, an hour or a number of one record, said of another. Only what contradicts the records is stopped: a
 * figure that is another's and not that of the record it stands with. What no record has is for the check of figures.
 */

const BINDING: ReadonlySet<Figure['kind']> = new Set(['money', 'date', 'day', 'time', 'weekday', 'count']);
/** Every thing has its own. */
const DAYS: ReadonlySet<Figure['kind']> = new Set(['weekday', 'date', 'day']);
/** Smaller numbers count all kinds of things, and so many amounts are of several. */
const FEW = 3;
/** Something else is meant than what was spoken of. */
const OTHER =
  /(?<!\p{L})(?:other|another|others|then|after|next|also|outr[oa]s?|depois|tambem|proxim[oa]s?|otr[oa]s?|luego)(?!\p{L})/u;
/** Stands for the one that was spoken of. */
const PRONOUN = /(?<!\p{L})(?:(?:for|of|on) it|it|por el[ea]|del[ea]|nel[ea]|por (?:ella|él))(?!\p{L})/iu;
/** Begins with what was spoken of, without its name. */
const IT = /^\P{L}*(?:it|at|in|é|fica|será|na|no|em|acontece)(?!\p{L})/iu;
const IT_FIRST = /^\P{L}*(?:it|el[ea])(?!\p{L})/iu;
/** What there is room for. */
const ROOM = /^(?:places?|spots?|seats?|tickets?|slots?|vagas?|lugar(?:es)?|ingressos?|assentos?)$/u;
const ABOUT =
  /(?<!\p{L})(?:more than|over|at least|almost|nearly|about|mais de|pelo menos|quase|cerca de|uns|umas) $/iu;
/** The other one of two. */
const COMPARED = /(?<!\p{L})(?:against|versus|vs\.?|compared (?:to|with)|contra|frente a) (?:\p{L}+ )?$/iu;
/** Says it of every one that is named. */
const EACH = /(?<!\p{L})(?:each|apiece|cada)(?!\p{L})/iu;

/** True where a sentence speaks of what was named before, and then of others: "It was $ 9.00", "you paid $ 9.00 for it; ...". */
function isItFirst({ text, from }: Sentence, named: readonly Mention[]): boolean {
  return IT_FIRST.test(text) || PRONOUN.test(text.slice(0, (named[0]?.from ?? from) - from));
}

/** Compares the figures of one turn's answers with the records that these say them of. */
export class Bindings {
  readonly #rows: readonly RecordRow[];
  readonly #names: RecordNames;
  /** What rules and the customer name. */
  readonly #common: readonly Figure[];
  readonly #grounds: Grounds;

  constructor(
    private readonly evidence: {
      readonly asked: string;
      readonly facts: Facts;
      readonly records: RecordBook;
    },
    private readonly sense: RecordSense,
    private readonly nouns: RecordWords,
  ) {
    const { facts, records } = evidence;
    this.#rows = records.rows;
    this.#names = new RecordNames(records);
    this.#common = [...facts.rules, facts.asked].flatMap((text) => figuresIn(text, facts.currency));
    this.#grounds = new Grounds(facts, this.#common, this.#rows, this.#names, sense, nouns);
  }

  /** The first amount or day of a sentence that stands in no record of which it speaks; null where each has its own. */
  groundless(sentence: Sentence, all: readonly Figure[], sentences: readonly Sentence[]): Span | null {
    // What a tool has just done is not in the records that were read before it.
    if (this.evidence.records.done.size > 0) return null;
    return (
      this.#grounds.wrongIn(sentence, all, () => sentences.slice(0, sentences.indexOf(sentence))) ??
      ofNoPlan(sentence, this.evidence.records.all, this.evidence.facts) ??
      miscounts(sentence, all, sentences, this.#rows, this.evidence, this.sense, this.nouns)
    );
  }

  /**
   * The first figure or place of a sentence that is another record's; null where none is.
   * @param all the figures of the whole answer
   * @param before the record that was spoken of; null where that were several or none
   * @param listed the titles that the sentences before it name
   */
  wrongIn(
    sentence: Sentence,
    all: readonly Figure[],
    before: string | null,
    listed: readonly string[] = [],
  ): Span | null {
    if (this.#rows.length === 0 || sentence.question) return null;
    const { sense, nouns, evidence } = this;
    const { facts } = evidence;
    const inSentence = figuresWithin(all, sentence);
    const figures = inSentence.filter(({ kind }) => BINDING.has(kind));
    const named = this.#names.mentionsIn(sentence.tokens);
    // "It was $ 380.00 against $ 60.00 for Samba Night": begins with what was spoken of.
    const mentions =
      named.length > 0 && before !== null && isItFirst(sentence, named)
        ? [{ title: before, from: sentence.from }, ...named]
        : named;
    const title = this.titleIn(sentence);
    const own = this.#rows.filter((row) => row.title === before && !LEDGER.has(row.kind));
    const isOfBefore = figures.some((one) => one.kind === 'date' && own.some((row) => hasFigure(row, one)));
    const meant = title ?? (mentions.length === 0 ? before : null);
    const isIt = meant !== null && (IT.test(sentence.text) || isOfBefore);
    const placed = named.length === 0 && isIt ? [{ title: meant, from: sentence.from }] : named;
    const place =
      ofNoPlace(sentence, placed, this.#rows, facts) ??
      ofAnotherMoment(sentence, figures, meant, this.#rows, facts);
    if (place) return place;
    const titles = { named: mentions.map((one) => one.title), listed, before };
    const contrary = contraryTo(sentence, inSentence, titles, this.#rows, { facts, sense, nouns });
    if (contrary || figures.length === 0) return contrary;
    const paid = figures.find((figure) =>
      isNeverDone(figure, sentence, title ?? before, this.#rows, this.sense),
    );
    if (paid) return paid;
    if (mentions.length > 0) return this.#misplaced(sentence, figures, mentions);
    const kinds = kindsIn(sentence.tokens, this.sense, this.nouns);
    const mistaken = ofAnotherField(sentence, figures, this.#rows, this.sense);
    if (mistaken) return mistaken;
    const untitled = this.#rows.filter((row) => row.title === null && kinds.has(kindOf(row)));
    const isOfRecords = this.#rows.some(
      ({ title, kind }) => title !== null && kinds.has(kind) && !(LEDGER.has(kind) && kinds.has(FEES)),
    );
    const sums = figures.filter(({ kind }) => kind === 'money').length;
    if (untitled.length > 0 && !isOfRecords && sums < FEW) {
      const known = figures.filter(({ kind }) =>
        untitled.some(
          ({ money, moments }) =>
            (kind === 'money'
              ? money.size
              : moments.filter(({ minute }) => kind !== 'count' && (kind !== 'time' || minute !== null))
                  .length) > 0,
        ),
      );
      return known.find((figure) => this.#isForeign(sentence, figure, before, kinds, true)) ?? null;
    }
    if (before === null || OTHER.test(fold(sentence.text))) return null;
    if (kinds.size > 0) {
      const booked = this.#rows.some(
        (row) => row.title === before && LEDGER.has(row.kind) && kinds.has(row.kind),
      );
      if (booked && !kinds.has(FEES))
        return figures.find((figure) => this.#isForeign(sentence, figure, before, kinds, false)) ?? null;
      const [sum, ...more] = figures.filter(({ kind }) => kind === 'money');
      const isOfIt = more.length === 0 && PRONOUN.test(sentence.text);
      const own = figures.filter((one) => one.kind === 'count' || (isOfIt && one === sum));
      return own.find((one) => this.#isForeign(sentence, one, before, kinds, false)) ?? null;
    }
    const { compares, totals } = mannerOf(sentence.text, '');
    const isAlone = ({ kind }: Figure) =>
      kind !== 'money' || (!compares && !totals && figures.filter((one) => one.kind === kind).length === 1);
    return (
      figures.find((one) => isAlone(one) && this.#isForeign(sentence, one, before, kinds, false)) ?? null
    );
  }

  /** The one record that a sentence speaks of; null where it names several, or none. */
  titleIn(sentence: Sentence): string | null {
    return this.#names.titleIn(sentence);
  }

  /** The one record that the customer's own words name; null where these are several or none. */
  get asked(): string | null {
    return this.#names.titleAsked(this.evidence.facts.asked);
  }

  /** Of each kind every figure is of the record before it, or every one of the record behind it. */
  #misplaced(sentence: Sentence, figures: readonly Figure[], mentions: readonly Mention[]): Figure | null {
    const kinds = kindsIn(sentence.tokens, this.sense, this.nouns);
    const isEach = EACH.test(sentence.text);
    // "$ 70.00 against $ 12.00", of one that is named and one that was asked about.
    const compared = (figure: Figure) =>
      COMPARED.test(sentence.text.slice(0, figure.from - sentence.from)) && mentions.length === 1;
    const told = figures.filter((figure) => !compared(figure));
    const clauses = isEach ? null : clausesOf(sentence, told, mentions);
    if (clauses)
      return (
        clauses.find(({ figure, title }) => this.#isForeign(sentence, figure, title, kinds, false, mentions))
          ?.figure ?? null
      );
    for (const kind of BINDING) {
      const all = told.filter((figure) => figure.kind === kind);
      // "After the reading on the 26th comes Elis, on 3 December": one has no name, as have several sums.
      const isLate = ({ from }: Figure) => from > (mentions[0]?.from ?? 0);
      const isOther = mentions.length === 1 && figures.some((one) => DAYS.has(one.kind) && isLate(one));
      const isList = kind === 'money' && mentions.length === 1 && all.length >= FEW;
      const same = isList ? [] : isOther && DAYS.has(kind) ? all.filter(isLate) : all;
      if (isEach && kind === 'money' && same.length === 1)
        return (
          same.find((one) =>
            mentions.some(({ title }) => this.#isForeign(sentence, one, title, kinds, false, mentions)),
          ) ?? null
        );
      const ways = [1, -1, 0] as const;
      const wrong = ways.map((side) =>
        same.find((figure) => {
          const title =
            side === 0 ? titleWith(sentence, figure, mentions) : titleBeside(mentions, figure, side);
          return this.#isForeign(sentence, figure, title, kinds, false, mentions);
        }),
      );
      const [first] = wrong;
      if (first !== undefined && !wrong.includes(undefined)) return first;
    }
    return null;
  }

  /** True for what another record has, and neither this one nor what is of none. @param strict for what is of none alone */
  #isForeign(
    sentence: Sentence,
    figure: Figure,
    title: string | null,
    kinds: ReadonlySet<string>,
    strict: boolean,
    mentions: readonly Mention[] = [],
  ): boolean {
    if (figure.kind === 'count' && figure.values.some((value) => Number(value) < FEW)) return false;
    if (this.#common.some((one) => isSame(one, figure))) return false;
    const own = title === null ? [] : this.#rows.filter((row) => row.title === title);
    const isUntil = figure.kind === 'time' || UNTIL.test(`${sentence.text}\n${this.evidence.facts.asked}`);
    if (
      own.some((row) => hasFigure(row, figure) || (isUntil && isDeadline(row, figure, this.evidence.facts)))
    )
      return false;
    // "8 places are left", of what has five.
    const isRoom = ROOM.test(figure.noun ?? '') && own.some(({ counts }) => counts.size > 0);
    const isExact = !ABOUT.test(sentence.text.slice(0, figure.from - sentence.from));
    if (isRoom && isExact && !mannerOf(sentence.text, '').totals)
      if (!this.#rows.some((row) => hasFigure(row, figure))) return true;
    if (figure.kind === 'count' && !sharesCount(own, this.#rows, figure)) return false;
    const isPrice = this.#rows.some((row) => row.title !== null && hasFigure(row, figure));
    if (figure.kind === 'money' && !isPrice && this.evidence.facts.sums.has(Number(figure.values[0])))
      return false;
    const isPlaced = own.some(({ moments }) =>
      moments.some(({ minute }) => (figure.kind === 'time' ? minute !== null : DAYS.has(figure.kind))),
    );
    return (
      (isPlaced ||
        this.#rows.some((row) => row.title !== null && row.title !== title && hasFigure(row, figure))) &&
      !this.#rows.some(
        (row) =>
          row.title !== null &&
          !mentions.some((one) => one.title === row.title) &&
          this.#names.isHinted(row.title, sentence, { own }) &&
          hasFigure(row, figure),
      ) &&
      !this.#rows.some(
        (row) =>
          row.title === null &&
          hasFigure(row, figure) &&
          (strict ||
            kinds.has(kindOf(row)) ||
            (figure.kind !== 'money' && (!isPlaced || figure.kind === 'date' || figure.kind === 'day'))),
      )
    );
  }
}
