import type { Chroma } from '@langchain/community/vectorstores/chroma';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { ChromaClient } from 'chromadb';
import { HubError } from '../../core/errors.js';
import type { IndexedVector } from '../../core/ports/knowledge-store.js';

/** Said after each part of a long work. @throws HubError `index_unavailable` where the wait for that part was over */
export type Step = () => void;

/** What is done with an open collection. */
export type Work<T> = (store: ChromaStore, step: Step) => Promise<T>;

/** One open collection. */
export interface ChromaStore {
  readonly vectors: Chroma;
  /** Content hash by article id, read page by page; each page is a step. */
  listHashes(pageSize: number, step: Step): Promise<ReadonlyMap<string, string>>;
  count(): Promise<number>;
  /** Adds or replaces, by article id. */
  add(vectors: readonly IndexedVector[]): Promise<void>;
}

/**
 * Opens a collection in the default L2 space, creating it where needed. The libraries take half a second to load, so
 * they are loaded when the first collection is opened, not when the hub starts.
 */
export async function openChromaStore(url: string, collectionName: string): Promise<ChromaStore> {
  const [{ Chroma: ChromaVectorStore }, client, { Document }] = await Promise.all([
    import('@langchain/community/vectorstores/chroma'),
    clientOf(url),
    import('@langchain/core/documents'),
  ]);
  const vectors = new ChromaVectorStore(NO_EMBEDDINGS, { index: client, collectionName });
  const collection = await vectors.ensureCollection();
  return {
    vectors,
    count: () => collection.count(),
    listHashes: async (pageSize, step) => {
      const hashes = new Map<string, string>();
      for (let offset = 0; ; offset += pageSize) {
        const page = await collection.get({ include: ['metadatas'], limit: pageSize, offset });
        step();
        for (const [i, id] of page.ids.entries())
          hashes.set(id, String(page.metadatas[i]?.content_hash ?? ''));
        if (page.ids.length < pageSize) return hashes;
      }
    },
    add: async (batch) => {
      const documents = batch.map(
        (entry) =>
          new Document({
            pageContent: entry.document,
            metadata: { language: entry.language, content_hash: entry.contentHash },
          }),
      );
      await vectors.addVectors(
        batch.map((entry) => [...entry.vector]),
        documents,
        { ids: batch.map((entry) => entry.articleId) },
      );
    },
  };
}

/** Deletes one collection and nothing else. */
export async function dropChromaCollection(url: string, collectionName: string): Promise<void> {
  await (await clientOf(url)).deleteCollection({ name: collectionName });
}

async function clientOf(url: string): Promise<ChromaClient> {
  const { ChromaClient: Client } = await import('chromadb');
  const address = new URL(url);
  const ssl = address.protocol === 'https:';
  return new Client({ host: address.hostname, port: Number(address.port) || (ssl ? 443 : 80), ssl });
}

/** The hub embeds by itself; the vector store is only ever given vectors. */
const NO_EMBEDDINGS: EmbeddingsInterface = {
  embedDocuments: () => Promise.reject(new Error('vectors are given, not made here')),
  embedQuery: () => Promise.reject(new Error('vectors are given, not made here')),
};

/** How many vectors a request carries. */
export const BATCH = 1000;

/** The server answers others and leaves this request without an answer. */
export class SilentError extends Error {}

/** The server answered that it could not: not the request is wrong, nor the way to it. */
export function isFault(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChromaServerError';
}

/** The collection is not there. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChromaNotFoundError' || /could not be found|does not exist/u.test(error.message))
  );
}

/**
 * The wait begins anew with each step, so that it does not grow with the work. Where it is over, the work ends at its next
 * step.
 * @throws HubError `index_unavailable` where a step, or work without steps, takes longer
 */
export async function within<T>(timeoutMs: number, work: (step: Step) => Promise<T>): Promise<T> {
  let late: HubError | null = null;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = new HubError('index_unavailable', `The vector index did not answer within ${timeoutMs} ms.`, {
        timeoutMs,
      });
      reject(late);
    }, timeoutMs);
  });
  const working = work(() => {
    if (late !== null) throw late;
    timer?.refresh();
  });
  try {
    return await Promise.race([working, timeout]);
  } finally {
    clearTimeout(timer);
    // The loser of the race must not surface as an unhandled rejection.
    working.catch(() => undefined);
  }
}
