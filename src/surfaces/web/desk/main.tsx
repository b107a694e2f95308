import '../shared/styles/base.css';
import './styles/desk.css';
import { QueryClientProvider, skipToken, useQuery } from '@tanstack/preact-query';
import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Api, createApi, createSession, type Session } from '../shared/api.js';
import type { OpenedSession, PublicConfig, Session as SessionInfo } from '../shared/api-types.js';
import { tint } from '../shared/brand.js';
import { COMPANY } from '../shared/company.js';
import { AppearanceMenu, KeepSignedIn } from '../shared/components/appearance.js';
import { Button, Field, Logo, Spinner } from '../shared/components/controls.js';
import { Toasts } from '../shared/components/dialog.js';
import { showTexts } from '../shared/i18n.js';
import { deviceStorage, useStore } from '../shared/store.js';
import { DeskFrame } from './desk-frame.js';
import { createDeskApi } from './lib/desk-api.js';
import { type Desk, DeskContext, operatorOf } from './lib/desk-context.js';
import { openLive } from './lib/live.js';
import { takeToken } from './lib/location.js';
import { receivePresence, receiveReading, receiveTyping } from './lib/presence.js';
import { createClient, openReads } from './lib/reads.js';
import { useAction } from './lib/use-data.js';
import { Failure, Notice } from './parts/states.js';
import { useTexts } from './texts.js';

const NAME_KEY = 'hub.desk.name';
/** Of what holds for as long as the page is open. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };

/** The desk: sign-in first, then work. */
function DeskApp({ api, session }: { readonly api: Api; readonly session: Session }) {
  const texts = useTexts();
  return (
    <QueryClientProvider client={useState(createClient)[0]}>
      <Gate api={api} session={session} />
      <Toasts closeLabel={texts.app.close} />
    </QueryClientProvider>
  );
}

function Gate({ api, session }: { readonly api: Api; readonly session: Session }) {
  const texts = useTexts();
  const state = useStore(session.state);
  const config = useQuery({
    ...ONCE,
    queryKey: ['config'],
    queryFn: () => api.get<PublicConfig>('/api/config'),
  });
  const who = useQuery({
    ...ONCE,
    queryKey: ['session', session.token()],
    queryFn: state === 'open' ? () => api.get<SessionInfo>('/api/session') : skipToken,
  });
  const failed = config.error ?? who.error;
  if (failed !== null && !failed.signedOut) {
    return (
      <main class="sign-in">
        <div class="card sign-in__card">
          <h1>{texts.app.name}</h1>
          <Failure error={failed} />
          <Button kind="outline" icon="refresh" onClick={() => location.reload()}>
            {texts.app.retry}
          </Button>
        </div>
      </main>
    );
  }
  if (config.data === undefined || (state === 'open' && who.data === undefined)) {
    return (
      <main class="sign-in">
        <h1 class="visually-hidden">{texts.app.name}</h1>
        <Spinner label={texts.app.loading} />
      </main>
    );
  }
  const refused = state === 'open' && who.data?.role !== 'operator';
  if (state !== 'open' || who.data === undefined || refused) {
    return <SignIn api={api} session={session} demo={config.data.demo} refused={refused} />;
  }
  return <SignedIn key={session.token()} api={api} session={session} config={config.data} info={who.data} />;
}

function SignedIn({
  api,
  session,
  config,
  info,
}: {
  readonly api: Api;
  readonly session: Session;
  readonly config: PublicConfig;
  readonly info: SessionInfo;
}) {
  const [line, setLine] = useState<Pick<Desk, 'live' | 'reads'> | null>(null);
  useEffect(() => {
    const live = openLive(api, { presence: receivePresence, read: receiveReading, typing: receiveTyping });
    const reads = openReads(live);
    setLine({ live, reads });
    return () => {
      reads.close();
      live.close();
    };
  }, [api]);
  const desk = useMemo<Desk | null>(
    () =>
      line === null
        ? null
        : { ...line, api: createDeskApi(api), me: operatorOf(session.token(), info), config },
    [api, line, session, info, config],
  );
  if (desk === null) return null;
  return (
    <DeskContext.Provider value={desk}>
      <DeskFrame onSignOut={() => session.close('left')} />
    </DeskContext.Provider>
  );
}

/** Who works here: the demo's operator, or whoever brings a token of the company's sign-in. */
function SignIn({
  api,
  session,
  demo,
  refused,
}: {
  readonly api: Api;
  readonly session: Session;
  readonly demo: boolean;
  /** True where the token is a customer's. */
  readonly refused: boolean;
}) {
  const texts = useTexts();
  const expired = useStore(session.state) === 'expired';
  return (
    <main class="sign-in">
      <div class="sign-in__menu">
        <AppearanceMenu />
      </div>
      <div class="card sign-in__card">
        <Logo />
        <h1>{texts.signIn.title}</h1>
        <p class="soft">{texts.signIn.lead}</p>
        {expired && <Notice tone="info">{texts.signIn.expired}</Notice>}
        {refused && <Notice tone="bad">{texts.signIn.notOperator}</Notice>}
        {demo ? (
          <>
            <DemoForm api={api} session={session} />
            <details class="sign-in__other">
              <summary>{texts.signIn.orToken}</summary>
              <TokenForm session={session} />
            </details>
          </>
        ) : (
          <TokenForm session={session} />
        )}
        <KeepSignedIn session={session} />
      </div>
    </main>
  );
}

function DemoForm({ api, session }: { readonly api: Api; readonly session: Session }) {
  const texts = useTexts();
  const [name, setName] = useState(deviceStorage.get(NAME_KEY) ?? '');
  const enter = useAction(async (as: string) => {
    const body = { operator: true, ...(as === '' ? {} : { name: as }) };
    const { token } = await api.post<OpenedSession>('/api/session', body);
    deviceStorage.set(NAME_KEY, as === '' ? null : as);
    session.open(token);
  });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void enter.run(name.trim());
      }}
    >
      <Field label={texts.signIn.name} hint={texts.signIn.nameHint}>
        {(control) => (
          <input
            {...control}
            class="input"
            name="name"
            autoComplete="name"
            maxLength={60}
            value={name}
            onInput={({ currentTarget: { value } }) => setName(value)}
          />
        )}
      </Field>
      <Failure error={enter.error} />
      <Button kind="primary" type="submit" wide busy={enter.busy}>
        {texts.signIn.demo}
      </Button>
    </form>
  );
}

function TokenForm({ session }: { readonly session: Session }) {
  const texts = useTexts();
  const [token, setToken] = useState('');
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = token.trim().replace(/^Bearer\s+/i, '');
        if (given !== '') session.open(given);
      }}
    >
      <Field label={texts.signIn.token} hint={texts.signIn.tokenHint}>
        {(control) => (
          <input
            {...control}
            class="input"
            type="password"
            autoComplete="off"
            spellcheck={false}
            value={token}
            onInput={({ currentTarget: { value } }) => setToken(value)}
          />
        )}
      </Field>
      <Button kind="outline" type="submit" wide disabled={token.trim() === ''}>
        {texts.signIn.use}
      </Button>
    </form>
  );
}

const session = createSession('operator');

/** The company's sign-in leads here with a token in the address. */
function signInByAddress(): boolean {
  const token = takeToken();
  if (token !== null) session.open(token);
  return token !== null;
}

signInByAddress();
// Where the page is open already only the address changes: whoever has come begins anew.
addEventListener('hashchange', () => {
  if (signInByAddress()) location.reload();
});

const root = document.getElementById('app');
if (root) {
  await showTexts();
  tint(COMPANY.brand.color);
  render(<DeskApp api={createApi(session)} session={session} />, root);
}
