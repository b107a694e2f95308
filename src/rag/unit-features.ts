import { LRUCache } from 'lru-cache';
import type { Embedder } from '../core/ports/knowledge-store.js';
import { nonZero, type Sparse, sparseDot } from '../core/softmax.js';
import { type Analyzer, fold } from './analyzer.js';
import { coverage, type Wanted, wantedOf } from './article-features.js';
import { ArticleUnits, DIGITS, NEGATED, type ReadArticle, type Readable } from './article-units.js';
import type { StoredExamples } from './examples.js';
import type { Unit } from './parts.js';
import { KIND_NAMES, type KindName, kindsAskedBy } from './question.js';

/** One message is looked up several times, whole and in parts, in the same articles. */
const CACHED_QUESTIONS = 32;

export type { Readable } from './article-units.js';

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

/** A word of a question, with how like it those of articles are that it was held against. */
interface AskedWord {
  readonly stem: string;
  readonly vector: readonly number[];
  readonly likes: Map<Sparse, number>;
}

/** What is asked, read once for all articles. */
export interface AskedUnit {
  readonly vector: Sparse;
  readonly wanted: readonly Wanted[];
  readonly words: readonly AskedWord[];
  readonly kinds: ReadonlySet<KindName>;
  readonly folded: string;
}

const CONDITIONAL = /\b(?:if|when|after|before|while|until|unless|se|quando|depois|antes|enquanto|caso)\b/u;
const WORD = /[\p{L}\p{N}]+/gu;
const COUNTED = /\b(?:how many|(?:quant|qt|qnt)[ao]s)\s+(\p{L}{3,})/u;
const NUMBER_WORDS = 'one|two|three|four|five|six|ten|uma?|duas|dois|tres|quatro|cinco|seis|dez';
const ASKS =
  /\?|^(?:how|what|when|where|who|why|which|can|do|does|is|are|como|quando|onde|quem|por que|qual|quanto|posso|da pra)\b/u;

/** Measures the units of articles against questions. Reads each article once. */
export class UnitReader {
  private readonly reader: ArticleUnits;
  private readonly questions = new LRUCache<string, Promise<AskedUnit>>({ max: CACHED_QUESTIONS });
  private readonly measured = new WeakMap<AskedUnit, Map<ReadArticle, readonly MeasuredUnit[]>>();

  /** @param local an embedding that is computed in process: every word is compared */
  constructor(
    private readonly analyzer: Analyzer,
    private readonly local: Embedder,
  ) {
    this.reader = new ArticleUnits(analyzer, local);
  }

  /** A question as units are measured against it. */
  ask(question: string): Promise<AskedUnit> {
    const known = this.questions.get(question);
    if (known !== undefined) return known;
    const asking = this.askNow(question);
    this.questions.set(question, asking);
    return asking;
  }

  private async askNow(question: string): Promise<AskedUnit> {
    const terms = this.analyzer.analyze(question).terms.filter(({ isStopword }) => !isStopword);
    const words = new Map(terms.map(({ stem, word }) => [stem, word]));
    return {
      vector: nonZero(await this.local.embedQuery(question.replace(/\s+/gu, ' '))),
      wanted: wantedOf(this.analyzer, question),
      words: await Promise.all(
        [...words].map(async ([stem, word]) => {
          const { vector } = await this.reader.vectorOf(word);
          return { stem, vector, likes: new Map<Sparse, number>() };
        }),
      ),
      kinds: kindsAskedBy(question),
      folded: fold(question).trim(),
    };
  }

  /** The units of an article, measured. */
  async measure(article: Readable, asked: AskedUnit): Promise<readonly MeasuredUnit[]> {
    const read = await this.reader.read(article);
    const before = this.measured.get(asked) ?? new Map<ReadArticle, readonly MeasuredUnit[]>();
    this.measured.set(asked, before);
    const measured = before.get(read) ?? this.measureNow(read, asked);
    before.set(read, measured);
    return measured;
  }

  private measureNow(read: ReadArticle, asked: AskedUnit): readonly MeasuredUnit[] {
    const { units, mean, rarity, heading } = read;
    const weightOf = ({ stem, concepts }: Wanted): number =>
      stem === null ? Math.max(...concepts.map(rarity.ofConcept)) : rarity.ofStem(stem);
    const fresh = asked.wanted.filter(
      ({ stem, concepts }) =>
        !(stem !== null && heading.stems.has(stem)) && !concepts.some((one) => heading.concepts.has(one)),
    );
    const general = asked.wanted.length === 0 ? 1 : 1 - fresh.length / asked.wanted.length;
    const near = units.map(({ vector }) => sparseDot(asked.vector, vector));
    const toMean = sparseDot(asked.vector, mean);
    const numbers = new Set(asked.folded.match(DIGITS) ?? []);
    const counted = countedIn(asked.folded);
    const named = [...new Set(asked.folded.match(WORD) ?? [])].filter((word) => read.names.has(word));
    const squared = (wanted: Wanted): number => weightOf(wanted) ** 3;
    const [how, which] = [asked.kinds.has('steps'), asked.kinds.has('list')];
    const [negated, conditional] = [NEGATED.test(asked.folded), CONDITIONAL.test(asked.folded)];
    const asks = ASKS.test(asked.folded) && !how;
    const flag = (is: boolean): number => (is ? 1 : 0);
    return units.map((one, i) => {
      const { bag, vector: _vector, toMean: ownToMean, words, kinds, folded, names, ...others } = one;
      const { numbers: own, negated: isNegated, beginsConditional, exception, ...unit } = others;
      const soft = this.alignment(asked, words, rarity);
      const around = units.flatMap((other, j) =>
        j !== i && other.block === unit.block ? [near[j] ?? 0] : [],
      );
      const neighbour = (at: number): number => (units[at]?.block === unit.block ? (near[at] ?? 0) : 0);
      const [isStep, isItem] = [unit.kind === 'step', unit.kind === 'item' || unit.kind === 'row'];
      const { size } = bag.stems;
      const shared = asked.wanted.filter(({ stem }) => stem !== null && bag.stems.has(stem)).length;
      const features = [
        near[i] ?? 0,
        (near[i] ?? 0) - toMean * ownToMean,
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
        flag(isNegated) * (negated ? 1 : -0.3),
        flag(conditional && beginsConditional),
        flag(folded.endsWith('?')),
        general * (near[i] ?? 0),
        general * flag(i === 0),
        general * flag(isStep),
        general * flag(unit.leads),
        flag(how && isStep),
        flag(how && unit.leads),
        flag(which && isItem),
        flag(which && unit.leads),
        flag(exception) * flag(asks),
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
    for (const { stem, vector, likes } of asked) {
      let best = 0;
      for (let i = 0; i < words.length; i += 1) {
        const word = words[i] as Sparse;
        let like = likes.get(word);
        if (like === undefined) {
          like = sparseDot(word, vector);
          likes.set(word, like);
        }
        if (like > best) best = like;
        if (like > (found[i] ?? 0)) found[i] = like;
      }
      const weight = rarity.ofStem(stem);
      sum += weight * best;
      total += weight;
    }
    return { forth: sum / total, back: found.reduce((all, one) => all + one, 0) / found.length };
  }
}

/** Where "how many X" is asked: tells whether a text has a number of them. */
function countedIn(folded: string): RegExp | null {
  const [, noun] = COUNTED.exec(folded) ?? [];
  return noun ? new RegExp(`\\b(?:\\d+|${NUMBER_WORDS})\\s+(?:\\p{L}+\\s+)?${noun.slice(0, 4)}`, 'u') : null;
}
