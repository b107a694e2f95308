import { LRUCache } from 'lru-cache';
import type { Embedder } from '../core/ports/knowledge-store.js';
import { dot, type Sparse, sparse, sparseDot } from '../core/softmax.js';
import { type Analyzer, fold } from './analyzer.js';
import { type Bag, bagOf, coverage, rarityAmong, type Wanted, wantedOf } from './article-features.js';
import type { StoredExamples } from './examples.js';
import { type Unit, unitsOf } from './parts.js';
import { KIND_NAMES, type KindName, kindsAskedBy, kindsHeldBy } from './question.js';

// By size: `max` takes the room for all of them at once, for every App.
const CACHED_ARTICLES = 5000;
const CACHED_WORDS = 20_000;

/** An article as its units are ranked: one version, in one language. */
export interface Readable {
  readonly title: string;
  readonly tags: readonly string[];
  readonly content: string;
}

/** What is measured of a unit against a question; nothing here depends on the company or the language. */
export const UNIT_FEATURES = [
  ...[
    'near',
    'centred',
    'overlap',
    'exact',
    'fresh',
    'soft',
    'softBack',
    'precision',
    'number',
    'rare',
    'counted',
    'named',
    'misnamed',
  ],
  ...['before', 'after', 'around', 'first', 'opens', 'place', 'item', 'step', 'row', 'leads', 'words'],
  ...['negated', 'conditional', 'asks', 'general', 'generalFirst', 'generalStep', 'generalLeads'],
  ...['howStep', 'howLeads', 'whichItem', 'whichLeads', 'exception'],
  ...KIND_NAMES.map((name) => `holds ${name}`),
] as const;

/** What each feature of a unit counts, by its name. */
export type UnitWeights = Readonly<Record<string, number>>;

/** What labelled questions taught about the units of their articles, as it is stored. */
export interface StoredUnits {
  /** Weights of all features of a unit, and of what labelled questions say of it. */
  readonly weights: UnitWeights;
  /** By hash of the article's content: one that was changed since is read as any other. */
  readonly articles: Readonly<Record<string, StoredExamples>>;
}

/** A unit with what is measured of it, in the order of {@link UNIT_FEATURES}. */
export interface MeasuredUnit extends Unit {
  readonly features: readonly number[];
}

interface ReadUnit extends Unit {
  readonly bag: Bag;
  readonly vector: readonly number[];
  readonly words: readonly Sparse[];
  readonly kinds: ReadonlySet<KindName>;
  readonly folded: string;
  readonly names: ReadonlySet<string>;
}

interface ReadArticle {
  readonly heading: Bag;
  readonly units: readonly ReadUnit[];
  readonly mean: readonly number[];
  readonly rarity: ReturnType<typeof rarityAmong>;
}

/** What is asked, read once for all articles. */
export interface AskedUnit {
  readonly vector: readonly number[];
  readonly wanted: readonly Wanted[];
  readonly words: readonly { readonly stem: string; readonly vector: readonly number[] }[];
  readonly kinds: ReadonlySet<KindName>;
  readonly folded: string;
}

const NEGATED =
  /\b(?:not|no|never|cannot|can't|won't|don't|doesn't|didn't|isn't|without|nao|nunca|sem|nem|nenhum\w*)\b/u;
const CONDITIONAL = /\b(?:if|when|after|before|while|until|unless|se|quando|depois|antes|enquanto|caso)\b/u;
const BEGINS_CONDITIONAL =
  /^(?:if|when|after|before|while|until|unless|once|se|quando|depois|antes|enquanto|caso|ao|assim que)\b/u;
const EXCEPTION =
  /\b(?:only|except\w*|unless|however|but not|even if|even when|instead|so|somente|apenas|exceto|excec\w+|a nao ser|menos|porem|mesmo que|mesmo quando)\b/u;
const DIGITS = /\d+(?:[.,]\d+)*/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const COUNTED = /\b(?:how many|(?:quant|qt|qnt)[ao]s)\s+(\p{L}{3,})/u;
const NUMBER_WORDS = 'one|two|three|four|five|six|ten|uma?|duas|dois|tres|quatro|cinco|seis|dez';
const ASKS =
  /\?|^(?:how|what|when|where|who|why|which|can|do|does|is|are|como|quando|onde|quem|por que|qual|quanto|posso|da pra)\b/u;

/** Measures the units of articles against questions. Reads each article once. */
export class UnitReader {
  private readonly articles = new LRUCache<string, Promise<ReadArticle>>({
    maxSize: CACHED_ARTICLES,
    sizeCalculation: () => 1,
  });
  private readonly vectors = new LRUCache<string, readonly number[]>({
    maxSize: CACHED_WORDS,
    sizeCalculation: () => 1,
  });

  /** @param local an embedding that is computed in process: every word is compared */
  constructor(
    private readonly analyzer: Analyzer,
    private readonly local: Embedder,
  ) {}

  /** A question as units are measured against it. */
  async ask(question: string): Promise<AskedUnit> {
    const terms = this.analyzer.analyze(question).terms.filter(({ isStopword }) => !isStopword);
    const words = new Map(terms.map(({ stem, word }) => [stem, word]));
    return {
      vector: await this.local.embedQuery(question.replace(/\s+/gu, ' ')),
      wanted: wantedOf(this.analyzer, question),
      words: await Promise.all(
        [...words].map(async ([stem, word]) => ({ stem, vector: await this.vectorOf(word) })),
      ),
      kinds: kindsAskedBy(question),
      folded: fold(question).trim(),
    };
  }

  /** The units of an article, measured. */
  async measure(article: Readable, asked: AskedUnit): Promise<readonly MeasuredUnit[]> {
    const read = await this.read(article);
    const { units, mean, rarity, heading } = read;
    const weightOf = ({ stem, concepts }: Wanted): number =>
      stem === null ? Math.max(...concepts.map(rarity.ofConcept)) : rarity.ofStem(stem);
    const fresh = asked.wanted.filter(
      ({ stem, concepts }) =>
        !(stem !== null && heading.stems.has(stem)) && !concepts.some((one) => heading.concepts.has(one)),
    );
    const general = asked.wanted.length === 0 ? 1 : 1 - fresh.length / asked.wanted.length;
    const near = units.map(({ vector }) => dot(asked.vector, vector));
    const toMean = dot(asked.vector, mean);
    const numbers = new Set(asked.folded.match(DIGITS) ?? []);
    const counted = countedIn(asked.folded);
    const known = new Set(units.flatMap((unit) => [...unit.names]));
    const named = [...new Set(asked.folded.match(WORD) ?? [])].filter((word) => known.has(word));
    const squared = (wanted: Wanted): number => weightOf(wanted) ** 3;
    const [how, which] = [asked.kinds.has('steps'), asked.kinds.has('list')];
    const flag = (is: boolean): number => (is ? 1 : 0);
    return units.map(({ bag, vector, words, kinds, folded, names, ...unit }, i) => {
      const soft = this.alignment(asked, words, rarity);
      const around = units.flatMap((other, j) =>
        j !== i && other.block === unit.block ? [near[j] ?? 0] : [],
      );
      const neighbour = (at: number): number => (units[at]?.block === unit.block ? (near[at] ?? 0) : 0);
      const [isStep, isItem] = [unit.kind === 'step', unit.kind === 'item' || unit.kind === 'row'];
      const size = [...bag.stems].length;
      const shared = asked.wanted.filter(({ stem }) => stem !== null && bag.stems.has(stem)).length;
      const own = new Set(folded.match(DIGITS) ?? []);
      const features = [
        near[i] ?? 0,
        (near[i] ?? 0) - toMean * dot(vector, mean),
        coverage(asked.wanted, bag, weightOf),
        coverage(asked.wanted, bag, weightOf, 0),
        coverage(fresh, bag, weightOf),
        soft.forth,
        soft.back,
        shared / Math.max(3, size),
        flag([...numbers].some((number) => own.has(number))),
        coverage(asked.wanted, bag, squared),
        flag(counted?.test(folded) === true),
        named.filter((name) => names.has(name)).length / Math.max(1, named.length),
        flag(named.length > 0 && names.size > 0 && !named.some((name) => names.has(name))),
        neighbour(i - 1),
        neighbour(i + 1),
        Math.max(0, ...around),
        flag(i === 0),
        flag(units[i - 1]?.block !== unit.block),
        i / Math.max(1, units.length - 1),
        flag(isItem),
        flag(isStep),
        flag(unit.kind === 'row'),
        flag(unit.leads),
        Math.log(1 + folded.split(' ').length),
        flag(NEGATED.test(folded)) * (NEGATED.test(asked.folded) ? 1 : -0.3),
        flag(CONDITIONAL.test(asked.folded) && BEGINS_CONDITIONAL.test(folded)),
        flag(folded.endsWith('?')),
        general * (near[i] ?? 0),
        general * flag(i === 0),
        general * flag(isStep),
        general * flag(unit.leads),
        flag(how && isStep),
        flag(how && unit.leads),
        flag(which && isItem),
        flag(which && unit.leads),
        flag(EXCEPTION.test(folded)) * flag(ASKS.test(asked.folded) && !how),
        ...KIND_NAMES.map((name) => flag(asked.kinds.has(name) && kinds.has(name))),
      ];
      return { ...unit, features };
    });
  }

  /** How well each word of the question finds one like it in the unit, and the other way round; 0 to 1. */
  private alignment(
    { words: asked }: AskedUnit,
    words: readonly Sparse[],
    rarity: ReadArticle['rarity'],
  ): { readonly forth: number; readonly back: number } {
    if (asked.length === 0 || words.length === 0) return { forth: 0, back: 0 };
    const found = new Array<number>(words.length).fill(0);
    let [sum, total] = [0, 0];
    for (const { stem, vector } of asked) {
      let best = 0;
      for (const [i, word] of words.entries()) {
        const like = sparseDot(word, vector);
        if (like > best) best = like;
        if (like > (found[i] ?? 0)) found[i] = like;
      }
      const weight = rarity.ofStem(stem);
      sum += weight * best;
      total += weight;
    }
    return { forth: sum / total, back: found.reduce((all, one) => all + one, 0) / found.length };
  }

  private read(article: Readable): Promise<ReadArticle> {
    const key = `${article.title}\n${article.tags.join(',')}\n${article.content}`;
    const known = this.articles.get(key);
    if (known !== undefined) return known;
    const reading = this.readNow(article);
    this.articles.set(key, reading);
    return reading;
  }

  private async readNow({ title, tags, content }: Readable): Promise<ReadArticle> {
    const units = unitsOf(content);
    const lower = new Set(content.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}]*/gu)?.map(fold));
    const vectors = await this.local.embedDocuments(units.map(({ text }) => text));
    const read = await Promise.all(
      units.map(async (unit, i): Promise<ReadUnit> => {
        const terms = this.analyzer.analyze(unit.text).terms.filter(({ isStopword }) => !isStopword);
        const words = [...new Set(terms.map(({ word }) => word))];
        return {
          ...unit,
          bag: bagOf(this.analyzer, unit.text),
          vector: vectors[i] ?? [],
          words: await Promise.all(words.map(async (word) => sparse(await this.vectorOf(word)))),
          kinds: kindsHeldBy(unit.text),
          folded: fold(unit.text),
          names: namesIn(unit.text, lower),
        };
      }),
    );
    const size = this.local.dimensions;
    const mean = Array.from({ length: size }, (_, at) =>
      read.reduce((sum, { vector }) => sum + (vector[at] ?? 0) / read.length, 0),
    );
    return {
      heading: bagOf(this.analyzer, `${title}. ${tags.join('. ')}`),
      units: read,
      mean,
      rarity: rarityAmong(read.map(({ bag }) => bag)),
    };
  }

  private async vectorOf(word: string): Promise<readonly number[]> {
    const known = this.vectors.get(word);
    if (known !== undefined) return known;
    const vector = await this.local.embedQuery(word);
    this.vectors.set(word, vector);
    return vector;
  }
}

/** Where "how many X" is asked: tells whether a text has a number of them. */
function countedIn(folded: string): RegExp | null {
  const [, noun] = COUNTED.exec(folded) ?? [];
  return noun ? new RegExp(`\\b(?:\\d+|${NUMBER_WORDS})\\s+(?:\\p{L}+\\s+)?${noun.slice(0, 4)}`, 'u') : null;
}

/** Names of plans, places and the like: words of an article that never stand there in small letters. */
function namesIn(text: string, lower: ReadonlySet<string>): ReadonlySet<string> {
  const words = (text.match(/\p{Lu}[\p{L}\p{N}]{2,}/gu) ?? []).map(fold);
  return new Set(words.filter((word) => !lower.has(word)));
}
