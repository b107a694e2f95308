import type { Language } from './taxonomy.js';

/** One entry of the knowledge base. */
export interface Article {
  readonly articleId: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly language: Language;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

/** One article found for a query. */
export interface SearchHit {
  readonly articleId: string;
  readonly title: string;
  readonly content: string;
  readonly language: Language;
  /** Calibrated probability that this article answers the query, 0 to 1. */
  readonly confidence: number;
  /** 1 / (1 + L2 distance), the uncalibrated formula of the source design, 0 to 1. */
  readonly rawConfidence: number;
  /** L2 distance between unit vectors, 0 to 2; null when the vector index did not take part. */
  readonly distance: number | null;
  /** The part of the content nearest to the query, at most about 300 characters. */
  readonly snippet: string;
  /** What the article has to say to the query: the parts that answer it, lists and tables whole; at most about a screen. */
  readonly passage: string;
  /** Of a question for one thing: `near` where no sentence of the passage surely says it, `sure` where one does; else absent. */
  readonly point?: 'near' | 'sure';
  /** The share of what the question's own words ask for that the article speaks of, 0 to 1; 1 where they name nothing. */
  readonly share: number;
  /** The same of the passage. */
  readonly told: number;
}

/** What a search returned and how it was made. */
export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** `keyword` when the vector index could not be asked. */
  readonly mode: 'hybrid' | 'keyword';
}

/** A source shown to the customer under an answer. */
export interface Citation {
  readonly articleId: string;
  readonly title: string;
  readonly confidence: number;
}
