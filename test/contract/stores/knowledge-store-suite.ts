import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Article } from '../../../src/core/domain/article.js';
import { codeOf, type HubWorld, type OpenHubWorld } from './world.js';

const article = (articleId: string, over: Partial<Article> = {}): Article => ({
  articleId,
  title: `Title ${articleId}`,
  content: 'Some content',
  tags: [],
  language: 'en',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...over,
});
const cancel = article('a1', {
  title: 'How to cancel',
  content: 'Open the reservation and tap the red button.',
  tags: ['reservation'],
});
const refund = article('a2', {
  title: 'Getting money back',
  content: 'If you cancel in time, the refund is automatic.',
  tags: ['refund', 'payment'],
});
const pausePt = article('a3', {
  title: 'Pausar a assinatura',
  content: 'A pausa não tem custo. É possível voltar quando quiser.',
  tags: ['férias'],
  language: 'pt-BR',
});

/** What every KnowledgeStore must do. */
export function knowledgeStoreSuite(name: string, open: OpenHubWorld): void {
  describe(`KnowledgeStore: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
      await world.stores.knowledge.replaceAll([cancel, refund, pausePt]);
    });
    afterEach(() => world.close());
    const store = () => world.stores.knowledge;
    const found = async (query: string, limit = 10) =>
      (await store().keywordSearch(query, limit)).map((hit) => hit.articleId);

    it('holds exactly the articles it was given last', async () => {
      expect(await store().list()).toEqual([cancel, refund, pausePt]);
      const changed = { ...refund, content: 'Refunds take two days.' };
      const next = [changed, pausePt, article('a4')];
      expect(await store().replaceAll(next)).toEqual({ added: 1, updated: 1, removed: 1 });
      expect(await store().list()).toEqual(next);
      expect(await store().replaceAll(next)).toEqual({ added: 0, updated: 0, removed: 0 });
      expect(await found('button')).toEqual([]);
      expect(await found('days')).toEqual(['a2']);
      expect(await store().replaceAll([])).toEqual({ added: 0, updated: 0, removed: 3 });
      expect(await found('refund pausa')).toEqual([]);
    });

    it('[BYO-34] finds one among very many by its own word, though all others have every other word of the question', async () => {
      const words = 'how do i open the door of my new shed when it is cold and wet';
      const many = Array.from({ length: 3_000 }, (_, at) => article(`m${at}`, { content: words }));
      await store().replaceAll([...many, article('one', { content: 'The zeppelin is kept shut.' })]);
      expect((await found(`${words} zeppelin`, 3))[0]).toBe('one');
      expect(await found('the door', 3)).toHaveLength(3);
    });

    it('changes nothing when two articles have one id', async () => {
      expect(await codeOf(store().replaceAll([article('x'), article('x')]))).toBe('input_invalid');
      expect(await store().list()).toHaveLength(3);
    });

    it('gets one, and many in the order asked for', async () => {
      expect(await store().count()).toBe(3);
      expect(await store().get('a2')).toEqual(refund);
      expect(await store().get('none')).toBeNull();
      expect(await store().getMany(['a3', 'none', 'a1'])).toEqual([pausePt, cancel]);
      expect(await store().getMany([])).toEqual([]);
    });

    it('ranks a word in the title over one in the content, and a tag in between', async () => {
      expect(await found('cancel')).toEqual(['a1', 'a2']);
      const hits = await store().keywordSearch('cancel refund', 10);
      expect(hits.map((hit) => hit.score)).toEqual([...hits.map((hit) => hit.score)].sort((a, b) => b - a));
      expect(hits.every((hit) => hit.score > 0)).toBe(true);
      await store().replaceAll([
        article('in-tag', { tags: ['zebra'] }),
        article('in-content', { content: 'zebra' }),
        article('in-title', { title: 'zebra' }),
      ]);
      expect(await found('zebra')).toEqual(['in-title', 'in-tag', 'in-content']);
      expect(await found('zebra', 1)).toEqual(['in-title']);
    });

    it('ignores accents and case', async () => {
      expect(await found('FERIAS')).toEqual(['a3']);
      expect(await found('e possível')).toEqual(['a3']);
      expect(await found('possivel')).toEqual(['a3']);
    });

    it('takes any text as a query', async () => {
      for (const query of [
        '',
        '   ',
        '"',
        '???',
        'NEAR(',
        'title:cancel OR',
        'a AND NOT b*',
        "'; DROP TABLE knowledge",
        '-cancel',
        'x'.repeat(100_000),
        'word '.repeat(20_000),
      ]) {
        await store().keywordSearch(query, 5);
      }
      expect(await found('title : "cancel" *')).toContain('a1');
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (query) => {
          expect((await store().keywordSearch(query, 2)).length).toBeLessThanOrEqual(2);
        }),
        { numRuns: 200 },
      );
    });

    it('caches embeddings by model and content', async () => {
      const vector = Float32Array.from([0.1, -0.5, 1e-7, 1]);
      await store().putEmbeddings(
        'm1',
        new Map([
          ['h1', vector],
          ['h2', Float32Array.from([1, 2])],
        ]),
      );
      await store().putEmbeddings('m1', new Map([['h1', vector]]));
      const got = await store().getEmbeddings('m1', ['h1', 'none']);
      expect([...got.keys()]).toEqual(['h1']);
      expect(got.get('h1')).toEqual(vector);
      expect((await store().getEmbeddings('m2', ['h1'])).size).toBe(0);
    });

    it('keeps named documents', async () => {
      expect(await store().getSetting('calibration')).toBeNull();
      await store().putSetting('calibration', '{"a":1}');
      await store().putSetting('calibration', '{"a":2}');
      expect(await store().getSetting('calibration')).toBe('{"a":2}');
    });
  });
}
