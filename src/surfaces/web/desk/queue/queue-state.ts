import type { TicketCounts, TicketEntry } from '../../shared/api-types.js';
import { deviceStorage, tabStorage } from '../../shared/storage.js';
import { createStore } from '../../shared/store.js';

/** The lists that stand as tabs, and those that are asked for less often. */
export const TABS = ['unassigned', 'mine', 'team', 'resolved'] as const;
export const MORE_VIEWS = ['hub', 'customer', 'approvals', 'snoozed'] as const;
export type QueueListName = (typeof TABS)[number] | (typeof MORE_VIEWS)[number];
const VIEWS: readonly (QueueListName & keyof TicketCounts)[] = [...TABS, ...MORE_VIEWS];

export const SORTS = ['pressing', 'newest', 'oldest'] as const;

interface QueueChoice {
  readonly view: QueueListName;
  readonly q: string;
  readonly priority: string;
  readonly issueType: string;
  readonly tag: string;
  readonly team: string;
  /** Empty for the order of the list. */
  readonly sort: string;
}

const KEY = 'hub.desk.queue';
const START: QueueChoice = {
  view: 'unassigned',
  q: '',
  priority: '',
  issueType: '',
  tag: '',
  team: '',
  sort: '',
};

function choiceOf(kept: Partial<QueueChoice>): QueueChoice {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    view: VIEWS.find((known) => known === kept.view) ?? START.view,
    q: text(kept.q),
    priority: text(kept.priority),
    issueType: text(kept.issueType),
    tag: text(kept.tag),
    team: text(kept.team),
    sort: SORTS.find((known) => known === kept.sort) ?? '',
  };
}

function read<T>(text: string | null, otherwise: T): T {
  try {
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** What the queue shows; it outlives a reload. */
export const queueChoice = createStore<QueueChoice>(
  choiceOf(read<Partial<QueueChoice>>(tabStorage.get(KEY), {})),
);
queueChoice.subscribe((choice) => tabStorage.set(KEY, JSON.stringify(choice)));

/** Rows that are read at first, and more with every wish. */
const STEP = 100;
/** How many rows of the list are read. */
export const queueShown = createStore(STEP);
let shownOf = JSON.stringify(queueChoice.get());
queueChoice.subscribe((choice) => {
  const next = JSON.stringify(choice);
  if (next !== shownOf) queueShown.set(STEP);
  shownOf = next;
});

/** Reads more of the list. */
export function showMore(): void {
  queueShown.update((count) => count + STEP);
}

/** A list with its filters, under a name that the operator gave it. */
interface SavedView {
  readonly name: string;
  readonly choice: QueueChoice;
}

const SAVED_KEY = 'hub.desk.views';

/** The operator's own views, on this device. */
export const savedViews = createStore<readonly SavedView[]>(
  read<readonly Partial<SavedView>[]>(deviceStorage.get(SAVED_KEY), []).flatMap(({ name, choice }) =>
    typeof name === 'string' && choice !== undefined ? [{ name, choice: choiceOf(choice) }] : [],
  ),
);
savedViews.subscribe((views) => deviceStorage.set(SAVED_KEY, JSON.stringify(views)));

/** Keeps what the queue shows now; the same name again replaces it. */
export function saveView(name: string): void {
  const view = { name, choice: queueChoice.get() };
  savedViews.update((before) => [...before.filter((one) => one.name !== name), view]);
}

/** Forgets a view. */
export function forgetView(name: string): void {
  savedViews.update((before) => before.filter((one) => one.name !== name));
}

/** True where the list is narrowed. */
export function isNarrowed({ q, priority, issueType, tag, team }: QueueChoice): boolean {
  return [q, priority, issueType, tag, team].some((one) => one !== '');
}

/** Shows all of a view again. */
export function clearQueue(): void {
  queueChoice.update(({ view, sort }) => ({ ...START, view, sort }));
}

/** The ticket after or before one in the list; the first where it is not there. */
export function neighbour(
  entries: readonly TicketEntry[],
  current: string | null,
  step: 1 | -1,
): string | null {
  const at = entries.findIndex(({ ticket_id }) => ticket_id === current);
  const next = at === -1 ? entries[0] : entries[at + step];
  return next?.ticket_id ?? null;
}

/** What the queue showed last, in its order. */
let listed: readonly TicketEntry[] = [];

/** Remembers the list, for the step to the next ticket. */
export function rememberList(entries: readonly TicketEntry[]): void {
  listed = entries;
}

/** The ticket that comes next once one is done: the one below it, else the one above. */
export function nextTicket(done: string): string | null {
  const at = listed.findIndex(({ ticket_id }) => ticket_id === done);
  const next = at === -1 ? listed[0] : (listed[at + 1] ?? listed[at - 1]);
  return next?.ticket_id ?? null;
}
