import { newId, now } from './clock.js';
import { ApiError, asApiError, toApiError } from './problem.js';
import { createStore, deviceStorage, type Store, tabStorage } from './store.js';

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

interface RequestOptions {
  readonly signal?: AbortSignal;
  /** The same key again is the same request: give it where a person may press "try again". Made up where absent. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a file is sent. */
export interface UploadOptions {
  readonly signal: AbortSignal;
  /** @param share from 0 to 1 */
  readonly onProgress: (share: number) => void;
}

/** Calls of the HTTP API as whoever is signed in. All throw ApiError. */
export interface Api {
  get<T>(path: string, options?: RequestOptions): Promise<T>;
  post<T>(path: string, body?: unknown, options?: RequestOptions): Promise<T>;
  put<T>(path: string, body?: unknown, options?: RequestOptions): Promise<T>;
  delete<T>(path: string, options?: RequestOptions): Promise<T>;
  /** Sends a file as it is, telling how far it has got. */
  upload<T>(path: string, file: File, options: UploadOptions): Promise<T>;
  /** The response as it is, for reading a stream; its status is good. */
  open(path: string, options?: RequestOptions): Promise<Response>;
}

/** Whose word the client speaks with. */
interface Speaker extends Pick<Session, 'token' | 'close'> {
  /** Asked for a token before a request that has none; null where it goes without. */
  admit?(path: string): Promise<string | null>;
}

/** A line may die without a word; what was asked on it can be asked again. */
const LONGEST_READ_MS = 60_000;

/** An API client. Where the server no longer takes the token, the session is closed as expired. */
export function createApi(session: Speaker): Api {
  async function request(method: string, path: string, body: unknown, options: RequestOptions) {
    const token = session.token() ?? (await session.admit?.(path)) ?? null;
    const headers = new Headers(options.headers);
    if (!headers.has('accept')) headers.set('accept', 'application/json');
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    if (method !== 'GET') headers.set('idempotency-key', options.idempotencyKey ?? newId());
    if (body !== undefined) headers.set('content-type', 'application/json');
    const response = await fetch(path, {
      method,
      headers,
      credentials: 'omit',
      cache: 'no-store',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw asApiError(error);
    });
    return accepted(response, token);
  }

  async function accepted(response: Response, token: string | null): Promise<Response> {
    if (response.ok) return response;
    const error = await toApiError(response);
    // A newer sign-in may have happened meanwhile: only the token that was refused is forgotten.
    if (error.signedOut && token !== null && session.token() === token) session.close('expired');
    throw error;
  }

  // `fetch` does not tell how far an upload has got.
  async function upload<T>(path: string, file: File, { signal, onProgress }: UploadOptions): Promise<T> {
    const token = session.token() ?? (await session.admit?.(path)) ?? null;
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const call = new XMLHttpRequest();
      call.open('POST', `${path}?name=${encodeURIComponent(file.name || 'file')}`);
      call.setRequestHeader('accept', 'application/json');
      call.setRequestHeader('content-type', 'application/octet-stream');
      if (token !== null) call.setRequestHeader('authorization', `Bearer ${token}`);
      call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      call.onload = () => resolve({ status: call.status, text: call.responseText });
      call.onerror = () => reject(asApiError(new Error('network')));
      call.onabort = () => reject(new DOMException('', 'AbortError'));
      signal.addEventListener('abort', () => call.abort(), { once: true });
      call.send(file);
    });
    return (await accepted(new Response(text, { status }), token)).json();
  }

  async function json<T>(method: string, path: string, body: unknown, options: RequestOptions): Promise<T> {
    const response = await request(method, path, body, options);
    if (response.status === 204) return undefined as T;
    return response.json().catch((error: unknown) => {
      throw new ApiError(0, { code: 'network', detail: String(error) });
    });
  }

  return {
    get: (path, options = {}) =>
      json('GET', path, undefined, { signal: AbortSignal.timeout(LONGEST_READ_MS), ...options }),
    post: (path, body = {}, options = {}) => json('POST', path, body, options),
    put: (path, body = {}, options = {}) => json('PUT', path, body, options),
    delete: (path, options = {}) => json('DELETE', path, undefined, options),
    open: (path, options = {}) => request('GET', path, undefined, options),
    upload,
  };
}
