import { LRUCache } from 'lru-cache';
import type { Embedder } from '../core/ports/knowledge-store.js';
import { nonZero, type Sparse, sparseDot } from '../core/softmax.js';
import type { Analyzer } from './analyzer.js';
import { answerOf, plain, pointOf } from './answer.js';
import { type Bag, bagOf, coverage, rarityAmong, type Wanted, wantedOf } from './article-features.js';
import { type Part, partsOf, type Unit } from './parts.js';
import { answersTo, asksForHelp, asksOneThing, asksYesOrNo, triedIn } from './question.js';
import type { UnitChances } from './taught-units.js';
import { type AskedUnit, type Readable, UnitReader } from './unit-features.js';

const CACHED_CONTENTS = 5000;

/** From this share of what was said last on, a part of it is the same again; from the other of an answer on it says little else. */
const [SAME, MOSTLY] = [0.6, 0.75];
/** From this chance of one sentence on the question names what it is about. */
const NAMED = 0.85;
/** From this chance on one sentence of what was said last answers a question about it. */
const POINT = 0.2;
/** And from this on where the question only says a little more than the last one: "and with the pass?". */
const SURE_POINT = 0.5;
/** Below these chances of its best sentence an article only comes near to a question for one thing, or for a yes or a no; from the last on it surely says it. */
const [SAYS_IT, SAYS_YES_OR_NO, SURELY] = [0.4, 0.65, 0.85];
/** From this chance on a sentence answers, whether it was said a moment ago or not. */
const SAID_AGAIN = 0.1;
/** Below this share of what was asked last another question is asked. */
const SAME_QUESTION = 0.6;
/** A step that holds this share of what was done already is taken. */
const TRIED = 0.34;
/** The chance that what was not said yet answers, from which on it is worth saying. */
const MORE_TO_SAY = 0.1;

interface ReadPart extends Part {
  readonly bag: Bag;
  readonly vector: readonly number[];
}

/** How well a part of an article answers a question. */
interface PartFeatures {
  /** Cosine with the question. */
  readonly near: number;
  /** Share of the question's words that the part has, rare ones counting more. */
  readonly overlap: number;
  /** Share of the kinds of answer asked for (an amount, a time, steps) that it has. */
  readonly kind: number;
  /** 1 for the first part, which says what the article is about. */
  readonly first: number;
  /** 1 for 500 characters: more text answers more. */
  readonly length: number;
}

/** What was said last, and the share of what is asked now that was asked then; 1 where that is not known. */
interface Said {
  readonly text: string;
  /** What was said before that. */
  readonly earlier?: string;
  readonly share: number;
}

/** The parts of a content. */
interface ReadContent {
  readonly parts: readonly ReadPart[];
  readonly rarity: ReturnType<typeof rarityAmong>;
}

/** What contents are read for. */
interface Question {
  readonly text: string;
  readonly vector: Sparse;
  readonly wanted: readonly Wanted[];
  /** Whether a text has a kind of answer that is asked for. */
  readonly tests: ReturnType<typeof answersTo>;
  /** Read for the sentences of an article that is sent: once, and only then. */
  readonly asked: () => Promise<AskedUnit>;
  /** The same with what the customer has, which is meant where nothing is named; null where that makes no difference. */
  readonly own: { readonly text: string; readonly asked: () => Promise<AskedUnit> } | null;
}

/** What an article has to say to a question. */
interface Reading {
  /** Whether the part that answers best has a list: it answers also by what is not on it. */
  readonly hasList: boolean;
  /** Highest cosine of a part with the question. */
  readonly near: number;
  /** Highest share of the question's words that one part has, 0 to 1. */
  readonly overlap: number;
}

/** Log odds of holding the answer: fitted on the `fit` half of the labelled questions that name their sentence. */
const WEIGHTS: PartFeatures = { near: 4, overlap: 2, kind: 1, first: 0.75, length: 1.9 };

/** Finds the parts of an article that answer a question. Reads each content once. */
export class Passages {
  private readonly cache = new LRUCache<string, Promise<ReadContent>>({
    maxSize: CACHED_CONTENTS,
    sizeCalculation: () => 1,
  });

  /** Measures the sentences and items of one article. */
  readonly units: UnitReader;

  /** @param local an embedding that is computed in process: every part of every candidate is compared */
  constructor(
    private readonly analyzer: Analyzer,
    private readonly local: Embedder,
  ) {
    this.units = new UnitReader(analyzer, local);
  }

  /**
   * A query as contents are read for it: made once for all of them.
   * @param own what the customer has that contents tell apart
   */
  async ask(query: string, own: readonly string[] = []): Promise<Question> {
    const owned = [query, ...own].join(' ');
    return {
      text: query,
      vector: nonZero(await this.local.embedQuery(oneLine(query))),
      wanted: wantedOf(this.analyzer, query),
      tests: answersTo(query),
      asked: once(() => this.units.ask(query)),
      own: own.length === 0 ? null : { text: owned, asked: once(() => this.units.ask(owned)) },
    };
  }

  /** What this content has to say to the question. */
  async read(content: string, question: Question): Promise<Reading> {
    const scored = await this.score(content, question);
    const [best] = [...scored].sort((a, b) => b.score - a.score);
    return {
      hasList: best?.hasList ?? false,
      near: Math.max(0, ...scored.map(({ features }) => features.near)),
      overlap: Math.max(0, ...scored.map(({ features }) => features.overlap)),
    };
  }

  /**
   * What is sent of an article to the question: what answers first, and what else belongs to it.
   * @param chancesOf which of its units answers
   * @param said what was said last: where it holds all of that, what else of the article may answer; to another question the
   *   one sentence of it that does
   * @returns empty where the article has nothing more to say
   */
  async answer(
    article: Readable,
    question: Question,
    chancesOf: UnitChances,
    said: Said = { text: '', share: 1 },
  ): Promise<string> {
    const asked = await question.asked();
    const read = async (text: string, of: AskedUnit) => {
      const measured = await this.units.measure(article, of);
      const chances = await chancesOf(article, measured, text);
      return measured.map((unit, i) => ({ ...unit, chance: chances[i] ?? 0 }));
    };
    const plainly = await read(question.text, asked);
    const isOpen = question.own !== null && plainly.every(({ chance }) => chance < NAMED);
    const units =
      isOpen && question.own ? await read(question.own.text, await question.own.asked()) : plainly;
    const isTried = this.triedOf(question.text);
    const tried = units.filter(isTried);
    // Of a procedure most of which was gone through nothing is left to do.
    const isDone = ({ kind, block }: Unit): boolean => {
      const steps = units.filter((unit) => unit.kind === 'step' && unit.block === block);
      return kind === 'step' && tried.filter((unit) => unit.block === block).length * 2 >= steps.length;
    };
    const untried = units.filter((unit) => !tried.includes(unit) && !isDone(unit));
    const isLess = untried.length < units.length;
    const isHelp = isLess || asksForHelp(asked.folded);
    const kinds = isHelp ? new Set([...asked.kinds, 'steps' as const]) : asked.kinds;
    if (isLess) return answerOf('', numbered(untried), kinds);
    const text = answerOf(article.content, units, kinds);
    const [before, earlier, now] = [plain(said.text), plain(said.earlier ?? ''), plain(text)];
    if (before === '') return text;
    const isSaid = (unit: Unit): boolean => [before, earlier].some((one) => one.includes(plain(unit.text)));
    // The answer to another question may be a part of what was said; the same answer again, in any order, is none.
    const again = sharedLength(units, before, now);
    const isAgain = again > SAME * before.length && (again >= MOSTLY * now.length || now.includes(before));
    const point = pointOf(units);
    if (!isAgain) {
      const marked = units.map((unit) => ({ ...unit, isSaid: unit.chance < SAID_AGAIN && isSaid(unit) }));
      const news = answerOf(article.content, marked, kinds);
      // Of what was said a while ago only the point is said again.
      return earlier.includes(plain(news)) && point.chance >= POINT ? point.text : news;
    }
    // Who asks for one thing of what was just said is told that again, and not that there is no more.
    const least = said.share < SAME_QUESTION ? POINT : said.share < 1 ? SURE_POINT : Number.POSITIVE_INFINITY;
    const isPart = plain(point.text).length <= SAME * before.length;
    const isTold =
      said.share < SAME_QUESTION && point.chance >= SURE_POINT && before.includes(plain(point.text));
    if (point.chance >= least && (isPart || isTold)) return point.text;
    const left = units.filter((unit) => !isSaid(unit));
    const rest = left.reduce((sum, { chance }) => sum + chance, 0);
    if (rest < MORE_TO_SAY) return asksYesOrNo(question.text) && point.chance >= SURELY ? point.text : '';
    const anew = units.map((unit) => ({ ...unit, chance: left.includes(unit) ? unit.chance / rest : 0 }));
    return answerOf('', anew, kinds);
  }

  /** Whether a sentence of the article says the one thing that is asked; null for other questions, and where none were labelled. */
  async pointFor(
    article: Readable | undefined,
    question: Question,
    chancesOf: UnitChances,
  ): Promise<'near' | 'sure' | null> {
    const least = asksYesOrNo(question.text) ? SAYS_YES_OR_NO : asksOneThing(question.text) ? SAYS_IT : 0;
    // Who is in trouble wants to know what to do, and asks for no one thing.
    const asked = await question.asked();
    if (least === 0 || asksForHelp(asked.folded) || !article || !chancesOf.isTaught(article)) return null;
    const measured = await this.units.measure(article, asked);
    const chance = Math.max(...(await chancesOf(article, measured, question.text)));
    return chance < least ? 'near' : chance >= SURELY ? 'sure' : null;
  }

  /** Whether a step is one that the question says was taken already: it is no advice then. */
  private triedOf(question: string): (unit: Pick<Unit, 'kind' | 'text'>) => boolean {
    const tried = triedIn(question).map((part) => wantedOf(this.analyzer, part));
    return ({ kind, text }) =>
      kind === 'step' &&
      tried.some((wanted) => coverage(wanted, bagOf(this.analyzer, text), () => 1) >= TRIED);
  }

  private async score(content: string, { vector, wanted, tests }: Question): Promise<readonly ScoredPart[]> {
    const { parts, rarity } = await this.partsOf(content);
    const weightOf = ({ stem, concepts }: Wanted): number =>
      stem === null ? Math.max(...concepts.map(rarity.ofConcept)) : rarity.ofStem(stem);
    return parts.map(({ text, hasList, bag, vector: own }, at) => {
      const features: PartFeatures = {
        near: sparseDot(vector, own),
        overlap: coverage(wanted, bag, weightOf),
        kind: tests.length === 0 ? 0 : tests.filter((test) => test(text)).length / tests.length,
        first: at === 0 ? 1 : 0,
        length: Math.min(1, text.length / 500),
      };
      const names = Object.keys(WEIGHTS) as (keyof PartFeatures)[];
      return {
        hasList,
        features,
        score: names.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0),
      };
    });
  }

  private partsOf(content: string): Promise<ReadContent> {
    const known = this.cache.get(content);
    if (known !== undefined) return known;
    const reading = this.partsNow(content);
    this.cache.set(content, reading);
    return reading;
  }

  private async partsNow(content: string): Promise<ReadContent> {
    const cut = partsOf(content);
    const vectors = await this.local.embedDocuments(cut.map(({ text }) => oneLine(text)));
    const parts = cut.map((part, i) => ({
      ...part,
      bag: bagOf(this.analyzer, part.text),
      vector: vectors[i] ?? [],
    }));
    return { parts, rarity: rarityAmong(parts.map(({ bag }) => bag)) };
  }
}

/** Units of which some were left out, at their new places; the steps that are left are counted anew. */
function numbered<T extends Unit>(units: readonly T[]): readonly T[] {
  const count = new Map<number, number>();
  return units.map((unit, at) => {
    if (unit.kind !== 'step') return { ...unit, at };
    const number = (count.get(unit.block) ?? 0) + 1;
    count.set(unit.block, number);
    return { ...unit, at, text: unit.text.replace(/^\d{1,2}/u, String(number)) };
  });
}

interface ScoredPart {
  readonly hasList: boolean;
  readonly features: PartFeatures;
  readonly score: number;
}

/** Characters of the sentences that both texts have. */
function sharedLength(units: readonly { readonly text: string }[], before: string, now: string): number {
  const texts = units.map(({ text }) => plain(text));
  return texts.reduce(
    (sum, text) => sum + (before.includes(text) && now.includes(text) ? text.length : 0),
    0,
  );
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** An embedding reads what stands before a blank line as a heading; a part has none. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
