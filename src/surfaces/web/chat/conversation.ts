import type { Api, UploadOptions } from '../shared/api.js';
import type { AttachedFile, Rating as RatingBody, Thread } from '../shared/api-types.js';
import { newId, now, pause } from '../shared/clock.js';
import { followEvents, type ServerEvent } from '../shared/follow.js';
import { asApiError } from '../shared/problem.js';
import { createStore, type Store, tabStorage } from '../shared/store.js';
import { type Answer, createSender, type Sender } from './sender.js';
import { afterEvent, type EventChanges } from './thread-events.js';
import {
  type Card,
  emptyThread,
  type ShownMessage,
  type ThreadState,
  withCardStatus,
  withThread,
} from './thread-state.js';

const CARDS = 20;

/** What this tab remembers of a conversation that the server does not know: old questions, ratings, unsent messages. */
interface KeptState {
  readonly cards: readonly Card[];
  readonly rated: string | null;
  readonly needsSignIn: string | null;
  readonly unsent: readonly ShownMessage[];
}

const key = (threadId: string | null): string => `hub.chat.kept.${threadId ?? 'new'}`;

/** Reads it; what cannot be read is nothing. */
function keptState(threadId: string | null): KeptState {
  try {
    const kept = JSON.parse(tabStorage.get(key(threadId)) ?? '{}') as Partial<KeptState>;
    return {
      cards: (kept.cards ?? []).map((card) =>
        card.status === 'answering' ? { ...card, status: 'open' } : card,
      ),
      rated: kept.rated ?? null,
      needsSignIn: kept.needsSignIn ?? null,
      unsent: (kept.unsent ?? []).map((one) => ({ ...one, files: one.files ?? [] })),
    };
  } catch {
    return { cards: [], rated: null, needsSignIn: null, unsent: [] };
  }
}

/** Remembers it, where there is anything; called on every change. */
function keepState({ threadId, cards, rated, needsSignIn, messages }: ThreadState): void {
  const unsent = messages.filter(({ status }) => status !== 'sent');
  const nothing = cards.length === 0 && (rated ?? needsSignIn) === null && unsent.length === 0;
  const kept = { cards: cards.slice(-CARDS), rated, needsSignIn, unsent };
  const text = nothing ? null : JSON.stringify(kept);
  if (tabStorage.get(key(threadId)) !== text) tabStorage.set(key(threadId), text);
}

/** A new conversation has got its id: what was kept of it goes along. */
function forgetNew(): void {
  tabStorage.set(key(null), null);
}

interface ConversationOptions {
  readonly api: Api;
  /** Null: a new one, which is made with its first message. */
  readonly threadId: string | null;
  /** Resolves when somebody is signed in again. */
  readonly signedIn: () => Promise<void>;
  /** A new conversation has got its id. */
  readonly onCreated: (threadId: string) => void;
  /** Something that the list of conversations shows may be new. */
  readonly onChanges: (changes: EventChanges) => void;
  /** The server is there again, and may say something else of the company, such as when its team answers. */
  readonly onReturn: () => void;
}

/** One conversation that is looked at: its state, and what a customer can do with it. */
export interface Conversation {
  readonly state: Store<ThreadState>;
  send(text: string, files?: readonly AttachedFile[]): void;
  /** Puts a file on the conversation, for a message that is still to be sent. @throws ApiError */
  attach(file: File, options: UploadOptions): Promise<AttachedFile>;
  /** What a file of a message holds. @throws ApiError */
  file(fileId: string): Promise<Blob>;
  /** Sends a failed message again, as the same message. */
  retry(clientMessageId: string): void;
  answer(pendingId: string, answer: Answer): Promise<void>;
  /** Stops the answer that is being made; what has become of it arrives as every answer does. @throws ApiError */
  stop(): Promise<void>;
  /** The customer writes; an operator who has the conversation is notified from time to time. */
  typing(): void;
  /** The conversation is on the screen up to this message. What cannot be said now is said with the next one. */
  read(messageId: string): void;
  /** @param done the message or the ticket, where nothing more is asked about it. @throws ApiError */
  rate(rating: RatingBody, done: string | null): Promise<void>;
  /** Nothing more is asked about this message or ticket. */
  rated(subject: string): void;
  /** Loads it again after a failure. */
  reload(): void;
  close(): void;
}

/** So long a turn that runs while the page is loaded is said to be on its way, though nothing is heard from it. */
const ANSWER_WAIT_MS = 90_000;

/** Events that the whole conversation shows too, and so often it is asked for again where one came in between. */
const KEPT_EVENTS: ReadonlySet<string> = new Set(['pending', 'settled', 'owner', 'message']);
const TRIES = 5;

/** A stream that was refused, though nobody has to sign in, is asked for again after this. */
const REFUSED_MS = 1_500;

/** After this, who writes and is not heard again has stopped; said again a little more often. */
const TYPING_MS = 8_000;
const TYPING_AGAIN_MS = 4_000;

/** Opens a conversation: loads it, follows it, and sends on it until it is closed. */
export function openConversation(options: ConversationOptions): Conversation {
  const { api } = options;
  const state = createStore(emptyThread(options.threadId));
  const ended = new AbortController();
  const following = createFollowing(options, state, ended.signal);
  const sender: Sender = createSender({
    ...options,
    state,
    signal: ended.signal,
    following: following.opened,
    onCreated(threadId) {
      forgetNew();
      following.begin(threadId);
      options.onCreated(threadId);
    },
  });
  const path = (): string => `/api/threads/${encodeURIComponent(state.get().threadId ?? '')}`;
  const rated = (subject: string): void => state.update((before) => ({ ...before, rated: subject }));
  let saidTyping = 0;
  const { unsent, ...kept } = keptState(options.threadId);
  state.update((before) => ({ ...before, ...kept, messages: unsent }));
  if (options.threadId !== null) following.begin(options.threadId);
  const stopKeeping = state.subscribe(keepState);
  // What was on its way when the page was left is sent again: the same message, so it counts once.
  for (const { content: text, files, client_message_id: id, created_at: at, status } of unsent) {
    if (status === 'sending' && id !== null) sender.send({ text, files, clientMessageId: id, at });
  }
  return {
    state,
    send: (text, files = []) =>
      sender.send({ text, files, clientMessageId: newId(), at: now().toISOString() }),
    async attach(file, upload) {
      const threadId = await sender.threadId();
      return api.upload(`/api/threads/${encodeURIComponent(threadId)}/files`, file, upload);
    },
    file: async (fileId) => (await api.open(`${path()}/files/${encodeURIComponent(fileId)}`)).blob(),
    retry: sender.retry,
    reload: () => void following.load(),
    async answer(pendingId, answer) {
      state.update((before) => withCardStatus(before, pendingId, 'answering'));
      await sender.answer(pendingId, answer);
    },
    stop: () => api.post(`${path()}/stop`, {}),
    typing() {
      const at = now().getTime();
      if (state.get().operator === null || at - saidTyping < TYPING_AGAIN_MS) return;
      saidTyping = at;
      api.post(`${path()}/typing`, {}).catch(() => {});
    },
    read: (messageId) =>
      void api.post(`${path()}/read`, { message_id: messageId }).then(
        () => options.onChanges({ changed: true }),
        () => {},
      ),
    async rate(rating, done) {
      await api.post(`${path()}/rating`, rating);
      if (done !== null) rated(done);
    },
    rated,
    close() {
      stopKeeping();
      ended.abort();
    },
  };
}

/** Sends in a conversation what was written in the one before it and has not been sent; a file belongs to its conversation. */
export function sendUnsent(now: Conversation | null, before: Conversation | null): void {
  if (now === null || before === null) return;
  const [here, there] = [now.state.get(), before.state.get()];
  const taken = new Set(here.messages.map((one) => one.client_message_id));
  for (const { status, client_message_id: id, content, files } of there.messages)
    if (status !== 'sent' && !taken.has(id)) now.send(content, here.threadId === there.threadId ? files : []);
}

function createFollowing(
  { api, onChanges, onReturn, signedIn }: ConversationOptions,
  state: Store<ThreadState>,
  signal: AbortSignal,
) {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let latest = 0;
  let seen = 0;

  async function load(tries = TRIES): Promise<void> {
    const threadId = state.get().threadId;
    if (threadId === null) return;
    latest += 1;
    const request = latest;
    const seenBefore = seen;
    try {
      const thread = await api.get<Thread>(`/api/threads/${encodeURIComponent(threadId)}`, { signal });
      if (request !== latest) return;
      // It was read before or after an event that came meanwhile: a question that was just asked would be closed.
      if (seen !== seenBefore && tries > 1) return void load(tries - 1);
      state.update((before) => resumed(withThread(before, thread)));
      void pause(ANSWER_WAIT_MS, signal).then(() => state.update(givenUp));
    } catch (error) {
      if (signal.aborted) return;
      const { status, signedOut } = asApiError(error);
      if (signedOut) return void signedIn().then(() => load());
      // What is shown stays; only an empty page has to say that there is nothing to show.
      state.update((before) =>
        before.phase === 'ready' && status !== 404
          ? before
          : { ...before, phase: status === 404 ? 'missing' : 'failed' },
      );
    }
  }

  function onEvent(event: ServerEvent): void {
    if (KEPT_EVENTS.has(event.event)) seen += 1;
    const { state: next, changes } = afterEvent(state.get(), event);
    state.set(next);
    const { typing } = next;
    if (event.event === 'typing' && typing !== null)
      void pause(TYPING_MS, signal).then(() =>
        state.update((now) => (now.typing === typing ? { ...now, typing: null } : now)),
      );
    // By what number it is with the team, or whether an operator who is gone has resolved it, stands with the conversation.
    if (event.event === 'owner') void load();
    // Tokens are not kept: after a reload the whole preview comes again.
    if (event.id !== '' && event.event !== 'token') tabStorage.set(lastKey(next.threadId), event.id);
    if (changes.message !== undefined || changes.changed) onChanges(changes);
  }

  async function begin(threadId: string): Promise<void> {
    state.update((before) => ({ ...before, threadId }));
    if (state.get().phase === 'loading') void load();
    let wasOpen = false;
    while (!signal.aborted) {
      await followEvents({
        api,
        path: `/api/threads/${encodeURIComponent(threadId)}/events`,
        after: tabStorage.get(lastKey(threadId)),
        signal,
        onEvent,
        onState(line) {
          state.update((before) => ({ ...before, line }));
          if (line !== 'open') return;
          if (wasOpen) onReturn();
          wasOpen = true;
          open();
          void load();
        },
      });
      if (signal.aborted || state.get().phase === 'missing') return;
      await Promise.all([signedIn(), pause(REFUSED_MS, signal)]);
      if (state.get().phase !== 'ready') await load();
    }
  }
  return { opened, load: () => load(), begin: (threadId: string) => void begin(threadId) };
}

const lastKey = (threadId: string | null): string => `hub.chat.last.${threadId}`;

/** A page that was loaded again in the middle of a turn continues saying that an answer is on its way. */
function resumed(state: ThreadState): ThreadState {
  const waits =
    state.messages.at(-1)?.role === 'customer' &&
    state.messages.at(-1)?.status === 'sent' &&
    state.owner === 'hub' &&
    state.activity === null;
  return waits ? { ...state, activity: { kind: 'resume', name: '' } } : state;
}

/** Nothing was heard of a turn for long: it is not promised any further. */
function givenUp(state: ThreadState): ThreadState {
  return state.activity?.kind === 'resume' ? { ...state, activity: null } : state;
}
