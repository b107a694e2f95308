import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Report } from '../../shared/api-types.js';
import { isDark, theme } from '../../shared/brand.js';
import { Choices } from '../../shared/components/appearance.js';
import { language } from '../../shared/i18n.js';
import { useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { createStore, useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { type Behind, linkBehind, linkTo, readBehind, usePlace } from '../lib/location.js';
import { onEverything, useData } from '../lib/use-data.js';
import { dollars, duration, percent } from '../lib/values.js';
import { Show } from '../parts/states.js';
import { useWords } from '../texts.js';
import { figuresOf } from './figures.js';
import { HistoryPage } from './history-page.js';
import { PlotFigure } from './plot-figure.js';
import * as series from './series.js';
import { TeamFigures } from './team-figures.js';
import { BehindPage } from './tickets-page.js';

/** The id of the page that says what was done. */
const HISTORY = 'history';
const RANGES = ['7', '30', '90'] as const;
type Range = (typeof RANGES)[number];
/** Kept while the tickets behind a figure are looked at. */
const chosenRange = createStore<Range>('30');

/** How support goes in figures; and, where the address names a figure, the tickets behind it. */
export function DashboardPage() {
  const { id } = usePlace();
  if (id === HISTORY) return <HistoryPage />;
  return id === null ? <Figures /> : <BehindPage key={id} behind={readBehind(id)} />;
}

/** Volume, what needed people and why, who did how much, times, moods, money. */
function Figures() {
  const words = useWords();
  const { api } = useDesk();
  const range = useStore(chosenRange);
  const loaded = useData(`report:${range}`, () => api.report(Number(range)), onEverything);
  const options = Object.fromEntries(RANGES.map((days) => [days, fill(words.dashboard.days, { days })]));
  return (
    <div class="page page--wide">
      <header class="page__head page__head--row">
        <h1>{words.dashboard.title}</h1>
        <a class="button button--outline" href={linkTo('dashboard', HISTORY)}>
          {words.history.title}
        </a>
        <Choices
          legend={words.dashboard.range}
          options={options as Record<Range, string>}
          value={range}
          onChoose={(days) => chosenRange.set(days)}
        />
      </header>
      <Show loaded={loaded}>
        {(report) => (
          <>
            <Headline report={report} />
            <TeamFigures report={report} />
            <Plots report={report} days={Number(range)} />
          </>
        )}
      </Show>
    </div>
  );
}

function Headline({ report }: { readonly report: Report }) {
  const { dashboard } = useWords();
  const shown = useStore(language);
  const numbers = series.headline(report);
  const count = (value: number): string => new Intl.NumberFormat(shown).format(value);
  const or = (value: number | null, show: (known: number) => string): string =>
    value === null ? '–' : show(value);
  const all = { from: report.from, to: report.to };
  const tiles: readonly (readonly [string, string, string, Behind])[] = [
    [dashboard.tickets, count(numbers.tickets), '', all],
    [
      dashboard.withoutHuman,
      or(numbers.withoutHuman, (value) => percent(value, shown)),
      '',
      { ...all, human: 'without' },
    ],
    [
      dashboard.medianReply,
      or(numbers.hubMs, (value) => duration(value, shown)),
      '',
      { ...all, happened: 'hub_answered' },
    ],
    [
      dashboard.satisfied,
      or(numbers.helpful, (value) => percent(value, shown)),
      numbers.rated === 0 ? dashboard.noRatings : fill(dashboard.ratings, { count: numbers.rated }),
      { ...all, happened: 'rated', rating: 'helpful' },
    ],
    [
      dashboard.cost,
      dollars(numbers.costUsd, shown),
      or(numbers.costPerTicket, (value) => fill(dashboard.perTicket, { cost: dollars(value, shown) })),
      { ...all, happened: 'hub_answered' },
    ],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([label, value, hint, behind]) => (
        <div key={label} class="tile">
          <dt>{label}</dt>
          <dd>
            <a href={linkBehind(behind)}>{value}</a>
            <small>{hint}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Plots({ report, days: count }: { readonly report: Report; readonly days: number }) {
  const words = useWords();
  const shown = useStore(language);
  const dark = useDark();
  const issueLabel = useIssueLabel();
  const figures = useMemo(
    () => figuresOf(report, count, words, shown, issueLabel),
    [report, count, words, shown, issueLabel],
  );
  return (
    <div class="plots">
      {figures.map((figure) => (
        <PlotFigure key={figure.title} {...figure} dark={dark} />
      ))}
    </div>
  );
}

/** True while the page is dark, by choice or with the device. */
function useDark(): boolean {
  const chosen = useStore(theme);
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const look = (): void => setDark(isDark());
    look();
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, [chosen]);
  return dark;
}
