import type { ComponentChildren } from 'preact';
import type { Report } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { Icon } from '../../shared/components/controls.js';
import { type Language, language } from '../../shared/i18n.js';
import { type Label, useIssueLabel } from '../../shared/labels.js';
import { useStore } from '../../shared/store.js';
import { type Behind, linkTo } from '../lib/location.js';
import { dollars, term } from '../lib/values.js';
import { TicketTable } from '../parts/ticket-table.js';
import { useTexts } from '../texts.js';
import type { PlotFigureProps } from './plot-figure.js';
import * as series from './series.js';

/** Green, grey, orange and purple: from positive to frustrated. */
const MOODS = [2, 5, 1, 3];

/** The plots of a report, each with the tickets behind its numbers. */
export function figuresOf(
  report: Report,
  count: number,
  texts: ReturnType<typeof useTexts>,
  shown: Language,
  issueLabel: Label,
): readonly Omit<PlotFigureProps, 'dark'>[] {
  const { dashboard } = texts;
  const { charts } = dashboard;
  const days = series.daysOf(count, series.lastDay(report, localDay(now())));
  const subject = (key: string): string => (key === 'none' ? texts.issue.none : issueLabel(key));
  const whole = (value: number): string =>
    new Intl.NumberFormat(shown, { maximumFractionDigits: 1 }).format(value);
  const all = { from: report.from, to: report.to };
  const on = (day: string) => ({ from: day, to: day });
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
      behind: (day, subject) => ({ ...on(day), issue_types: subject }),
      ...perDay,
      kind: 'stacked-bars',
      format: whole,
      wide: true,
      plot: series.volume(report.rows, days, subject, dashboard.other),
    },
    {
      ...named(charts.automation),
      behind: (day) => ({ ...on(day), human: 'without' }),
      ...perDay,
      kind: 'lines',
      format: perCent,
      max: 100,
      plot: series.automation(report.rows, days, dashboard.share),
    },
    {
      ...named(charts.byIssue),
      behind: (subject, human) => ({ ...all, issue_types: subject, human }),
      ...perName,
      kind: 'stacked-rows',
      format: whole,
      plot: series.byIssue(report.rows, subject, split),
    },
    {
      ...named(charts.reasons),
      behind: (reason) => ({ ...all, happened: 'escalated', reason }),
      ...perName,
      first: dashboard.reason,
      kind: 'rows',
      format: whole,
      plot: series.reasons(report, (key) => term(texts.reason, key), dashboard.count),
    },
    {
      ...named(charts.sentiment),
      behind: (day, mood) => ({ ...on(day), sentiment: mood }),
      ...perDay,
      kind: 'stacked-bars',
      format: perCent,
      max: 100,
      colors: MOODS,
      plot: series.sentiment(report, days, texts.sentiment),
    },
    {
      ...named(charts.hubTimes),
      behind: (day) => ({ ...on(day), happened: 'hub_answered' }),
      ...perDay,
      kind: 'lines',
      format: whole,
      plot: series.hubTimes(report, days, [dashboard.median, dashboard.p95]),
    },
    {
      ...named(charts.operatorTimes),
      behind: (day) => ({ ...on(day), happened: 'first_answered' }),
      ...perDay,
      kind: 'lines',
      format: whole,
      plot: series.operatorTimes(report, days, dashboard.median),
    },
    {
      ...named(charts.ratings),
      behind: (day, rating) => ({ ...on(day), happened: 'rated', rating }),
      ...perDay,
      kind: 'stacked-bars',
      format: whole,
      plot: series.ratings(report, days, [dashboard.helpful, dashboard.unhelpful]),
    },
    {
      ...named(charts.cost),
      behind: (day) => ({ ...on(day), happened: 'hub_answered' }),
      ...perDay,
      kind: 'bars',
      format: usd,
      plot: series.cost(report.rows, days, dashboard.cost),
    },
    {
      ...named(charts.costByIssue),
      behind: (subject) => ({ ...all, happened: 'hub_answered', issue_types: subject }),
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

/** `11 Mar` of a day YYYY-MM-DD; nothing of what is no day. */
function dayLabel(day: string, shown: Language): string {
  const style: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' };
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? '' : new Intl.DateTimeFormat(shown, style).format(date);
}

/** The tickets behind a figure, with what they have in common in words. */
export function BehindPage({ behind }: { readonly behind: Behind }) {
  const texts = useTexts();
  const { behind: said } = texts.dashboard;
  const issueLabel = useIssueLabel();
  const shown = useStore(language);
  const day = (name: 'from' | 'to'): string => dayLabel(behind[name] ?? '', shown);
  const days = [...new Set([day('from'), day('to')])].filter((one) => one !== '').join(' – ');
  return (
    <div class="page page--wide">
      <PageHead title={said.title}>
        <p class="page__lead">
          {[days, ...conditionsOf(behind, texts, issueLabel)].filter((part) => part !== '').join(' · ')}
        </p>
      </PageHead>
      <TicketTable title={said.title} behind={behind} />
    </div>
  );
}

/** What the tickets have in common besides their days. */
function conditionsOf(
  behind: Behind,
  texts: ReturnType<typeof useTexts>,
  issueLabel: Label,
): readonly string[] {
  const { behind: said, helpful, unhelpful, noHuman, withHuman } = texts.dashboard;
  const { happened, operator, reason, rating, sentiment, issue_types: subjects, human, status } = behind;
  const subject = (key: string): string => (key === 'none' ? texts.issue.none : issueLabel(key));
  return [
    term(said.happened, happened ?? 'opened'),
    ...(operator === undefined ? [] : [operator === '' ? texts.role.hub : operator]),
    ...(subjects === undefined ? [] : [subjects.split(',').map(subject).join(', ')]),
    ...(reason === undefined ? [] : [term(texts.reason, reason)]),
    ...(rating === undefined ? [] : [rating === 'helpful' ? helpful : unhelpful]),
    ...(sentiment === undefined ? [] : [term(texts.sentiment, sentiment)]),
    ...(human === undefined ? [] : [human === 'without' ? noHuman : withHuman]),
    ...(status === undefined ? [] : [term(texts.status, status)]),
  ];
}

/** The head of a page behind the dashboard, with the way back to it. */
export function PageHead({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const texts = useTexts();
  return (
    <header class="page__head">
      <p>
        <a class="button button--quiet" href={linkTo('dashboard')}>
          <Icon name="back" />
          {texts.dashboard.title}
        </a>
      </p>
      <h1>{title}</h1>
      {children}
    </header>
  );
}
