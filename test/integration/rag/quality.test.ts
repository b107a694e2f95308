import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProbe, PROBES, type Probe } from './probes.js';

/** What each knowledge base must reach; measured values stand in data/rag/README.md, these leave a margin. */
const BARS: Readonly<
  Record<string, { hitAt1: number; hitAt3: number; mrr: number; auc: number; keywordHitAt3: number }>
> = {
  'own-fit': { hitAt1: 0.5, hitAt3: 0.72, mrr: 0.62, auc: 0.7, keywordHitAt3: 0.68 },
  'own-heldout': { hitAt1: 0.64, hitAt3: 0.78, mrr: 0.7, auc: 0.78, keywordHitAt3: 0.74 },
  shop: { hitAt1: 0.62, hitAt3: 0.86, mrr: 0.75, auc: 0.74, keywordHitAt3: 0.82 },
  bank: { hitAt1: 0.57, hitAt3: 0.7, mrr: 0.66, auc: 0.85, keywordHitAt3: 0.7 },
  gym: { hitAt1: 0.57, hitAt3: 0.73, mrr: 0.68, auc: 0.72, keywordHitAt3: 0.58 },
};

/** Shares of the held-out questions at the threshold; measured values stand in data/rag/README.md. What is sent is half as long as an article is, so a little more of it lacks the fact. */
const SAID = 0.6;
const MISSED = 0.21;
const REJECTED = 0.92;
/** What is reached on the held-out questions of the writers who came later, the first of them deliberately indirect. */
const HANDS = [
  [1, { hitAt1: 0.45, recall: 0.24, rejected: 0.84 }],
  [2, { hitAt1: 0.73, recall: 0.54, rejected: 0.86 }],
] as const;

/** Some of many questions: the work for one grows with their number. */
const ENOUGH = 400;

function sampled(questions: Probe['questions']): Probe['questions'] {
  const every = Math.ceil(questions.length / ENOUGH);
  return questions.filter((_, i) => i % every === 0);
}

/** Each is opened once: what the last tests teach it, and add to it, the ones before them have not seen. */
const probes = new Map<string, Promise<Probe>>();
afterAll(async () => {
  for (const probe of probes.values()) await (await probe).close();
});

function probeOf(name: string): Promise<Probe> {
  const source = PROBES.find((one) => one.name === name);
  if (source === undefined) throw new Error(`there is no knowledge base ${name}`);
  const known = probes.get(name) ?? openProbe(source);
  probes.set(name, known);
  return known;
}

describe.each(PROBES.map(({ name }) => name))('the search on %s', (name) => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await probeOf(name);
  });
  const bar = BARS[name] ?? { hitAt1: 1, hitAt3: 1, mrr: 1, auc: 1, keywordHitAt3: 1 };

  test('[KB-10] finds what answers, and tells what nothing answers', async () => {
    const metrics = await probe.knowledge.evaluate(sampled(probe.questions));
    expect(metrics.hitAt1).toBeGreaterThanOrEqual(bar.hitAt1);
    expect(metrics.hitAt3).toBeGreaterThanOrEqual(bar.hitAt3);
    expect(metrics.mrr).toBeGreaterThanOrEqual(bar.mrr);
    expect(metrics.auc).toBeGreaterThanOrEqual(bar.auc);
    expect(metrics.precisionAtThreshold, '0.7 promises seven in ten').toBeGreaterThanOrEqual(0.7);
    expect(metrics.rejectedAtThreshold).toBeGreaterThanOrEqual(0.85);
  });

  test('without vectors is weaker, not useless', async () => {
    const metrics = await probe.knowledge.evaluate(sampled(probe.questions), 'keyword');
    expect(metrics.hitAt3).toBeGreaterThanOrEqual(bar.keywordHitAt3);
    expect(metrics.precisionAtThreshold).toBeGreaterThanOrEqual(0.7);
  });
});

describe('calibration', () => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await probeOf('own-fit');
  });

  test('[KB-09] means what it says: bins of confidence hold about that share of right answers', async () => {
    const report = await probe.knowledge.calibrate(sampled(probe.questions));
    expect(report).toMatchObject({
      questions: sampled(probe.questions).length,
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
  const probe = await probeOf('own-heldout');
  for (const { query } of probe.questions.slice(0, 40)) {
    const { hits } = await probe.knowledge.retriever.search(query, { topK: 50 });
    expect(hits.length).toBeGreaterThan(20);
    for (const hit of hits) expect(hit.distance).toBeGreaterThan(0);
    expect(hits.reduce((sum, hit) => sum + hit.confidence, 0)).toBeLessThanOrEqual(1.000001);
  }
});

describe('a knowledge base that labelled questions have taught', () => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await probeOf('own-heldout');
  });

  test('[KNOW-01 KNOW-02 KNOW-04] sends what answers, and seldom what does not, on questions it never saw', async () => {
    const metrics = await probe.knowledge.evaluate(probe.questions.filter(({ hand }) => hand === undefined));
    expect(metrics.saidAtThreshold).toBeGreaterThanOrEqual(SAID);
    expect(metrics.missedAtThreshold).toBeLessThanOrEqual(MISSED);
    expect(metrics.rejectedAtThreshold).toBeGreaterThanOrEqual(REJECTED);
  });

  test('[KNOW-07] finds what answers the questions of several writers, hard ones among them', async () => {
    for (const [hand, { hitAt1, recall, rejected }] of HANDS) {
      const own = probe.questions.filter((question) => question.hand === hand);
      const metrics = await probe.knowledge.evaluate(sampled(own));
      expect(metrics.hitAt1, `hand ${hand}`).toBeGreaterThanOrEqual(hitAt1);
      expect(metrics.recallAtThreshold, `hand ${hand}`).toBeGreaterThanOrEqual(recall);
      expect(metrics.rejectedAtThreshold, `hand ${hand}`).toBeGreaterThanOrEqual(rejected);
    }
  });

  test('[KNOW-05] looks at what labelled questions name, far as it may be', async () => {
    const examples = { of: () => null, rivalOf: () => 0, foreign: 0, likely: ['kb-gift-cards-en'] };
    const idsOf = async (named: typeof examples | null): Promise<readonly string[]> => {
      const { candidates } = await probe.retriever.rank('the app crashes when I open it', {
        examples: () => Promise.resolve(named),
      });
      return candidates.flatMap(({ articleIds }) => articleIds);
    };
    expect(await idsOf(null)).not.toContain('kb-gift-cards-en');
    expect(await idsOf(examples)).toEqual(expect.arrayContaining(['kb-gift-cards-en', 'kb-gift-cards-pt']));
  });

  test.each([
    ['how long is the password link valid', 'Hiya folks, sorry to bother you! ', '? Cheers, Margaret'],
    ['which cities are you in', "Good evening, I'm Ted. Could you please tell me ", '? thanks in advance!'],
    [
      'em quais cidades vocês estão',
      'Oi gente, tudo bem? Desculpa a pergunta boba, ',
      '? Obrigada desde já!',
    ],
    ['posso dar de presente', 'Boa tarde, aqui é a Joana, uma dúvida: ', ' pfv kkkk'],
  ])('[KNOW-06] finds the same for "%s" with courtesy around it', async (question, before, after) => {
    const [bare, wrapped] = await Promise.all(
      [question, `${before}${question}${after}`].map(
        async (query) => (await probe.knowledge.retriever.search(query, { topK: 1 })).hits[0],
      ),
    );
    expect(wrapped?.articleId.slice(0, -3)).toBe(bare?.articleId.slice(0, -3));
    expect(Math.abs((wrapped?.confidence ?? 0) - (bare?.confidence ?? 1))).toBeLessThan(0.1);
  });

  test('[KNOW-08] learns further questions beside what it knows, and answers the others as before', async () => {
    const known = sampled(probe.questions).slice(0, 60);
    const bestOf = async (query: string) =>
      (await probe.knowledge.retriever.search(query, { topK: 1 })).hits[0];
    const article = 'kb-lost-property-en';
    const [asked, ...taught] = [
      'the thing I hung on the hook stayed behind, who has it',
      'the thing I hung on the hook is still hanging there, who has it now',
      'I hung my thing on the hook and it stayed behind',
      'who has what I hung on the hook and forgot',
      'my scarf stayed behind on the hook, who keeps it',
      'left what I hung on the hook behind',
    ].map((query) => ({ query, articleId: article, units: [1] }));
    const before = await Promise.all(known.map(({ query }) => bestOf(query)));
    const first = (await bestOf(asked?.query ?? ''))?.confidence ?? 0;
    const questions = [
      { ...taught[0], query: asked?.query ?? '', articleId: article, heldOut: true },
      ...taught,
    ];
    const report = await probe.knowledge.calibrateFurther(questions, known);
    const hit = await bestOf(asked?.query ?? '');
    expect(hit?.articleId).toBe(article);
    expect(hit?.confidence).toBeGreaterThan(Math.max(0.6, first));
    expect(report.after?.hitAt1).toBe(1);
    const after = await Promise.all(known.map(({ query }) => bestOf(query)));
    const isSame = (one: (typeof after)[number], at: number) => one?.articleId === before[at]?.articleId;
    expect(after.filter(isSame).length).toBeGreaterThanOrEqual(known.length * 0.95);
    const gym = await probeOf('gym');
    await expect(gym.knowledge.calibrateFurther(questions, [])).rejects.toMatchObject({
      code: 'input_invalid',
      message: expect.stringContaining('--beside'),
    });
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
