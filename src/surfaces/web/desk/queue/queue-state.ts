import type { SavedView, TicketEntry } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { createStore, deviceStorage, tabStorage } from '../../shared/store.js';
import type { QueueFilter } from '../lib/desk-api.js';
import { dayOf } from '../parts/time.js';

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

interface QueueChoice extends FacetChoice {
  readonly view: QueueListName;
  /** The list that is shown again once nothing is looked for; empty where that is this one. */
  readonly before: QueueListName | '';
  readonly q: string;
  readonly priority: string;
  readonly issueType: string;
  readonly tag: string;
  readonly team: string;
  /** Empty for the order of the list. */
  readonly sort: string;
}

const KEY = 'hub.desk.queue';
const NO_FACETS: FacetChoice = {
  status: '',
  channel: '',
  operator: '',
  language: '',
  period: '',
  from: '',
  to: '',
};
const START: QueueChoice = {
  ...NO_FACETS,
  view: 'unassigned',
  before: '',
  q: '',
  priority: '',
  issueType: '',
  tag: '',
  team: '',
  sort: '',
};

function choiceOf(kept: Partial<QueueChoice>): QueueChoice {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const facets = Object.keys(NO_FACETS) as (keyof FacetChoice)[];
  return {
    ...NO_FACETS,
    ...Object.fromEntries(facets.map((facet) => [facet, text(kept[facet])])),
    view: VIEWS.find((known) => known === kept.view) ?? START.view,
    before: VIEWS.find((known) => known === kept.before) ?? '',
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

/** True where the list is narrowed. */
export function isNarrowed(choice: QueueChoice): boolean {
  const { q, priority, issueType, tag, team } = choice;
  const facets = (Object.keys(NO_FACETS) as (keyof FacetChoice)[]).map((facet) => choice[facet]);
  return [q, priority, issueType, tag, team, ...facets].some((one) => one !== '');
}

/** Shows all of a view again. */
export function clearQueue(): void {
  queueChoice.update(({ view, before, sort }) => ({ ...START, view: before || view, sort }));
}

/** Shows a list. What is looked for is then looked for in it alone. */
export function showList(view: QueueListName): void {
  queueChoice.update((old) => ({ ...old, ...NO_FACETS, view, before: '' }));
}

/** Looks for words in all conversations, whatever list is shown; once nothing is looked for, that list is shown again. */
export function lookFor(q: string): void {
  queueChoice.update((old) => {
    if (old.q === q) return old;
    if (old.q === '') return { ...old, q, view: 'all', before: old.view };
    if (q === '' && old.before !== '') return { ...old, ...NO_FACETS, q, view: old.before, before: '' };
    return { ...old, q };
  });
}

const DAY_MS = 86_400_000;

/** What the server is asked for. */
export function filterOf(choice: QueueChoice): QueueFilter {
  const { before: _before, period, from, to, ...wish } = choice;
  const isAll = choice.view === 'all';
  if (!isAll) return { ...wish, ...NO_FACETS, facets: '' };
  const range = { from: period === 'range' ? from : '', to: period === 'range' ? to : '' };
  if (period === '' || period === 'range') return { ...wish, ...range, facets: 'true' };
  const first = new Date(now().getTime() - (Number(period) - 1) * DAY_MS);
  return { ...wish, from: dayOf(first), to: '', facets: 'true' };
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
