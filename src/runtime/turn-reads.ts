import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityRecord } from '../core/domain/entity.js';
import type { CustomerRecords } from '../core/ports/index.js';

type Reads = Map<string, Promise<readonly EntityRecord[]>>;

/** What has been read in the turn that is under way; nothing is remembered outside of one. */
const turn = new AsyncLocalStorage<Reads>();

/** Within `work` each list of records is read once: what asks for it a dozen times a turn sees the same. */
export function withRememberedReads<T>(work: () => T): T {
  return turn.run(new Map(), work);
}

/** Before an action is judged, and after it is performed, the records are read anew. */
export function forgetReads(): void {
  turn.getStore()?.clear();
}

/**
 * The records, each list read once a turn. One that fails is not asked again in that turn: its system is out of reach, and the
 * customer waits. What a customer agrees to, and what is performed, never rests on it: the gate reads for itself.
 */
export function rememberedRecords(records: CustomerRecords): CustomerRecords {
  const { catalogue } = records;
  const once = (
    key: readonly unknown[],
    read: () => Promise<readonly EntityRecord[]>,
  ): Promise<readonly EntityRecord[]> => {
    const reads = turn.getStore();
    if (reads === undefined) return read();
    const id = JSON.stringify(key);
    const known = reads.get(id) ?? read();
    reads.set(id, known);
    return known;
  };
  return {
    ...records,
    list: (customerId, entity) =>
      once(['list', customerId, entity ?? null], () => records.list(customerId, entity)),
    ...(catalogue && {
      catalogue: (customerId) => once(['catalogue', customerId], () => catalogue.call(records, customerId)),
    }),
  };
}
