import { type Api, createApi, createSession, type Session } from '../shared/api.js';
import type {
  OpenedSession,
  PublicConfig,
  Session as SessionInfo,
  ThreadSummary,
} from '../shared/api-types.js';
import { pause } from '../shared/clock.js';
import { followLanguage, toLanguage } from '../shared/i18n.js';
import { asApiError } from '../shared/problem.js';
import { createStore, type Store, tabStorage } from '../shared/store.js';
import { type Conversation, openConversation, sendUnsent } from './conversation.js';
import type { EventChanges } from './thread-events.js';
import { visitorToken } from './visitor.js';

interface ThreadList {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly threads: readonly ThreadSummary[];
}

/** Everything behind the chat page; what is drawn follows its stores. */
export interface ChatModel {
  readonly api: Api;
  readonly session: Session;
  /** Null until it is loaded; a problem where that failed. */
  readonly config: Store<PublicConfig | 'failed' | null>;
  readonly who: Store<SessionInfo | null>;
  /** True where nobody has signed in and the company answers visitors too. */
  readonly visiting: Store<boolean>;
  /** True while the page asks who it is, because somebody pressed for that. */
  readonly signingIn: Store<boolean>;
  readonly list: Store<ThreadList>;
  /** The conversation that is looked at; null while nobody is signed in. */
  readonly conversation: Store<Conversation | null>;
  /** Called for every new message of the conversation. */
  onMessage: (role: string) => void;
  loadConfig(): void;
  refreshList(): void;
  /** Shows a conversation, or with null a new one. */
  openThread(threadId: string | null): void;
  signOut(): void;
}

const WHO = 'hub.chat.who';
/**
 * The conversation that was made in this tab. A page that is loaded again in the same moment comes back with the
 * address from before, since the browser takes over a new one a little later.
 */
const MADE = 'hub.chat.made';

/** Makes the model and begins to load. */
export function createChatModel(): ChatModel {
  const session = createSession('customer');
  const api = createApi({
    token: () => session.token() ?? (model.visiting.get() ? visitorToken.get() : null),
    admit: (path) => admit(model, path),
    close: () => (session.token() === null ? startAnew(model) : session.close('expired')),
  });
  const model: ChatModel = {
    api,
    session,
    config: createStore<PublicConfig | 'failed' | null>(null),
    who: createStore<SessionInfo | null>(null),
    visiting: createStore(false),
    signingIn: createStore(false),
    list: createStore<ThreadList>({ phase: 'loading', threads: [] }),
    conversation: createStore<Conversation | null>(null),
    onMessage: () => {},
    loadConfig: () => void loadConfig(model),
    refreshList: () => void refreshList(model),
    openThread(threadId) {
      tabStorage.set(MADE, null);
      showInAddress(threadId);
      open(model, threadId);
    },
    signOut: () => session.close('left'),
  };
  session.state.subscribe((state) => {
    if (state === 'open') void begin(model);
    if (state === 'closed') leave(model);
  });
  addEventListener('hashchange', () => {
    const wanted = threadInAddress();
    const shown = model.conversation.get();
    if (shown !== null && shown.state.get().threadId !== wanted) open(model, wanted);
  });
  void loadConfig(model);
  if (session.state.get() === 'open') void begin(model);
  return model;
}

/** Forgets whose conversations were shown, and begins as a visitor; another tab may have signed out. */
function leave(model: ChatModel): void {
  model.conversation.get()?.close();
  model.conversation.set(null);
  model.who.set(null);
  model.list.set({ phase: 'loading', threads: [] });
  tabStorage.clear('hub.chat.');
  showInAddress(null);
  visitorToken.forget();
  visit(model);
}

/** Nobody is signed in: what the address names is shown where it is the visitor's, else an empty conversation. */
function visit(model: ChatModel): void {
  const config = model.config.get();
  if (config === null || config === 'failed' || !config.visitors || model.session.state.get() !== 'closed')
    return;
  const wanted = threadInAddress() ?? tabStorage.get(MADE);
  // Somebody followed a link to a conversation, and was never here as a visitor: it is a customer's.
  if (wanted !== null && visitorToken.get() === null) return;
  model.visiting.set(true);
  if (model.conversation.get() === null) open(model, wanted);
  if (visitorToken.get() === null) model.list.set({ phase: 'ready', threads: [] });
  else void refreshList(model);
}

const admitting = new WeakMap<ChatModel, Promise<string>>();

/** A visitor gets a token with the first question, and not before. */
async function admit(model: ChatModel, path: string): Promise<string | null> {
  if (!model.visiting.get() || !/^\/api\/(?:threads|articles)\b/.test(path)) return null;
  const running =
    admitting.get(model) ??
    model.api
      .post<OpenedSession>('/api/session', { visitor: true })
      .then(({ token }) => {
        visitorToken.set(token);
        return token;
      })
      .finally(() => admitting.delete(model));
  admitting.set(model, running);
  return running;
}

/** The visitor's token is taken no longer: what has not been sent is sent in a new conversation. */
function startAnew(model: ChatModel): void {
  const before = model.conversation.get();
  visitorToken.forget();
  model.list.set({ phase: 'ready', threads: [] });
  model.openThread(null);
  sendUnsent(model.conversation.get(), before);
}

/** How often a page asks to have the visitor's conversation, while an answer to the visitor is still being made. */
const ADOPTING_MS = [500, 1_500, 3_000, 6_000, 10_000];

/**
 * Goes on as the customer with what was begun as a visitor, and asks again what only a customer can be answered.
 * @returns false where it is nobody's to have any more
 */
async function adopt(model: ChatModel, { state }: Conversation, visitor: string): Promise<boolean> {
  const { threadId, messages, needsSignIn } = state.get();
  for (const wait of [...ADOPTING_MS, null]) {
    try {
      const path = `/api/threads/${encodeURIComponent(threadId ?? '')}/adopt`;
      await model.api.post(path, { visitor_token: visitor });
      break;
    } catch (error) {
      const { passing, code } = asApiError(error);
      if (wait === null || !(passing || code === 'thread_busy')) return false;
      await pause(wait);
    }
  }
  open(model, threadId);
  const asked = messages.findLast(({ role }) => role === 'customer')?.content;
  if (needsSignIn !== null && needsSignIn === messages.at(-1)?.id && asked !== undefined)
    model.conversation.get()?.send(asked);
  return true;
}

/** Somebody is signed in: shows what they were doing, or a new conversation where it is somebody else. */
async function begin(model: ChatModel): Promise<void> {
  const visited = model.visiting.get() ? model.conversation.get() : null;
  const visitor = visitorToken.get();
  model.visiting.set(false);
  model.signingIn.set(false);
  visited?.close();
  const isMade = visitor !== null && visited !== null && visited.state.get().threadId !== null;
  // A closed conversation sends nothing, and something may be written while it is still asked who this is.
  if (visited !== null && !isMade) model.openThread(null);
  for (let attempt = 0; model.session.state.get() === 'open'; attempt += 1) {
    try {
      const who = await model.api.get<SessionInfo>('/api/session');
      const before = tabStorage.get(WHO);
      const name = who.email ?? who.name;
      if (before !== null && before !== name) {
        tabStorage.clear('hub.chat.');
        model.conversation.get()?.close();
        model.conversation.set(null);
        showInAddress(null);
      }
      tabStorage.set(WHO, name);
      model.who.set(who);
      break;
    } catch (error) {
      // Without the name the chat works as well; a session that is refused has been closed by the API client.
      if (!asApiError(error).passing || attempt >= 5) break;
      await pause(Math.min(8_000, 500 * 2 ** attempt));
    }
  }
  if (model.session.state.get() !== 'open') return;
  if (isMade && model.conversation.get() === visited) {
    if (!(await adopt(model, visited, visitor))) model.openThread(null);
    sendUnsent(model.conversation.get(), visited);
  } else if (model.conversation.get() === null) {
    const wanted = threadInAddress() ?? tabStorage.get(MADE);
    showInAddress(wanted);
    open(model, wanted);
  }
  void refreshList(model);
}

function open(model: ChatModel, threadId: string | null): void {
  model.conversation.get()?.close();
  model.conversation.set(
    openConversation({
      api: model.api,
      threadId,
      signedIn: () => (model.visiting.get() ? Promise.resolve() : untilSignedIn(model.session)),
      onCreated(created) {
        tabStorage.set(MADE, created);
        showInAddress(created);
        void refreshList(model);
      },
      onChanges: (changes) => applyChanges(model, changes),
      onReturn: model.loadConfig,
    }),
  );
}

function applyChanges(model: ChatModel, { message, changed }: EventChanges): void {
  if (message?.language !== undefined) followLanguage(toLanguage(message.language));
  if (message !== undefined) model.onMessage(message.role);
  if (changed) void refreshList(model);
}

/** What is known stays while it is read again, and where it cannot be. */
async function loadConfig(model: ChatModel): Promise<void> {
  model.config.update((known) => (known === 'failed' ? null : known));
  for (let attempt = 0; attempt < 4; attempt += 1) {
    try {
      model.config.set(await model.api.get<PublicConfig>('/api/config'));
      visit(model);
      return;
    } catch {
      await pause(400 * 2 ** attempt);
    }
  }
  model.config.update((known) => known ?? 'failed');
}

const refreshing = new WeakMap<ChatModel, { again: boolean }>();

/** Loads the list; a wish that comes meanwhile is granted once after it. */
async function refreshList(model: ChatModel): Promise<void> {
  const running = refreshing.get(model);
  if (running) {
    running.again = true;
    return;
  }
  const state = { again: false };
  refreshing.set(model, state);
  try {
    const { threads } = await model.api.get<{ threads: readonly ThreadSummary[] }>('/api/threads?limit=50');
    model.list.set({ phase: 'ready', threads });
  } catch {
    model.list.update((before) => (before.phase === 'ready' ? before : { ...before, phase: 'failed' }));
  }
  refreshing.delete(model);
  if (state.again) await refreshList(model);
}

async function untilSignedIn({ state }: Session): Promise<void> {
  if (state.get() === 'open') return;
  let stop = (): void => {};
  await new Promise<void>((resolve) => {
    stop = state.subscribe((next) => next === 'open' && resolve());
  });
  stop();
}

function threadInAddress(): string | null {
  const found = /^#\/t\/([\w.:%-]{1,200})$/.exec(location.hash);
  if (!found) return null;
  try {
    return decodeURIComponent(found[1] ?? '') || null;
  } catch {
    return null;
  }
}

function showInAddress(threadId: string | null): void {
  const hash = threadId === null ? '' : `#/t/${encodeURIComponent(threadId)}`;
  if (location.hash === hash) return;
  const address = `${location.pathname}${location.search}${hash}`;
  // The way back through a page that frames the chat is the page's own.
  if (window.parent === window) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
}
