import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProbe, PROBES, type Probe, type ProbeSource } from './probes.js';

/** What each knowledge base must reach; measured values stand in data/rag/README.md, these leave a margin. */
const BARS: Readonly<
  Record<string, { hitAt1: number; hitAt3: number; mrr: number; auc: number; keywordHitAt3: number }>
> = {
  'own-fit': { hitAt1: 0.62, hitAt3: 0.82, mrr: 0.73, auc: 0.79, keywordHitAt3: 0.78 },
  'own-heldout': { hitAt1: 0.72, hitAt3: 0.86, mrr: 0.8, auc: 0.81, keywordHitAt3: 0.8 },
  shop: { hitAt1: 0.62, hitAt3: 0.86, mrr: 0.75, auc: 0.74, keywordHitAt3: 0.82 },
  bank: { hitAt1: 0.57, hitAt3: 0.7, mrr: 0.66, auc: 0.85, keywordHitAt3: 0.7 },
  gym: { hitAt1: 0.57, hitAt3: 0.73, mrr: 0.68, auc: 0.72, keywordHitAt3: 0.58 },
};

/** Shares of the held-out questions at the threshold; measured values stand in data/rag/README.md. */
const SAID = 0.6;
const MISSED = 0.15;
const REJECTED = 0.93;

/** Every fifth of many questions: the work for one grows with their number. */
function sampled({ questions }: Probe): Probe['questions'] {
  return questions.length < 1000 ? questions : questions.filter((_, i) => i % 5 === 0);
}

describe.each<readonly [string, ProbeSource]>(PROBES.map((source) => [source.name, source]))(
  'the search on %s',
  (name, source) => {
    let probe: Probe;
    beforeAll(async () => {
      probe = await openProbe(source);
    });
    afterAll(() => probe.close());
    const bar = BARS[name] ?? { hitAt1: 1, hitAt3: 1, mrr: 1, auc: 1, keywordHitAt3: 1 };

    test('[KB-10] finds what answers, and tells what nothing answers', async () => {
      const metrics = await probe.knowledge.evaluate(sampled(probe));
      expect(metrics.hitAt1).toBeGreaterThanOrEqual(bar.hitAt1);
      expect(metrics.hitAt3).toBeGreaterThanOrEqual(bar.hitAt3);
      expect(metrics.mrr).toBeGreaterThanOrEqual(bar.mrr);
      expect(metrics.auc).toBeGreaterThanOrEqual(bar.auc);
      expect(metrics.precisionAtThreshold, '0.7 promises seven in ten').toBeGreaterThanOrEqual(0.7);
      expect(metrics.rejectedAtThreshold).toBeGreaterThanOrEqual(0.85);
    });

    test('without vectors is weaker, not useless', async () => {
      const metrics = await probe.knowledge.evaluate(sampled(probe), 'keyword');
      expect(metrics.hitAt3).toBeGreaterThanOrEqual(bar.keywordHitAt3);
      expect(metrics.precisionAtThreshold).toBeGreaterThanOrEqual(0.7);
    });
  },
);

describe('calibration', () => {
  let probe: Probe;
  beforeAll(async () => {
    const source = PROBES.find(({ name }) => name === 'own-fit');
    if (source === undefined) throw new Error('no such probe');
    probe = await openProbe(source);
  });
  afterAll(() => probe.close());

  test('[KB-09] means what it says: bins of confidence hold about that share of right answers', async () => {
    const report = await probe.knowledge.calibrate(sampled(probe));
    expect(report).toMatchObject({
      questions: sampled(probe).length,
      embedder: expect.stringMatching(/^local-v1-/),
    });
    for (const { from, to, count, right } of report.reliability) {
      if (count < 15) continue;
      expect(right / count, `${from} to ${to}`).toBeGreaterThan(from - 0.15);
      expect(right / count, `${from} to ${to}`).toBeLessThan(to + 0.15);
    }
  });

  test('is stored, used at once, and the same when repeated', async () => {
    const [first] = (await probe.knowledge.retriever.search('how do I get a refund', { topK: 1 })).hits;
    const unanswerable = probe.questions.filter((question) => question.articleId === null).slice(0, 40);
    const answerable = probe.questions.filter((question) => question.articleId !== null).slice(0, 12);
    const pessimistic = await probe.knowledge.calibrate([...unanswerable, ...answerable]);
    const [second] = (await probe.knowledge.retriever.search('how do I get a refund', { topK: 1 })).hits;
    expect(second?.confidence).not.toBe(first?.confidence);
    expect((await probe.knowledge.calibrate([...unanswerable, ...answerable])).models).toEqual(
      pessimistic.models,
    );
  });

  test('needs enough questions', async () => {
    await expect(probe.knowledge.calibrate(probe.questions.slice(0, 5))).rejects.toMatchObject({
      code: 'input_invalid',
    });
    const none = probe.questions.filter((question) => question.articleId === null);
    await expect(probe.knowledge.calibrate(none)).rejects.toMatchObject({ code: 'input_invalid' });
  });
});

test('every hit of a hybrid search has its distance, also one that only the keywords found', async () => {
  const source = PROBES.find(({ name }) => name === 'own-heldout');
  if (source === undefined) throw new Error('no such probe');
  const probe = await openProbe(source);
  for (const { query } of probe.questions.slice(0, 40)) {
    const { hits } = await probe.knowledge.retriever.search(query, { topK: 50 });
    expect(hits.length).toBeGreaterThan(20);
    for (const hit of hits) expect(hit.distance).toBeGreaterThan(0);
    expect(hits.reduce((sum, hit) => sum + hit.confidence, 0)).toBeLessThanOrEqual(1.000001);
  }
  await probe.close();
});

describe('a knowledge base that labelled questions have taught', () => {
  let probe: Probe;
  beforeAll(async () => {
    const source = PROBES.find(({ name }) => name === 'own-heldout');
    if (source === undefined) throw new Error('no such probe');
    probe = await openProbe(source);
  });
  afterAll(() => probe.close());

  test('[KNOW-01 KNOW-02 KNOW-04] sends what answers, and seldom what does not, on questions it never saw', async () => {
    const metrics = await probe.knowledge.evaluate(probe.questions);
    expect(metrics.saidAtThreshold).toBeGreaterThanOrEqual(SAID);
    expect(metrics.missedAtThreshold).toBeLessThanOrEqual(MISSED);
    expect(metrics.rejectedAtThreshold).toBeGreaterThanOrEqual(REJECTED);
  });

  test('[KNOW-04] finds an article that no question names, also one on what was answered by none before', async () => {
    const [pets, ferry] = [
      [
        'kb-pets-en',
        'Dogs and other pets',
        'Guide dogs are welcome. Other dogs may visit open-air events on a leash.',
      ],
      ['kb-ferry-en', 'The ferry to the island', 'The ferry to the island museum leaves the pier at 10:00.'],
    ].map(([articleId = '', title = '', content = '']) => ({
      ...{ articleId, title, content, tags: [], language: 'en' as const },
      updatedAt: '2025-01-01T00:00:00.000Z',
    }));
    if (!pets || !ferry) throw new Error('no articles');
    await probe.knowledge.reindex([...probe.articleList, pets, ferry]);
    for (const [query, id] of [
      ['can I bring my dog to the open-air event', pets.articleId],
      ['when does the ferry to the island leave', ferry.articleId],
    ] as const) {
      const [hit] = (await probe.knowledge.retriever.search(query, { topK: 3 })).hits;
      expect(hit?.articleId).toBe(id);
      expect(hit?.confidence).toBeGreaterThan(0.7);
    }
  });
});
