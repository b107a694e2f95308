import { useRef, useState } from 'preact/hooks';
import type { FilledMacro, MacroInput } from '../../shared/api-types.js';
import { Button, Field, IconButton } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { fill } from '../../shared/message.js';
import { useCommand } from '../lib/commands.js';
import { useDesk } from '../lib/desk-context.js';
import { withLabels, withNames } from '../lib/macro-places.js';
import { onNothing, useAction, useData } from '../lib/use-data.js';
import { Failure, FormButtons, Show } from '../parts/states.js';
import { ToolButton } from '../parts/tool-button.js';
import { useTexts } from '../texts.js';

const EMPTY: MacroInput = { name: '', text: '', tags: [], resolves: false };

/** Opens the macros: to write with one, or to keep them. */
export function MacroButton({
  ticketId,
  onUse,
}: {
  readonly ticketId: string;
  readonly onUse: (macro: FilledMacro) => void;
}) {
  const texts = useTexts();
  const [open, setOpen] = useState(false);
  useCommand('m', () => setOpen(true));
  const use = (macro: FilledMacro): void => {
    setOpen(false);
    onUse(macro);
  };
  return (
    <>
      <ToolButton icon="article" label={texts.macros.open} onClick={() => setOpen(true)} />
      {open && <MacroDialog ticketId={ticketId} onUse={use} onClose={() => setOpen(false)} />}
    </>
  );
}

function MacroDialog({
  ticketId,
  onUse,
  onClose,
}: {
  readonly ticketId: string;
  readonly onUse: (macro: FilledMacro) => void;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const { api } = useDesk();
  const [edited, setEdited] = useState<FilledMacro | MacroInput | null>(null);
  const list = useData(`macros:${ticketId}`, () => api.macrosFor(ticketId), onNothing);
  const remove = useAction((id: string, key) => api.deleteMacro(id, key), list.reload);
  const done = (): void => {
    setEdited(null);
    list.reload();
  };
  return (
    <Dialog title={texts.macros.title} closeLabel={texts.app.close} onClose={onClose}>
      {edited === null ? (
        <div class="form">
          <Failure error={remove.error} />
          <Show loaded={list}>
            {({ macros }) => (
              <ul class="choices-list">
                {macros.length === 0 && <li class="soft">{texts.macros.none}</li>}
                {macros.map((macro) => (
                  <li key={macro.macro_id} class="choices-list__item">
                    <button type="button" class="choices-list__pick" onClick={() => onUse(macro)}>
                      <strong>{macro.name}</strong>
                      <span>{macro.filled}</span>
                    </button>
                    <IconButton
                      icon="edit"
                      label={fill(texts.macros.edit, { name: macro.name })}
                      onClick={() => setEdited(macro)}
                    />
                    <IconButton
                      icon="close"
                      label={fill(texts.macros.remove, { name: macro.name })}
                      onClick={() => void remove.run(macro.macro_id)}
                    />
                  </li>
                ))}
              </ul>
            )}
          </Show>
          <Button kind="outline" icon="plus" onClick={() => setEdited(EMPTY)}>
            {texts.macros.create}
          </Button>
        </div>
      ) : (
        <MacroForm macro={edited} onDone={done} onClose={() => setEdited(null)} />
      )}
    </Dialog>
  );
}

function MacroForm({
  macro,
  onDone,
  onClose,
}: {
  readonly macro: FilledMacro | MacroInput;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const { api } = useDesk();
  const [name, setName] = useState(macro.name);
  const { places } = texts.macros;
  const [text, setText] = useState(() => withLabels(macro.text, places));
  const field = useRef<HTMLTextAreaElement>(null);
  const [tags, setTags] = useState((macro.tags ?? []).join(', '));
  const [resolves, setResolves] = useState(macro.resolves ?? false);
  const id = 'macro_id' in macro ? macro.macro_id : null;
  const save = useAction((input: MacroInput, key) => api.saveMacro(id, input, key));
  const unknown = /^\{[^{}]*\}/.exec(save.error?.fields[0]?.message ?? '')?.[0] ?? null;
  const insert = (label: string): void => {
    const at = field.current;
    if (at === null) return;
    at.setRangeText(`{${label}}`, at.selectionStart, at.selectionEnd, 'end');
    setText(at.value);
    at.focus();
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const named = tags.split(',').flatMap((tag) => tag.trim() || []);
    if (await save.run({ name, text: withNames(text, places), tags: named, resolves })) onDone();
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field label={texts.macros.name}>
        {(control) => (
          <input
            {...control}
            class="input"
            type="text"
            required
            maxLength={80}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label={texts.macros.text}
        hint={texts.macros.variables}
        error={unknown === null ? null : fill(texts.macros.unknown, { name: unknown })}
      >
        {(control) => (
          <textarea
            {...control}
            ref={field}
            class="input"
            rows={4}
            required
            maxLength={4000}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="composer__mentions macro-places" role="group" aria-label={texts.macros.variables}>
        {Object.values(places).map((label) => (
          <Button key={label} kind="quiet" onClick={() => insert(label)}>
            {label}
          </Button>
        ))}
      </div>
      <Field label={texts.tags.title} hint={texts.knowledge.tagsHint}>
        {(control) => (
          <input
            {...control}
            class="input"
            type="text"
            value={tags}
            onInput={(event) => setTags(event.currentTarget.value)}
          />
        )}
      </Field>
      <label class="choices__check">
        <input
          type="checkbox"
          checked={resolves}
          onChange={(event) => setResolves(event.currentTarget.checked)}
        />
        <span>{texts.macros.resolves}</span>
      </label>
      {unknown === null && <Failure error={save.error} />}
      <FormButtons confirm={texts.macros.save} busy={save.busy} onClose={onClose} />
    </form>
  );
}

/** What comes with the words that were taken from a macro. */
export function MacroNotice({ macro, onDrop }: { readonly macro: FilledMacro; readonly onDrop: () => void }) {
  const texts = useTexts();
  const { tags, resolves } = macro;
  if (tags.length === 0 && !resolves) return null;
  return (
    <p class="macro-notice" role="status">
      <span>
        {tags.length > 0 && fill(texts.macros.withTags, { tags: tags.join(', ') })}{' '}
        {resolves && texts.macros.resolves}
      </span>
      <IconButton icon="close" label={texts.macros.drop} onClick={onDrop} />
    </p>
  );
}
