import { hashKey, notifyManager, QueryClient } from '@tanstack/preact-query';
import type { ApiError } from '../../shared/problem.js';
import type { Change, Live, News } from './live.js';

declare module '@tanstack/preact-query' {
  interface Register {
    defaultError: ApiError;
    /** `concerns` tells what something has to be read again for. */
    queryMeta: { readonly concerns?: (change: Change) => boolean; readonly [name: string]: unknown };
  }
}

/** Tries of a reading after the first one, where it may work a little later. */
const RETRIES = 2;
/** Of a longer pause, in seconds, an operator is told instead of waiting for its end. */
const LONGEST_PAUSE = 2;

/** Reads what the page shows. The hub may be on this machine: that the browser knows of no network stops nothing. */
export function createClient(): QueryClient {
  // A tab that nobody looks at has its timers once a minute, and its title would say late who waits.
  notifyManager.setScheduler(queueMicrotask);
  const queries = {
    networkMode: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: (failures: number, { passing, retryAfter }: ApiError) =>
      failures < RETRIES && passing && (retryAfter ?? 0) <= LONGEST_PAUSE,
  } as const;
  return new QueryClient({ defaultOptions: { queries, mutations: { networkMode: 'always' } } });
}

/** What an operator has read of the server. */
export interface Reads {
  readonly client: QueryClient;
  /** What changed of something since it was read: known tickets, or that more is wanted; null reads all of it. */
  news<T>(key: string): News<T> | null;
  /** Reads more of something. */
  more(key: string): void;
  close(): void;
}

/** Stands among the tickets that changed where more of them is wanted. */
const MORE = '';
/** Changes come in bursts: one reading answers those of so many milliseconds. */
const SETTLE_MS = 120;

/** Reads again what a change concerns, and forgets it where nobody looks at it. */
export function openReads(live: Live): Reads {
  const client = createClient();
  const cache = client.getQueryCache();
  /** What changed since the last reading began, by what is read; null stands for anything. */
  const changes = new Map<string, Set<string | null>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readChanged = (): void => {
    timer = undefined;
    for (const hash of [...changes.keys()]) {
      const query = cache.get(hash);
      if (query?.isActive() !== true) changes.delete(hash);
      // Else once the answer is there: where each is asked for again before it comes, none would be shown.
      else if (query.state.fetchStatus === 'idle') query.fetch().catch(() => {});
    }
  };
  const note = (hash: string, id: string | null): void => {
    changes.set(hash, (changes.get(hash) ?? new Set()).add(id));
  };
  // Not begun anew by what comes meanwhile: where something always comes, nothing would ever be read.
  const settle = (): void => {
    timer ??= setTimeout(readChanged, SETTLE_MS);
  };
  const ends = [
    live.subscribe((change) => {
      for (const query of cache.getAll()) {
        if (query.meta?.concerns?.(change) !== true) continue;
        if (query.isActive()) note(query.queryHash, change.kind === 'everything' ? null : change.ticketId);
        else cache.remove(query);
      }
      settle();
    }),
    cache.subscribe((event) => {
      const isRead = event.type === 'updated' && event.query.state.fetchStatus === 'idle';
      if (isRead && changes.has(event.query.queryHash)) settle();
    }),
  ];
  return {
    client,
    news<T>(key: string) {
      const hash = hashKey([key]);
      const ids = changes.get(hash);
      changes.delete(hash);
      const state = cache.get<T>(hash)?.state;
      // What a reading that failed was to bring is not known any more.
      const isKnown = state?.status === 'success' && state.fetchFailureCount === 0;
      if (!isKnown || state.data === undefined || ids === undefined || ids.has(null)) return null;
      return { before: state.data, changed: [...ids].flatMap((id) => id || []) };
    },
    more(key) {
      note(hashKey([key]), MORE);
      readChanged();
    },
    close() {
      clearTimeout(timer);
      for (const end of ends) end();
      client.clear();
    },
  };
}
