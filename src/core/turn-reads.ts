import { AsyncLocalStorage } from 'node:async_hooks';
import type { CustomerRecords } from './ports/index.js';

/** What has been read in the turn that is under way, by key; nothing is remembered outside of one. */
const turn = new AsyncLocalStorage<Map<string, Promise<unknown>>>();

/** Within `work` what is read by {@link readOnce} is read once: what asks for it a dozen times a turn sees the same. */
export function withRememberedReads<T>(work: () => T): T {
  return turn.run(new Map(), work);
}

/** Before an action is judged, and after it is performed, everything is read anew. */
export function forgetReads(): void {
  turn.getStore()?.clear();
}

/**
 * What `read` gives, once a turn; a read that fails is not tried again in that turn, since the customer waits.
 * @param key the same for the same read
 */
export function readOnce<T>(key: string, read: () => Promise<T>): Promise<T> {
  const reads = turn.getStore();
  if (reads === undefined) return read();
  const known = (reads.get(key) as Promise<T> | undefined) ?? read();
  reads.set(key, known);
  return known;
}

/** The records, each list read once a turn. What is performed never rests on it: before that, everything is forgotten. */
export function rememberedRecords(records: CustomerRecords): CustomerRecords {
  const { catalogue } = records;
  return {
    ...records,
    list: (customerId, entity) =>
      readOnce(JSON.stringify(['records', customerId, entity ?? null]), () =>
        records.list(customerId, entity),
      ),
    ...(catalogue && {
      catalogue: (customerId) =>
        readOnce(JSON.stringify(['catalogue', customerId]), () => catalogue.call(records, customerId)),
    }),
  };
}
