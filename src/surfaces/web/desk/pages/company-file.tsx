import { useState } from 'preact/hooks';
import type { CompanyChange, CompanyFiles } from '../../shared/api-types.js';
import { Button, Field } from '../../shared/components/controls.js';
import { language } from '../../shared/i18n.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { go } from '../lib/location.js';
import { useAction } from '../lib/use-data.js';
import { Changes, FileHead, Refusal } from '../parts/company-changes.js';
import { Differences } from '../parts/differences.js';
import { Notice } from '../parts/states.js';
import { longDate } from '../parts/time.js';
import { useTexts } from '../texts.js';

/** Writes a file anew, shows what differs from what stands, and proposes that. */
export function CompanyFileEditor({
  file: { path, text: standing, wanted, back },
  files,
  onProposed,
}: {
  readonly file: {
    readonly path: string;
    readonly text: string;
    /** What the field begins with. */
    readonly wanted: string;
    /** The change whose text of before that is. */
    readonly back: CompanyChange | null;
  };
  readonly files: CompanyFiles;
  readonly onProposed: () => void;
}) {
  const texts = useTexts();
  const { company } = texts;
  const { api } = useDesk();
  const shown = useStore(language);
  const [text, setText] = useState(wanted);
  const [note, setNote] = useState(
    back === null
      ? ''
      : fill(company.backNote, { when: longDate(back.created_at, shown), name: back.author }),
  );
  const propose = useAction(async (input: { text: string; note: string }, key) => {
    const made = await api.proposeChange({ path, before: standing, ...input }, key);
    onProposed();
    go('company', made.change_id);
  });
  const same = text.trimEnd() === standing.trimEnd();
  const before = files.changes.filter((one) => one.path === path && one.status === 'approved');
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!same) void propose.run({ text, note: note.trim() });
  };
  return (
    <article class="detail">
      <FileHead path={path}>{path}</FileHead>
      {back !== null && same && <Notice tone="info">{company.standsSo}</Notice>}
      <form class="form" onSubmit={submit}>
        <Field label={company.text} hint={company.textHint}>
          {(control) => (
            <textarea
              {...control}
              class="input company__text"
              rows={18}
              spellcheck={false}
              readOnly={files.locked !== null}
              value={text}
              onInput={({ currentTarget: { value } }) => setText(value)}
            />
          )}
        </Field>
        {!same && (
          <section class="card">
            <h3>{company.differences}</h3>
            <Differences before={standing} after={text} label={company.differences} around={3} />
          </section>
        )}
        {files.locked === null && (
          <>
            <Field label={company.note} hint={company.noteHint}>
              {(control) => (
                <input
                  {...control}
                  class="input"
                  maxLength={500}
                  value={note}
                  onInput={({ currentTarget: { value } }) => setNote(value)}
                />
              )}
            </Field>
            <Refusal action={propose} />
            <div class="detail__buttons">
              <Button kind="quiet" disabled={same || propose.busy} onClick={() => setText(standing)}>
                {company.undo}
              </Button>
              <Button kind="primary" type="submit" disabled={same} busy={propose.busy}>
                {company.propose}
              </Button>
            </div>
          </>
        )}
      </form>
      {before.length > 0 && (
        <section class="card">
          <h3>{company.before}</h3>
          <Changes changes={before} selected={null} />
        </section>
      )}
    </article>
  );
}
