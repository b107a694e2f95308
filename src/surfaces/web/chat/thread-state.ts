import type { Message, Pending, Thread } from '../shared/api-types.js';
import type { LineState } from '../shared/follow.js';

/** A message as it is shown. Only those of this page can be on their way or have failed. */
export interface ShownMessage extends Message {
  readonly status: 'sent' | 'sending' | 'failed';
  /** Why it failed: a code, and the server's words. */
  readonly error?: { readonly code: string; readonly detail: string };
}

/** `open` waits for an answer, `answering` was pressed; the others are what it became. */
export type CardStatus =
  | 'open'
  | 'answering'
  | 'confirmed'
  | 'declined'
  | 'withdrawn'
  | 'expired'
  | 'replaced'
  | 'closed';

/** A question, and what became of it. */
export interface Card {
  readonly pending: Pending;
  readonly status: CardStatus;
  /** The message that asked it; null where that is not known. */
  readonly messageId: string | null;
}

/** What the hub does right now: the name of an agent, a tool or a step. */
export type Activity = {
  readonly kind: 'triage' | 'agent' | 'tool' | 'start' | 'resume';
  readonly name: string;
};

/** A conversation as the page knows it. */
export interface ThreadState {
  /** Null before the first message of a new one. */
  readonly threadId: string | null;
  readonly phase: 'loading' | 'ready' | 'missing' | 'failed';
  readonly owner: Thread['owner'];
  readonly operator: Thread['operator'] | null;
  /** What the customer calls the newest request of the conversation by. */
  readonly number: string | null;
  /** The operator who is writing; each time it is heard anew. */
  readonly typing: { readonly name: string } | null;
  /** True from the moment an operator has returned it to the hub until the customer writes again. */
  readonly returnedToHub: boolean;
  readonly messages: readonly ShownMessage[];
  /** Up to which message an operator has read it. */
  readonly readByOperator: Thread['read_by_operator'];
  /** What the customer is asked to rate. */
  readonly asksRating: Thread['asks_rating'];
  readonly cards: readonly Card[];
  /** What is written right now; replaced by the message. */
  readonly preview: string;
  readonly activity: Activity | null;
  /** Sends of this page that have no answer yet. */
  readonly inFlight: number;
  readonly line: LineState | 'none';
  /** A turn that failed after its message was taken. */
  readonly problem: { readonly code: string; readonly detail: string } | null;
  /** The message or the ticket that was rated last. */
  readonly rated: string | null;
  /** The answer that says that the customer must sign in for more. */
  readonly needsSignIn: string | null;
}

/** A new conversation, or one that has to be loaded. */
export function emptyThread(threadId: string | null): ThreadState {
  return {
    threadId,
    phase: threadId === null ? 'ready' : 'loading',
    owner: 'hub',
    operator: null,
    number: null,
    typing: null,
    returnedToHub: false,
    messages: [],
    readByOperator: null,
    asksRating: null,
    cards: [],
    preview: '',
    activity: null,
    inFlight: 0,
    line: 'none',
    problem: null,
    rated: null,
    needsSignIn: null,
  };
}

/** True while an answer is being made. */
export function isWorking(state: ThreadState): boolean {
  return state.activity !== null || state.preview !== '';
}

/** True while an answer is being made that the customer may stop: not while a decision is carried out. */
export function canStop(state: ThreadState): boolean {
  return (
    isWorking(state) &&
    state.owner === 'hub' &&
    state.threadId !== null &&
    state.messages.every(({ status }) => status !== 'sending') &&
    state.cards.every(({ status }) => status !== 'answering')
  );
}

/** The id of an acknowledgement: it is not stored, and only the newest one is shown, after what it answers. */
export const ACKNOWLEDGED = 'acknowledged';

/** Puts a message where it belongs: over itself, over the one it was sent as, or before what is still on its way. */
export function withMessage(before: ThreadState, message: Message): ThreadState {
  const acknowledges = message.id === ACKNOWLEDGED;
  const answered = before.messages.findLast(({ status }) => status === 'sent')?.role === 'operator';
  if (acknowledges && answered) return before;
  const state =
    acknowledges || message.role === 'operator'
      ? { ...before, messages: before.messages.filter(({ id }) => id !== ACKNOWLEDGED) }
      : before;
  const shown: ShownMessage = { ...message, status: 'sent' };
  const at = state.messages.findIndex(
    (one) =>
      one.id === message.id ||
      (message.client_message_id !== null && one.client_message_id === message.client_message_id),
  );
  if (at >= 0) return { ...state, messages: state.messages.with(at, shown) };
  const unsent = state.messages.findIndex(({ status }) => status !== 'sent');
  const end = unsent < 0 ? state.messages.length : unsent;
  return { ...state, messages: state.messages.toSpliced(end, 0, shown) };
}

/** What the server keeps, and what only this page knows yet. */
export function withThread(state: ThreadState, thread: Thread): ThreadState {
  const kept = new Set(thread.messages.flatMap(({ id, client_message_id: own }) => (own ? [id, own] : [id])));
  const ownOnly = state.messages.filter(
    ({ id, client_message_id: own }) => !kept.has(id) && !(own !== null && kept.has(own)),
  );
  const unsent = ownOnly.filter(({ status }) => status !== 'sent');
  // An event can be faster than the answer to the question for the whole thread, also by less than the clock shows.
  const newer = ownOnly.filter(({ status, created_at: at }) => status === 'sent' && at >= thread.updated_at);
  const next: ThreadState = {
    ...state,
    threadId: thread.thread_id,
    phase: 'ready',
    owner: thread.owner,
    operator: thread.operator,
    number: thread.number,
    // It is asked until everything was said, though what was pressed counts already.
    asksRating:
      thread.asks_rating ?? (thread.ticket_id === state.asksRating?.ticket_id ? state.asksRating : null),
    readByOperator: newerMark(state.readByOperator, thread.read_by_operator),
    messages: [
      ...thread.messages.map((message) => ({ ...message, status: 'sent' as const })),
      ...newer,
      ...unsent,
    ],
  };
  const open = thread.pending;
  const cards = next.cards.map((card) =>
    isOpen(card) && card.pending.id !== open?.id ? { ...card, status: 'closed' as const } : card,
  );
  return open === null ? { ...next, cards } : withCard({ ...next, cards }, open, null);
}

/** Marks only move forward. */
function newerMark<Mark extends { readonly at: string }>(one: Mark | null, other: Mark | null): Mark | null {
  return one !== null && (other === null || one.at > other.at) ? one : other;
}

/** The last message of the customer that an operator has opened; null where there is none, or the hub answers. */
export function seenMessage({ messages, owner, readByOperator }: ThreadState): string | null {
  if (owner !== 'operator' || readByOperator === null) return null;
  const end = messages.findIndex(({ id }) => id === readByOperator.message_id);
  return messages.findLast(({ role }, at) => role === 'customer' && at <= end)?.id ?? null;
}

/** Shows a question; the same one again only changes what it asks. */
export function withCard(state: ThreadState, pending: Pending, messageId: string | null): ThreadState {
  const at = state.cards.findIndex((card) => card.pending.id === pending.id);
  const before = state.cards[at];
  const asked = messageId ?? before?.messageId ?? askedIn(state, pending);
  const status = before?.status === 'answering' ? 'answering' : 'open';
  const card: Card = { pending, status, messageId: asked };
  return { ...state, cards: at < 0 ? [...state.cards, card] : state.cards.with(at, card) };
}

function askedIn(state: ThreadState, { question }: Pending): string | null {
  return (
    state.messages.findLast(({ role, content }) => role === 'hub' && content.includes(question))?.id ?? null
  );
}

/** What became of a question. */
export function withCardStatus(state: ThreadState, pendingId: string, status: CardStatus): ThreadState {
  return {
    ...state,
    cards: state.cards.map((card) => (card.pending.id === pendingId ? { ...card, status } : card)),
  };
}

/** True while a card waits for somebody. */
export function isOpen({ status }: Card): boolean {
  return status === 'open' || status === 'answering';
}
