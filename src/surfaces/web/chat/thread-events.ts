import type { Message, Pending, Problem, Thread } from '../shared/api-types.js';
import { now } from '../shared/clock.js';
import type { ServerEvent } from '../shared/follow.js';
import {
  ACKNOWLEDGED,
  type CardStatus,
  type ThreadState,
  withCard,
  withCardStatus,
  withMessage,
} from './thread-state.js';

/** The data of a `message` event: of the hub with its whole answer, of people without. */
interface MessageData extends Omit<Message, 'id' | 'author' | 'client_message_id' | 'created_at'> {
  /** Null for a mere acknowledgement, which is not stored. */
  readonly message_id: string | null;
  readonly author?: string | null;
  readonly client_message_id?: string | null;
  readonly created_at: string | null;
  readonly pending?: Pending | null;
  readonly language?: string;
  readonly needs_sign_in?: boolean;
}

const SETTLED: Readonly<Record<string, CardStatus>> = {
  approved: 'confirmed',
  released: 'confirmed',
  confirmed: 'confirmed',
  rejected: 'declined',
  declined: 'declined',
  withdrawn: 'withdrawn',
  expired: 'expired',
  superseded: 'replaced',
  replaced: 'replaced',
};

/** What an event tells beyond the state: for the list of conversations, the language, the count of unread. */
export interface EventChanges {
  readonly message?: { readonly role: Message['role']; readonly language?: string | undefined };
  readonly changed?: boolean;
}

/** The state after an event. What cannot be read changes nothing: the next look at the thread puts it right. */
export function afterEvent(
  state: ThreadState,
  { event, data: text }: ServerEvent,
): { readonly state: ThreadState; readonly changes: EventChanges } {
  const data = parse(text);
  const same = (next: ThreadState, changes: EventChanges = {}) => ({ state: next, changes });
  if (data === null) return same(state);
  switch (event) {
    case 'triage':
      return same({ ...state, activity: { kind: 'triage', name: 'done' } });
    case 'route':
      return same({ ...state, activity: { kind: 'agent', name: String(data.to ?? '') } });
    case 'agent':
      return same({ ...state, activity: { kind: 'agent', name: String(data.agent ?? '') } });
    case 'tool':
      return same({ ...state, activity: { kind: 'tool', name: String(data.tool ?? '') } });
    case 'token':
      return same({ ...state, preview: state.preview + String(data.text ?? '') });
    case 'pending':
      return same(withCard(state, data as unknown as Pending, null));
    case 'settled':
      return same(withCardStatus(state, String(data.pending_id), SETTLED[String(data.status)] ?? 'closed'));
    case 'read':
      return same({ ...state, readByOperator: data as unknown as Thread['read_by_operator'] });
    case 'typing':
      return same({ ...state, typing: data.typing === true ? { name: String(data.name) } : null });
    case 'owner':
      return same(
        {
          ...state,
          typing: null,
          owner: data.owner as Thread['owner'],
          returnedToHub: data.owner === 'hub' && state.owner === 'operator',
          operator: (data.operator ?? null) as Thread['operator'] | null,
          activity: null,
          preview: '',
        },
        { changed: true },
      );
    case 'message':
      return afterMessage(state, data as unknown as MessageData);
    case 'done':
      return same({ ...state, activity: null, preview: '' }, { changed: true });
    case 'error':
      return same({ ...state, activity: null, preview: '', problem: toProblem(data as Problem) });
    default:
      return same(state);
  }
}

function afterMessage(state: ThreadState, data: MessageData) {
  const message: Message = {
    id: data.message_id ?? ACKNOWLEDGED,
    role: data.message_id === null ? 'system' : data.role,
    content: data.content,
    created_at: data.created_at ?? now().toISOString(),
    citations: data.citations ?? [],
    author: data.author ?? null,
    client_message_id: data.client_message_id ?? null,
    files: data.files ?? [],
  };
  const known = data.message_id === null || state.messages.some(({ id }) => id === message.id);
  let next = message.content === '' ? state : withMessage(state, message);
  const needsSignIn = data.needs_sign_in === true ? data.message_id : null;
  if (data.role === 'hub') next = { ...next, preview: '', activity: null, problem: null, needsSignIn };
  if (data.role === 'operator') next = { ...next, typing: null };
  if (data.role === 'customer' && !known) next = { ...next, asksRating: null };
  if (data.pending) next = withCard(next, data.pending, data.message_id);
  return {
    state: next,
    changes: known ? {} : { message: { role: data.role, language: data.language }, changed: true },
  };
}

/** A problem as the page keeps it. */
function toProblem({ code, detail, title }: Problem): { readonly code: string; readonly detail: string } {
  return { code: code ?? 'internal', detail: detail ?? title ?? '' };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
