import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { LANGUAGE_TAG } from '../../src/core/domain/language.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { LinkedCustomer } from '../company-database.js';
import { readJsonl, readMarkdown } from '../jsonl.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareInsert } from '../statements.js';
import { accounts, hubUsers, knowledge, settings } from './schema.js';

const articleLine = z.object({
  article_id: z.string().min(1),
  title: z.string().min(1),
  content: z.string().min(1),
  tags: z.array(z.string()).default([]),
  language: z.string().regex(LANGUAGE_TAG).default('en'),
  updated_at: z.iso.datetime().optional(),
});

/** The company as the hub's database names it. */
export interface Account {
  readonly id: string;
  readonly name: string;
}

function once(
  handle: DatabaseHandle,
  marker: string,
  clock: Clock,
  work: (nowIso: string) => boolean,
): boolean {
  const { orm, sqlite } = handle;
  return sqlite
    .transaction((): boolean => {
      if (orm.select().from(settings).where(eq(settings.key, marker)).get() !== undefined) return false;
      const now = clock.now().toISOString();
      if (!work(now)) return false;
      orm.insert(settings).values({ key: marker, value: 'true', updatedAt: now }).run();
      return true;
    })
    .immediate();
}

/** Creates the account; once. */
export function seedAccount(handle: DatabaseHandle, clock: Clock, { id, name }: Account): boolean {
  return once(handle, 'seed:account', clock, () => {
    handle.orm.insert(accounts).values({ accountId: id, name }).onConflictDoNothing().run();
    return true;
  });
}

/** Links customers that the hub does not know yet; safe to repeat. Returns how many were new. */
export function linkCustomers(
  handle: DatabaseHandle,
  account: Account,
  customers: readonly LinkedCustomer[],
): number {
  const insert = prepareInsert(handle.orm, hubUsers, { onConflict: 'ignore' });
  return handle.sqlite
    .transaction((): number => {
      let linked = 0;
      for (const { customerId, name } of customers) {
        linked += insert({
          userId: `${account.id}:${customerId}`,
          accountId: account.id,
          externalUserId: customerId,
          name,
        });
      }
      return linked;
    })
    .immediate();
}

/** Loads the company's articles; once, so that what an operator indexed later stays. */
export function seedKnowledge(handle: DatabaseHandle, clock: Clock, file: URL): boolean {
  return once(handle, 'seed:knowledge', clock, (now) => {
    const lines = [...(readJsonl(file, articleLine) ?? []), ...readMarkdown(file, articleLine)];
    if (lines.length === 0) return false;
    const insert = prepareInsert(handle.orm, knowledge, { omit: ['rowNo'], onConflict: 'ignore' });
    for (const { article_id: articleId, updated_at: updatedAt, ...article } of lines) {
      insert({ ...article, articleId, updatedAt: updatedAt ?? now });
    }
    return true;
  });
}
