import type { Language } from '../core/domain/taxonomy.js';
import type { KnowledgeStore } from '../core/ports/knowledge-store.js';
import type { Log } from '../core/ports/log.js';
import type { ArticleIndex, Embedder } from '../core/ports/retrieval.js';
import type { ArticleReader } from './article-reader.js';
import type { InForce } from './calibration-store.js';
import type { Candidate } from './candidates.js';
import type { HitFeatures, SearchMode } from './confidence.js';
import type { ExampleScores } from './examples.js';
import type { Vocabulary } from './vocabulary.js';

export interface RankOptions {
  /** Language of the versions to show; detected where absent. */
  readonly language?: Language | undefined;
  readonly limit?: number;
  /** `keyword` leaves the vectors out, to calibrate that mode. */
  readonly only?: 'keyword' | undefined;
  /** What labelled questions say to a query, as it was meant. */
  readonly examples?: ((meant: string) => Promise<ExampleScores | null>) | undefined;
  /** Whether the passages are wanted too. */
  readonly passages?: boolean;
}

/** A candidate with what it has to say. */
export interface ReadCandidate extends Omit<Candidate, 'features'> {
  readonly features: HitFeatures;
  /** What would be sent; empty where the search was not asked for it. */
  readonly passage: string;
  readonly isTaught: boolean;
  readonly isElsewhere: boolean;
}

/** What a search found before it is cut and worded, fused by rank; calibration works on this. */
export interface RankedSearch {
  readonly mode: SearchMode;
  readonly candidates: readonly ReadCandidate[];
}

/** What the search works with. */
export interface RetrieverDeps {
  readonly store: KnowledgeStore;
  readonly embedder: Embedder;
  readonly index: ArticleIndex;
  readonly log: Log;
  readonly reader: ArticleReader;
  readonly detectLanguage: (text: string) => Language;
  /** Those of the company. */
  readonly languages: readonly Language[];
  /** The calibration in force for this embedder, with what its labelled questions say to a query. */
  readonly calibration: () => Promise<InForce>;
  readonly vocabulary: () => Promise<Vocabulary>;
  /** What a question asks without the courtesy around it. */
  readonly bare: (text: string) => string;
  /** A question about a relative of who asks as one about any friend. */
  readonly ofAnyone: (text: string) => string;
  /** Rebuilds a vector index that turned out to be empty or foreign; false where it could not. */
  readonly heal: () => Promise<boolean>;
  readonly answered?: () => void;
}
