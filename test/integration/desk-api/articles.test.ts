import { afterEach, describe, expect, it } from 'vitest';
import { MemoryArticleIndex } from '../../../src/adapters/retrieval/memory-article-index.js';
import type { ArticleInput } from '../../../src/core/desk-work.js';
import { HubError } from '../../../src/core/errors.js';
import type { ArticleIndex, IndexedVector, VectorHit } from '../../../src/core/ports/knowledge-store.js';
import { type Hub, type HubOptions, openHub } from '../../support/hub.js';

const CELIA = { operatorId: 'op_celia', name: 'Célia Reis' };
const QUESTION = 'Can I bring my parrot to the planetarium?';
const ARTICLE: ArticleInput = {
  articleId: 'kb-parrots',
  title: 'Bringing parrots and other birds to the planetarium',
  content:
    'Parrots are welcome at the planetarium on Tuesdays, in a cage of at most 60 cm. Other birds stay outside.',
  tags: ['pets', 'planetarium'],
};

/** The real index in memory, which can be taken down and slowed. */
class FragileIndex implements ArticleIndex {
  readonly #inner = new MemoryArticleIndex();
  down = false;
  /** Runs in the middle of each sync. */
  meanwhile: () => Promise<void> = async () => {};

  async sync(collection: string, vectors: readonly IndexedVector[]) {
    this.#check();
    await this.meanwhile();
    return this.#inner.sync(collection, vectors);
  }
  async query(collection: string, vector: readonly number[], limit: number): Promise<readonly VectorHit[]> {
    this.#check();
    return this.#inner.query(collection, vector, limit);
  }
  count(collection: string) {
    this.#check();
    return this.#inner.count(collection);
  }
  onEmptied = () => {};
  ping = async () => !this.down;
  close = async () => {};
  #check() {
    if (this.down) throw new HubError('index_unavailable', 'The vector index does not answer.');
  }
}

const hubs: Hub[] = [];
afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.close();
});

async function open(options: HubOptions = {}): Promise<Hub> {
  const hub = await openHub(options);
  hubs.push(hub);
  return hub;
}

const found = async (hub: Hub, query = QUESTION) => {
  const { hits, mode } = await hub.app.kb.search(query, { topK: 3 });
  return { ids: hits.map(({ articleId }) => articleId), mode };
};

describe('articles of the desk', () => {
  it('[DKA-01] shows a draft to operators only, and finds it from the moment it is published, in every process', async () => {
    const index = new FragileIndex();
    const hub = await open({ overrides: { index } });
    const other = await hub.another();
    const { articles } = hub.app;
    const draft = await articles.create(ARTICLE, CELIA);
    expect(draft).toMatchObject({ articleId: 'kb-parrots', language: 'en', updatedBy: 'op_celia' });
    expect((await found(hub)).ids).not.toContain('kb-parrots');
    await expect(hub.app.kb.show('kb-parrots')).rejects.toMatchObject({ code: 'not_found' });

    const { article, index: state } = await articles.publish('kb-parrots', CELIA);
    expect(state).toMatchObject({ indexed: true, reason: null, tookMs: expect.any(Number) });
    expect(article).toMatchObject({ title: ARTICLE.title, content: ARTICLE.content });
    for (const app of [hub, other]) expect((await found(app)).ids[0]).toBe('kb-parrots');
    expect(await articles.show('kb-parrots')).toMatchObject({ draft: null, published: { language: 'en' } });
  });

  it('[DKA-02] keeps what is published until the changed draft is, and lists both states', async () => {
    const hub = await open();
    const { articles } = hub.app;
    await articles.create(ARTICLE, CELIA);
    await articles.publish('kb-parrots', CELIA);
    const edited = await articles.edit(
      'kb-parrots',
      { title: 'Parrots at the planetarium', content: 'From March on, parrots come in on Thursdays.' },
      CELIA,
    );
    expect(edited).toMatchObject({ tags: ['pets', 'planetarium'], language: 'en' });
    expect((await hub.app.kb.show('kb-parrots')).content).toContain('Tuesdays');
    expect(await articles.list('PARROTS thursdays')).toMatchObject([
      { articleId: 'kb-parrots', state: 'changed', title: 'Parrots at the planetarium' },
    ]);
    await articles.publish('kb-parrots', CELIA);
    expect((await hub.app.kb.search(QUESTION, { topK: 1 })).hits[0]?.content).toContain('Thursdays');
    const old = await hub.app.kb.search('cage of at most 60 cm', { topK: 5 });
    expect(old.hits.filter(({ content }) => content.includes('60 cm'))).toEqual([]);
    expect(await articles.list('parrots')).toMatchObject([{ state: 'published' }]);
    const all = await articles.list();
    expect(all.length).toBeGreaterThan(10);
    expect(all.map(({ articleId }) => articleId)).toEqual([...all.map(({ articleId }) => articleId)].sort());
  });

  it('[DKA-03] finds something at every moment while articles come and go', async () => {
    const index = new FragileIndex();
    const hub = await open({ overrides: { index } });
    const { articles } = hub.app;
    const seen: number[] = [];
    // Every index of a test is new and filled by the first search.
    await found(hub);
    const logged = hub.log.entries.length;
    index.meanwhile = async () => {
      // What a customer's question finds, asked in the middle of each change.
      const reply = await hub.say(null, 'How long before the start can I cancel a reservation?');
      seen.push(reply.citations.length);
    };
    await articles.create(ARTICLE, CELIA);
    await articles.publish('kb-parrots', CELIA);
    await articles.edit('kb-parrots', { ...ARTICLE, content: 'Birds are welcome on Sundays now.' }, CELIA);
    await articles.publish('kb-parrots', CELIA);
    await articles.unpublish('kb-parrots', CELIA);
    expect(seen.length).toBeGreaterThanOrEqual(4);
    expect(Math.min(...seen)).toBeGreaterThan(0);
    expect(hub.log.entries.slice(logged).filter(({ action }) => action === 'index_rebuilt')).toEqual([]);
    expect((await found(hub)).ids).not.toContain('kb-parrots');
    // What was published is kept.
    expect(await articles.show('kb-parrots')).toMatchObject({
      published: null,
      draft: { content: 'Birds are welcome on Sundays now.' },
    });
  });

  it('[DKA-04] publishes for the keywords while the vector index is down, says so, and catches up', async () => {
    const index = new FragileIndex();
    const hub = await open({ overrides: { index } });
    await hub.app.articles.create(ARTICLE, CELIA);
    index.down = true;
    const { index: state } = await hub.app.articles.publish('kb-parrots', CELIA);
    expect(state).toMatchObject({ indexed: false, reason: expect.stringContaining('does not answer') });
    expect(await found(hub)).toEqual({ ids: expect.arrayContaining(['kb-parrots']), mode: 'keyword' });

    index.down = false;
    expect(await found(hub)).toEqual({ ids: expect.arrayContaining(['kb-parrots']), mode: 'hybrid' });
    await expect
      .poll(() => hub.app.kb.search(QUESTION, { topK: 1 }).then(({ hits }) => hits[0]?.distance ?? null))
      .not.toBeNull();
    const again = await hub.app.kb.index();
    expect(again).toMatchObject({ indexed: true, upserted: 0, removed: 0 });
  });

  it('[DKA-05] ends with the same index whichever of two processes publishes last', async () => {
    const index = new FragileIndex();
    const hub = await open({ overrides: { index } });
    const other = await hub.another();
    await hub.app.articles.create(ARTICLE, CELIA);
    await hub.app.articles.create({ ...ARTICLE, articleId: 'kb-owls', title: 'Owls at the zoo' }, CELIA);
    await Promise.all([
      hub.app.articles.publish('kb-parrots', CELIA),
      other.app.articles.publish('kb-owls', CELIA),
    ]);
    expect(await hub.app.kb.index()).toMatchObject({ indexed: true, upserted: 0, removed: 0 });
    expect((await found(other)).ids).toContain('kb-parrots');
    expect((await found(hub, 'owls at the zoo')).ids).toContain('kb-owls');
  });

  it('[DKA-06] refuses what is no article, naming every field, and stores nothing of it', async () => {
    const hub = await open();
    const { articles } = hub.app;
    const before = hub.dump('udahub').knowledge_drafts;
    const wrong: readonly [ArticleInput, string][] = [
      [{ title: ' \u200b ', content: 'x' }, 'title'],
      [{ title: 'x'.repeat(201), content: 'x' }, 'title'],
      [{ title: 'x', content: '' }, 'content'],
      [{ title: 'x', content: 'y'.repeat(20_001) }, 'content'],
      [{ title: 'x', content: 'y', articleId: 'No Such Id' }, 'article_id'],
      [{ title: 'x', content: 'y', articleId: 'plain' }, 'article_id'],
      [{ title: 'x', content: 'y', articleId: '../../etc-1' }, 'article_id'],
      [{ title: 'x', content: 'y', tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'tags'],
      [{ title: 'x', content: 'y', tags: ['t'.repeat(61)] }, 'tags'],
      [{ title: 'x', content: 'y', language: 'fr' }, 'language'],
    ];
    for (const [input, field] of wrong) {
      await expect(articles.create(input, CELIA), JSON.stringify(input).slice(0, 80)).rejects.toMatchObject({
        code: 'input_invalid',
        fields: { errors: [{ field, message: expect.any(String) }] },
      });
    }
    await articles.create(ARTICLE, CELIA);
    await expect(articles.create(ARTICLE, CELIA)).rejects.toMatchObject({ code: 'input_invalid' });
    await articles.discard('kb-parrots');
    expect(hub.dump('udahub').knowledge_drafts).toEqual(before);
    for (const call of [
      articles.discard('kb-parrots'),
      articles.publish('kb-parrots', CELIA),
      articles.unpublish('kb-parrots', CELIA),
      articles.edit('kb-parrots', ARTICLE, CELIA),
      articles.show("' OR 1=1 --"),
    ])
      await expect(call).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[DKA-07] makes an id and finds the language by itself, and keeps who published in the audit log', async () => {
    const hub = await open();
    const { articles } = hub.app;
    const draft = await articles.create(
      {
        title: 'Como levar um acompanhante',
        content: 'Você pode levar um acompanhante pagando a diferença no local.',
      },
      CELIA,
    );
    expect(draft.articleId).toMatch(/^kb-como-levar-um-acompanhante-[0-9a-f]{8}$/);
    expect(draft.language).toBe('pt-BR');
    await articles.publish(draft.articleId, CELIA);
    await articles.unpublish(draft.articleId, CELIA);
    expect(
      hub.query(
        'udahub',
        `SELECT actor, action, details FROM audit_log WHERE action LIKE '%_article' ORDER BY seq`,
      ),
    ).toEqual([
      {
        actor: 'operator:op_celia',
        action: 'publish_article',
        details: JSON.stringify({ article_id: draft.articleId }),
      },
      {
        actor: 'operator:op_celia',
        action: 'unpublish_article',
        details: JSON.stringify({ article_id: draft.articleId }),
      },
    ]);
  });
});
