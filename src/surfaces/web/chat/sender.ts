import type { Api } from '../shared/api.js';
import type { AttachedFile, Reply, Thread } from '../shared/api-types.js';
import { newId, now, pause } from '../shared/clock.js';
import { OWN_ZONE } from '../shared/format.js';
import { language } from '../shared/i18n.js';
import { type ApiError, asApiError } from '../shared/problem.js';
import { type Store, tabStorage } from '../shared/store.js';
import {
  ACKNOWLEDGED,
  type ShownMessage,
  type ThreadState,
  withCard,
  withCardStatus,
  withMessage,
} from './thread-state.js';

interface SenderOptions {
  readonly api: Api;
  readonly state: Store<ThreadState>;
  readonly signal: AbortSignal;
  readonly signedIn: () => Promise<void>;
  /** Resolves when the events of the thread arrive. */
  readonly following: Promise<void>;
  readonly onCreated: (threadId: string) => void;
}

/** To a question; what waits for the team can only be taken back. */
export type Answer = 'yes' | 'no' | 'withdraw';

interface Outgoing {
  readonly text: string;
  /** They are on the conversation already. */
  readonly files: readonly AttachedFile[];
  readonly clientMessageId: string;
  readonly at: string;
}

/** Brings messages and answers to the server, in their order, through bad connections and expired sessions. */
export interface Sender {
  send(message: Outgoing): void;
  retry(clientMessageId: string): void;
  answer(pendingId: string, answer: Answer): Promise<void>;
  /** The conversation, which is made where there is none yet. @throws ApiError */
  threadId(): Promise<string>;
}

/** Waits between tries that nobody sees; then the message is shown as not sent. */
const WAITS_MS = [800, 2_000, 5_000];
/** The next message goes out when the one before was taken, or after this. */
const TAKEN_MS = 400;
/** So long an answer may come later as an event than as the answer to its request. */
const EVENT_MS = 1_500;

/** A page that is loaded again while a conversation is made does not make a second one. */
const CREATE_KEY = 'hub.chat.create';

/** Makes a sender for one conversation. */
export function createSender(options: SenderOptions): Sender {
  const { api, state, signal, following, onCreated } = options;
  let queue: Promise<unknown> = Promise.resolve();
  let creating: Promise<string> | null = null;

  function threadId(): Promise<string> {
    const known = state.get().threadId;
    if (known !== null) return Promise.resolve(known);
    creating ??= create().finally(() => {
      creating = null;
    });
    return creating;
  }

  async function create(): Promise<string> {
    const idempotencyKey = tabStorage.get(CREATE_KEY) ?? newId();
    tabStorage.set(CREATE_KEY, idempotencyKey);
    const thread = await api.post<Thread>(
      '/api/threads',
      { time_zone: OWN_ZONE },
      { idempotencyKey, signal },
    );
    tabStorage.set(CREATE_KEY, null);
    onCreated(thread.thread_id);
    await Promise.race([following, pause(TAKEN_MS, signal)]);
    return thread.thread_id;
  }

  async function deliver({ text, files, clientMessageId }: Outgoing): Promise<void> {
    const named = files.length === 0 ? {} : { files: files.map(({ id }) => id) };
    const reply = await persist(options, async () =>
      api.post<Reply>(
        `/api/threads/${encodeURIComponent(await threadId())}/messages`,
        { text, ...named, client_message_id: clientMessageId },
        { signal, headers: { 'accept-language': language.get() } },
      ),
    );
    await arrived(reply);
    state.update((before) => afterReply(markSent(before, clientMessageId), reply));
  }

  /** The events tell everything in its order; the answer itself is shown only where they do not. */
  async function arrived({ message_id: id }: Reply): Promise<void> {
    const isThere = ({ messages }: ThreadState): boolean => messages.some((one) => one.id === id);
    if (id !== null && state.get().line === 'open') await until(state, isThere, EVENT_MS, signal);
  }

  function send(message: Outgoing): void {
    state.update((before) => ({
      ...before,
      problem: null,
      returnedToHub: false,
      activity: before.owner === 'hub' ? (before.activity ?? { kind: 'start', name: '' }) : null,
      inFlight: before.inFlight + 1,
      messages: [
        ...before.messages.filter(({ client_message_id: id }) => id !== message.clientMessageId),
        toShown(message),
      ],
    }));
    const delivered = queue
      .then(() => deliver(message))
      .then(
        () => state.update(settle),
        (error: unknown) => {
          if (!signal.aborted)
            state.update((before) => settle(markFailed(before, message.clientMessageId, asApiError(error))));
        },
      );
    queue = Promise.race([delivered, queue.then(() => taken(state, message.clientMessageId, signal))]);
  }

  return {
    send,
    threadId,
    retry(clientMessageId) {
      const failed = state.get().messages.find(({ client_message_id: id }) => id === clientMessageId);
      if (failed?.status === 'failed') {
        const { content: text, files } = failed;
        send({ text, files, clientMessageId, at: now().toISOString() });
      }
    },
    async answer(pendingId, answer) {
      state.update((before) => ({
        ...before,
        problem: null,
        activity: { kind: 'start', name: '' },
        inFlight: before.inFlight + 1,
      }));
      try {
        const path = `/api/threads/${encodeURIComponent(await threadId())}/pending/${encodeURIComponent(pendingId)}`;
        const idempotencyKey = newId();
        const reply = await persist(options, () =>
          answer === 'withdraw'
            ? api.post<Reply>(`${path}/withdraw`, {}, { idempotencyKey, signal })
            : api.post<Reply>(path, { answer }, { idempotencyKey, signal }),
        );
        await arrived(reply);
        state.update((before) => afterAnswer(settle(afterReply(before, reply)), pendingId, answer));
      } catch (error) {
        if (!signal.aborted)
          state.update((before) => settle(afterRefusal(before, pendingId, asApiError(error))));
      }
    },
  };
}

/** Tries again by itself where that may help: offline it waits for the line, signed out for the sign-in. */
async function persist<T>({ signal, signedIn }: SenderOptions, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      const problem = asApiError(error);
      if (signal.aborted) throw problem;
      if (problem.signedOut) {
        await signedIn();
        continue;
      }
      const wait = WAITS_MS[attempt];
      if (!problem.passing || wait === undefined || (problem.retryAfter ?? 0) > 20) throw problem;
      attempt += 1;
      if (!navigator.onLine) await online(signal);
      await pause(Math.max(wait, (problem.retryAfter ?? 0) * 1_000), signal);
    }
  }
}

function online(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Resolves when the server has confirmed the message, or after a short time. */
function taken(state: Store<ThreadState>, clientMessageId: string, signal: AbortSignal): Promise<void> {
  const isTaken = ({ messages }: ThreadState): boolean =>
    messages.some(({ client_message_id: id, status }) => id === clientMessageId && status !== 'sending');
  return until(state, isTaken, TAKEN_MS, signal);
}

/** Resolves when the state is so, or after the time. */
async function until(
  state: Store<ThreadState>,
  holds: (state: ThreadState) => boolean,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (holds(state.get())) return;
  let stop = (): void => {};
  const confirmed = new Promise<void>((resolve) => {
    stop = state.subscribe((next) => holds(next) && resolve());
  });
  await Promise.race([confirmed, pause(milliseconds, signal)]);
  stop();
}

function toShown({ text, files, clientMessageId, at }: Outgoing): ShownMessage {
  return {
    id: clientMessageId,
    role: 'customer',
    content: text,
    created_at: at,
    citations: [],
    author: null,
    client_message_id: clientMessageId,
    files,
    status: 'sending',
  };
}

/** One send less; when the last one is answered, nothing is being worked on. */
function settle(state: ThreadState): ThreadState {
  const inFlight = Math.max(0, state.inFlight - 1);
  return inFlight === 0 ? { ...state, inFlight, activity: null, preview: '' } : { ...state, inFlight };
}

function change(
  state: ThreadState,
  clientMessageId: string,
  make: (one: ShownMessage) => ShownMessage,
): ThreadState {
  return {
    ...state,
    messages: state.messages.map((one) => (one.client_message_id === clientMessageId ? make(one) : one)),
  };
}

const markSent = (state: ThreadState, id: string): ThreadState =>
  change(state, id, (one) => ({ ...one, status: 'sent' }));

/** A message that the server has confirmed is stored: its turn failed, which has a message of its own. */
function markFailed(state: ThreadState, id: string, { code, message }: ApiError): ThreadState {
  const error = { code, detail: message };
  return change(state, id, (one) => ({ ...one, status: 'failed', error }));
}

/** Shows the answer where its event has not come (yet). */
function afterReply(state: ThreadState, reply: Reply): ThreadState {
  if (!reply) return state;
  const { message_id: id, pending } = reply;
  if (id !== null && state.messages.some((one) => one.id === id)) return state;
  const message = {
    id: id ?? ACKNOWLEDGED,
    role: id === null ? ('system' as const) : ('hub' as const),
    content: reply.reply,
    created_at: now().toISOString(),
    citations: reply.citations,
    author: null,
    client_message_id: null,
    files: [],
  };
  const answered = reply.reply === '' ? state : withMessage(state, message);
  const next = { ...answered, needsSignIn: reply.needs_sign_in ? id : null };
  return pending === null ? next : withCard(next, pending, id);
}

const BECAME = { yes: 'confirmed', no: 'declined', withdraw: 'withdrawn' } as const;

function afterAnswer(state: ThreadState, pendingId: string, answer: Answer): ThreadState {
  const card = state.cards.find(({ pending }) => pending.id === pendingId);
  return card?.status === 'answering' ? withCardStatus(state, pendingId, BECAME[answer]) : state;
}

function afterRefusal(state: ThreadState, pendingId: string, { code, message }: ApiError): ThreadState {
  if (code === 'pending_expired') return withCardStatus(state, pendingId, 'expired');
  if (code === 'pending_withdrawn') return withCardStatus(state, pendingId, 'withdrawn');
  if (code === 'pending_decided' || code === 'pending_not_found')
    return withCardStatus(state, pendingId, 'closed');
  return { ...withCardStatus(state, pendingId, 'open'), problem: { code, detail: message } };
}
