import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { COMPANY } from '../../shared/company.js';
import { toast } from '../../shared/components/dialog.js';
import { fill } from '../../shared/message.js';
import { createNotices } from '../../shared/notices.js';
import { useTexts } from '../texts.js';
import type { Queue } from './desk-api.js';
import { useDesk } from './desk-context.js';
import { currentPlace, go } from './location.js';
import { givenBy } from './values.js';

/** How the operator wants to be told of a customer's words. */
export const notices = createNotices('desk');

/** Says something of a ticket, on the page and as the operator wishes besides; a press opens the ticket. */
function tell(text: string, ticketId: string): void {
  const open = (): void => go('tickets', ticketId);
  toast(text, open);
  notices.notify(text, ticketId, open);
}

/** Characters of a message that a notice shows. */
const SHOWN_CHARS = 80;

/**
 * Says that customers wait: the number of tickets that nobody has, and of the operator's own with unread words, stands in
 * the title of the page; a ticket that has just come is named while its list is shown.
 */
export function useArrivals(queue: Queue | null, watching: boolean): void {
  const texts = useTexts();
  const waiting = queue?.counts.unassigned ?? 0;
  const news = waiting + (queue?.counts.unread ?? 0);
  useEffect(() => {
    const name = `${COMPANY.name} · ${texts.app.name}`;
    document.title = news === 0 ? name : `(${news}) ${name}`;
  }, [news, texts]);
  useWritten();
  useMentioned();
  useGiven();
  useLapsed();

  const known = useRef<ReadonlySet<string> | null>(null);
  const count = useRef(waiting);
  useEffect(() => {
    if (queue === null || !watching) return;
    const ids = new Set(queue.tickets.map(({ ticket_id }) => ticket_id));
    const before = known.current;
    known.current = new Set([...(before ?? []), ...ids]);
    // A list that was narrowed shows more when it is widened: only a number that grew is news.
    const grew = waiting > count.current;
    count.current = waiting;
    if (before === null || !grew) return;
    const fresh = queue.tickets.filter(({ ticket_id }) => !before.has(ticket_id));
    const first = fresh[0];
    if (first !== undefined && fresh.length <= 3) {
      const who = first.customer_name ?? texts.queue.unknownCustomer;
      toast(fill(texts.queue.arrived, { who }), () => go('tickets', first.ticket_id));
    }
  }, [queue, watching]);
}

/** Says that a customer wrote on a ticket of this operator's, unless it is being looked at. */
function useWritten(): void {
  const texts = useTexts();
  const { api, live } = useDesk();
  useLayoutEffect(
    () =>
      live.subscribe(({ kind, ticketId, text: written }) => {
        if (kind !== 'message' || written === undefined || ticketId === null) return;
        if (currentPlace().id === ticketId && document.visibilityState === 'visible') return;
        api.mine(ticketId).then(
          (entry) => {
            if (entry === null) return;
            const who = entry.customer_name ?? texts.queue.unknownCustomer;
            const text = fill(texts.queue.wrote, { who, words: written.slice(0, SHOWN_CHARS) });
            tell(text, ticketId);
          },
          // The list shows it too.
          () => {},
        );
      }),
    [api, live, texts],
  );
}

/** Says that a colleague has named this operator in a note, unless it is being looked at. */
function useMentioned(): void {
  const { presence } = useTexts();
  const { live, me } = useDesk();
  useLayoutEffect(
    () =>
      live.subscribe(({ ticketId, note }) => {
        if (note === undefined || ticketId === null || note.author === me.name) return;
        if (!note.text.toLocaleLowerCase().includes(`@${me.name.toLocaleLowerCase()}`)) return;
        if (currentPlace().id === ticketId && document.visibilityState === 'visible') return;
        const text = fill(presence.mentioned, { name: note.author, words: note.text.slice(0, SHOWN_CHARS) });
        tell(text, ticketId);
      }),
    [live, me, presence],
  );
}

/** Says that a colleague has given this operator a ticket, unless it is being looked at. */
function useGiven(): void {
  const { presence } = useTexts();
  const { live, me } = useDesk();
  useLayoutEffect(
    () =>
      live.subscribe(({ ticketId, taken }) => {
        if (taken?.by !== me.name || ticketId === null) return;
        if (currentPlace().id === ticketId && document.visibilityState === 'visible') return;
        const given = givenBy(taken.by, taken.how);
        if (given === null) return;
        const note = given.note === '' ? 'none' : given.note.slice(0, SHOWN_CHARS);
        const text = fill(presence.given, { name: given.from, note });
        tell(text, ticketId);
      }),
    [live, me, presence],
  );
}

/** Says that a ticket of this operator's went back into the queue by itself, because nothing was heard of them. */
function useLapsed(): void {
  const { presence } = useTexts();
  const { live, me } = useDesk();
  useLayoutEffect(
    () =>
      live.subscribe(({ ticketId, lapsed }) => {
        if (lapsed !== me.name || ticketId === null) return;
        tell(presence.lapsed, ticketId);
      }),
    [live, me, presence],
  );
}
