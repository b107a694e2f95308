import { useEffect } from 'preact/hooks';
import type { TicketView } from '../../shared/api-types.js';
import { onScreen } from '../../shared/notices.js';
import { createStore, useStore } from '../../shared/store.js';
import { useDesk } from './desk-context.js';

/** The newest mark of each conversation that an event told of since the page was opened; the ticket has the others. */
const heard = createStore<Readonly<Record<string, string>>>({});

/** Takes in that a customer has read a conversation. */
export function hearReading(data: string): void {
  const { thread_id: threadId, by, message_id: messageId } = JSON.parse(data) as Record<string, string>;
  if (by !== 'customer' || threadId === undefined || messageId === undefined) return;
  heard.update((before) => ({ ...before, [threadId]: messageId }));
}

/**
 * Tells the customer that their last message is on this operator's screen.
 * @param atEnd false where somebody reads further up
 * @returns the last reply that the customer has read; null where the customer has said something since
 */
export function useReading(
  { ticket_id: ticketId, thread_id: threadId, messages, read_by: readBy }: TicketView,
  box: { readonly current: HTMLElement | null },
  atEnd: boolean,
): string | null {
  const { api } = useDesk();
  const visible = useStore(onScreen);
  const news = useStore(heard)[threadId];
  const placeOf = (id: string | undefined): number =>
    id === undefined ? -1 : messages.findIndex(({ message_id: one }) => one === id);
  const last = messages.findLast(({ role }) => role === 'customer')?.message_id;
  const isNew = placeOf(last) > placeOf(readBy.operator?.message_id);
  useEffect(() => {
    // On a narrow screen the details may stand in its place.
    if (!visible || !atEnd || !isNew || last === undefined || box.current?.clientHeight === 0) return;
    // What cannot be said now is said with the next message.
    api.read(ticketId, last).catch(() => {});
  }, [api, box, ticketId, last, isNew, visible, atEnd]);
  const end = Math.max(placeOf(news), placeOf(readBy.customer?.message_id));
  const replied = messages.findLastIndex(
    ({ role, audience }) => role === 'operator' && audience === 'customer',
  );
  const answered = placeOf(last) > replied;
  return replied >= 0 && replied <= end && !answered ? (messages[replied]?.message_id ?? null) : null;
}
