import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { OpenedSession, PublicConfig } from '../shared/api-types.js';
import { COMPANY } from '../shared/company.js';
import { AppearanceMenu, KeepSignedIn } from '../shared/components/appearance.js';
import { Avatar, Badge, Button, Field, Icon, IconButton, Logo } from '../shared/components/controls.js';
import { fill } from '../shared/message.js';
import { asApiError } from '../shared/problem.js';
import type { ChatModel } from './chat-model.js';
import type { Embed } from './embed-bridge.js';
import { errorText, type Texts, useTexts } from './texts.js';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const CODE = /^(?:\d{6}|\d{9})$/;

/** Has a code sent. @returns what goes with the code, so that nobody else's guesses are in its way */
async function askForCode(model: ChatModel, email: string): Promise<string> {
  return (await model.api.post<{ readonly challenge: string }>('/api/session/code', { email })).challenge;
}

/** What to tell about a sign-in that was refused; how long to wait as a whole sentence. */
function signInError(texts: Texts, thrown: unknown): string {
  const { code, message, retryAfter } = asApiError(thrown);
  if (code === 'rate_limited' && retryAfter !== null) return waitText(texts.signIn, retryAfter);
  return errorText(texts, { code, detail: message });
}

function waitText({ waitSeconds, waitMinutes }: Texts['signIn'], seconds: number): string {
  return seconds < 90
    ? fill(waitSeconds, { seconds })
    : fill(waitMinutes, { minutes: Math.ceil(seconds / 60) });
}

/** One thing after another that may fail: whether it runs, and the sentence of what went wrong last. */
function useAttempt() {
  const texts = useTexts();
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(signInError(texts, thrown));
    } finally {
      setBusy(false);
    }
  };
  return { error, setError, busy, attempt };
}

/** An address, and where this is no demo the code that was sent to it. */
function EmailForm({ model, demo }: { readonly model: ChatModel; readonly demo: boolean }) {
  const texts = useTexts();
  const words = texts.signIn;
  const [sent, setSent] = useState<{ readonly to: string; readonly challenge: string } | null>(null);
  const [email, setEmail] = useState('');
  const { error, setError, busy, attempt } = useAttempt();
  const submit = (event: Event): void => {
    event.preventDefault();
    const address = email.trim();
    if (!EMAIL.test(address)) {
      setError(words.emailInvalid);
      return;
    }
    void attempt(async () => {
      if (demo) {
        model.session.open((await model.api.post<OpenedSession>('/api/session', { email: address })).token);
      } else {
        setSent({ to: address, challenge: await askForCode(model, address) });
      }
    });
  };
  if (sent !== null)
    return <CodeForm model={model} email={sent.to} asked={sent.challenge} onBack={() => setSent(null)} />;
  return (
    <form class="form" onSubmit={submit} noValidate>
      <Field label={words.email} error={error}>
        {(control) => (
          <input
            {...control}
            class="input"
            type="email"
            name="email"
            autocomplete="email"
            inputMode="email"
            spellcheck={false}
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        )}
      </Field>
      <Button kind="primary" type="submit" busy={busy} wide>
        {demo ? words.continue : words.sendCode}
      </Button>
    </form>
  );
}

function CodeForm({
  model,
  email,
  asked,
  onBack,
}: {
  readonly model: ChatModel;
  readonly email: string;
  /** The challenge of the first code. */
  readonly asked: string;
  readonly onBack: () => void;
}) {
  const texts = useTexts();
  const words = texts.signIn;
  const [code, setCode] = useState('');
  const [challenge, setChallenge] = useState(asked);
  const [note, setNote] = useState(fill(words.codeSent, { email }));
  const { error, setError, busy, attempt } = useAttempt();
  const submit = (event: Event): void => {
    event.preventDefault();
    const digits = code.replace(/\D/g, '');
    if (!CODE.test(digits)) {
      setError(words.codeInvalid);
      return;
    }
    void attempt(async () => {
      const guess = { email, code: digits, challenge };
      model.session.open((await model.api.post<OpenedSession>('/api/session', guess)).token);
    });
  };
  const again = (): void =>
    void attempt(async () => {
      setChallenge(await askForCode(model, email));
      setNote(words.codeAgain);
    });
  return (
    <form class="form" onSubmit={submit} noValidate>
      <p role="status">{note}</p>
      <Field label={words.code} error={error}>
        {(control) => (
          <input
            {...control}
            class="input input--code"
            name="code"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={16}
            // biome-ignore lint/a11y/noAutofocus: the step before ended with a press that asked for this field.
            autoFocus
            value={code}
            onInput={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
      </Field>
      <Button kind="primary" type="submit" busy={busy} wide>
        {words.signIn}
      </Button>
      <div class="form__row">
        <Button kind="quiet" onClick={again} disabled={busy}>
          {words.newCode}
        </Button>
        <Button kind="quiet" onClick={onBack}>
          {words.otherEmail}
        </Button>
      </div>
    </form>
  );
}

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
      setError(errorText(all, { code, detail: message }));
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
