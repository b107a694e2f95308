import { useState } from 'preact/hooks';
import { Dialog } from '../../shared/components/dialog.js';
import { Field } from '../../shared/components/field.js';
import { useDesk } from '../lib/desk-context.js';
import type { Action } from '../lib/use-action.js';
import { FormButtons } from '../parts/form-buttons.js';
import { Failure } from '../parts/states.js';
import { useWords } from '../texts.js';

/** Asks for a note and gives the conversation back to the hub. */
export function HandBackDialog({
  action,
  onClose,
}: {
  readonly action: Action<string>;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const [note, setNote] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await action.run(note.trim())) onClose();
  };
  return (
    <Dialog title={words.handBack.title} closeLabel={words.app.close} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>{words.handBack.lead}</p>
        <TextField
          label={words.handBack.note}
          placeholder={words.handBack.notePlaceholder}
          value={note}
          onInput={setNote}
        />
        <Failure error={action.error} />
        <FormButtons confirm={words.handBack.confirm} busy={action.busy} onClose={onClose} />
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
  const words = useWords();
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
    <Dialog title={words.resolve.title} closeLabel={words.app.close} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>{words.resolve.lead}</p>
        <TextField
          label={words.resolve.text}
          placeholder={words.resolve.textPlaceholder}
          value={text}
          onInput={setText}
        />
        <TextField
          label={words.resolve.summary}
          placeholder={words.resolve.summaryPlaceholder}
          value={summary}
          onInput={setSummary}
        />
        <Failure error={action.error} />
        <FormButtons confirm={words.resolve.confirm} busy={action.busy} onClose={onClose} />
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
