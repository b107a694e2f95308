import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Clock } from '../../src/core/ports/clock.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareUpsert } from '../statements.js';
import { signInLimits } from './schema.js';

/** How often something happened, and when last. */
export interface Counted {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Counts that are forgotten by themselves; in the caller's transaction. */
export interface SignInCounts {
  of(key: string): Counted;
  /** One more. @param keptMs how long it is remembered from now on */
  add(key: string, keptMs: number): Counted;
  forget(key: string): void;
  forgetOld(): void;
}

const NEVER: Counted = { count: 0, lastAt: 0 };

/** The table `sign_in_limits` of udahub.db; keys are hashes. */
export function createSignInCounts({ orm }: DatabaseHandle, clock: Clock): SignInCounts {
  const now = (): Date => clock.now();
  const key = eq(signInLimits.keyHash, sql.placeholder('keyHash'));
  const at = sql.placeholder('now');
  const find = orm
    .select()
    .from(signInLimits)
    .where(and(key, gt(signInLimits.expiresAt, at)))
    .prepare();
  const put = prepareUpsert(orm, signInLimits, signInLimits.keyHash);
  const remove = orm.delete(signInLimits).where(key).prepare();
  const forgetOld = orm.delete(signInLimits).where(lte(signInLimits.expiresAt, at)).prepare();
  const of = (keyHash: string): Counted => {
    const row = find.get({ keyHash, now: now().toISOString() });
    return row === undefined ? NEVER : { count: row.count, lastAt: Date.parse(row.lastAt) };
  };
  return {
    of,
    add(keyHash, keptMs) {
      const time = now();
      const count = of(keyHash).count + 1;
      const expiresAt = new Date(time.getTime() + keptMs).toISOString();
      put({ keyHash, count, lastAt: time.toISOString(), expiresAt });
      return { count, lastAt: time.getTime() };
    },
    forget: (keyHash) => void remove.run({ keyHash }),
    forgetOld: () => void forgetOld.run({ now: now().toISOString() }),
  };
}
