import type { TicketCounts, TicketEntry } from '../../shared/api-types.js';
import { tabStorage } from '../../shared/storage.js';
import { createStore } from '../../shared/store.js';

export const VIEWS: readonly (keyof TicketCounts)[] = ['unassigned', 'mine', 'waiting', 'resolved'];

export interface QueueChoice {
  readonly view: keyof TicketCounts;
  readonly q: string;
  readonly priority: string;
  readonly issueType: string;
}

const KEY = 'hub.desk.queue';
const START: QueueChoice = { view: 'unassigned', q: '', priority: '', issueType: '' };

function readKept(): QueueChoice {
  try {
    const kept = JSON.parse(tabStorage.get(KEY) ?? '{}') as Partial<QueueChoice>;
    const view = VIEWS.find((known) => known === kept.view) ?? START.view;
    const text = (value: unknown): string => (typeof value === 'string' ? value : '');
    return { view, q: text(kept.q), priority: text(kept.priority), issueType: text(kept.issueType) };
  } catch {
    return START;
  }
}

/** What the queue shows; it outlives a reload. */
export const queueChoice = createStore<QueueChoice>(readKept());
queueChoice.subscribe((choice) => tabStorage.set(KEY, JSON.stringify(choice)));

/** True where the list is narrowed. */
export function isNarrowed({ q, priority, issueType }: QueueChoice): boolean {
  return q !== '' || priority !== '' || issueType !== '';
}

/** Shows all of a view again. */
export function clearQueue(): void {
  queueChoice.update(({ view }) => ({ ...START, view }));
}

/** The ticket after or before one in the list; the first where it is not there. */
export function neighbour(
  entries: readonly TicketEntry[],
  ticketId: string | null,
  step: 1 | -1,
): string | null {
  const at = entries.findIndex((entry) => entry.ticket_id === ticketId);
  const wanted = at < 0 ? 0 : Math.min(entries.length - 1, Math.max(0, at + step));
  return entries[wanted]?.ticket_id ?? null;
}
