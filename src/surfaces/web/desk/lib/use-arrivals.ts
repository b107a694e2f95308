import { useEffect, useRef } from 'preact/hooks';
import { COMPANY } from '../../shared/company.js';
import { toast } from '../../shared/components/toast.js';
import { fill } from '../../shared/message.js';
import { useWords } from '../texts.js';
import type { Queue } from './desk-api.js';

/**
 * Says without a sound that tickets wait: their number stands in the title of the page, and one that has just come is
 * named while its list is shown.
 */
export function useArrivals(queue: Queue | null, watching: boolean): void {
  const words = useWords();
  const waiting = queue?.counts.unassigned ?? 0;
  useEffect(() => {
    document.title =
      waiting === 0
        ? `${COMPANY.name} · ${words.app.name}`
        : `(${waiting}) ${COMPANY.name} · ${words.app.name}`;
  }, [waiting, words]);

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
      toast(fill(words.queue.arrived, { who: first.customer_name ?? words.queue.unknownCustomer }));
    }
  }, [queue, watching]);
}
