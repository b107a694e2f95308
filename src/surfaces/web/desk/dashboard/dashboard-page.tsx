import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Report } from '../../shared/api-types.js';
import { isDark, theme } from '../../shared/brand.js';
import { now } from '../../shared/clock.js';
import { Choices } from '../../shared/components/appearance.js';
import { type Language, language } from '../../shared/i18n.js';
import { type Label, useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { span } from '../lib/clock-text.js';
import { useDesk } from '../lib/desk-context.js';
import { onEverything, useData } from '../lib/use-data.js';
import { dollars, duration, percent, term } from '../lib/values.js';
import { Show } from '../parts/states.js';
import { useWords } from '../texts.js';
import { PlotFigure, type PlotFigureProps } from './plot-figure.js';
import * as series from './series.js';

const RANGES = ['7', '30', '90'] as const;
/** Green, grey, orange and purple: from positive to frustrated. */
const MOODS = [2, 5, 1, 3];
type Range = (typeof RANGES)[number];

/** How support goes: volume, what needed people and why, times, moods, money. */
export function DashboardPage() {
  const words = useWords();
  const { api } = useDesk();
  const [range, setRange] = useState<Range>('30');
  const loaded = useData(`report:${range}`, () => api.report(Number(range)), onEverything);
  const options = Object.fromEntries(RANGES.map((days) => [days, fill(words.dashboard.days, { days })]));
  return (
    <div class="page page--wide">
      <header class="page__head page__head--row">
        <h1>{words.dashboard.title}</h1>
        <Choices
          legend={words.dashboard.range}
          options={options as Record<Range, string>}
          value={range}
          onChoose={setRange}
        />
      </header>
      <Show loaded={loaded}>
        {(report) => (
          <>
            <Headline report={report} />
            <Plots report={report} days={Number(range)} />
          </>
        )}
      </Show>
    </div>
  );
}

function Headline({ report }: { readonly report: Report }) {
  const { dashboard, clock } = useWords();
  const shown = useStore(language);
  const numbers = series.headline(report);
  const count = (value: number): string => new Intl.NumberFormat(shown).format(value);
  const or = (value: number | null, show: (known: number) => string): string =>
    value === null ? '–' : show(value);
  const tiles: readonly (readonly [string, string, string])[] = [
    [dashboard.tickets, count(numbers.tickets), ''],
    [dashboard.withoutHuman, or(numbers.withoutHuman, (value) => percent(value, shown)), ''],
    [dashboard.medianReply, or(numbers.hubMs, (value) => duration(value, shown)), ''],
    [
      dashboard.operatorReply,
      or(numbers.operatorMinutes, (value) => span(value, clock)),
      dashboard.businessTime,
    ],
    [
      dashboard.satisfied,
      or(numbers.helpful, (value) => percent(value, shown)),
      numbers.rated === 0 ? dashboard.noRatings : fill(dashboard.ratings, { count: numbers.rated }),
    ],
    [
      dashboard.cost,
      dollars(numbers.costUsd, shown),
      or(numbers.costPerTicket, (value) => fill(dashboard.perTicket, { cost: dollars(value, shown) })),
    ],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([label, value, hint]) => (
        <div key={label} class="tile">
          <dt>{label}</dt>
          <dd>
            {value}
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

function figuresOf(
  report: Report,
  count: number,
  words: ReturnType<typeof useWords>,
  shown: Language,
  issueLabel: Label,
): readonly Omit<PlotFigureProps, 'dark'>[] {
  const { dashboard } = words;
  const { charts } = dashboard;
  const days = series.daysOf(count, series.lastDay(report, localDay(now())));
  const subject = (key: string): string => (key === 'none' ? words.issue.none : issueLabel(key));
  const whole = (value: number): string =>
    new Intl.NumberFormat(shown, { maximumFractionDigits: 1 }).format(value);
  const perCent = (value: number): string => `${Math.round(value)} %`;
  const usd = (value: number): string => dollars(value, shown);
  const named = (text: readonly string[]) => ({ title: text[0] ?? '', up: text[1] ?? '' });
  const perDay = {
    across: dashboard.day,
    first: dashboard.day,
    labelOf: (day: string) => dayLabel(day, shown),
  };
  const perName = { across: null, first: dashboard.subject, labelOf: (label: string) => label };
  const split = { without: dashboard.noHuman, with: dashboard.withHuman };
  return [
    {
      ...named(charts.volume),
      ...perDay,
      kind: 'stacked-bars',
      format: whole,
      wide: true,
      plot: series.volume(report.rows, days, subject, dashboard.other),
    },
    {
      ...named(charts.automation),
      ...perDay,
      kind: 'lines',
      format: perCent,
      max: 100,
      plot: series.automation(report.rows, days, dashboard.share),
    },
    {
      ...named(charts.byIssue),
      ...perName,
      kind: 'stacked-rows',
      format: whole,
      plot: series.byIssue(report.rows, subject, split),
    },
    {
      ...named(charts.reasons),
      ...perName,
      first: dashboard.reason,
      kind: 'rows',
      format: whole,
      plot: series.reasons(report, (key) => term(words.reason, key), dashboard.count),
    },
    {
      ...named(charts.sentiment),
      ...perDay,
      kind: 'stacked-bars',
      format: perCent,
      max: 100,
      colors: MOODS,
      plot: series.sentiment(report, days, words.sentiment),
    },
    {
      ...named(charts.hubTimes),
      ...perDay,
      kind: 'lines',
      format: whole,
      plot: series.hubTimes(report, days, [dashboard.median, dashboard.p95]),
    },
    {
      ...named(charts.operatorTimes),
      ...perDay,
      kind: 'lines',
      format: whole,
      plot: series.operatorTimes(report, days, dashboard.median),
    },
    {
      ...named(charts.ratings),
      ...perDay,
      kind: 'stacked-bars',
      format: whole,
      plot: series.ratings(report, days, [dashboard.helpful, dashboard.unhelpful]),
    },
    {
      ...named(charts.cost),
      ...perDay,
      kind: 'bars',
      format: usd,
      plot: series.cost(report.rows, days, dashboard.cost),
    },
    {
      ...named(charts.costByIssue),
      ...perName,
      kind: 'rows',
      format: usd,
      plot: series.costByIssue(report.rows, subject, dashboard.cost),
    },
  ];
}

function localDay(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function dayLabel(day: string, shown: Language): string {
  const style: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' };
  return new Intl.DateTimeFormat(shown, style).format(new Date(`${day}T00:00:00Z`));
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
