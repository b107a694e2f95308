import type { SavedView, TicketEntry } from '../../shared/api-types.js';
import { createStore, deviceStorage, tabStorage } from '../../shared/store.js';

/** The lists that stand as tabs, and those that are asked for less often. */
export const TABS = ['unassigned', 'mine', 'team', 'resolved'] as const;
export const MORE_VIEWS = ['mentioned', 'hub', 'customer', 'approvals', 'snoozed', 'all'] as const;
/** The key of a list, by its place among all. */
export const listKey = (at: number): string => String((at + 1) % 10);
export type QueueListName = (typeof TABS)[number] | (typeof MORE_VIEWS)[number];
const VIEWS: readonly QueueListName[] = [...TABS, ...MORE_VIEWS];

export const SORTS = ['pressing', 'newest', 'oldest'] as const;

/** What narrows the list of all conversations; empty text means all. */
interface FacetChoice {
  readonly status: string;
  readonly channel: string;
  readonly operator: string;
  readonly language: string;
  /** So many of the last days, or `range`: from one day to another. */
  readonly period: string;
  readonly from: string;
  readonly to: string;
}

/** How one list is narrowed and ordered; empty text means all, or the order of the list. */
interface Narrowing extends FacetChoice {
  readonly priority: string;
  readonly issueType: string;
  readonly tag: string;
  readonly team: string;
  readonly sort: string;
}

export interface QueueChoice extends Narrowing {
  readonly view: QueueListName;
  /** The list that is shown again once nothing is looked for; empty where that is this one. */
  readonly before: QueueListName | '';
  readonly q: string;
}

const KEY = 'hub.desk.queue';
const OTHERS_KEY = 'hub.desk.queue.others';
export const NO_FACETS: FacetChoice = {
  status: '',
  channel: '',
  operator: '',
  language: '',
  period: '',
  from: '',
  to: '',
};
const WHOLE: Narrowing = { ...NO_FACETS, priority: '', issueType: '', tag: '', team: '', sort: '' };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function narrowingOf(kept: Partial<Narrowing>): Narrowing {
  const names = Object.keys(WHOLE) as (keyof Narrowing)[];
  return {
    ...WHOLE,
    ...Object.fromEntries(names.map((name) => [name, text(kept[name])])),
    sort: SORTS.find((known) => known === kept.sort) ?? '',
  };
}

function choiceOf(kept: Partial<QueueChoice>): QueueChoice {
  return {
    ...narrowingOf(kept),
    view: VIEWS.find((known) => known === kept.view) ?? 'unassigned',
    before: VIEWS.find((known) => known === kept.before) ?? '',
    q: text(kept.q),
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

/** How the lists that are not shown are narrowed: what is set in one holds in no other. It outlives a reload too. */
let others = read<Readonly<Record<string, Partial<Narrowing>>>>(tabStorage.get(OTHERS_KEY), {});

/** The list as it was when it was last left. */
const asLeft = (view: QueueListName): Narrowing => narrowingOf(others[view] ?? {});

/** Shows a list that is narrowed in its own way, and keeps how the one before was. What a search was narrowed by ends with it. */
function leaveFor(next: QueueChoice): void {
  const { view, before, q: _q, ...narrowing } = queueChoice.get();
  if (before === '') others = { ...others, [view]: narrowing };
  tabStorage.set(OTHERS_KEY, JSON.stringify(others));
  queueChoice.set(next);
}

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

/** What a saved view shows. Filters that there are no more are left out. */
export const choiceIn = (view: SavedView): QueueChoice => choiceOf(view.choice as Partial<QueueChoice>);

/** What the queue shows now, under a name. */
export const viewOf = (name: string): SavedView => ({ name, choice: { ...queueChoice.get() } });

const SAVED_KEY = 'hub.desk.views';

/**
 * Views that an earlier desk kept on this device, to be given to their operator: once, then the device has forgotten them.
 * @param save keeps one; where it throws, what is left is tried again at the next start
 */
export async function handOverViews(
  known: readonly SavedView[],
  save: (view: SavedView) => Promise<unknown>,
): Promise<boolean> {
  const kept = read<readonly Partial<SavedView>[]>(deviceStorage.get(SAVED_KEY), []);
  for (const { name, choice } of kept)
    if (typeof name === 'string' && choice !== undefined && known.every((one) => one.name !== name))
      await save({ name, choice: { ...choiceOf(choice as Partial<QueueChoice>) } });
  deviceStorage.set(SAVED_KEY, null);
  return kept.length > 0;
}

/** The two ends of a period are one filter. */
type FilterName = Exclude<keyof Narrowing, 'from' | 'to'>;

/** What the list is narrowed or ordered by, search aside. */
export function setFilters(choice: QueueChoice): readonly FilterName[] {
  const names = [
    'priority',
    'issueType',
    'team',
    'tag',
    'status',
    'channel',
    'operator',
    'language',
  ] as const;
  return [...names, 'period' as const, 'sort' as const].filter((name) => choice[name] !== '');
}

/** True where the list is narrowed. */
export function isNarrowed(choice: QueueChoice): boolean {
  return choice.q !== '' || setFilters(choice).some((name) => name !== 'sort');
}

/** Takes one filter away. */
export function clearFilter(name: FilterName): void {
  const ends = name === 'period' ? { from: '', to: '' } : {};
  queueChoice.update((old) => ({ ...old, ...ends, [name]: '' }));
}

/** Shows all of a list again. */
export function clearQueue(): void {
  queueChoice.update(({ view, before }) => ({ ...WHOLE, view: before || view, before: '', q: '' }));
}

/** Shows a list as it was narrowed when it was left. What is looked for is then looked for in it alone. */
export function showList(view: QueueListName): void {
  const { view: old, before, q } = queueChoice.get();
  if (old !== view || before !== '') leaveFor({ ...asLeft(view), view, before: '', q });
}

/** Shows what was saved. */
export const showView = (view: SavedView): void => leaveFor(choiceIn(view));

/** Looks for words in all conversations, whatever list is shown; once nothing is looked for, that list is shown again. */
export function lookFor(q: string): void {
  const { q: old, view, before } = queueChoice.get();
  if (old === q) return;
  if (old === '' && view !== 'all') leaveFor({ ...WHOLE, q, view: 'all', before: view });
  else if (q === '' && before !== '') leaveFor({ ...asLeft(before), q, view: before, before: '' });
  else queueChoice.update((choice) => ({ ...choice, q }));
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
