import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import { type Hub, openHub } from '../../support/hub.js';

/*
 * Questions as people type them, twelve for each article, and questions that follow an answer: of three writers of whom
 * nothing is learned. Only the shares count; a visitor asks them, who is told of no record.
 */
interface Question {
  readonly query: string;
  readonly article_id: string;
}
interface Second {
  readonly first: string;
  readonly second: string;
  readonly article_id: string;
  /** Makes sense only with the first. */
  readonly leans: boolean;
}

const read = <T>(name: string): readonly T[] =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
/** Some of many: each takes a turn or a search. */
const some = <T>(all: readonly T[], every: number): readonly T[] => all.filter((_, at) => at % every === 0);
/** An article in whatever language. */
const base = (id: string | undefined): string => (id ?? 'none').replace(/-(?:en|pt)$/, '');

/** That of policy.yaml. */
const THRESHOLD = 0.4;

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

async function shareAnswered(questions: readonly Second[]): Promise<number> {
  let right = 0;
  for (const [at, { first, second, article_id }] of questions.entries()) {
    await hub.say(null, first, `thr_${at}_${questions.length}`);
    const { citations } = await hub.say(null, second, `thr_${at}_${questions.length}`);
    right += Number(citations.some(({ articleId }) => base(articleId) === base(article_id)));
  }
  return right / questions.length;
}

it('[KNOW-31] finds the article that answers a plain question, and is sure of it', async () => {
  const questions = some(read<Question>('plain-questions.jsonl'), 4);
  let right = 0;
  for (const { query, article_id } of questions) {
    const { hits } = await hub.app.kb.search(query, {
      topK: 1,
      language: article_id.endsWith('-pt') ? 'pt-BR' : 'en',
    });
    const [best] = hits;
    right += Number(best && best.confidence >= THRESHOLD && base(best.articleId) === base(article_id));
  }
  expect(questions).toHaveLength(336);
  expect(right / questions.length).toBeGreaterThan(0.85);
});

it('[KNOW-29] answers a second question that stands alone as if it were asked alone, and one that leans with the first', async () => {
  const pairs = read<Second>('second-questions.jsonl');
  const [leaning, alone] = [true, false].map((leans) =>
    some(
      pairs.filter((pair) => pair.leans === leans),
      6,
    ),
  );
  expect(await shareAnswered(leaning ?? [])).toBeGreaterThan(0.5);
  expect(await shareAnswered(alone ?? [])).toBeGreaterThan(0.6);
});

it('[KNOW-38] answers everyday questions of signing in, joining, paying and things lost, and few that only sound like them', async () => {
  const questions = read<{
    readonly query: string;
    readonly article_id: string | null;
    readonly language: Language;
  }>('everyday-questions.jsonl');
  const found = await Promise.all(
    questions.map(async ({ query, article_id, language }) => {
      const { hits } = await hub.app.kb.search(query, { topK: 1, language });
      const [best] = hits;
      const named = best && best.confidence >= THRESHOLD ? base(best.articleId) : null;
      return { wanted: article_id === null ? null : base(article_id), named };
    }),
  );
  const [answerable, others] = [
    found.filter(({ wanted }) => wanted !== null),
    found.filter(({ wanted }) => wanted === null),
  ];
  expect([answerable.length, others.length]).toEqual([68, 12]);
  expect(answerable.filter(({ wanted, named }) => wanted === named).length / 68).toBeGreaterThan(0.9);
  expect(others.filter(({ named }) => named !== null).length).toBeLessThanOrEqual(3);
});
