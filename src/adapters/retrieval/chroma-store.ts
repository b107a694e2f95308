import type { Chroma } from '@langchain/community/vectorstores/chroma';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { ChromaClient } from 'chromadb';
import type { IndexedVector } from '../../core/ports/article-index.js';

/** One open collection. */
export interface ChromaStore {
  readonly vectors: Chroma;
  /** Content hash by article id, read page by page. */
  listHashes(pageSize: number): Promise<ReadonlyMap<string, string>>;
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
    listHashes: async (pageSize) => {
      const hashes = new Map<string, string>();
      for (let offset = 0; ; offset += pageSize) {
        const page = await collection.get({ include: ['metadatas'], limit: pageSize, offset });
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
