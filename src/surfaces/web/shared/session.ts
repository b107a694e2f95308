import { tabStorage } from './storage.js';
import { createStore } from './store.js';

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

export type SessionState = 'open' | 'closed' | 'expired';

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
