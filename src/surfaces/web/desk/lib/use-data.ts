import { skipToken, useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useRef } from 'preact/hooks';
import { newId } from '../../shared/clock.js';
import { type ApiError, asApiError } from '../../shared/problem.js';
import { useDesk } from './desk-context.js';
import type { Change, News } from './live.js';

/** Something read from the server. While it is read again, what was there stays. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly error: ApiError | null;
  /** When `data` was read, in milliseconds since 1970. */
  readonly readAt: number;
  reload(): void;
}

/**
 * Reads from the server when the key changes, and again when a change concerns it. What is the same again stays the same
 * object, so that lists neither flicker nor lose their place.
 * @param key names what is read; null reads nothing
 * @param load gets the news where nothing but known tickets changed, or where more is wanted
 * @param version of what the key names: where it changes it is read again, and what was there stays meanwhile
 */
export function useData<T>(
  key: string | null,
  load: (news: News<T> | null) => Promise<T>,
  concerns: (change: Change) => boolean,
  version = 0,
): Loaded<T> {
  const { reads } = useDesk();
  const { data, error, dataUpdatedAt, refetch } = useQuery<T>(
    {
      queryKey: [key],
      queryFn: key === null ? skipToken : () => load(reads.news(key)),
      meta: { concerns },
      // What nobody tells the changes of is read anew whenever it is opened.
      ...(concerns === onNothing ? { gcTime: 0 } : {}),
    },
    reads.client,
  );
  const read = useRef({ key, version });
  useEffect(() => {
    const before = read.current;
    read.current = { key, version };
    if (key !== null && before.key === key && before.version !== version) reads.more(key);
  }, [key, version]);
  return { data: data ?? null, error, readAt: dataUpdatedAt, reload: refetch };
}

/** Concerned by nothing but a line that was broken. */
export const onEverything = (change: Change): boolean => change.kind === 'everything';
/** Concerned by what happens on a ticket. */
export const onTicket =
  (ticketId: string) =>
  ({ kind, ticketId: changed }: Change): boolean =>
    kind !== 'reading' && (kind === 'everything' || changed === null || changed === ticketId);
/** Concerned by nothing at all: for what an operator is editing. */
export const onNothing = (): boolean => false;

/** Something an operator does: once at a time, and once in all where the answer was lost on the way. */
export interface Action<Input> {
  readonly busy: boolean;
  readonly error: ApiError | null;
  /** @returns true where it worked */
  run(input: Input): Promise<boolean>;
  clear(): void;
}

/**
 * @param perform gets a key that stays the same while the same input is tried again after a fault of the line
 * @param after called when it worked or was refused, with the error or null
 */
export function useAction<Input>(
  perform: (input: Input, key: string) => Promise<unknown>,
  after?: (error: ApiError | null) => void,
): Action<Input> {
  const attempt = useRef({ text: '', key: '' });
  const running = useRef(false);
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: (input: Input) => perform(input, attempt.current.key),
  });

  async function run(input: Input): Promise<boolean> {
    if (running.current) return false;
    running.current = true;
    const text = JSON.stringify(input) ?? '';
    if (attempt.current.text !== text || attempt.current.key === '') attempt.current = { text, key: newId() };
    const failure = await mutateAsync(input).then(() => null, asApiError);
    // Only a request that may or may not have arrived is sent under the same key again.
    if (failure === null || !failure.passing) attempt.current = { text: '', key: '' };
    running.current = false;
    after?.(failure);
    return failure === null;
  }

  return { busy: isPending, error, run, clear: reset };
}
