import { useState } from 'preact/hooks';
import { Button } from '../shared/components/button.js';
import { Field } from '../shared/components/field.js';
import { useTexts } from '../shared/i18n.js';
import { asApiError } from '../shared/problem.js';
import type { SessionToken } from '../shared/wire.js';
import type { ChatModel } from './chat-model.js';
import { errorWords, TEXTS } from './texts.js';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** An address, and where this is no demo the code that was sent to it. */
export function EmailForm({ model, demo }: { readonly model: ChatModel; readonly demo: boolean }) {
  const texts = useTexts(TEXTS);
  const words = texts.signIn;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      const { code, message } = asApiError(thrown);
      setError(errorWords(texts, { code, detail: message }));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const address = email.trim();
    if (!EMAIL.test(address)) {
      setError(words.emailInvalid);
      return;
    }
    void attempt(async () => {
      if (demo) {
        model.session.open((await model.api.post<SessionToken>('/api/session', { email: address })).token);
      } else {
        await model.api.post('/api/session/code', { email: address });
        setSentTo(address);
      }
    });
  };
  if (sentTo !== null) return <CodeForm model={model} email={sentTo} onBack={() => setSentTo(null)} />;
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
  onBack,
}: {
  readonly model: ChatModel;
  readonly email: string;
  readonly onBack: () => void;
}) {
  const texts = useTexts(TEXTS);
  const words = texts.signIn;
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [note, setNote] = useState(words.codeSent(email));
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      const { code: problem, message } = asApiError(thrown);
      setError(errorWords(texts, { code: problem, detail: message }));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const digits = code.replace(/\D/g, '');
    if (digits.length !== 6) {
      setError(words.codeInvalid);
      return;
    }
    void attempt(async () => {
      model.session.open((await model.api.post<SessionToken>('/api/session', { email, code: digits })).token);
    });
  };
  const again = (): void =>
    void attempt(async () => {
      await model.api.post('/api/session/code', { email });
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
            maxLength={12}
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
