import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { AppearanceMenu, NoticeChoices } from '../shared/components/appearance.js';
import { Button, Field, Icon, Logo, Spinner } from '../shared/components/controls.js';
import { language } from '../shared/i18n.js';
import { fill } from '../shared/message.js';
import { isOffline } from '../shared/notices.js';
import { useStore } from '../shared/store.js';
import { listenForKeys, listenForPalette, useCommand } from './lib/commands.js';
import type { Queue } from './lib/desk-api.js';
import { useDesk } from './lib/desk-context.js';
import { linkTo, PAGES, type Page, usePlace } from './lib/location.js';
import { useAttendance, useShiftEnd } from './lib/presence.js';
import { notices, useArrivals, useAsked } from './lib/use-arrivals.js';
import { type Loaded, onEverything, useAction, useData } from './lib/use-data.js';
import { ApprovalsPage } from './pages/approvals-page.js';
import { CompanyPage } from './pages/company-page.js';
import { CustomersPage } from './pages/customers-page.js';
import { KnowledgePage } from './pages/knowledge-page.js';
import { SkillsPage } from './pages/skills-page.js';
import { HelpDialog, Palette } from './palette.js';
import { AwayNotice } from './parts/away-notice.js';
import { DeskIcon, type DeskIconName } from './parts/marks.js';
import { clockTime, zoneName } from './parts/time.js';
import { filterOf } from './queue/queue-facets.js';
import { queueChoice, queueShown } from './queue/queue-state.js';
import { QueueView } from './queue/queue-view.js';
import { useTexts } from './texts.js';
import { NoTicket, TicketPage } from './ticket/ticket-page.js';

/** A page whose code is fetched when it is first shown. */
function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let known: ComponentType | null = null;
  return function LazyPage() {
    const texts = useTexts();
    const [Page, setPage] = useState<ComponentType | null>(() => known);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (known !== null) return;
      load().then(
        (page) => {
          known = page;
          setPage(() => page);
        },
        () => setFailed(true),
      );
    }, []);
    if (Page !== null) return <Page />;
    return (
      <div class="empty">
        {failed ? (
          <>
            <p>{texts.errors.network}</p>
            <Button kind="outline" icon="refresh" onClick={() => location.reload()}>
              {texts.app.retry}
            </Button>
          </>
        ) : (
          <Spinner label={texts.app.loading} />
        )}
      </div>
    );
  };
}

/** The plots are read only by those who look at them. */
const DashboardPage = lazyPage(async () => (await import('./dashboard/dashboard-page.js')).DashboardPage);

const ICONS: Readonly<Record<Page, DeskIconName>> = {
  tickets: 'inbox',
  approvals: 'approvals',
  customers: 'people',
  knowledge: 'book',
  skills: 'skills',
  company: 'company',
  dashboard: 'chart',
};

/** The frame around every page: where one can go, whether news arrive, who works here. */
export function DeskFrame({ onSignOut }: { readonly onSignOut: () => void }) {
  const texts = useTexts();
  const { api } = useDesk();
  const place = usePlace();
  const shown = useStore(language);
  const choice = useStore(queueChoice);
  const rows = useStore(queueShown);
  const queue = useData<Queue>(
    `queue:${JSON.stringify(choice)}`,
    (news) => api.queue(filterOf(choice), rows, news),
    () => true,
    rows,
  );
  const approvals = useData(
    `open-approvals:${shown}`,
    () => api.approvals(shown),
    ({ kind }) => kind !== 'message' && kind !== 'reading',
  );
  const proposals = useProposals();
  const [help, setHelp] = useState(false);
  useLayoutEffect(listenForKeys, []);
  useCommand('?', () => setHelp(true));
  const [palette, setPalette] = useState(false);
  useLayoutEffect(() => listenForPalette(() => setPalette(true)), []);
  useAttendance(place.page === 'tickets' ? place.id : null);
  useArrivals(queue.data, choice.view === 'unassigned');
  useAsked(approvals.data?.approvals);
  const counts: Partial<Record<Page, number>> = {
    approvals: approvals.data?.approvals.length ?? 0,
    company: proposals,
  };
  return (
    <div class={`desk desk--${place.page}${place.id === null ? '' : ' desk--open'}`}>
      <button type="button" class="skip-link" onClick={toContent}>
        {texts.app.skip}
      </button>
      <header class="bar">
        <Logo />
        <span class="bar__name">{texts.app.name}</span>
        <nav class="bar__nav" aria-label={texts.nav.label}>
          {PAGES.map((page) => (
            <a
              key={page}
              class="bar__link"
              href={linkTo(page)}
              aria-current={place.page === page ? 'page' : undefined}
            >
              <DeskIcon name={ICONS[page]} />
              <span class="bar__long">{texts.nav[page]}</span>
              <span class="bar__short">{texts.nav.short[page]}</span>
              <NavCount count={counts[page] ?? 0} />
            </a>
          ))}
        </nav>
        <span class="bar__zone" title={texts.app.zoneHint}>
          {zoneName(shown)}
        </span>
        <LiveState />
        <button
          type="button"
          class="button button--quiet button--icon bar__help"
          aria-label={texts.nav.help}
          title={texts.nav.help}
          onClick={() => setHelp(true)}
        >
          <DeskIcon name="keyboard" />
        </button>
        <Account onSignOut={onSignOut} />
      </header>
      <main class="desk__main" id="content" tabIndex={-1}>
        {hasOwnHeading(place.page) || <h1 class="visually-hidden">{texts.nav[place.page]}</h1>}
        <CurrentPage queue={queue} />
      </main>
      <AwayNotice />
      {palette && <Palette onClose={() => setPalette(false)} />}
      {help && <HelpDialog onClose={() => setHelp(false)} />}
    </div>
  );
}

/** Changes of the company's files that wait for another operator than their author: this one may decide them. */
function useProposals(): number {
  const { api, me } = useDesk();
  const read = useData('company', () => api.companyFiles(), onEverything);
  const changes = read.data?.changes ?? [];
  return changes.filter(({ status, author_id: author }) => status === 'open' && author !== me.id).length;
}

/** The address says where one is in the desk, so that it cannot name the content too. */
function toContent(): void {
  document.getElementById('content')?.focus();
}

/** On a small screen lists hide, so their pages are named by the frame. */
function hasOwnHeading(page: Page): boolean {
  return page === 'approvals' || page === 'skills' || page === 'dashboard';
}

function NavCount({ count }: { readonly count: number }) {
  return count === 0 ? null : <span class="bar__count">{count}</span>;
}

function CurrentPage({ queue }: { readonly queue: Loaded<Queue> }) {
  const { page, id } = usePlace();
  switch (page) {
    case 'tickets':
      return (
        <>
          <QueueView queue={queue} selected={id} />
          {id === null ? <NoTicket /> : <TicketPage ticketId={id} />}
        </>
      );
    case 'approvals':
      return <ApprovalsPage />;
    case 'customers':
      return <CustomersPage customerId={id} />;
    case 'knowledge':
      return <KnowledgePage articleId={id} />;
    case 'skills':
      return <SkillsPage />;
    case 'company':
      return <CompanyPage id={id} />;
    case 'dashboard':
      return <DashboardPage />;
  }
}

function LiveState() {
  const texts = useTexts();
  const { live } = useDesk();
  const state = useStore(live.state);
  // The first moments of connecting are no news.
  const lost = useStore(isOffline) || state === 'waiting' || state === 'closed' || state === 'replaced';
  return (
    <span
      class={`bar__live${lost ? ' bar__live--lost' : ''}`}
      role="status"
      title={lost ? texts.app.offlineHint : texts.app.liveHint}
    >
      {lost ? <Icon name="offline" /> : <span class="bar__dot" aria-hidden="true" />}
      {lost ? texts.app.reconnecting : texts.app.live}
    </span>
  );
}

function Account({ onSignOut }: { readonly onSignOut: () => void }) {
  const texts = useTexts();
  const { api, me } = useDesk();
  // Signed out all the same where the hub cannot be reached: a silent operator's claims lapse by themselves.
  const leave = useAction((_input: undefined, key) => api.endShift(key), onSignOut);
  return (
    <AppearanceMenu>
      <p class="soft">
        {texts.app.operator} <strong>{me.name}</strong>
      </p>
      <NoticeChoices notices={notices} legend={texts.notices} />
      <ShiftEnd />
      <Button kind="outline" icon="leave" wide busy={leave.busy} onClick={() => void leave.run(undefined)}>
        {texts.app.signOut}
      </Button>
      <p class="soft">{texts.app.signOutHint}</p>
    </AppearanceMenu>
  );
}

/** The time at which the operator's shift ends by itself. */
function ShiftEnd() {
  const { app } = useTexts();
  const shown = useStore(language);
  const [endsAt, set] = useShiftEnd();
  return (
    <Field label={app.shiftEnds} hint={fill(app.shiftEndsHint, { zone: zoneName(shown) })}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="time"
          value={endsAt === null ? '' : clockTime(endsAt)}
          onChange={({ currentTarget: { value } }) => {
            // A time that could not be set is shown as it was.
            set(value === '' ? null : value).catch(() => {});
          }}
        />
      )}
    </Field>
  );
}
