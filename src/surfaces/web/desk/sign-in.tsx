import { useState } from 'preact/hooks';
import type { Api } from '../shared/api.js';
import type { OpenedSession } from '../shared/api-types.js';
import { AppearanceMenu } from '../shared/components/appearance.js';
import { Button } from '../shared/components/button.js';
import { Field } from '../shared/components/field.js';
import { Logo } from '../shared/components/icon.js';
import { deviceStorage, type Session } from '../shared/storage.js';
import { useStore } from '../shared/store.js';
import { useAction } from './lib/use-action.js';
import { Failure, Notice } from './parts/states.js';
import { useWords } from './texts.js';

const NAME_KEY = 'hub.desk.name';

/** Who works here: the demo's operator, or whoever brings a token of the company's sign-in. */
export function SignIn({
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
  const words = useWords();
  const expired = useStore(session.state) === 'expired';
  return (
    <main class="sign-in">
      <div class="sign-in__menu">
        <AppearanceMenu />
      </div>
      <div class="card sign-in__card">
        <Logo />
        <h1>{words.signIn.title}</h1>
        <p class="soft">{words.signIn.lead}</p>
        {expired && <Notice tone="info">{words.signIn.expired}</Notice>}
        {refused && <Notice tone="bad">{words.signIn.notOperator}</Notice>}
        {demo ? (
          <>
            <DemoForm api={api} session={session} />
            <details class="sign-in__other">
              <summary>{words.signIn.orToken}</summary>
              <TokenForm session={session} />
            </details>
          </>
        ) : (
          <TokenForm session={session} />
        )}
      </div>
    </main>
  );
}

function DemoForm({ api, session }: { readonly api: Api; readonly session: Session }) {
  const words = useWords();
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
      <Field label={words.signIn.name} hint={words.signIn.nameHint}>
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
        {words.signIn.demo}
      </Button>
    </form>
  );
}

function TokenForm({ session }: { readonly session: Session }) {
  const words = useWords();
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
      <Field label={words.signIn.token} hint={words.signIn.tokenHint}>
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
        {words.signIn.use}
      </Button>
    </form>
  );
}
