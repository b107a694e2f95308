import { useRef } from 'preact/hooks';
import type { TicketFacets } from '../../shared/api-types.js';
import { language } from '../../shared/i18n.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { term } from '../lib/values.js';
import { useWords } from '../texts.js';
import { queueChoice } from './queue-state.js';

/** What the list of all conversations is narrowed by, each value with how many it would leave. */
export function Facets({ facets }: { readonly facets: TicketFacets | null }) {
  const words = useWords();
  const shown = useStore(language);
  const choice = useStore(queueChoice);
  // While the list is read again the values stay, so that an open choice does not lose them.
  const last = useRef(facets);
  last.current = facets ?? last.current;
  const { facets: said } = words.queue;
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
    <div class="facets" role="group" aria-label={said.title}>
      {select('status', (value) => term(words.status, value))}
      {select('channel', (value) => term(words.channel, value))}
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
