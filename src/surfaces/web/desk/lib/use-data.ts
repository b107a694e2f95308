import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { newId, now } from '../../shared/clock.js';
import { type ApiError, asApiError } from '../../shared/problem.js';
import { useDesk } from './desk-context.js';
import type { Change, News } from './live.js';

/** Something read from the server. While it is read again, what was there stays. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly error: ApiError | null;
  readonly loading: boolean;
  /** When `data` was read, in milliseconds since 1970. */
  readonly readAt: number;
  reload(): void;
}

interface State<T> {
  readonly key: string | null;
  readonly data: T | null;
  readonly text: string;
  readonly error: ApiError | null;
  readonly readAt: number;
}

/** Changes come in bursts: one reading answers those of so many milliseconds. */
const SETTLE_MS = 120;

/**
 * Reads from the server when the key changes, and again when a change concerns it. The same answer again draws nothing
 * anew, so that lists neither flicker nor lose their place.
 * @param key names what is read; null reads nothing
 * @param load must not depend on more than the key says; gets the news where nothing but known tickets changed
 */
export function useData<T>(
  key: string | null,
  load: (news: News<T> | null) => Promise<T>,
  concerns: (change: Change) => boolean,
): Loaded<T> {
  const { live } = useDesk();
  const [state, setState] = useState<State<T>>({ key: null, data: null, text: '', error: null, readAt: 0 });
  const latest = useRef({ key, load, concerns, asked: 0, answered: 0, state });
  Object.assign(latest.current, { key, load, concerns, state });
  // What changed, by the reading after which it did; null stands for anything.
  const changes = useRef(new Map<string | null, number>());

  const reload = useCallback(() => {
    const current = latest.current;
    const wanted = current.key;
    if (wanted === null) return;
    current.asked += 1;
    const turn = current.asked;
    const { key: known, data: before } = current.state;
    const changed = [...changes.current.keys()].filter((id) => id !== null);
    const isUpdate = known === wanted && before !== null && changed.length > 0 && !changes.current.has(null);
    current.load(isUpdate ? { before, changed } : null).then(
      (data) => {
        // An answer that was overtaken is old. One that is only followed counts: where more is always asked, none would be last.
        if (turn < latest.current.answered || wanted !== latest.current.key) return;
        latest.current.answered = turn;
        for (const [id, after] of changes.current) if (after < turn) changes.current.delete(id);
        setState((old) => next(old, wanted, data));
      },
      (thrown: unknown) => {
        if (turn !== latest.current.asked || wanted !== latest.current.key) return;
        const error = asApiError(thrown);
        setState((old) => (old.key === wanted ? { ...old, error } : { ...EMPTY, key: wanted, error }));
      },
    );
  }, []);

  useEffect(reload, [key, reload]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = live.subscribe((change) => {
      if (!latest.current.concerns(change)) return;
      changes.current.set(change.kind === 'everything' ? null : change.ticketId, latest.current.asked);
      // Not begun anew by what comes meanwhile: where something always comes, nothing would ever be read.
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [live, reload]);

  const current = state.key === key && key !== null;
  return {
    data: current ? state.data : null,
    error: current ? state.error : null,
    loading: key !== null && !current,
    readAt: state.readAt,
    reload,
  };
}

/** While more of the same is read, what is there stays. @param of tells one thing that is read from another */
export function useKept<T>(read: Loaded<T>, of: unknown): Loaded<T> {
  const last = useRef({ of, read });
  if (read.data !== null || of !== last.current.of) last.current = { of, read };
  return read.data === null && read.error === null ? last.current.read : read;
}

const EMPTY = { key: null, data: null, text: '', error: null, readAt: 0 };

function next<T>(old: State<T>, key: string, data: T): State<T> {
  const text = JSON.stringify(data);
  const same = old.key === key && old.text === text;
  return { key, data: same ? old.data : data, text, error: null, readAt: now().getTime() };
}

/** Concerned by nothing but a line that was broken. */
export const onEverything = (change: Change): boolean => change.kind === 'everything';
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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const attempt = useRef({ text: '', key: '' });
  const running = useRef(false);

  async function run(input: Input): Promise<boolean> {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setError(null);
    const text = JSON.stringify(input) ?? '';
    if (attempt.current.text !== text || attempt.current.key === '') attempt.current = { text, key: newId() };
    let failure: ApiError | null = null;
    try {
      await perform(input, attempt.current.key);
    } catch (thrown) {
      failure = asApiError(thrown);
    }
    // Only a request that may or may not have arrived is sent under the same key again.
    if (failure === null || !failure.passing) attempt.current = { text: '', key: '' };
    running.current = false;
    setBusy(false);
    setError(failure);
    after?.(failure);
    return failure === null;
  }

  return { busy, error, run, clear: () => setError(null) };
}
