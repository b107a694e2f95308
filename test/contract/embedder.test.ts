import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalEmbedder } from '../../src/adapters/retrieval/local-embedder.js';
import { createOpenAIEmbedder } from '../../src/adapters/retrieval/openai-embedder.js';
import type { Embedder } from '../../src/core/ports/knowledge-store.js';
import { createAnalyzer } from '../../src/rag/index.js';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.js';

const TEXTS = [
  'How do I get a refund?',
  'Como faço para cancelar a reserva?',
  'Museums in Recife',
  'how do i get a refund',
];
const ODD = ['', '   ', '???', '\u0000\u202Etxt', '🎭🎭', 'x'.repeat(100_000), 'ça, não é só «isso»'];

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

const kinds: readonly (readonly [string, () => Embedder])[] = [
  ['local', () => createLocalEmbedder({ analyzer: createAnalyzer() })],
  [
    'openai',
    () => createOpenAIEmbedder({ apiKey: 'test', baseUrl: server.url, model: 'text-embedding-3-small' }),
  ],
];

describe.each(kinds)('every embedder: %s', (_, create) => {
  test('gives unit vectors of its dimension, in the order of the texts', async () => {
    const embedder = create();
    const vectors = await embedder.embedDocuments(TEXTS);
    expect(vectors).toHaveLength(TEXTS.length);
    for (const vector of vectors) {
      expect(vector).toHaveLength(embedder.dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    expect(vectors[1]).toEqual((await embedder.embedDocuments(TEXTS.slice(1, 2)))[0]);
  });

  test('says the same twice, from a new instance as well', async () => {
    const [first, second] = [create(), create()];
    expect(await first.embedQuery('refund')).toEqual(await second.embedQuery('refund'));
    expect(first.id).toBe(second.id);
    expect(first.id).toMatch(/^[a-z0-9][a-z0-9-]*$/);
  });

  test('puts the same words nearer than other ones', async () => {
    const embedder = create();
    const [refund, cancel, museums, again] = await embedder.embedDocuments(TEXTS);
    const cosine = (a: number[] = [], b: number[] = []) =>
      a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
    expect(cosine(refund, again)).toBeGreaterThan(cosine(refund, museums));
    expect(cosine(refund, again)).toBeGreaterThan(cosine(refund, cancel));
  });

  test('takes nothing, and whatever a customer may type', async () => {
    const embedder = create();
    expect(await embedder.embedDocuments([])).toEqual([]);
    for (const text of ODD) {
      const vector = await embedder.embedQuery(text).catch((error: Error) => error);
      // A provider may refuse an empty text; then it must be an error, not garbage.
      if (vector instanceof Error) expect(vector).toMatchObject({ code: 'embedding_failed' });
      else expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });
});

describe('the local embedder', () => {
  const embedder = createLocalEmbedder({ analyzer: createAnalyzer() });
  const distance = async (a: string, b: string) => {
    const [x, y] = await Promise.all([embedder.embedQuery(a), embedder.embedQuery(b)]);
    return Math.hypot(...x.map((value, i) => value - (y[i] ?? 0)));
  };

  test.each([
    ['I want my money back', 'Quero um reembolso', 'Where is the museum?'],
    ['esqueci minha senha', 'reset your password', 'horário de funcionamento'],
    ['terminate my plan', 'cancel the subscription', 'invite a friend'],
  ])('[KB-06] "%s" is nearer to "%s" than to "%s"', async (query, near, far) => {
    expect(await distance(query, near)).toBeLessThan(await distance(query, far));
  });

  test('forgives a typo', async () => {
    expect(await distance('reservtion', 'reservation')).toBeLessThan(
      await distance('reservtion', 'password'),
    );
  });

  test('gives title and tags, before the first blank line, more weight than the text', async () => {
    expect(await distance('refund', 'Refund\n\nYou are on the waiting list.')).toBeLessThan(
      await distance('refund', 'Waiting list\n\nYou get a refund.'),
    );
  });
});
