import { now } from './clock.js';
import { deviceStorage, tabStorage } from './storage.js';
import { createStore, type Store } from './store.js';

type SessionState = 'open' | 'closed' | 'expired';

/**
 * The token of one page. The desk and the chat keep different ones, so that one browser can be customer and operator at
 * once.
 *
 * Each tab works with a copy of its own, so that a sign-in as another person elsewhere never changes whose words a tab
 * sends. Where the person asked for it, the device keeps the token too, for other tabs and after a restart. It is no
 * cookie: the API takes bearer tokens alone, so no page of another site can send one along, and the embed, a frame on
 * other sites, would need a cookie with `SameSite=None`. What a script on the page could read, the strict content policy
 * with Trusted Types keeps out.
 */
export interface Session {
  token(): string | null;
  /** Signs in; the device keeps the token where `keep` says so, and forgets the one of a sign-in before. */
  open(token: string): void;
  /** Forgets the token. `expired`: the server no longer takes it, and the page asks again. `left`: in every tab. */
  close(reason: 'left' | 'expired'): void;
  readonly state: Store<SessionState>;
  /** Whether the device keeps the next sign-in. False until the person asks for it, since the device may be shared. */
  readonly keep: Store<boolean>;
}

/** How long a device keeps a token at most; the server may refuse it before. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

/** @param name `customer` or `operator`: where the token is kept */
export function createSession(name: string): Session {
  const key = `hub.token.${name}`;
  const channel = openChannel(key);
  if (tabStorage.get(key) === null) tabStorage.set(key, keptToken(key));
  const state = createStore<SessionState>(tabStorage.get(key) === null ? 'closed' : 'open');
  const keep = createStore(false);

  const forget = (reason: 'left' | 'expired'): void => {
    const own = tabStorage.get(key);
    if (own !== null && keptToken(key) === own) deviceStorage.set(key, null);
    tabStorage.set(key, null);
    state.set(reason === 'left' ? 'closed' : 'expired');
  };
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === tabStorage.get(key) && data !== null) forget('left');
  });
  return {
    state,
    keep,
    token: () => tabStorage.get(key),
    open(token) {
      tabStorage.set(key, token);
      const until = now().getTime() + KEPT_MS;
      deviceStorage.set(key, keep.get() ? `${until} ${token}` : null);
      keep.set(false);
      state.set('open');
    },
    close(reason) {
      const own = tabStorage.get(key);
      forget(reason);
      if (reason === 'left' && own !== null) channel?.postMessage(own);
    },
  };
}

/** What the device keeps; what is too old is forgotten. */
function keptToken(key: string): string | null {
  const [until, token] = deviceStorage.get(key)?.split(' ') ?? [];
  if (token !== undefined && Number(until) > now().getTime()) return token;
  deviceStorage.set(key, null);
  return null;
}

/** Reaches the other tabs of this origin; null where a browser forbids it to a frame of another site. */
function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
