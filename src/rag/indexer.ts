import { createHash } from 'node:crypto';
import type { Article } from '../core/domain/article.js';
import type {
  ArticleIndex,
  Embedder,
  IndexedVector,
  KnowledgeStore,
  OnIndexing,
} from '../core/ports/knowledge-store.js';

/** What an indexing run did. */
export interface IndexReport {
  /** Articles in the knowledge base. */
  readonly articles: number;
  /** Texts sent to the embedding model; the rest came from the cache. */
  readonly embedded: number;
  /** Vectors written to and removed from the vector index. */
  readonly upserted: number;
  readonly removed: number;
  /** False where only keyword search is up to date, with the reason. */
  readonly indexed: boolean;
  readonly reason: string | null;
  readonly tookMs: number;
}

/** How many texts are embedded and cached at a time, so that an interrupted run does not start from the beginning. */
const EMBED_BATCH = 256;

/** The text that is embedded: title and tags stand before the first blank line, as a heading. */
export function composeText(article: Article): string {
  const tags = article.tags.length === 0 ? '' : `\n${article.tags.join(', ')}`;
  return `${article.title}${tags}\n\n${article.content}`;
}

/** SHA-256 of what is embedded and filtered by; the key of the embedding cache. */
export function contentHash(article: Article): string {
  return createHash('sha256')
    .update(`${article.language}\n${composeText(article)}`)
    .digest('hex');
}

/** Name of the collection of an embedding model: vectors of two models never mix. Letters, digits and `-` only. */
export function collectionName(embedderId: string): string {
  const readable = embedderId
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '')
    .slice(0, 32);
  return `kb-${readable}-${createHash('sha256').update(embedderId).digest('hex').slice(0, 8)}`;
}

/** Changes with any article's text, language or id. */
export function fingerprintOf(articles: readonly Article[]): string {
  const hash = createHash('sha256');
  for (const article of articles) hash.update(`${article.articleId}\n${contentHash(article)}\n`);
  return hash.digest('hex');
}

/**
 * Vectors of all articles, from the cache where the text is known.
 * @throws HubError `embedding_failed`; what was embedded until then stays cached
 */
export async function embedArticles(
  store: KnowledgeStore,
  embedder: Embedder,
  articles: readonly Article[],
  onIndexing?: OnIndexing,
): Promise<{ readonly vectors: readonly IndexedVector[]; readonly embedded: number }> {
  const hashes = articles.map(contentHash);
  const cached = new Map(await store.getEmbeddings(embedder.id, hashes));
  const missing = articles.filter((_, i) => !cached.has(hashes[i] ?? ''));
  for (let start = 0; start < missing.length; start += EMBED_BATCH) {
    const batch = missing.slice(start, start + EMBED_BATCH);
    const made = await embedder.embedDocuments(batch.map(composeText));
    const fresh = new Map(
      batch.map((article, i) => [contentHash(article), Float32Array.from(made[i] ?? [])]),
    );
    await store.putEmbeddings(embedder.id, fresh);
    for (const [hash, vector] of fresh) cached.set(hash, vector);
    onIndexing?.('embedding', start + batch.length, missing.length);
  }
  const vectors = articles.map((article, i) => ({
    articleId: article.articleId,
    vector: Array.from(cached.get(hashes[i] ?? '') ?? []),
    language: article.language,
    contentHash: hashes[i] ?? '',
    document: article.title,
  }));
  return { vectors, embedded: missing.length };
}

/** Makes the vector index hold exactly these articles. @throws HubError `embedding_failed`, `index_unavailable` */
export async function indexArticles(
  store: KnowledgeStore,
  embedder: Embedder,
  index: ArticleIndex,
  articles: readonly Article[],
  onIndexing?: OnIndexing,
): Promise<{ readonly embedded: number; readonly upserted: number; readonly removed: number }> {
  const { vectors, embedded } = await embedArticles(store, embedder, articles, onIndexing);
  const progress = (done: number, of: number): void => onIndexing?.('writing', done, of);
  return { embedded, ...(await index.sync(collectionName(embedder.id), vectors, progress)) };
}

/** What a run that began then has done; the reason where the vectors could not follow. */
export function report(
  started: number,
  articles: number,
  done: { readonly embedded: number; readonly upserted: number; readonly removed: number },
  reason: string | null,
): IndexReport {
  return {
    articles,
    ...done,
    indexed: reason === null,
    reason,
    tookMs: Math.round(performance.now() - started),
  };
}
