import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Approval } from '../../shared/api-types.js';
import { COMPANY } from '../../shared/company.js';
import { toast } from '../../shared/components/dialog.js';
import { useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { createNotices } from '../../shared/notices.js';
import { useTexts } from '../texts.js';
import type { Queue } from './desk-api.js';
import { useDesk } from './desk-context.js';
import type { Change } from './live.js';
import { currentPlace, go } from './location.js';
import { handOver } from './values.js';

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
  useMoved();

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
      const who = first.customer_name ?? texts.queue.visitor;
      toast(fill(texts.queue.arrived, { who }), () => go('tickets', first.ticket_id));
    }
  }, [queue, watching]);
}

/** Says that an action waits for a decision, while the page of those is not before the operator. */
export function useAsked(open: readonly Approval[] | undefined): void {
  const { approvals } = useTexts();
  const toolLabel = useToolLabel();
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (open === undefined) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...open.map(({ id }) => id)]);
    if (before === null || currentPlace().page === 'approvals') return;
    for (const { id, tool, ticket_id: ticketId, customer_name: name } of open) {
      if (before.has(id) || currentPlace().id === ticketId) continue;
      const what = toolLabel(tool);
      tell(fill(approvals.arrived, { what, who: name ?? 'none' }), ticketId);
    }
  }, [open]);
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
        api.entry(ticketId, 'mine').then(
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

/**
 * Says that a ticket was given to this operator, taken from them, or went back into the queue because nothing was heard of
 * them or their shift has ended: whose it is, and why.
 */
function useMoved(): void {
  const { presence, queue } = useTexts();
  const { api, live, me } = useDesk();
  useLayoutEffect(
    () =>
      live.subscribe(({ ticketId, taken, lapsed, ended }) => {
        if (ticketId === null) return;
        const moved = taken && movedTo(taken, me.name);
        const left = lapsed === me.name ? presence.lapsed : ended === me.name ? presence.ended : null;
        const sentence = left ?? (moved && presence[moved.kind]);
        if (!sentence) return;
        api.entry(ticketId, 'all').then(
          (entry) => {
            const who = entry?.customer_name ?? queue.visitor;
            const note = moved?.note ? moved.note.slice(0, SHOWN_CHARS) : 'none';
            tell(fill(sentence, { who, note, name: moved?.name ?? '' }), ticketId);
          },
          // The list shows it too.
          () => {},
        );
      }),
    [api, live, me, presence, queue],
  );
}

/** What a change of hands is to one operator, with the colleague's name; null where it is nothing to them. */
function movedTo({ by, how }: NonNullable<Change['taken']>, own: string) {
  const moved = handOver(by, how);
  if (moved?.kind === 'given' && by === own) return { ...moved, name: moved.from };
  return moved?.kind === 'taken' && moved.from === own ? { ...moved, name: by } : null;
}
