import { useRef } from 'preact/hooks';
import type { TicketFacets } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { COMPANY } from '../../shared/company.js';
import { Button, Icon, IconButton } from '../../shared/components/controls.js';
import { download, toCsv } from '../../shared/download.js';
import { language } from '../../shared/i18n.js';
import { useIssueLabel, useTeamLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import type { QueueFilter } from '../lib/desk-api.js';
import { useDesk } from '../lib/desk-context.js';
import { sheetMoment } from '../lib/format.js';
import { useAction } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { Failure } from '../parts/states.js';
import { dayOf } from '../parts/time.js';
import { useTexts } from '../texts.js';
import {
  clearFilter,
  clearQueue,
  NO_FACETS,
  type QueueChoice,
  queueChoice,
  SORTS,
  setFilters,
} from './queue-state.js';

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

/** What the list of all conversations is narrowed by, each value with how many it would leave. */
export function Facets({ facets, open }: { readonly facets: TicketFacets | null; readonly open: boolean }) {
  const texts = useTexts();
  const shown = useStore(language);
  const choice = useStore(queueChoice);
  // While the list is read again the values stay, so that an open choice does not lose them.
  const last = useRef(facets);
  last.current = facets ?? last.current;
  const { facets: said } = texts.queue;
  const counted = (text: string, count: number): string => fill(said.counted, { value: text, count });
  const select = (name: 'status' | 'channel' | 'operator' | 'language', named: (value: string) => string) => {
    const values = last.current?.[name] ?? [];
    const chosen = choice[name];
    const missing = chosen === '' || values.some(({ value }) => value === chosen);
    const all = missing ? values : [...values, { value: chosen, count: 0 }];
    return (
      <Select
        label={said.labels[name]}
        all={said.labels[name]}
        options={Object.fromEntries(all.map((one) => [one.value, counted(named(one.value), one.count)]))}
        value={chosen}
        onChoose={(value) => queueChoice.update((old) => ({ ...old, [name]: value }))}
      />
    );
  };
  const periods = last.current?.opened ?? [];
  const names = new Intl.DisplayNames(shown, { type: 'language' });
  return (
    <div class="facets" role="group" aria-label={said.title} hidden={!open}>
      {select('status', (value) => term(texts.status, value))}
      {select('channel', (value) => term(texts.channel, value))}
      {select('operator', (value) => value)}
      {select('language', (value) => names.of(value) ?? value)}
      <Select
        label={said.labels.opened}
        all={said.labels.opened}
        options={Object.fromEntries([
          ...periods.map(({ days, count }) => [days, counted(fill(said.days, { days }), count)]),
          ['range', said.range],
        ])}
        value={choice.period}
        onChoose={(period) => queueChoice.update((old) => ({ ...old, period }))}
      />
      {choice.period === 'range' &&
        (['from', 'to'] as const).map((end) => (
          <label key={end} class="facets__day">
            <span>{said[end]}</span>
            <input
              class="input"
              type="date"
              value={choice[end]}
              onChange={({ currentTarget: { value } }) =>
                queueChoice.update((old) => ({ ...old, [end]: value }))
              }
            />
          </label>
        ))}
    </div>
  );
}

/** What is set for this list, in one line: each filter goes with a press, and all with one. Nothing where none is set. */
export function SetFilters() {
  const texts = useTexts();
  const issueLabel = useIssueLabel();
  const teamLabel = useTeamLabel();
  const shown = useStore(language);
  const choice = useStore(queueChoice);
  const set = setFilters(choice);
  if (set.length === 0) return null;
  const { facets: said } = texts.queue;
  const words: Readonly<Record<(typeof set)[number], (value: string) => string>> = {
    priority: (value) => term(texts.priority, value),
    issueType: issueLabel,
    team: teamLabel,
    tag: (value) => `#${value}`,
    status: (value) => term(texts.status, value),
    channel: (value) => term(texts.channel, value),
    operator: (value) => value,
    language: (value) => new Intl.DisplayNames(shown, { type: 'language' }).of(value) ?? value,
    period: (value) =>
      value === 'range'
        ? [choice.from, choice.to].map((day) => day || '…').join(' – ')
        : fill(said.days, { days: Number(value) }),
    sort: (value) => texts.queue.sorts[SORTS.find((known) => known === value) ?? 'pressing'],
  };
  return (
    <div class="set" role="group" aria-label={texts.queue.set}>
      <ul class="set__list">
        {set.map((name) => (
          <li key={name}>
            <button
              type="button"
              class="set__one"
              aria-label={fill(texts.queue.unset, { filter: words[name](choice[name]) })}
              onClick={() => clearFilter(name)}
            >
              {words[name](choice[name])} <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <IconButton icon="close" label={texts.queue.clear} onClick={clearQueue} />
    </div>
  );
}

/** One of several values, or all. */
export function Select({
  label,
  all,
  options,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly all: string;
  readonly options: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}) {
  return (
    <select
      class="input"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {Object.keys(options)
        .filter((option) => option !== 'none')
        .map((option) => (
          <option key={option} value={option}>
            {term(options, option)}
          </option>
        ))}
    </select>
  );
}

/** As many as a sheet is still looked through by hand. */
const MOST = 5_000;

/** Saves the list as it is narrowed now, all of it, as a file for a spreadsheet. */
export function ExportList() {
  const texts = useTexts();
  const { api } = useDesk();
  const issueLabel = useIssueLabel();
  const choice = useStore(queueChoice);
  const save = useAction(async () => {
    const { tickets } = await api.queue({ ...filterOf(choice), facets: '' }, MOST);
    const rows = tickets.map((entry) => [
      sheetMoment(entry.created_at, COMPANY.time_zone),
      entry.number,
      entry.customer_name ?? texts.queue.unknownCustomer,
      entry.classification === null ? '' : issueLabel(entry.classification.issue_type),
      entry.classification === null ? '' : term(texts.priority, entry.classification.priority),
      term(texts.status, entry.status),
      entry.operator?.name ?? '',
      entry.tags.join(', '),
      entry.customer_message?.content ?? entry.classification?.summary ?? '',
    ]);
    const sheet = new Blob([toCsv([texts.queue.columns, ...rows])], { type: 'text/csv;charset=utf-8' });
    download(`${texts.queue.tabs[choice.view]}.csv`, sheet);
  });
  return (
    <>
      <Button kind="quiet" icon="down" busy={save.busy} onClick={() => void save.run(undefined)}>
        {texts.queue.export}
      </Button>
      <Failure error={save.error} />
    </>
  );
}
