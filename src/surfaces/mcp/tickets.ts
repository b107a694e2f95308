import type { JsonObject } from '../../core/domain/json.js';
import type { TicketMessage } from '../../core/domain/ticket.js';
import { HubError } from '../../core/errors.js';
import { toTicketViewJson } from '../desk-json.js';
import { toPendingJson } from '../reply-json.js';
import type { HubRequest } from './hub-requests.js';
import { TICKET_SCOPE } from './request-scopes.js';

const LISTED = 100;

/** A ticket in a list. */
export interface TicketEntry {
  readonly ticketId: string;
  /** How its conversation began; null where nothing was said. */
  readonly title: string | null;
  readonly updatedAt: string;
}

/** The newest ticket of each of the customer's conversations, the latest first; none for others. */
export async function ownTickets({ app, caller }: HubRequest): Promise<readonly TicketEntry[]> {
  if (!caller.scopes.includes(TICKET_SCOPE)) return [];
  const threads = await app.conversations.list(caller.identity, LISTED);
  return threads.flatMap(({ ticketId, title, updatedAt }) =>
    ticketId === null ? [] : [{ ticketId, title, updatedAt }],
  );
}

/**
 * A ticket: for an operator with everything the desk has, for a customer their own one as the chat shows it.
 * @throws HubError `not_found` (also where it is somebody else's), `scope_missing`
 */
export async function readTicket(ticketId: string, hub: HubRequest): Promise<JsonObject> {
  const { app, caller } = hub;
  const { operator, identity, scopes } = caller;
  if (!scopes.includes(TICKET_SCOPE) && (operator || identity.kind === 'customer')) {
    throw new HubError('scope_missing', `Reading a ticket takes the scope ${TICKET_SCOPE}.`, {
      scope: TICKET_SCOPE,
    });
  }
  if (operator) return plain(toTicketViewJson(await app.desk.show(ticketId)));
  // An anonymous conversation belongs to whoever knows its id; its ticket's id proves nothing.
  if (identity.kind !== 'customer') throw new HubError('not_found', 'There is no such ticket.');
  const { ticket } = await app.desk.show(ticketId);
  // Whose conversation it is decides, and it hands out nothing that is meant for the desk.
  const thread = await app.conversations.show(identity, ticket.threadId);
  const isNewest = thread.ticketId === ticketId;
  return plain({
    ticket_id: ticketId,
    thread_id: ticket.threadId,
    status: ticket.status,
    owner: ticket.owner,
    operator: ticket.operatorName,
    created_at: ticket.createdAt,
    updated_at: ticket.updatedAt,
    resolved_at: ticket.resolvedAt,
    pending: isNewest && thread.pending ? toPendingJson(thread.pending) : null,
    messages: thread.messages.filter((message) => message.ticketId === ticketId).map(toMessageJson),
  });
}

function toMessageJson({ role, author, content, citations, createdAt }: TicketMessage) {
  return {
    role,
    author,
    content,
    citations: citations.map(({ articleId, title }) => ({ article_id: articleId, title })),
    created_at: createdAt,
  };
}

/** Wire forms are JSON by construction; only their types say less. */
function plain(value: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
