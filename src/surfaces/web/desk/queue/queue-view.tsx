import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TicketEntry } from '../../shared/api-types.js';
import { Button } from '../../shared/components/controls.js';
import { useStore } from '../../shared/store.js';
import { useCommand } from '../lib/commands.js';
import type { Queue } from '../lib/desk-api.js';
import { useDesk } from '../lib/desk-context.js';
import { currentPlace, go, linkTo } from '../lib/location.js';
import { type Loaded, onNothing, useData } from '../lib/use-data.js';
import { Empty, Failure, Show } from '../parts/states.js';
import { useTexts } from '../texts.js';
import { QueueFilters, QueueTabs } from './queue-controls.js';
import { Facets } from './queue-facets.js';
import { isNarrowed, neighbour, queueChoice, queueShown, rememberList, showMore } from './queue-state.js';
import { BulkBar, TicketRow } from './ticket-row.js';

/** The list of tickets with its tabs and search. `queue` is read by the frame, which counts what is new. */
export function QueueView({
  queue,
  selected,
}: {
  readonly queue: Loaded<Queue>;
  readonly selected: string | null;
}) {
  const texts = useTexts();
  const choice = useStore(queueChoice);
  const [open, setOpen] = useState(false);
  const entries = queue.data?.tickets ?? [];
  const move = (step: 1 | -1) => (): void => {
    // Keys may come faster than what they ask for is drawn.
    const next = neighbour(entries, currentPlace().id, step);
    if (next !== null) go('tickets', next);
  };
  useCommand('j', move(1));
  useCommand('k', move(-1));
  useLayoutEffect(() => rememberList(entries), [entries]);
  const empty = isNarrowed(choice) ? texts.queue.empty.found : texts.queue.empty[choice.view];
  return (
    <section class="queue" aria-label={texts.queue.title}>
      <div class="queue__top">
        <QueueTabs counts={queue.data?.counts ?? null} />
        <QueueFilters open={open} onToggle={() => setOpen(!open)} />
        {choice.view === 'all' && <Facets facets={queue.data?.facets ?? null} open={open} />}
      </div>
      <div class="queue__list" tabIndex={0} role="region" aria-label={texts.queue.tabs[choice.view]}>
        {queue.data !== null && <Failure error={queue.error} />}
        <FoundCustomers q={choice.q} />
        <Show loaded={queue}>
          {({ tickets }) =>
            tickets.length === 0 ? (
              <Empty text={empty} />
            ) : (
              <>
                <Rows
                  entries={tickets}
                  selected={selected}
                  readAt={queue.readAt}
                  placed={choice.view === 'all'}
                />
                <MoreRows count={tickets.length} />
              </>
            )
          }
        </Show>
      </div>
      <BulkBar entries={entries} />
    </section>
  );
}

/** Pixels of a row, as `queue.css` has it. */
const ROW = 64;
/** So many rows beyond those in sight are drawn; a step of the wheel then shows no gap. */
const BEYOND = 12;

/** The rows in sight; the others are room above and below them, so that a list of thousands costs what one of ten does. */
function Rows({
  entries,
  selected,
  readAt,
  placed,
}: {
  readonly entries: readonly TicketEntry[];
  readonly selected: string | null;
  readonly readAt: number;
  readonly placed: boolean;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [{ from, to }, setSight] = useState({ from: 0, to: 4 * BEYOND });
  useLayoutEffect(() => {
    const box = list.current?.parentElement;
    if (!box) return;
    const look = (): void => {
      const above = (box.scrollTop - topOf(list.current)) / ROW;
      // In steps: not every pixel draws the list anew.
      const first = Math.max(0, Math.floor(above / BEYOND) - 1) * BEYOND;
      const end = first + (Math.ceil(box.clientHeight / ROW / BEYOND) + 3) * BEYOND;
      setSight((old) => (old.from === first && old.to === end ? old : { from: first, to: end }));
    };
    look();
    box.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, []);
  useLayoutEffect(() => {
    if (list.current === null) return;
    list.current.style.paddingTop = `${Math.min(from, entries.length) * ROW}px`;
    list.current.style.paddingBottom = `${Math.max(0, entries.length - to) * ROW}px`;
  }, [from, to, entries.length]);
  useEffect(() => {
    const box = list.current?.parentElement;
    const at = entries.findIndex(({ ticket_id }) => ticket_id === selected);
    if (!box || at === -1) return;
    const top = topOf(list.current) + at * ROW;
    box.scrollTop = Math.min(top, Math.max(box.scrollTop, top + ROW - box.clientHeight));
  }, [selected]);
  return (
    <ol class="rows" ref={list}>
      {entries.slice(from, to).map((entry, index) => (
        <TicketRow
          key={entry.ticket_id}
          entry={entry}
          place={{ at: from + index + 1, of: entries.length }}
          selected={entry.ticket_id === selected}
          readAt={readAt}
          placed={placed}
        />
      ))}
    </ol>
  );
}

/** Where a list begins within the box that scrolls it. */
function topOf(list: HTMLElement | null): number {
  const box = list?.parentElement;
  if (!list || !box) return 0;
  return list.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
}

/** Reads more of a long list when its end comes into sight. */
function MoreRows({ count }: { readonly count: number }) {
  const texts = useTexts();
  const shown = useStore(queueShown);
  const end = useRef<HTMLDivElement>(null);
  const more = count >= shown;
  useEffect(() => {
    const element = end.current;
    if (element === null || !more) return;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) showMore();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [more, shown]);
  if (!more) return null;
  return (
    <div class="rows__more" ref={end}>
      <Button kind="quiet" onClick={showMore}>
        {texts.queue.more}
      </Button>
    </div>
  );
}

/** Customers that the search finds besides tickets. */
function FoundCustomers({ q }: { readonly q: string }) {
  const texts = useTexts();
  const { api } = useDesk();
  const found = useData(q.length < 2 ? null : `customers:${q}`, () => api.customers(q), onNothing);
  const customers = found.data?.customers.slice(0, 5) ?? [];
  if (customers.length === 0) return null;
  return (
    <div class="found">
      <h2 class="found__title">{texts.queue.customersFound}</h2>
      <ul>
        {customers.map(({ customer_id, name, email }) => (
          <li key={customer_id}>
            <a class="found__link" href={linkTo('customers', customer_id)}>
              <strong>{name}</strong> <span>{email}</span>
            </a>
          </li>
        ))}
      </ul>
      <h2 class="found__title">{texts.queue.ticketsFound}</h2>
    </div>
  );
}
