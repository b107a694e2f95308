import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { Database } from '../../../data/database.js';
import { openDatabase } from '../../../data/open-database.js';
import { HUB_DATABASE } from '../../../data/udahub/database.js';
import { createKnowledgeStore } from '../../../data/udahub/knowledge-store.js';
import { makeTempDir } from '../../contract/stores/world.js';
import { createFixedClock } from '../../support/fixed-clock.js';

const WORDS = 'how do i open the door of my new shed when it is cold and wet';
const dir = makeTempDir();
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const article = (at: number, content: string) => ({
  ...{ articleId: `m${at}`, title: 'Shed', content, tags: [] },
  ...{ language: 'en' as const, updatedAt: '2026-01-01T00:00:00.000Z' },
});

/** The database, and how often it was asked in how many articles a word stands. */
function counting(database: Database) {
  let asked = 0;
  const prepare: Database['prepare'] = (sql) => {
    const statement = database.prepare(sql) as ReturnType<Database['prepare']>;
    if (!/FROM knowledge_words/.test(sql)) return statement as never;
    const pluck = () => {
      const plucked = statement.pluck();
      return {
        ...plucked,
        get: (...given: never[]) => {
          asked += 1;
          return plucked.get(...given);
        },
      };
    };
    return { ...statement, pluck } as never;
  };
  return { database: { ...database, prepare } as Database, asked: () => asked };
}

it('[BYO-34] counts the articles of a word of very many once, and anew where they are replaced', async () => {
  const handle = openDatabase(HUB_DATABASE, dir);
  const { database, asked } = counting(handle);
  const store = createKnowledgeStore(database, createFixedClock());
  const many = Array.from({ length: 3_000 }, (_, at) => article(at, WORDS));
  await store.replaceAll(many);
  await store.keywordSearch(WORDS, 3);
  const first = asked();
  expect(first).toBe(WORDS.split(' ').length);
  await store.keywordSearch(`${WORDS} zeppelin`, 3);
  expect(asked()).toBe(first + 1);
  await store.replaceAll([...many.slice(1), article(0, 'The zeppelin is kept shut.')]);
  expect((await store.keywordSearch(`${WORDS} zeppelin`, 3))[0]?.articleId).toBe('m0');
  expect(asked()).toBe(2 * (first + 1));
  handle.close();
});
