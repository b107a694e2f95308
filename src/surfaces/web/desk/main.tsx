import '../shared/styles/base.css';
import './styles/desk.css';
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
import { type ApiError, asApiError } from '../shared/problem.js';
import { deviceStorage, useStore } from '../shared/store.js';
import { DeskFrame } from './desk-frame.js';
import { createDeskApi } from './lib/desk-api.js';
import { type Desk, DeskContext, operatorOf } from './lib/desk-context.js';
import { type Live, openLive } from './lib/live.js';
import { takeToken } from './lib/location.js';
import { receivePresence, receiveReading, receiveTyping } from './lib/presence.js';
import { useAction } from './lib/use-data.js';
import { Failure, Notice } from './parts/states.js';
import { useTexts } from './texts.js';

const NAME_KEY = 'hub.desk.name';

/** The desk: sign-in first, then work. */
function DeskApp({ api, session }: { readonly api: Api; readonly session: Session }) {
  const texts = useTexts();
  return (
    <>
      <Gate api={api} session={session} />
      <Toasts closeLabel={texts.app.close} />
    </>
  );
}

function Gate({ api, session }: { readonly api: Api; readonly session: Session }) {
  const texts = useTexts();
  const state = useStore(session.state);
  const config = useOnce(() => api.get<PublicConfig>('/api/config'), 'config');
  const who = useOnce(
    state === 'open' ? () => api.get<SessionInfo>('/api/session') : null,
    session.token() ?? '',
  );
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
  if (config.data === null || (state === 'open' && who.data === null)) {
    return (
      <main class="sign-in">
        <h1 class="visually-hidden">{texts.app.name}</h1>
        <Spinner label={texts.app.loading} />
      </main>
    );
  }
  const refused = state === 'open' && who.data?.role !== 'operator';
  if (state !== 'open' || who.data === null || refused) {
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
  const [live, setLive] = useState<Live | null>(null);
  useEffect(() => {
    const opened = openLive(api, { presence: receivePresence, read: receiveReading, typing: receiveTyping });
    setLive(opened);
    return () => opened.close();
  }, [api]);
  const desk = useMemo<Desk | null>(
    () =>
      live === null ? null : { api: createDeskApi(api), live, me: operatorOf(session.token(), info), config },
    [api, live, session, info, config],
  );
  if (desk === null) return null;
  return (
    <DeskContext.Provider value={desk}>
      <DeskFrame onSignOut={() => session.close('left')} />
    </DeskContext.Provider>
  );
}

/** Reads something once a key. */
function useOnce<T>(load: (() => Promise<T>) | null, key: string) {
  const [state, setState] = useState<{ key: string; data: T | null; error: ApiError | null }>({
    key: '',
    data: null,
    error: null,
  });
  const wanted = load === null ? null : key;
  useEffect(() => {
    if (load === null) return;
    let gone = false;
    load().then(
      (data) => {
        if (!gone) setState({ key, data, error: null });
      },
      (error: unknown) => {
        if (!gone) setState({ key, data: null, error: asApiError(error) });
      },
    );
    return () => {
      gone = true;
    };
  }, [wanted]);
  return state.key === wanted ? state : { key, data: null, error: null };
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
