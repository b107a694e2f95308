import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { OpenedSession, PublicConfig } from '../shared/api-types.js';
import { COMPANY } from '../shared/company.js';
import { AppearanceMenu } from '../shared/components/appearance.js';
import { Button, IconButton } from '../shared/components/button.js';
import { Avatar, Badge } from '../shared/components/card.js';
import { Icon, Logo } from '../shared/components/icon.js';
import { KeepSignedIn } from '../shared/components/keep-signed-in.js';
import { fill } from '../shared/message.js';
import { asApiError } from '../shared/problem.js';
import type { ChatModel } from './chat-model.js';
import type { Embed } from './embed-bridge.js';
import { EmailForm } from './sign-in-email.js';
import { errorWords, useTexts } from './texts.js';

/** The page around whatever is asked before the chat begins. */
export function SignInFrame({
  embed,
  children,
}: {
  readonly model: ChatModel;
  readonly embed: Embed | null;
  readonly children: ComponentChildren;
}) {
  const texts = useTexts();
  return (
    <div class="welcome">
      <header class="welcome__bar">
        <Logo />
        <span class="brand">
          {COMPANY.name} <span class="brand__part">{texts.title}</span>
        </span>
        <AppearanceMenu />
        {embed && <IconButton icon="close" label={texts.closeChat} onClick={embed.close} />}
      </header>
      <main class="welcome__main">
        <div class="welcome__panel">{children}</div>
      </main>
    </div>
  );
}

/** Asks who it is: one of the demo customers, or an address and the code that is sent to it. */
export function SignIn({
  model,
  config,
  expired,
  inDialog = false,
}: {
  readonly model: ChatModel;
  readonly config: PublicConfig;
  readonly expired: boolean;
  readonly inDialog?: boolean;
}) {
  const texts = useTexts().signIn;
  const { demo, demo_customers: customers = [] } = config;
  return (
    <>
      {!inDialog && <h1 class="welcome__title">{expired ? texts.expiredTitle : texts.title}</h1>}
      <p class="welcome__text">{expired ? texts.expiredText : demo ? texts.demoText : texts.text}</p>
      <KeepSignedIn session={model.session} />
      {demo && customers.length > 0 && <DemoCustomers model={model} customers={customers} />}
      <EmailForm model={model} demo={demo} />
    </>
  );
}

/** More are shown on demand. */
const FEW = 4;

function DemoCustomers({
  model,
  customers,
}: {
  readonly model: ChatModel;
  readonly customers: NonNullable<PublicConfig['demo_customers']>;
}) {
  const all = useTexts();
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [everybody, showEverybody] = useState(false);
  const shown = everybody ? customers : customers.slice(0, FEW);
  const enter = async (email: string): Promise<void> => {
    setBusy(email);
    setError(null);
    try {
      model.session.open((await model.api.post<OpenedSession>('/api/session', { email })).token);
    } catch (thrown) {
      const { code, message } = asApiError(thrown);
      setError(errorWords(all, { code, detail: message }));
      setBusy(null);
    }
  };
  return (
    <div class="people-block">
      <ul class="people" aria-label={all.signIn.demoTitle}>
        {shown.map(({ email, name, blocked, notes }) => (
          <li key={email}>
            <button type="button" class="person" disabled={busy !== null} onClick={() => void enter(email)}>
              <Avatar name={name} />
              <span class="person__words">
                <span class="person__name">{name}</span>
                <span class="person__email">{email}</span>
              </span>
              <span class="person__notes">
                {blocked && <Badge tone="bad">{all.signIn.blocked}</Badge>}
                {notes.map((note) => (
                  <Badge key={note} tone="sun">
                    {note}
                  </Badge>
                ))}
              </span>
              {busy === email && <span class="spinner" />}
            </button>
          </li>
        ))}
      </ul>
      {shown.length < customers.length && (
        <Button kind="quiet" icon="down" onClick={() => showEverybody(true)}>
          {fill(all.signIn.showAll, { count: customers.length })}
        </Button>
      )}
      {error && (
        <p class="field__error" role="alert">
          <Icon name="alert" /> {error}
        </p>
      )}
      <p class="or">
        <span>{all.signIn.otherAddress}</span>
      </p>
    </div>
  );
}
