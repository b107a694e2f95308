import { useState } from 'preact/hooks';
import type { OfferedAction } from '../../shared/api-types.js';
import { COMPANY } from '../../shared/company.js';
import { Field } from '../../shared/components/controls.js';
import { Dialog, toast } from '../../shared/components/dialog.js';
import { language } from '../../shared/i18n.js';
import { useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useCommand } from '../lib/commands.js';
import { useDesk } from '../lib/desk-context.js';
import { isMoney, minorUnits } from '../lib/edit-args.js';
import { onNothing, useAction, useData } from '../lib/use-data.js';
import { currencyIn, money } from '../lib/values.js';
import { useFieldLabel, useRecordName } from '../parts/arguments.js';
import { FormButtons, Show } from '../parts/states.js';
import { dateTime } from '../parts/time.js';
import { ToolButton } from '../parts/tool-button.js';
import { type Texts, useTexts } from '../texts.js';
import {
  type ActionField,
  becauseOf,
  isPossible,
  Refusal,
  Refused,
  RefusedActions,
  whyNot,
} from './act-refusals.js';

/** Opens what an operator may do to the customer's records. */
export function ActButton({ ticketId }: { readonly ticketId: string }) {
  const texts = useTexts();
  const [open, setOpen] = useState(false);
  useCommand('a', () => setOpen(true));
  return (
    <>
      <ToolButton icon="edit" label={texts.act.open} onClick={() => setOpen(true)} />
      {open && <ActDialog ticketId={ticketId} onClose={() => setOpen(false)} />}
    </>
  );
}

function ActDialog({ ticketId, onClose }: { readonly ticketId: string; readonly onClose: () => void }) {
  const texts = useTexts();
  const { api } = useDesk();
  const shown = useStore(language);
  const actions = useData(`actions:${ticketId}:${shown}`, () => api.actions(ticketId, shown), onNothing);
  return (
    <Dialog title={texts.act.title} closeLabel={texts.app.close} onClose={onClose}>
      <Show loaded={actions}>
        {({ actions: offered }) => <ActForm ticketId={ticketId} offered={offered} onClose={onClose} />}
      </Show>
    </Dialog>
  );
}

/** Chooses an action and what it is done to, reads what would follow, and does it. */
function ActForm({
  ticketId,
  offered,
  onClose,
}: {
  readonly ticketId: string;
  readonly offered: readonly OfferedAction[];
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const toolLabel = useToolLabel();
  const { api, live } = useDesk();
  const shown = useStore(language);
  const [tool, setTool] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [follows, setFollows] = useState<readonly string[] | null>(null);
  /** Nobody is told of a fault while still typing. */
  const [checked, setChecked] = useState(false);
  const chosen = offered.find((one) => one.tool === tool);
  const wish = (perform: boolean) => ({
    tool,
    args: chosen === undefined ? {} : argsOf(chosen, values),
    language: shown,
    perform,
  });
  const preview = useAction(async (_: null, key) =>
    setFollows((await api.act(ticketId, wish(false), key)).consequences),
  );
  const perform = useAction((_: null, key) => api.act(ticketId, wish(true), key));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    if (chosen?.fields.some((field) => faultOf(field, values[field.name] ?? '', texts) !== null)) return;
    if (follows === null) return void (await preview.run(null));
    if (!(await perform.run(null))) return;
    live.publish({ kind: 'ticket', ticketId });
    toast(texts.act.done);
    onClose();
  };
  const change = (name: string, value: string): void => {
    setValues((old) => ({ ...old, [name]: value }));
    setChecked(false);
    setFollows(null);
    preview.clear();
  };
  const complete =
    chosen?.fields.every(({ name, required }) => !required || (values[name] ?? '') !== '') ?? false;
  return (
    <form class="form" noValidate onSubmit={submit}>
      <Field label={texts.act.action}>
        {(control) => (
          <select
            {...control}
            class="input"
            value={tool}
            onChange={(event) => {
              setTool(event.currentTarget.value);
              setValues({});
              setFollows(null);
              preview.clear();
            }}
          >
            <option value="">{texts.act.choose}</option>
            {offered.filter(isPossible).map((one) => (
              <option key={one.tool} value={one.tool}>
                {toolLabel(one.tool)}
              </option>
            ))}
            {!offered.every(isPossible) && (
              <optgroup label={texts.act.nothingFor}>
                {offered
                  .filter((one) => !isPossible(one))
                  .map((one) => (
                    <option key={one.tool} disabled>
                      {becauseOf(toolLabel(one.tool), whyNot(one))}
                    </option>
                  ))}
              </optgroup>
            )}
          </select>
        )}
      </Field>
      {chosen === undefined && <RefusedActions offered={offered} />}
      {chosen?.fields.map((field) => (
        <ActField
          key={`${tool} ${field.name}`}
          field={field}
          value={values[field.name] ?? ''}
          fault={checked ? faultOf(field, values[field.name] ?? '', texts) : null}
          onInput={(value) => change(field.name, value)}
        />
      ))}
      {follows !== null && (
        <section aria-label={texts.approvals.consequences}>
          <h4>{texts.approvals.consequences}</h4>
          <ul>
            {follows.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            <li>{texts.act.told}</li>
          </ul>
        </section>
      )}
      <Refusal error={follows === null ? preview.error : perform.error} />
      {complete && (
        <FormButtons
          confirm={follows === null ? texts.act.preview : texts.act.perform}
          busy={preview.busy || perform.busy}
          onClose={onClose}
        />
      )}
    </form>
  );
}

/** What is wrong with what was written; null where nothing is. */
function faultOf(
  { name, type, minimum, maximum }: ActionField,
  written: string,
  { approvals, act }: Texts,
): string | null {
  const value = written.trim();
  if (value === '') return null;
  if (isMoney(name))
    return Number.isNaN(minorUnits(value, currencyIn('en', COMPANY.currency).digits))
      ? approvals.notMoney
      : null;
  if (type !== 'number') return null;
  const number = Number(value);
  const fits = Number.isFinite(number) && number >= (minimum ?? number) && number <= (maximum ?? number);
  if (fits) return null;
  return fill(act.outOfRange, {
    from: minimum === null ? 'none' : String(minimum),
    to: maximum === null ? 'none' : String(maximum),
  });
}

function ActField({
  field: { name, type, required, minimum, maximum, options, records, refused },
  value,
  fault,
  onInput,
}: {
  readonly field: ActionField;
  readonly value: string;
  readonly fault: string | null;
  readonly onInput: (value: string) => void;
}) {
  const texts = useTexts();
  const label = useFieldLabel();
  const nameOf = useRecordName();
  const shown = useStore(language);
  const choices =
    records?.map(({ id, title, starts_at: at, amount_cents: cents, currency }) => ({
      id,
      text: [
        nameOf(id) ?? [title, at && dateTime(at, shown, true)].filter(Boolean).join(' · '),
        ...(cents !== null && currency !== null ? [money(cents, shown, currency)] : []),
      ].join(' · '),
    })) ?? options?.map((id) => ({ id, text: texts.act.values[id as keyof typeof texts.act.values] ?? id }));
  const hindered = choices?.flatMap(({ id, text }): [string, string][] => {
    const reason = refused[id];
    return reason === undefined ? [] : [[text, reason]];
  });
  const chooser = (
    <Field label={label(name)} hint={required ? undefined : texts.act.optional} error={fault}>
      {(control) =>
        choices === undefined ? (
          <input
            {...control}
            class="input"
            // Money is written with a point or a comma, which a field for numbers takes in one language only.
            type={isMoney(name) ? 'text' : type}
            inputMode={isMoney(name) ? 'decimal' : undefined}
            placeholder={isMoney(name) ? money(0, shown, COMPANY.currency) : undefined}
            min={isMoney(name) ? undefined : (minimum ?? undefined)}
            max={isMoney(name) ? undefined : (maximum ?? undefined)}
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        ) : (
          <select
            {...control}
            class="input"
            value={value}
            onChange={(event) => onInput(event.currentTarget.value)}
          >
            <option value="">{choices.length === 0 ? texts.act.noRecord : texts.act.choose}</option>
            {choices.map(({ id, text }) => (
              <option key={id} value={id} disabled={Object.hasOwn(refused, id)}>
                {becauseOf(text, refused[id])}
              </option>
            ))}
          </select>
        )
      }
    </Field>
  );
  return (
    <>
      {chooser}
      <Refused refused={hindered ?? []} />
    </>
  );
}

/** What the form holds, as the action takes it; what was left empty is left out. */
function argsOf({ fields }: OfferedAction, values: Readonly<Record<string, string>>) {
  const given = fields.flatMap(({ name, type }): [string, string | number][] => {
    const value = (values[name] ?? '').trim();
    if (value === '') return [];
    if (isMoney(name)) return [[name, minorUnits(value, currencyIn('en', COMPANY.currency).digits)]];
    return [[name, type === 'number' ? Number(value) : value]];
  });
  return Object.fromEntries(given);
}
