import { setTimeout as sleep } from 'node:timers/promises';
import type { Article } from '../core/domain/article.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError, toHubError } from '../core/errors.js';
import type {
  ArticleIndex,
  Embedder,
  KnowledgeStore,
  OnIndexing,
  Retriever,
} from '../core/ports/knowledge-store.js';
import type { Log } from '../core/ports/system.js';
import { readOnce } from '../core/turn-reads.js';
import type { ArticleReader, Vocabulary } from './article-reader.js';
import type { InForce } from './calibration-store.js';
import { createCalibrationReader } from './calibration-store.js';
import { type Calibrator, createCalibrator } from './calibrator.js';
import { twinKey } from './candidates.js';
import {
  collectionName,
  embedArticles,
  fingerprintOf,
  type IndexReport,
  indexArticles,
  report,
} from './indexer.js';
import { HybridRetriever } from './retriever.js';

export { type Analyzer, createAnalyzer } from './analyzer.js';
export { ArticleReader } from './article-reader.js';
export type { CalibrationReport } from './calibration.js';
export type { FurtherReport } from './calibrator.js';
export type { IndexReport } from './indexer.js';
export type { LabelledQuestion, RetrievalMetrics } from './labelled.js';

interface KnowledgeDeps {
  readonly store: KnowledgeStore;
  readonly embedder: Embedder;
  readonly index: ArticleIndex;
  readonly log: Log;
  /** Language of a question, where the caller does not say. */
  readonly detectLanguage: (text: string) => Language;
  /** Those of the company. */
  readonly languages: readonly Language[];
  /** Other knowledge bases may read with the same one. */
  readonly reader: ArticleReader;
  /** File of the calibration that the company ships for its articles. */
  readonly calibration?: URL | undefined;
  /** What a question asks without the courtesy around it; the question itself where absent. */
  readonly bare?: (text: string) => string;
  /** A question about a relative as one about any friend; the question itself where absent. */
  readonly ofAnyone?: (text: string) => string;
  /** Told how far indexing is, whatever began it. */
  readonly onIndexing?: OnIndexing | undefined;
}

/** One article that comes, is replaced or goes. */
export interface ArticleChange {
  /** What the article will be: embedded first, so that the change itself takes no time. */
  readonly arriving?: Article | undefined;
  /** Id of an article that goes: taken out of the vectors first, so that no search meets one without its article. */
  readonly leaving?: string | undefined;
  /** Makes the change in the store. */
  apply(): Promise<void>;
}

/** The knowledge base: what finds articles, and what keeps the vector index in step with them. */
export interface Knowledge extends Calibrator {
  readonly retriever: Retriever;
  /** Indexes what the store holds unless that was done already (then a few ms). Never throws: see `indexed`. */
  ensureIndexed(): Promise<IndexReport>;
  /**
   * Replaces the knowledge base and indexes it. Embeds first, so that a failing model changes nothing.
   * @throws HubError `embedding_failed`, `input_invalid` (no articles, or an id twice), `database_failed`, `disk_full`
   */
  reindex(articles: readonly Article[]): Promise<IndexReport>;
  /**
   * Makes a change of one article and brings the vectors after it. The search works at every moment, and finds the
   * change by keywords as soon as it is made; where the vectors cannot follow (`indexed: false`), they do later.
   * @throws HubError what `apply` throws, `database_failed`, `disk_full`
   */
  change(change: ArticleChange): Promise<IndexReport>;
  /** True while the vectors are put back after damage. */
  repairing(): boolean;
}

/** A turn waits this long for a repair. */
const HEAL_WAIT_MS = 3000;
/** After a failed repair the next one waits this long, so that not every turn tries. */
const HEAL_REST_MS = 5000;
/** How often the number of vectors is compared with the articles. */
const VERIFY_EVERY_MS = 60_000;
/** How often the vectors are brought after a store that others change at the same time. */
const MAX_ROUNDS = 5;
/** Is the fingerprint of nothing: whoever starts next indexes. */
const UNFINISHED = 'unfinished';

/** Wires the parts; reads and starts nothing. */
export function createKnowledge(deps: KnowledgeDeps): Knowledge {
  return new KnowledgeBase(deps);
}

class KnowledgeBase implements Knowledge {
  readonly retriever: HybridRetriever;
  readonly calibrate: Calibrator['calibrate'];
  readonly calibrateFurther: Calibrator['calibrateFurther'];
  readonly evaluate: Calibrator['evaluate'];
  private readonly calibration: () => Promise<InForce>;
  private vocabulary: { readonly fingerprint: string | null; readonly words: Vocabulary } | null = null;
  private healing: Promise<boolean> | null = null;
  private healRestsUntil = 0;
  /** The vectors could not follow a change. */
  private behind = false;
  private verifiedUntil = 0;

  constructor(private readonly deps: KnowledgeDeps) {
    const { store, embedder, reader, calibration: shipped } = deps;
    const tools = { analyzer: reader.analyzer, local: reader.local, keyOf: twinKey };
    this.calibration = createCalibrationReader({
      store,
      embedderId: embedder.id,
      tools,
      shipped,
      known: reader.calibrations,
    });
    this.retriever = new HybridRetriever({
      ...deps,
      bare: deps.bare ?? ((text) => text),
      ofAnyone: deps.ofAnyone ?? ((text) => text),
      calibration: () => readOnce('calibration', this.calibration),
      vocabulary: () => readOnce('vocabulary', () => this.vocabularyNow()),
      heal: () => this.heal(),
      answered: () => this.catchUp(),
    });
    const { retriever, calibration } = this;
    const calibrator = createCalibrator({ retriever, calibration, store, embedderId: embedder.id, tools });
    this.calibrate = calibrator.calibrate;
    this.calibrateFurther = calibrator.calibrateFurther;
    this.evaluate = calibrator.evaluate;
    deps.index.onEmptied(() => {
      this.heal().catch((error: unknown) => {
        deps.log.error({ agent: 'knowledge', action: 'index_failed' }, error);
      });
    });
  }

  async ensureIndexed(): Promise<IndexReport> {
    const started = performance.now();
    const articles = await this.deps.store.list();
    const fingerprint = fingerprintOf(articles);
    if ((await this.deps.store.getSetting(this.fingerprintKey())) === fingerprint) {
      return report(started, articles.length, { embedded: 0, upserted: 0, removed: 0 }, null);
    }
    return await this.follow(started);
  }

  async reindex(articles: readonly Article[]): Promise<IndexReport> {
    const started = performance.now();
    if (articles.length === 0) throw new HubError('input_invalid', 'There is no article to index.');
    const { store, embedder, onIndexing } = this.deps;
    const { embedded } = await embedArticles(store, embedder, articles, onIndexing);
    await store.replaceAll(articles);
    const done = await this.follow(started);
    return { ...done, embedded: done.embedded + embedded };
  }

  async change({ arriving, leaving, apply }: ArticleChange): Promise<IndexReport> {
    const started = performance.now();
    if (arriving) await this.embedAhead(arriving);
    await this.deps.store.putSetting(this.fingerprintKey(), UNFINISHED);
    if (leaving !== undefined) {
      const articles = await this.deps.store.list();
      const staying = articles.filter(({ articleId }) => articleId !== leaving);
      await this.indexNow(performance.now(), staying, UNFINISHED);
    }
    await apply();
    return await this.follow(started);
  }

  /** Until the vectors are those of the store: another process may change it while this one indexes. */
  private async follow(started: number): Promise<IndexReport> {
    for (let round = 1; ; round += 1) {
      const articles = await this.deps.store.list();
      const fingerprint = fingerprintOf(articles);
      const done = await this.indexNow(started, articles, fingerprint);
      this.behind = !done.indexed;
      if (!done.indexed || round === MAX_ROUNDS) return done;
      if (fingerprintOf(await this.deps.store.list()) === fingerprint) return done;
    }
  }

  /** The embedding is cached; where it cannot be made, indexing says so. */
  private async embedAhead(article: Article): Promise<void> {
    try {
      await embedArticles(this.deps.store, this.deps.embedder, [article]);
    } catch (error) {
      const { code, message } = toHubError(error);
      this.deps.log.warn({ agent: 'knowledge', action: 'embed_failed', details: { code, reason: message } });
    }
  }

  /** Read anew when the articles have changed. */
  private async vocabularyNow(): Promise<Vocabulary> {
    const fingerprint = await this.deps.store.getSetting(this.fingerprintKey());
    if (this.vocabulary?.fingerprint !== fingerprint || this.vocabulary === null) {
      const words = this.deps.reader.vocabularyOf(await this.deps.store.list());
      this.vocabulary = { fingerprint, words };
    }
    return this.vocabulary.words;
  }

  repairing(): boolean {
    return this.healing !== null;
  }

  /** In the background: the turn that found the index answering again does not wait for it. */
  private catchUp(): void {
    if (this.behind) {
      this.behind = false;
      this.follow(performance.now()).catch((error: unknown) => {
        this.behind = true;
        this.deps.log.error({ agent: 'knowledge', action: 'index_failed' }, error);
      });
    } else if (performance.now() >= this.verifiedUntil) {
      this.verifiedUntil = performance.now() + VERIFY_EVERY_MS;
      this.verify().catch((error: unknown) => {
        this.deps.log.warn({ agent: 'knowledge', action: 'verify_failed', details: { error } });
      });
    }
  }

  /** An index that lost a part of its vectors answers all the same, with the rest. */
  private async verify(): Promise<void> {
    const found = await this.deps.index.count(collectionName(this.deps.embedder.id));
    // Very many articles take a second to read, in which nothing else is answered: they are counted first.
    if (found === (await this.deps.store.count())) return;
    const articles = await this.deps.store.list();
    const claimed = await this.deps.store.getSetting(this.fingerprintKey());
    // Another fingerprint: somebody is at work on it.
    if (found !== articles.length && claimed === fingerprintOf(articles)) await this.heal();
  }

  private async indexNow(
    started: number,
    articles: readonly Article[],
    fingerprint: string,
  ): Promise<IndexReport> {
    try {
      const { store, embedder, index, onIndexing } = this.deps;
      const done = await indexArticles(store, embedder, index, articles, onIndexing);
      await store.putSetting(this.fingerprintKey(), fingerprint);
      const result = report(started, articles.length, done, null);
      this.deps.log.info({ agent: 'knowledge', action: 'indexed', details: { ...result } });
      return result;
    } catch (error) {
      const { code, message } = toHubError(error);
      this.deps.log.warn({ agent: 'knowledge', action: 'index_failed', details: { code, reason: message } });
      return report(started, articles.length, { embedded: 0, upserted: 0, removed: 0 }, message);
    }
  }

  /** The index answered with nothing, or with articles nobody has: put back what belongs there. One attempt at a time. */
  private async heal(): Promise<boolean> {
    if (performance.now() < this.healRestsUntil) return false;
    this.healing ??= this.healNow().finally(() => {
      this.healing = null;
    });
    return await Promise.race([this.healing, sleep(HEAL_WAIT_MS, false, { ref: false })]);
  }

  private async healNow(): Promise<boolean> {
    this.deps.log.warn({
      agent: 'knowledge',
      action: 'index_rebuilt',
      details: { reason: 'the vector index does not hold this knowledge base' },
    });
    const { indexed } = await this.follow(performance.now());
    if (!indexed) this.healRestsUntil = performance.now() + HEAL_REST_MS;
    return indexed;
  }

  private fingerprintKey(): string {
    return `knowledge.indexed.${this.deps.embedder.id}`;
  }
}
