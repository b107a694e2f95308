import { describe, expect, test } from 'vitest';
import type { Article } from '../../../src/core/domain/article.js';
import { createAnalyzer } from '../../../src/rag/analyzer.js';
import { ArticleBagCache } from '../../../src/rag/article-features.js';
import { rankCandidates, twinIds, twinKey } from '../../../src/rag/candidates.js';
import { collectionName, composeText, contentHash, fingerprintOf } from '../../../src/rag/indexer.js';

const analyzer = createAnalyzer();

function article(articleId: string, title: string, language: Article['language'] = 'en'): Article {
  return {
    articleId,
    title,
    content: `About: ${title}`,
    tags: ['tag'],
    language,
    updatedAt: '2025-01-01T00:00:00.000Z',
  };
}

function rank(
  articles: readonly Article[],
  language: Article['language'],
  vectorIds: readonly string[],
  keywordIds: readonly string[],
) {
  return rankCandidates(
    'refund',
    language,
    {
      vectorHits: vectorIds.map((articleId, i) => ({ articleId, distance: 0.8 + i / 10 })),
      keywordHits: keywordIds.map((articleId, i) => ({ articleId, score: 9 - i })),
      articles: new Map(articles.map((entry) => [entry.articleId, entry])),
    },
    analyzer,
    new ArticleBagCache(analyzer),
  );
}

const REFUND_EN = article('kb-refund-en', 'Refund');
const REFUND_PT = article('kb-refund-pt', 'Reembolso', 'pt-BR');
const OTHER = article('kb-museum-en', 'Museum');

describe('versions of an article', () => {
  test('are told by the id', () => {
    expect(twinKey('kb-refund-en')).toBe('kb-refund');
    expect(twinKey('kb_refund_pt-BR')).toBe('kb_refund');
    expect(twinKey('a7')).toBe('a7');
    expect(twinIds('kb-refund-en', ['en', 'pt-BR'])).toContain('kb-refund-pt');
    expect(twinIds('a7', ['en'])).toEqual([]);
  });

  test('come once, in the language of the customer', () => {
    const ids = ['kb-refund-en', 'kb-museum-en', 'kb-refund-pt'];
    const all = [REFUND_EN, REFUND_PT, OTHER];
    const shown = (language: Article['language']) =>
      rank(all, language, ids, ids.slice(0, 1)).map((candidate) => candidate.article.articleId);
    expect(shown('en')).toEqual(['kb-refund-en', 'kb-museum-en']);
    expect(shown('pt-BR')).toEqual(['kb-refund-pt', 'kb-museum-en']);
  });

  test('in another language are shown where there is none in the wanted one, also if only the other was found', () => {
    expect(rank([OTHER], 'pt-BR', ['kb-museum-en'], [])[0]?.article.language).toBe('en');
    expect(rank([REFUND_EN, REFUND_PT], 'pt-BR', ['kb-refund-en'], [])[0]?.article.articleId).toBe(
      'kb-refund-pt',
    );
  });

  test('of one language are different articles, whatever their ids', () => {
    const same = [article('guide-en', 'Refund'), article('guide-pt', 'Museum')];
    expect(rank(same, 'en', ['guide-en', 'guide-pt'], [])).toHaveLength(2);
  });
});

describe('candidates', () => {
  test('carry the distance of the nearest version, null without vectors', () => {
    const [first] = rank([REFUND_EN, REFUND_PT], 'en', ['kb-refund-pt', 'kb-refund-en'], []);
    expect(first?.distance).toBeCloseTo(0.8);
    const [keyword] = rank([REFUND_EN], 'en', [], ['kb-refund-en']);
    expect(keyword).toMatchObject({ distance: null, features: { raw: 0, margin: 0, keyword: 1 } });
  });

  test('[KB-05] that both searches like come first', () => {
    expect(
      rank([REFUND_EN, OTHER], 'en', ['kb-museum-en', 'kb-refund-en'], ['kb-refund-en'])[0]?.article
        .articleId,
    ).toBe('kb-refund-en');
  });

  test('unknown to the store are left out', () => {
    expect(rank([], 'en', ['gone'], ['gone-too'])).toEqual([]);
  });
});

describe('what is indexed', () => {
  test('has title and tags as its heading', () => {
    expect(composeText(REFUND_EN)).toBe('Refund\ntag\n\nAbout: Refund');
    expect(composeText({ ...REFUND_EN, tags: [] })).toBe('Refund\n\nAbout: Refund');
  });

  test('is another one when text or language change, not when the time does', () => {
    expect(contentHash({ ...REFUND_EN, updatedAt: 'later' })).toBe(contentHash(REFUND_EN));
    expect(contentHash({ ...REFUND_EN, language: 'pt-BR' })).not.toBe(contentHash(REFUND_EN));
    expect(fingerprintOf([REFUND_EN])).not.toBe(fingerprintOf([{ ...REFUND_EN, articleId: 'x' }]));
  });

  test('has a collection name Chroma takes, one for each embedding', () => {
    for (const id of ['local-v1-1000-abc', 'openai-nomic-embed-text:v1.5', 'ü', 'x'.repeat(300)]) {
      expect(collectionName(id)).toMatch(/^[a-z0-9][a-z0-9-]{2,60}[a-z0-9]$/);
    }
    expect(collectionName('a:b')).not.toBe(collectionName('a-b'));
  });
});
