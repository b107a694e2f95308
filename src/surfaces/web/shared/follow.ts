import type { Api } from './api.js';
import { now, pause } from './clock.js';
import { asApiError } from './problem.js';

/** `waiting`: broken off, tries again by itself. `replaced`: open elsewhere; continues when the page is looked at. */
export type LineState = 'connecting' | 'open' | 'waiting' | 'replaced' | 'closed';

interface FollowOptions {
  readonly api: Api;
  readonly path: string;
  /** The id of the last event that was seen. */
  readonly after?: string | null;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onState: (state: LineState) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** The server sends a comment every 15 s: this long without a byte is a dead connection. */
const SILENCE_MS = 45_000;
const LONGEST_WAIT_MS = 20_000;
/** A connection that held this long was a good one: the pauses begin anew. */
const STEADY_MS = 5_000;

/**
 * Follows a stream of events for as long as the signal allows: connects again by itself, with growing pauses, and
 * continues after the last event it saw. Ends where the server refuses for good (no such thing, signed out).
 */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { signal, onState } = options;
  let last = options.after ?? null;
  let failures = 0;
  while (!signal.aborted) {
    onState('connecting');
    const began = now().getTime();
    const outcome = await connectOnce(options, last, (id) => {
      last = id;
    });
    if (signal.aborted) return;
    if (now().getTime() - began > STEADY_MS) failures = 0;
    if (outcome === 'refused') return onState('closed');
    if (outcome === 'replaced') {
      onState('replaced');
      await untilLookedAt(signal);
      continue;
    }
    onState('waiting');
    failures += 1;
    // Some chance, so that a thousand pages do not come back in the same instant after a restart.
    const spread = (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255;
    const wait = Math.min(LONGEST_WAIT_MS, 400 * 2 ** Math.min(failures - 1, 6)) * (0.6 + 0.4 * spread);
    await Promise.race([pause(wait, signal), backOnline(signal)]);
  }
}

type Outcome = 'broken' | 'refused' | 'replaced';

async function connectOnce(
  { api, path, onEvent, onState, signal }: FollowOptions,
  last: string | null,
  seen: (id: string) => void,
): Promise<Outcome> {
  const own = new AbortController();
  const end = (): void => own.abort();
  signal.addEventListener('abort', end, { once: true });
  let silence = setTimeout(end, SILENCE_MS);
  let replaced = false;
  try {
    const headers = { accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) };
    const response = await api.open(path, { headers, signal: own.signal });
    onState('open');
    await readEvents(
      response,
      (event) => {
        if (event.event === 'replaced') replaced = true;
        else onEvent(event);
        if (event.id !== '') seen(event.id);
      },
      () => {
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
      },
    );
  } catch (error) {
    const { status, passing } = asApiError(error);
    if (status !== 0 && !passing) return 'refused';
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    own.abort();
  }
  return replaced ? 'replaced' : 'broken';
}

/** Resolves when somebody comes to this page again; one that is already looked at waits for the next time. */
function untilLookedAt(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      if (!signal.aborted && document.visibilityState !== 'visible') return;
      for (const name of ['focus', 'pointerdown', 'keydown']) removeEventListener(name, done);
      document.removeEventListener('visibilitychange', done);
      resolve();
    };
    for (const name of ['focus', 'pointerdown', 'keydown']) addEventListener(name, done);
    document.addEventListener('visibilitychange', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

function backOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true, signal }));
}

/** One server-sent event. */
export interface ServerEvent {
  /** Empty where the stream gave none so far. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads the events of a text as it arrives, in whatever pieces. Comments are left out. */
export function createEventParser(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0) onEvent({ id, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    const at = text.indexOf(':');
    if (at === 0) return;
    const field = at < 0 ? text : text.slice(0, at);
    const value = at < 0 ? '' : text.slice(at + 1).replace(/^ /, '');
    if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  };
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(line);
  };
}

/**
 * Reads a stream to its end. @param onBytes called for every piece, comments included: the line is alive
 * @throws where the connection breaks
 */
async function readEvents(
  response: Response,
  onEvent: (event: ServerEvent) => void,
  onBytes: () => void = () => {},
): Promise<void> {
  if (response.body === null) return;
  const parse = createEventParser(onEvent);
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onBytes();
    parse(decoder.decode(value, { stream: true }));
  }
}
