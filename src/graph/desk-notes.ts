import type { TicketMessage } from '../core/domain/ticket.js';

/** Stored before an answer that nobody could read at the time. */
export const STOPPED = 'The hub stopped before it could answer.';

const TOOK_OVER = ' took the conversation over.';
const PUT_BACK = ' put the conversation back into the queue.';
const LAPSED = ' was not heard of for too long: the conversation is back in the queue.';
const HANDED_BACK = ' handed the conversation back to the hub.';
const RESOLVED = ' resolved the ticket.';

/** A change of hands, as it stands among the messages that the desk sees. */
type DeskMarker =
  | { readonly kind: 'took_over' | 'put_back' | 'resolved' }
  | { readonly kind: 'handed_back'; readonly name: string; readonly note: string | null };

/** The words of a marker; read again by `markerOf`. */
export const deskNotes = {
  tookOver: (name: string, why: string | null = null): string => oneLine(name) + TOOK_OVER + below(why),
  putBack: (name: string): string => oneLine(name) + PUT_BACK,
  lapsed: (name: string): string => oneLine(name) + LAPSED,
  handedBack: (name: string, note: string | null): string => oneLine(name) + HANDED_BACK + below(note),
  merged: (name: string, summary: string): string =>
    `${oneLine(name)} merged another ticket of this customer into this one.${summary === '' ? '' : `\n${summary}`}`,
  resolved: (name: string): string => oneLine(name) + RESOLVED,
};

/** What a message says about the conversation's hands; null for any other message. Only the hub writes system messages. */
export function markerOf({ role, content }: Pick<TicketMessage, 'role' | 'content'>): DeskMarker | null {
  if (role !== 'system') return null;
  const end = content.indexOf('\n');
  const line = end === -1 ? content : content.slice(0, end);
  if (line.endsWith(TOOK_OVER)) return { kind: 'took_over' };
  if (line.endsWith(PUT_BACK) || line.endsWith(LAPSED)) return { kind: 'put_back' };
  if (line.endsWith(RESOLVED)) return { kind: 'resolved' };
  if (!line.endsWith(HANDED_BACK)) return null;
  const note = end === -1 ? null : content.slice(end + 1);
  return { kind: 'handed_back', name: line.slice(0, -HANDED_BACK.length), note };
}

/** What stands under the line of a marker. */
function below(text: string | null): string {
  return text === null ? '' : `\n${text}`;
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ').trim();
}
