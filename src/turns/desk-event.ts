import type { DeskEvent } from '../core/desk-reads.js';
import type { StoredEvent } from '../core/ports/index.js';

/** What of a stored event an operator's screen shows. */
export function toDeskEvent({ seq, type, threadId, ticketId, data }: StoredEvent): DeskEvent | null {
  const id = String(seq);
  switch (type) {
    case 'ticket':
    case 'presence':
      return { id, type, data: { ...data, threadId, ticketId } };
    case 'read':
    case 'typing':
    case 'approval':
      return { id, type, data: { ...data, threadId } };
    case 'message':
      return data.message === null ? null : { id, type, data: { threadId, ticketId, message: data.message } };
    default:
      return null;
  }
}
