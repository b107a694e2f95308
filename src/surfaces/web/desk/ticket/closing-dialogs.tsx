import { useState } from 'preact/hooks';
import { Field } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { useColleagues } from '../lib/presence.js';
import type { Action } from '../lib/use-data.js';
import { Failure, FormButtons } from '../parts/states.js';
import { useTexts } from '../texts.js';

const REASON_CHARS = 500;

/** Asks why a ticket is taken from a colleague. */
export function ClaimDialog({
  action,
  name,
  onClose,
}: {
  readonly action: Action<string>;
  /** Who has it. */
  readonly name: string;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() !== '' && (await action.run(reason.trim()))) onClose();
  };
  return (
    <Dialog title={texts.takeOver.title} closeLabel={texts.app.close} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>{fill(texts.takeOver.lead, { name })}</p>
        <Field label={texts.takeOver.reason} {...(missing ? { error: texts.takeOver.needed } : {})}>
          {(control) => <Line control={control} value={reason} onInput={setReason} />}
        </Field>
        <Failure error={action.error} />
        <FormButtons confirm={texts.takeOver.confirm} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Asks which colleague gets the ticket. */
export function ReassignDialog({
  action,
  onClose,
}: {
  readonly action: Action<{ readonly operator_id: string; readonly note: string }>;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const colleagues = useColleagues();
  const [to, setTo] = useState('');
  const [note, setNote] = useState('');
  // Of several nobody is chosen by an Enter too many.
  const only = colleagues.length === 1 ? (colleagues[0]?.id ?? '') : '';
  const chosen = colleagues.some(({ id }) => id === to) ? to : only;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (chosen !== '' && (await action.run({ operator_id: chosen, note: note.trim() }))) onClose();
  };
  return (
    <Dialog title={texts.reassign.title} closeLabel={texts.app.close} onClose={onClose}>
      {colleagues.length === 0 ? (
        <p>{texts.reassign.nobody}</p>
      ) : (
        <form class="form" onSubmit={submit}>
          <Field label={texts.reassign.to}>
            {(control) => (
              <select
                {...control}
                class="input"
                value={chosen}
                required
                onChange={(event) => setTo(event.currentTarget.value)}
              >
                {only === '' && <option value="">{texts.reassign.choose}</option>}
                {colleagues.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={texts.reassign.note}>
            {(control) => <Line control={control} value={note} onInput={setNote} />}
          </Field>
          <Failure error={action.error} />
          <FormButtons confirm={texts.reassign.confirm} busy={action.busy} onClose={onClose} />
        </form>
      )}
    </Dialog>
  );
}

function Line({
  control,
  value,
  onInput,
}: {
  readonly control: object;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  return (
    <input
      {...control}
      class="input"
      type="text"
      maxLength={REASON_CHARS}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

/** Asks for a note and gives the conversation back to the hub. */
export function ReturnDialog({
  action,
  onClose,
}: {
  readonly action: Action<string>;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const [note, setNote] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await action.run(note.trim())) onClose();
  };
  return (
    <Dialog title={texts.returnToHub.title} closeLabel={texts.app.close} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>{texts.returnToHub.lead}</p>
        <TextField
          label={texts.returnToHub.note}
          placeholder={texts.returnToHub.notePlaceholder}
          value={note}
          onInput={setNote}
        />
        <Failure error={action.error} />
        <FormButtons confirm={texts.returnToHub.confirm} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Asks for a last word and how it ended, and closes the ticket. */
export function ResolveDialog({
  action,
  onClose,
}: {
  readonly action: Action<{ readonly text?: string; readonly summary?: string }>;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const [text, setText] = useState('');
  const [summary, setSummary] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const last = text.trim();
    const ended = summary.trim();
    const input = { ...(last === '' ? {} : { text: last }), ...(ended === '' ? {} : { summary: ended }) };
    if (await action.run(input)) onClose();
  };
  return (
    <Dialog title={texts.resolve.title} closeLabel={texts.app.close} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>{texts.resolve.lead}</p>
        <TextField
          label={texts.resolve.text}
          placeholder={texts.resolve.textPlaceholder}
          value={text}
          onInput={setText}
        />
        <TextField
          label={texts.resolve.summary}
          placeholder={texts.resolve.summaryPlaceholder}
          value={summary}
          onInput={setSummary}
        />
        <Failure error={action.error} />
        <FormButtons confirm={texts.resolve.confirm} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function TextField({
  label,
  placeholder,
  value,
  onInput,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const { config } = useDesk();
  return (
    <Field label={label}>
      {(control) => (
        <textarea
          {...control}
          class="input"
          rows={3}
          maxLength={config.max_message_chars}
          placeholder={placeholder}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
