import { AsyncLocalStorage } from 'node:async_hooks';
import { HubError, toHubError } from './errors.js';

/** The lease of a conversation under which something is done, see ThreadLock. */
export interface HeldLease {
  readonly threadId: string;
  /** Given to one lease only, so that it tells this one from all before and after it. */
  readonly holder: string;
  /** True once it was given back by its holder, and not taken from it. */
  returned: boolean;
}

const held = new AsyncLocalStorage<HeldLease | null>();

/** Whatever `work` writes, and whatever it begins, is written under this lease; under none where it is null. */
export function underLease<T>(lease: HeldLease | null, work: () => T): T {
  return held.run(lease, work);
}

/** What the database says, as its error code, of a write under a lease that another server has taken. */
export const LEASE_LOST = 'HB001';

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE)\b|^\s*WITH\b[\s\S]*\)\s*(?:INSERT|UPDATE|DELETE)\b/i;

/**
 * A statement of PostgreSQL that writes nothing where the lease it is written under is another's by now, which
 * `demand_lease` (data/udahub/postgres-functions.sql) finds out and prevents until the transaction ends.
 */
export function fenced<Values extends readonly unknown[]>(
  text: string,
  values: Values,
): { readonly text: string; readonly values: readonly unknown[]; readonly isFenced: boolean } {
  const lease = held.getStore();
  if (!lease || lease.returned || !WRITES.test(text)) return { text, values, isFenced: false };
  const count = values.length;
  const demand = `udahub.demand_lease($${count + 1}, $${count + 2}) AS hub_lease`;
  return {
    text: `${text.replace(/;\s*$/, '')}${returnsRows(text) ? ',' : ' RETURNING'} ${demand}`,
    values: [...values, lease.threadId, lease.holder],
    isFenced: true,
  };
}

/** True where the statement itself says what it returns, and not a part of it. */
function returnsRows(text: string): boolean {
  const [, after] = /^[\s\S]*\breturning\b([\s\S]*)$/i.exec(text) ?? [];
  return after !== undefined && after.split('(').length === after.split(')').length;
}

/** True of a write that was refused because another server has taken the conversation: it does all that is left to do. */
export function isLeaseLost(error: unknown): boolean {
  const { code, fields } = toHubError(error);
  return code === 'thread_busy' && fields.code === LEASE_LOST;
}

/** What such an error says. */
export function leaseLost(fields: Readonly<Record<string, unknown>>, cause: unknown): HubError {
  const message = 'Another server works on this conversation now.';
  return new HubError('thread_busy', message, { ...fields, code: LEASE_LOST }, { cause });
}
