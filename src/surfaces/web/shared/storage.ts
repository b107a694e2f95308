import { createStore } from './store.js';

/** Text kept by the browser. Where that is forbidden (a frame of another site), it lives as long as the page. */
interface KeptText {
  get(key: string): string | null;
  set(key: string, value: string | null): void;
  /** Forgets every key that begins so. */
  clear(prefix: string): void;
}

function keep(open: () => Storage): KeptText {
  const memory = new Map<string, string>();
  return {
    get(key) {
      try {
        return open().getItem(key);
      } catch {
        return memory.get(key) ?? null;
      }
    },
    set(key, value) {
      try {
        if (value === null) open().removeItem(key);
        else open().setItem(key, value);
      } catch {
        if (value === null) memory.delete(key);
        else memory.set(key, value);
      }
    },
    clear(prefix) {
      try {
        const storage = open();
        for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
      } catch {
        for (const key of [...memory.keys()]) if (key.startsWith(prefix)) memory.delete(key);
      }
    },
  };
}

/** As long as the tab. */
export const tabStorage = keep(() => sessionStorage);
/** For good. */
export const deviceStorage = keep(() => localStorage);

/**
 * The token of one page, kept as long as its tab. The desk and the chat keep different ones, so that one browser can
 * be customer and operator at once.
 */
export interface Session {
  token(): string | null;
  open(token: string): void;
  /** Forgets the token. `expired`: the server no longer takes it, and the page asks again. */
  close(reason: 'left' | 'expired'): void;
  readonly state: ReturnType<typeof createStore<SessionState>>;
}

type SessionState = 'open' | 'closed' | 'expired';

/** @param name `customer` or `operator`: where the token is kept */
export function createSession(name: string): Session {
  const key = `hub.token.${name}`;
  const state = createStore<SessionState>(tabStorage.get(key) === null ? 'closed' : 'open');
  return {
    state,
    token: () => tabStorage.get(key),
    open(token) {
      tabStorage.set(key, token);
      state.set('open');
    },
    close(reason) {
      tabStorage.set(key, null);
      state.set(reason === 'left' ? 'closed' : 'expired');
    },
  };
}
