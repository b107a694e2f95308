import { AsyncLocalStorage } from 'node:async_hooks';
import type { CustomerRecords, PendingStore } from './ports/index.js';

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

type Reads<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof T];

/** A store, whose reads are made once a turn for the same arguments. @param name tells it from other stores @param reads methods that change nothing */
export function rememberedReads<T extends object>(name: string, store: T, reads: readonly Reads<T>[]): T {
  const remembered = reads.map((read) => {
    const make = store[read] as (...args: readonly unknown[]) => Promise<unknown>;
    return [
      read,
      (...args: readonly unknown[]) =>
        readOnce(JSON.stringify([name, read, ...args]), () => make.call(store, ...args)),
    ];
  });
  return { ...store, ...Object.fromEntries(remembered) };
}

/** Open questions, each list read once a turn, and anew after the turn has changed one. */
export function rememberedQuestions(pending: PendingStore): PendingStore {
  const changing =
    <Args extends readonly unknown[], Result>(change: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      change(...args).finally(forgetReads);
  return {
    ...rememberedReads('questions', pending, [
      'findOpenConfirmation',
      'listOpenApprovals',
      'findLatestAgreed',
    ]),
    open: changing(pending.open),
    decide: changing(pending.decide),
    withdraw: changing(pending.withdraw),
    reopen: changing(pending.reopen),
    release: changing(pending.release),
    settleDone: changing(pending.settleDone),
    supersede: changing(pending.supersede),
  };
}
