import { LRUCache } from 'lru-cache';
import type { Article, SearchHit, SearchResult } from '../core/domain/article.js';
import { toHubError } from '../core/errors.js';
import type { KeywordHit, Retriever, SearchOptions, VectorHit } from '../core/ports/knowledge-store.js';
import { readOnce } from '../core/turn-reads.js';
import { bagOf, coverage, synonymsFor, type Wanted, wantedOf } from './article-features.js';
import type {
  ArticleReader,
  RankedSearch,
  RankOptions,
  ReadCandidate,
  RetrieverDeps,
} from './article-reader.js';
import { type Candidate, inParts, ofAnyone, rankCandidates, twinIds, twinKey } from './candidates.js';
import { confidenceOf, type HitFeatures, inOrder, l2, rawConfidence, shareOut } from './confidence.js';
import type { ExampleScores } from './examples.js';
import { collectionName, contentHash } from './indexer.js';
import { askingParts, factAskedBy, kindsAskedBy } from './question.js';
import type { UnitReader } from './unit-features.js';

const CANDIDATES = 20;
const MAX_QUERY_CHARS = 2000;
const CACHED_QUERIES = 500;
/** After a failed embedding the model is left alone, so that not every turn waits for it. */
const EMBEDDER_REST_MS = 30_000;
/** From here on a message was understood as a whole. */
const SURE = 0.85;
/** Characters beyond which the parts of a message are not looked up by themselves. */
const LONGEST_STORY = 600;
/** The least that a part must ask for by its own words. */
const TELLING = 2;

/** From here on a story is like those that no article answers. */
const FOREIGN = 0.5;

/** Hybrid search: vectors and BM25, fused by rank; keywords alone while the vectors cannot be asked. */
export class HybridRetriever implements Retriever {
  private readonly reader: ArticleReader;
  private readonly queryVectors = new LRUCache<string, number[]>({ max: CACHED_QUERIES });
  private outage: string | null = null;
  private embedderRestsUntil = 0;

  constructor(private readonly deps: RetrieverDeps) {
    this.reader = deps.reader;
  }

  async search(query: string, options: SearchOptions): Promise<SearchResult> {
    const whole = await this.searchFor(query, options);
    const meant = await this.asMeant(query);
    const sure = whole.hits[0]?.confidence ?? 0;
    if (options.asked !== undefined || sure >= SURE || meant.length > LONGEST_STORY) return whole;
    const parts = askingParts(meant);
    const examples = parts.length === 0 ? null : await (await this.deps.calibration()).examples(meant);
    // What is told of something else altogether is no story around a question of the company's.
    if ((examples?.foreign ?? 0) >= FOREIGN) return whole;
    const look = (text: string) => this.searchFor(text, options);
    // "Who do I talk to?" asks something else in every story.
    const telling = parts.filter((part) => wantedOf(this.reader.analyzer, part).length >= TELLING);
    const found = await inParts(whole, telling, look, meant);
    // Who tells that a relative is away asks nothing of them.
    const asked = query.includes('?') ? [meant, ...parts] : [];
    return ofAnyone(found, asked, { general: this.deps.ofAnyone, look });
  }

  /** Looks up the text as it is. */
  private async searchFor(
    query: string,
    { language, topK, asked, said, saidBefore = '', saidTo, own: has = [] }: SearchOptions,
  ): Promise<SearchResult> {
    const calibration = await this.deps.calibration();
    const examples: RankOptions['examples'] = (meant) => calibration.examples(meant);
    const limit = Math.max(CANDIDATES, Math.trunc(topK));
    const key = JSON.stringify(['rank', query, language, limit]);
    const { mode, candidates } = await readOnce(key, () => this.rank(query, { language, limit, examples }));
    const wanted = wantedOf(this.reader.analyzer, await this.asMeant(query));
    const shown = inOrder(calibration, mode, candidates).slice(0, Math.max(0, Math.trunc(topK)));
    const confidences = shareOut(shown.map((candidate) => confidenceOf(calibration, mode, candidate)));
    const own = asked ? wantedOf(this.reader.analyzer, await this.asMeant(asked)) : wanted;
    // "How much is it?" of a customer with a plan asks for the price of that one.
    const meant = await this.asMeant(asked ?? query);
    const question = await this.reader.passages.ask(meant, kindsAskedBy(meant).has('amount') ? has : []);
    const share = saidTo === undefined ? 1 : this.shares(own, saidTo);
    const before = said === undefined ? undefined : { text: said, earlier: saidBefore, share };
    const passages = await Promise.all(
      shown.map(({ article }) => this.reader.passages.answer(article, question, calibration.chances, before)),
    );
    const point = await this.reader.passages.pointFor(shown[0]?.article, question, calibration.chances);
    const hits = shown.map(({ article, distance }, i): SearchHit => {
      const { articleId, title, content } = article;
      return {
        ...{ articleId, title, content, language: article.language },
        confidence: confidences[i] ?? 0,
        ...{ rawConfidence: rawConfidence(distance), distance, passage: passages[i] ?? '' },
        ...{ snippet: this.reader.snippets.of(content, own), ...(i === 0 && point ? { point } : {}) },
        share: own.length === 0 ? 1 : coverage(own, this.reader.bags.of(article).all, () => 1),
        told: own.length === 0 ? 1 : this.shares(own, passages[i] ?? ''),
      };
    });
    return { hits, mode };
  }

  /** Share of what is asked that a text speaks of. */
  private shares(asked: readonly Wanted[], text: string): number {
    return asked.length === 0 ? 0 : coverage(asked, bagOf(this.reader.analyzer, text), () => 1);
  }

  /** Reads the units of articles, as calibration needs them. */
  get units(): UnitReader {
    return this.reader.passages.units;
  }

  getArticle(articleId: string): Promise<Article | null> {
    return this.deps.store.get(articleId);
  }

  async asksOn(articleId: string, question: string): Promise<boolean> {
    const fact = factAskedBy(await this.asMeant(question));
    if (fact === null || wantedOf(this.reader.analyzer, fact.rest).length > 0) return false;
    const article = await this.getArticle(articleId);
    return article !== null && fact.isIn(article.content);
  }

  /** All candidates, best first, as calibration needs them. */
  async rank(rawQuery: string, options: RankOptions = {}): Promise<RankedSearch> {
    const query = await this.asMeant(rawQuery);
    if (query === '') return { mode: 'hybrid', candidates: [] };
    const wanted = options.language ?? this.deps.detectLanguage(query);
    const limit = Math.max(CANDIDATES, Math.trunc(options.limit ?? 0));
    const examples = (await options.examples?.(query)) ?? null;
    const likely = examples?.likely ?? [];
    const [firstVectorHits, keywordHits] = await Promise.all([
      options.only === 'keyword' ? null : this.askVectors(query, limit),
      this.deps.store.keywordSearch(query, limit),
    ]);
    let vectorHits = firstVectorHits;
    let articles = await this.articlesOf(vectorHits, keywordHits, likely);
    if (vectorHits !== null && (await this.isForeign(vectorHits, articles))) {
      vectorHits = (await this.deps.heal()) ? await this.askVectors(query, limit) : null;
      articles = await this.articlesOf(vectorHits, keywordHits, likely);
    }
    const found =
      vectorHits === null
        ? { vectorHits: [], keywordHits, articles: await this.withSynonymHits(query, articles) }
        : { vectorHits: await this.withDistances(query, vectorHits, articles), keywordHits, articles };
    const candidates = rankCandidates(query, wanted, found, this.reader.analyzer, this.reader.bags);
    return {
      mode: vectorHits === null ? 'keyword' : 'hybrid',
      candidates: await this.read(query, candidates, examples, options.passages === true),
    };
  }

  /** Looks into the candidates: what each has to say to the query, and whether such questions are known. */
  private async read(
    query: string,
    candidates: readonly Candidate[],
    examples: ExampleScores | null,
    withPassages: boolean,
  ): Promise<readonly ReadCandidate[]> {
    const question = await this.reader.passages.ask(query);
    const chances = withPassages ? (await this.deps.calibration()).chances : null;
    const passages = await Promise.all(
      candidates.map(({ article }) =>
        chances ? this.reader.passages.answer(article, question, chances) : '',
      ),
    );
    const readings = await Promise.all(
      candidates.map(({ article }) => this.reader.passages.read(article.content, question)),
    );
    const vocabulary = await this.deps.vocabulary();
    const unknown = vocabulary.unknownShare(query);
    const namesUnknown = vocabulary.namesUnknown(query);
    const nearest = [...readings].sort((a, b) => b.near - a.near);
    return candidates.map((candidate, i) => {
      const { near = 0, overlap = 0, hasList = false } = readings[i] ?? {};
      const rival = nearest.find((reading) => reading !== readings[i])?.near ?? 0;
      const article = twinKey(candidate.article.articleId);
      const example = examples?.of(article) ?? null;
      const features: HitFeatures = {
        ...candidate.features,
        part: near,
        partMargin: near - rival,
        partOverlap: overlap,
        unknown,
        example: example ?? 0,
        exampleMargin: example === null ? 0 : example - (examples?.rivalOf(article) ?? 0),
        foreign: example === null ? 0 : (examples?.foreign ?? 0),
      };
      // A list answers also by what is not on it.
      const isElsewhere = namesUnknown && !hasList;
      return { ...candidate, features, passage: passages[i] ?? '', isTaught: example !== null, isElsewhere };
    });
  }

  /** The beginning of a query without courtesy, its slips mended: articles are found by their words. */
  async asMeant(query: string): Promise<string> {
    return (await this.deps.vocabulary()).mend(this.deps.bare(query.slice(0, MAX_QUERY_CHARS))).trim();
  }

  /** What both searches found and labelled questions name, with the versions in the other language. */
  private async articlesOf(
    vectorHits: readonly VectorHit[] | null,
    keywordHits: readonly KeywordHit[],
    likely: readonly string[] = [],
  ): Promise<ReadonlyMap<string, Article>> {
    const ids = new Set<string>();
    const found = [...(vectorHits ?? []), ...keywordHits].map(({ articleId }) => articleId);
    for (const articleId of [...found, ...likely]) {
      ids.add(articleId);
      for (const twin of twinIds(articleId, this.deps.languages)) ids.add(twin);
    }
    return new Map((await this.deps.store.getMany([...ids])).map((article) => [article.articleId, article]));
  }

  /** Articles that were found otherwise are beyond the nearest vectors, but how far is known: by the cache. */
  private async withDistances(
    query: string,
    vectorHits: readonly VectorHit[],
    articles: ReadonlyMap<string, Article>,
  ): Promise<readonly VectorHit[]> {
    const near = new Set(vectorHits.map((hit) => twinKey(hit.articleId)));
    const far = [...articles.values()].filter(({ articleId }) => !near.has(twinKey(articleId)));
    const vector = this.queryVectors.get(query);
    if (far.length === 0 || vector === undefined) return vectorHits;
    const cached = await this.deps.store.getEmbeddings(this.deps.embedder.id, far.map(contentHash));
    const more = far.flatMap((article) => {
      const other = cached.get(contentHash(article));
      return other === undefined ? [] : [{ articleId: article.articleId, distance: l2(vector, other) }];
    });
    return [...vectorHits, ...more].sort((a, b) => a.distance - b.distance);
  }

  /** Without vectors, an article that says it in other words is found by those words. */
  private async withSynonymHits(
    query: string,
    articles: ReadonlyMap<string, Article>,
  ): Promise<ReadonlyMap<string, Article>> {
    const synonyms = synonymsFor(this.reader.analyzer, wantedOf(this.reader.analyzer, query));
    if (synonyms === '') return articles;
    const more = await this.articlesOf(null, await this.deps.store.keywordSearch(synonyms, CANDIDATES));
    return new Map([...articles, ...more]);
  }

  /** True where the index does not hold this knowledge base: its directory was emptied or replaced. */
  private async isForeign(
    hits: readonly VectorHit[],
    articles: ReadonlyMap<string, Article>,
  ): Promise<boolean> {
    if (hits.length > 0) return hits.some((hit) => !articles.has(hit.articleId));
    return (await this.deps.store.list()).length > 0;
  }

  /** Null where the vectors cannot be asked now. */
  private async askVectors(query: string, limit: number): Promise<readonly VectorHit[] | null> {
    if (performance.now() < this.embedderRestsUntil) return null;
    try {
      const vector = await this.embed(query);
      const hits = await this.deps.index.query(collectionName(this.deps.embedder.id), vector, limit);
      this.endOutage();
      this.deps.answered?.();
      return hits;
    } catch (error) {
      this.beginOutage(error);
      return null;
    }
  }

  private async embed(query: string): Promise<number[]> {
    const known = this.queryVectors.get(query);
    if (known !== undefined) return known;
    try {
      const vector = await this.deps.embedder.embedQuery(query);
      this.queryVectors.set(query, vector);
      return vector;
    } catch (error) {
      this.embedderRestsUntil = performance.now() + EMBEDDER_REST_MS;
      throw error;
    }
  }

  /** One line an outage, with the reason. */
  private beginOutage(error: unknown): void {
    const { code, message } = toHubError(error);
    if (this.outage === code) return;
    this.outage = code;
    this.deps.log.warn({
      agent: 'knowledge',
      action: 'keyword_search_only',
      details: { code, reason: message },
    });
  }

  private endOutage(): void {
    if (this.outage !== null) this.deps.log.info({ agent: 'knowledge', action: 'hybrid_search_again' });
    this.outage = null;
  }
}
