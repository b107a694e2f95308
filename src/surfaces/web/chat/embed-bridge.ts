import { tint } from '../shared/brand.js';
import { followLanguage, toLanguage } from '../shared/i18n.js';
import { createStore, type Store } from '../shared/store.js';
import type { ChatModel } from './chat-model.js';

/** The page that the chat is a panel of. */
export interface Embed {
  /** True from its first word about a token until the chat is signed in with it. */
  readonly expectsToken: Store<boolean>;
  /** Asks it to put the panel away. */
  close(): void;
}

/** False while the panel is put away; a frame gets an event when it is shown. */
export const panelShown: Store<boolean> = createStore(true);

/** How long the chat waits for a token that the page has announced. */
const TOKEN_MS = 4_000;

/**
 * Talks with the page that frames the chat; null where the chat is the page itself. Only the frame's parent is heard,
 * and only from the origin it was opened with; who may frame the chat at all is the server's `frame-ancestors`.
 */
export function connectEmbed(model: ChatModel): Embed | null {
  const query = new URLSearchParams(location.search);
  const origin = query.get('parent');
  if (query.get('embed') !== '1' || origin === null || window.parent === window) return null;
  document.documentElement.classList.add('embedded');
  const language = query.get('language');
  if (language) followLanguage(toLanguage(language));
  // Instead of the company's own colour.
  tint(query.get('color'));

  const post = (message: Readonly<Record<string, unknown>>): void =>
    window.parent.postMessage(message, origin);
  const expectsToken = createStore(query.get('token') === '1' && model.session.token() === null);
  panelShown.set(false);
  model.list.subscribe(({ phase, threads }) => {
    if (phase !== 'ready') return;
    const count = threads.reduce((sum, { unread }) => sum + unread, 0);
    post({ type: 'hub:unread', count, talked: threads.length > 0 });
    if (!panelShown.get()) followWaiting(model);
  });
  model.session.state.subscribe((state) => {
    if (state === 'open') expectsToken.set(false);
    // A page that signs its customers in by itself can hand over a fresh token.
    if (state === 'expired') post({ type: 'hub:expired' });
  });
  addEventListener('message', (event) => {
    if (event.source !== window.parent || event.origin !== origin) return;
    const data: unknown = event.data;
    if (typeof data !== 'object' || data === null || !('type' in data)) return;
    if (data.type === 'hub:token' && 'token' in data && isToken(data.token)) {
      if (data.token !== model.session.token()) model.session.open(data.token);
      expectsToken.set(false);
    } else if (data.type === 'hub:shown') {
      panelShown.set(true);
      document.getElementById('composer')?.focus();
    } else if (data.type === 'hub:hidden') {
      panelShown.set(false);
    }
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) close();
  });
  const close = (): void => post({ type: 'hub:close' });
  setTimeout(() => expectsToken.set(false), TOKEN_MS);
  post({ type: 'hub:ready' });
  return { expectsToken, close };
}

/** A panel that nobody has opened yet follows the conversation whose answers its button counts, and opens with it. */
function followWaiting(model: ChatModel): void {
  const shown = model.conversation.get()?.state.get();
  if (shown === undefined || shown.threadId !== null || shown.messages.length > 0) return;
  const waiting = model.list.get().threads.find(({ unread, owner }) => unread > 0 || owner === 'operator');
  if (waiting !== undefined) model.openThread(waiting.thread_id);
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value) && value.length < 5_000;
}
