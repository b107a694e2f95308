import type { DeskEvent, DeskEvents } from '../core/desk-events.js';
import { HubError } from '../core/errors.js';
import type { StoredEvent } from '../core/ports/index.js';
import type { EventFeed } from './event-feed.js';

/** What of a stored event an operator's screen shows. */
export function toDeskEvent({ seq, type, threadId, ticketId, data }: StoredEvent): DeskEvent | null {
  const id = String(seq);
  switch (type) {
    case 'ticket':
      return { id, type, data: { ...data, threadId, ticketId } };
    case 'approval':
      return { id, type, data: { ...data, threadId } };
    case 'message':
      return data.message === null ? null : { id, type, data: { threadId, ticketId, message: data.message } };
    default:
      return null;
  }
}

/** The feed as operators see it. */
export function createDeskEvents(feed: EventFeed): DeskEvents {
  return {
    async follow({ after, onEvent, signal }) {
      if (after !== undefined && !/^\d{1,15}$/.test(after)) {
        throw new HubError('input_invalid', 'The id of the last event is none that was given out.', {
          field: 'after',
        });
      }
      await feed.followDesk(after === undefined ? undefined : Number(after), onEvent, signal);
    },
  };
}
