import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { eq, lte, sql } from 'drizzle-orm';
import type { Clock } from '../../src/core/ports/clock.js';
import type { SignInCodes } from '../../src/core/ports/sign-in-codes.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareUpsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { erasedCustomers, signInCodes } from './schema.js';

const MAX_ATTEMPTS = 5;
const DIGITS = 6;
const PAUSE_MS = 60_000;

/**
 * One-time codes in udahub.db. Addresses and codes are kept as keyed hashes: who reads the table learns neither.
 * @param pepper the key of the hashes, kept elsewhere
 */
export function createSignInCodes(
  { orm, sqlite }: DatabaseHandle,
  clock: Clock,
  pepper: string,
): SignInCodes {
  const hash = (...parts: readonly string[]): string =>
    createHmac('sha256', pepper)
      .update(['sign-in', ...parts].join('\n'))
      .digest('hex');
  const address = sql.placeholder('addressHash');
  const byAddress = eq(signInCodes.addressHash, address);
  const find = orm.select().from(signInCodes).where(byAddress).prepare();
  const put = prepareUpsert(orm, signInCodes, signInCodes.addressHash);
  const remove = orm.delete(signInCodes).where(byAddress).prepare();
  const forgetOld = orm
    .delete(signInCodes)
    .where(lte(signInCodes.expiresAt, sql.placeholder('now')))
    .prepare();
  const count = orm
    .update(signInCodes)
    .set({ attempts: sql`${signInCodes.attempts} + 1` })
    .where(byAddress)
    .prepare();

  const create = sqlite.transaction((email: string, expiresAt: Date): string | null => {
    const addressHash = hash(fold(email));
    const now = clock.now();
    const earlier = find.get({ addressHash });
    if (earlier && now.getTime() - Date.parse(earlier.createdAt) < PAUSE_MS) return null;
    forgetOld.run({ now: now.toISOString() });
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    put({
      addressHash,
      codeHash: hash(fold(email), code),
      attempts: 0,
      expiresAt: expiresAt.toISOString(),
      createdAt: now.toISOString(),
    });
    return code;
  });

  const use = sqlite.transaction((email: string, code: string): boolean => {
    const addressHash = hash(fold(email));
    const given = Buffer.from(hash(fold(email), code));
    const row = find.get({ addressHash });
    const right = timingSafeEqual(Buffer.from(row?.codeHash ?? hash('no code')), given);
    if (!row || row.attempts >= MAX_ATTEMPTS || row.expiresAt <= clock.now().toISOString()) return false;
    if (right) remove.run({ addressHash });
    else count.run({ addressHash });
    return right;
  });

  return withTranslatedErrors<SignInCodes>({
    create: async (email, expiresAt) => create.immediate(email, expiresAt),
    use: async (email, code) => use.immediate(email, code),
  });
}

/** Looks whether a customer was erased: such a one has no session, whatever the subscription service still knows. */
export function createErasedCheck({ orm }: DatabaseHandle): (customerId: string) => Promise<boolean> {
  const erased = orm
    .select({ customerId: erasedCustomers.customerId })
    .from(erasedCustomers)
    .where(eq(erasedCustomers.customerId, sql.placeholder('customerId')))
    .prepare();
  const checks = withTranslatedErrors({
    isErased: async (customerId: string) => erased.get({ customerId }) !== undefined,
  });
  return checks.isErased;
}

function fold(email: string): string {
  return email.trim().toLowerCase();
}
