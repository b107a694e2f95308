import type { Api } from '../../shared/api.js';
import { followEvents, type LineState } from '../../shared/follow.js';
import { createStore, type Store } from '../../shared/store.js';

/** Something changed on the server; what the desk shows of it is read again. */
export interface Change {
  readonly kind: 'ticket' | 'message' | 'approval' | 'reading' | 'everything';
  readonly ticketId: string | null;
  /** What the customer wrote, where that is the change. */
  readonly text?: string | undefined;
  /** Who has the conversation from now on, and how it came to them, where that is the change. */
  readonly taken?: { readonly by: string; readonly how: string } | undefined;
  /** Whose claim ended because nothing was heard of them, where that is the change. */
  readonly lapsed?: string | undefined;
  /** Whose shift ended by the time that they had set, where that is the change. */
  readonly ended?: string | undefined;
  /** What an operator noted for colleagues, where that is the change. */
  readonly note?: { readonly author: string; readonly text: string } | undefined;
}

/** What was read before, and the tickets that changed since. */
export interface News<T> {
  readonly before: T;
  readonly changed: readonly string[];
}

/** News from the server, and whether they arrive. */
export interface Live {
  readonly state: Store<LineState>;
  /** @returns ends it */
  subscribe(listener: (change: Change) => void): () => void;
  /** Tells everybody who looks on, as after an action of this desk. */
  publish(change: Change): void;
  close(): void;
}

/** How often everything is read again while no line is open. */
const POLL_MS = 15_000;
/** Clocks and counts continue even where nothing happens. */
const REFRESH_MS = 60_000;

/**
 * Follows `/api/desk/events`. Whenever the line opens all is read again, the first time too: what the page had read by then
 * may be older than the line, and nobody says what was missed.
 * @param hear gets what an event of its name says of somebody's screen, which is nothing to read again for
 */
export function openLive(
  api: Api,
  hear: Readonly<Record<'presence' | 'read' | 'typing', (data: string) => void>>,
): Live {
  const state = createStore<LineState>('connecting');
  const listeners = new Set<(change: Change) => void>();
  const end = new AbortController();
  const publish = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };
  const everything = (): void => publish({ kind: 'everything', ticketId: null });

  void followEvents({
    api,
    path: '/api/desk/events',
    signal: end.signal,
    onState(next) {
      state.set(next);
      if (next === 'open') everything();
    },
    onEvent({ event, data }) {
      if (event === 'ticket' || event === 'message' || event === 'approval') {
        if (event === 'message') hear.typing(data);
        publish({ kind: event, ...changeIn(data) });
      } else if (event === 'presence' || event === 'read' || event === 'typing') hear[event](data);
    },
  });

  let last = 0;
  const timer = setInterval(() => {
    last += POLL_MS;
    if (document.visibilityState !== 'visible') return;
    if (state.get() === 'open' && last < REFRESH_MS) return;
    last = 0;
    everything();
  }, POLL_MS);
  const seen = (): void => {
    if (document.visibilityState === 'visible') everything();
  };
  document.addEventListener('visibilitychange', seen);

  return {
    state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    publish: publish,
    close() {
      end.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    },
  };
}

interface MessageNotice {
  readonly role: string;
  readonly audience: string;
  readonly author: string | null;
  readonly content: string;
  readonly note: { readonly kind: string; readonly name: string | null; readonly text: string | null } | null;
}

function changeIn(data: string): Pick<Change, 'ticketId' | 'text' | 'note' | 'taken' | 'lapsed' | 'ended'> {
  try {
    const { ticket_id: id, message } = JSON.parse(data) as { ticket_id?: unknown; message?: MessageNotice };
    const isNote = message?.role === 'operator' && message.audience === 'desk';
    return {
      ticketId: typeof id === 'string' ? id : null,
      text: message?.role === 'customer' ? message.content : undefined,
      taken:
        message?.note?.kind === 'took_over'
          ? { by: message.note.name ?? '', how: message.note.text ?? '' }
          : undefined,
      lapsed: message?.note?.kind === 'lapsed' ? (message.note.name ?? '') : undefined,
      ended: message?.note?.kind === 'shift_ended' ? (message.note.name ?? '') : undefined,
      note: isNote ? { author: message.author ?? '', text: message.content } : undefined,
    };
  } catch {
    return { ticketId: null };
  }
}
