import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Deed, Report } from '../../shared/api-types.js';
import { isDark, theme } from '../../shared/brand.js';
import { now } from '../../shared/clock.js';
import { COMPANY } from '../../shared/company.js';
import { Choices } from '../../shared/components/appearance.js';
import { Button, Field } from '../../shared/components/controls.js';
import { download, toCsv } from '../../shared/download.js';
import { language } from '../../shared/i18n.js';
import { useIssueLabel, useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { createStore, useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { sheetMoment } from '../lib/format.js';
import { type Behind, linkBehind, linkTo, readBehind, usePlace } from '../lib/location.js';
import { onEverything, useAction, useData } from '../lib/use-data.js';
import { dollars, duration, percent, term } from '../lib/values.js';
import { useChoiceText } from '../parts/choice-text.js';
import { Empty, Failure, Show } from '../parts/states.js';
import { dayOf, shortMoment, Time } from '../parts/time.js';
import { useTexts } from '../texts.js';
import { PlotFigure } from './plot-figure.js';
import * as series from './series.js';
import { TeamFigures } from './team-figures.js';
import { BehindPage, figuresOf, PageHead } from './tickets-page.js';

const SHOWN = 500;
/** As many as a file for a spreadsheet gets. */
const MOST = 5_000;

/** Who did what and when, across all tickets, in sentences. */
function HistoryPage() {
  const texts = useTexts();
  const { history } = texts;
  const { api } = useDesk();
  const sentence = useSentence();
  const today = dayOf(now());
  const [filter, setFilter] = useState({ from: today, to: today, operator: '' });
  const loaded = useData(
    filter.from === '' || filter.to === '' ? null : `history:${JSON.stringify(filter)}`,
    () => api.history({ ...filter, operator: filter.operator.trim() }, SHOWN),
    onEverything,
  );
  const save = useAction(async () => {
    const { deeds } = await api.history({ ...filter, operator: filter.operator.trim() }, MOST);
    const rows = deeds.map((deed) => [
      sheetMoment(deed.at, COMPANY.time_zone),
      deed.number ?? '',
      actorOf(deed, texts),
      deed.customer_name ?? '',
      sentence(deed),
    ]);
    const sheet = new Blob([toCsv([history.columns, ...rows])], { type: 'text/csv;charset=utf-8' });
    download(`${history.title} ${filter.from} ${filter.to}.csv`, sheet);
  });
  const day = (name: 'from' | 'to') => (
    <Field label={history[name]}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="date"
          value={filter[name]}
          onChange={({ currentTarget: { value } }) => setFilter((old) => ({ ...old, [name]: value }))}
        />
      )}
    </Field>
  );
  return (
    <div class="page">
      <PageHead title={history.title}>
        <div class="versions__choice">
          {day('from')}
          {day('to')}
          <Field label={history.person}>
            {(control) => (
              <input
                {...control}
                class="input"
                type="search"
                value={filter.operator}
                onInput={({ currentTarget: { value } }) => setFilter((old) => ({ ...old, operator: value }))}
              />
            )}
          </Field>
        </div>
        <p>
          <Button kind="outline" icon="down" busy={save.busy} onClick={() => void save.run(undefined)}>
            {history.export}
          </Button>
        </p>
        <Failure error={save.error} />
      </PageHead>
      <Show loaded={loaded}>
        {({ deeds }) =>
          deeds.length === 0 ? (
            <Empty text={history.empty} />
          ) : (
            <>
              <ol class="card history">
                {deeds.map((deed, at) => (
                  <li key={`${deed.at} ${at}`} class="history__deed">
                    <span class="soft">
                      <Time at={deed.at} />
                    </span>
                    <span>
                      {sentence(deed)}{' '}
                      {deed.ticket_id !== null && (
                        <a href={linkTo('tickets', deed.ticket_id)}>
                          {fill(texts.timeline.open, { number: deed.number ?? '' })}
                        </a>
                      )}
                    </span>
                  </li>
                ))}
              </ol>
              {deeds.length === SHOWN && <p class="soft">{fill(history.more, { count: SHOWN })}</p>}
            </>
          )
        }
      </Show>
    </div>
  );
}

function actorOf(
  { by, person, customer_name: customer }: Deed,
  { history, queue }: ReturnType<typeof useTexts>,
) {
  if (by === 'hub') return history.hub;
  return by === 'customer' ? (customer ?? queue.unknownCustomer) : (person ?? history.someone);
}

/** Says what was done in a sentence. */
function useSentence(): (deed: Deed) => string {
  const texts = useTexts();
  const toolLabel = useToolLabel();
  const choiceText = useChoiceText();
  const shown = useStore(language);
  return (deed) => {
    const { kind, by, about, article, args, customer_name: customer } = deed;
    const { history, reason } = texts;
    const action = about === null ? '' : (history.actions as Readonly<Record<string, string>>)[about];
    const choice = choiceText(args);
    const what = (action ?? toolLabel(about ?? '')) + (choice === '' ? '' : ` (${choice})`);
    const named: Partial<Record<Deed['kind'], (said: string) => string>> = {
      escalated: (code) => term(reason, code),
      given: (colleague) => colleague,
      taken: (colleague) => colleague,
      snoozed: (until) => shortMoment(until, shown),
    };
    return fill(history.sentences[kind], {
      who: actorOf(deed, texts),
      customer: customer ?? '',
      known: customer === null ? 'no' : 'yes',
      own: by === 'customer' ? 'yes' : 'no',
      what: named[kind]?.(about ?? '') ?? (article === null ? what : `${what}: ${article}`),
    });
  };
}

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
  const texts = useTexts();
  const { api } = useDesk();
  const range = useStore(chosenRange);
  const loaded = useData(`report:${range}`, () => api.report(Number(range)), onEverything);
  const options = Object.fromEntries(RANGES.map((days) => [days, fill(texts.dashboard.days, { days })]));
  return (
    <div class="page page--wide">
      <header class="page__head page__head--row">
        <h1>{texts.dashboard.title}</h1>
        <a class="button button--outline" href={linkTo('dashboard', HISTORY)}>
          {texts.history.title}
        </a>
        <Choices
          legend={texts.dashboard.range}
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
  const { dashboard } = useTexts();
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
  const texts = useTexts();
  const shown = useStore(language);
  const dark = useDark();
  const issueLabel = useIssueLabel();
  const figures = useMemo(
    () => figuresOf(report, count, texts, shown, issueLabel),
    [report, count, texts, shown, issueLabel],
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
