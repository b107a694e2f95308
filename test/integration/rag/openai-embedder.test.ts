import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOpenAIEmbedder } from '../../../src/adapters/retrieval/openai-embedder.js';
import { type EmbeddingFault, type EmbeddingsServer, startEmbeddingsServer } from './embeddings-server.js';

let server: EmbeddingsServer;
beforeEach(async () => {
  server = await startEmbeddingsServer();
});
afterEach(() => server.close());

const open = (options: { timeoutMs?: number; retries?: number; model?: string } = {}) =>
  createOpenAIEmbedder({
    apiKey: 'sk-secret',
    baseUrl: server.url,
    model: 'text-embedding-3-small',
    ...options,
  });

describe('embeddings over HTTP', () => {
  test('[OAI-02] ask for floats, in batches, with the key', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `text ${i}`);
    expect(await open().embedDocuments(texts)).toHaveLength(300);
    expect(server.requests.map(({ body }) => [body.input?.length, body.encoding_format])).toEqual([
      [256, 'float'],
      [44, 'float'],
    ]);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret');
  });

  test('cut what no model takes', async () => {
    await open().embedQuery('word '.repeat(50_000));
    expect(server.requests[0]?.body.input?.[0]?.length).toBeLessThanOrEqual(20_000);
  });

  test('name the model, and learn the size of an unknown one', async () => {
    expect(open()).toMatchObject({ id: 'openai-text-embedding-3-small', dimensions: 1536 });
    const unknown = open({ model: 'nomic-embed-text' });
    expect(unknown.dimensions).toBe(0);
    await unknown.embedQuery('x');
    expect(unknown.dimensions).toBe(1536);
  });

  test('are tried again after 429, as late as the server asks, and after 500', async () => {
    server.failNext({ status: 429, headers: { 'retry-after': '1' } }, { status: 500 });
    const started = performance.now();
    expect(await open().embedDocuments(['x'])).toHaveLength(1);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
    expect(server.requests).toHaveLength(3);
  });

  test('are tried again after a cut connection and a hang', async () => {
    server.failNext('disconnect', 'hang');
    // Enough tries for a machine on which even an answer takes that long.
    expect(await open({ timeoutMs: 1_000, retries: 9 }).embedDocuments(['x'])).toHaveLength(1);
    expect(server.requests.length).toBeGreaterThanOrEqual(3);
  });

  test('are not tried again where that would not help', async () => {
    server.failNext({ status: 401 });
    await expect(open().embedQuery('x')).rejects.toMatchObject({
      code: 'embedding_failed',
      fields: { status: 401 },
    });
    expect(server.requests).toHaveLength(1);
  });

  test('give up after the retries, with a code', async () => {
    server.failNext({ status: 503 }, { status: 503 });
    await expect(open({ retries: 1 }).embedDocuments(['x'])).rejects.toMatchObject({
      code: 'embedding_failed',
      fields: { status: 503 },
    });
  });

  test.each<[string, EmbeddingFault]>([
    ['that is no JSON', 'garbage'],
    ['without vectors', { body: { object: 'list', data: [], usage: {} } }],
    [
      'of zeros',
      { body: { object: 'list', data: [{ index: 0, embedding: new Array(1536).fill(0) }], usage: {} } },
    ],
    ['of another size', { body: { object: 'list', data: [{ index: 0, embedding: [1, 2] }], usage: {} } }],
    [
      'in base64, not asked for',
      { body: { object: 'list', data: [{ index: 0, embedding: 'AACAPw==' }], usage: {} } },
    ],
  ])('take no answer %s', async (_, fault) => {
    server.failNext(fault);
    await expect(open({ retries: 0 }).embedQuery('x')).rejects.toMatchObject({ code: 'embedding_failed' });
  });

  test('fail at once where nobody listens', async () => {
    const embedder = createOpenAIEmbedder({
      apiKey: 'x',
      baseUrl: 'http://127.0.0.1:9/v1',
      model: 'm',
      retries: 1,
    });
    await expect(embedder.embedQuery('x')).rejects.toMatchObject({ code: 'embedding_failed' });
  });
});
