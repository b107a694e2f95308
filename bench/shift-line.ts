import { setTimeout as pause } from 'node:timers/promises';

/** An event of a stream, with when it came. */
export interface Heard {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** One who is signed in, calling as a page does. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  /** Tries again where the server says later. @throws with the status and what was said */
  call<T>(method: 'GET' | 'POST', path: string, body?: unknown, key?: string): Promise<T>;
}

/** What the server refused, with its status and code. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    path: string,
  ) {
    super(`${path}: ${status} ${code}`);
  }
}

const TRIES = 20;
const PASSING = new Set([408, 429, 503]);

/** Signs in and calls. */
export async function signIn(url: string, who: unknown): Promise<Caller> {
  const { token } = await caller(url, '').call<{ token: string }>('POST', '/api/session', who);
  return caller(url, token);
}

function caller(url: string, token: string): Caller {
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  return {
    headers,
    async call<T>(method: 'GET' | 'POST', path: string, body?: unknown, key?: string): Promise<T> {
      const init = {
        method,
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      } as const;
      for (let attempt = 1; ; attempt += 1) {
        // A line that breaks is tried again, as pages do: what was done is not done twice.
        const response = await fetch(`${url}${path}`, init).catch(() => null);
        if (response === null && attempt < TRIES) {
          await pause(500);
          continue;
        }
        if (response === null) throw new Refused(0, 'no_connection', path);
        const text = await response.text();
        if (response.ok) return (text === '' ? {} : JSON.parse(text)) as T;
        const { code } = JSON.parse(text) as { code?: string };
        if (!(PASSING.has(response.status) || code === 'thread_busy') || attempt === TRIES) {
          throw new Refused(response.status, code ?? '', path);
        }
        await pause(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      }
    },
  };
}

/** A stream of events that is followed over cuts of its line. */
export interface Line {
  /** Loses the connection, and comes back after a while where the last event was. */
  cut(awayMs: number): void;
  readonly cuts: number;
  close(): Promise<void>;
}

/**
 * Follows a stream. Resolves once it is open.
 * @param onOpen called whenever it is open again: a page reads then what it may have missed
 */
export async function follow(
  url: string,
  path: string,
  headers: Caller['headers'],
  onEvent: (heard: Heard) => void,
  onOpen: () => void = () => {},
): Promise<Line> {
  const ended = new AbortController();
  let cuts = 0;
  let away = 0;
  let current = new AbortController();
  let opened = (): void => {};
  const open = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const run = async (): Promise<void> => {
    let last = '';
    while (!ended.signal.aborted) {
      current = new AbortController();
      const from: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
      try {
        const response = await fetch(`${url}${path}`, {
          headers: { ...headers, accept: 'text/event-stream', ...from },
          signal: AbortSignal.any([current.signal, ended.signal]),
        });
        if (!response.ok || response.body === null) throw new Error(`${path}: ${response.status}`);
        opened();
        onOpen();
        let rest = '';
        const decoder = new TextDecoder();
        // Node's streams can be read so; the browsers' types do not say it.
        for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
          // What comes after a cut is not heard, as by a page whose line is gone.
          if (current.signal.aborted) break;
          const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const field = (name: string): string =>
              block
                .split('\n')
                .find((line) => line.startsWith(`${name}: `))
                ?.slice(name.length + 2) ?? '';
            if (field('data') === '') continue;
            last = field('id') || last;
            const data = JSON.parse(field('data')) as Heard['data'];
            onEvent({ event: field('event'), data, at: Date.now() });
          }
        }
      } catch {
        // The line is gone: it is opened again.
      }
      if (!ended.signal.aborted) await pause(Math.max(away, 50));
      away = 0;
    }
  };
  const running = run();
  await open;
  return {
    cut(awayMs) {
      cuts += 1;
      away = awayMs;
      current.abort();
    },
    get cuts() {
      return cuts;
    },
    async close() {
      ended.abort();
      await running;
    },
  };
}
