import type { ThreadEvent } from '../../../src/core/domain/conversation.js';
import type { Identity } from '../../../src/core/domain/customer.js';
import type { TurnReply } from '../../../src/core/domain/turn.js';
import { type Hub, type HubOptions, openHub, type Row } from '../../support/hub.js';

export const ANA = 'ana.souza@example.com';
export const BRUNO = 'bruno.lima@example.com';
export const OPERATOR = { operatorId: 'op_1', name: 'Olga' } as const;
/** Cancels and refunds with a yes, without an operator. */
export const SAMBA = 'cancel my samba night booking';
export const VISITS = 'how many visits do I have left?';

/** A customer with a conversation that is kept. */
export interface Talk {
  readonly hub: Hub;
  readonly identity: Identity;
  readonly threadId: string;
  send(text: string, clientMessageId?: string, onEvent?: (event: ThreadEvent) => void): Promise<TurnReply>;
  answer(pendingId: string, answer: 'yes' | 'no', clientMessageId?: string): Promise<TurnReply>;
  /** Follows until the function is called. */
  follow(onEvent: (event: ThreadEvent) => void, after?: string): Promise<() => void>;
}

export async function openTalk(options: HubOptions = {}, email = ANA): Promise<Talk> {
  const hub = await openHub({ checkpointer: 'sqlite', ...options });
  const identity = await hub.app.signIn(email);
  const { threadId } = await hub.app.conversations.create(identity);
  return talkOn(hub, identity, threadId);
}

/** The same conversation, through whichever App. */
export function talkOn(hub: Hub, identity: Identity, threadId: string): Talk {
  const { conversations } = hub.app;
  const base = { identity, threadId, channel: 'http' } as const;
  return {
    hub,
    identity,
    threadId,
    send: (text, clientMessageId, onEvent) => conversations.send({ ...base, text, clientMessageId, onEvent }),
    answer: (pendingId, answer, clientMessageId) =>
      conversations.answer({ ...base, pendingId, answer, clientMessageId }),
    async follow(onEvent, after) {
      const over = new AbortController();
      await conversations.follow({ identity, threadId, after, onEvent, signal: over.signal });
      return () => over.abort();
    },
  };
}

/** What customer and hub said on a conversation, oldest first. */
export function spoken(hub: Hub, threadId: string): readonly Row[] {
  return hub.query(
    'udahub',
    `SELECT m.role, m.content, m.client_message_id FROM ticket_messages m JOIN tickets t USING (ticket_id)
     WHERE t.thread_id = ? AND m.audience = 'customer' ORDER BY m.seq`,
    threadId,
  );
}

export function inboxRows(hub: Hub): readonly Row[] {
  return hub.query('udahub', 'SELECT client_message_id, status, outcome FROM thread_inbox ORDER BY seq');
}

/** An event in short: its type and what tells it apart. */
export function inShort({ body }: ThreadEvent): string {
  switch (body.type) {
    case 'message':
      return `message:${body.message?.role ?? 'none'}`;
    case 'token':
      return 'token';
    case 'route':
      return `route:${body.step.to}`;
    case 'agent':
      return `agent:${body.agent}`;
    case 'tool':
      return `tool:${body.call.tool}`;
    default:
      return body.type;
  }
}
