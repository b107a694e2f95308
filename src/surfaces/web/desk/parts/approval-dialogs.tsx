import { useRef, useState } from 'preact/hooks';
import type { Approval, ApprovalRecord } from '../../shared/api-types.js';
import { COMPANY } from '../../shared/company.js';
import { Field } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import type { Decision } from '../lib/desk-api.js';
import { fromTexts, isMoney, toTexts } from '../lib/edit-args.js';
import type { Action } from '../lib/use-data.js';
import { currencyIn } from '../lib/values.js';
import { useTexts } from '../texts.js';
import { ArgumentList, useFieldLabel } from './arguments.js';
import { Failure, FormButtons } from './states.js';

interface DecisionDialogProps {
  readonly action: Action<Decision>;
  readonly onDecide: (decision: Decision) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks why, since the customer is told. */
export function RejectDialog({ action, onDecide, onClose }: DecisionDialogProps) {
  const texts = useTexts();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') void onDecide({ decision: 'reject', reason: reason.trim() });
  };
  return (
    <Dialog title={texts.approvals.rejectConfirm} closeLabel={texts.app.close} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>{texts.approvals.onRejectText}</p>
        <Field label={texts.approvals.reason} error={missing ? texts.approvals.reasonNeeded : null}>
          {(control) => (
            <textarea
              {...control}
              class="input"
              rows={3}
              maxLength={500}
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
        <Failure error={action.error} />
        <FormButtons confirm={texts.approvals.rejectConfirm} busy={action.busy} danger onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** The arguments that an operator may change: not which record it is about, since the customer agreed to that one. */
export function changeableOf({
  args,
  record_names: names = {},
}: Pick<ShownApproval, 'args' | 'record_names'>): readonly string[] {
  return Object.keys(args).filter((name) => names[String(args[name])] === undefined);
}

/** Changes the arguments of the action and approves what it became. */
export function EditDialog({
  approval,
  action,
  onDecide,
  onClose,
}: DecisionDialogProps & { readonly approval: Pick<ShownApproval, 'args' | 'record_names'> }) {
  const texts = useTexts();
  const label = useFieldLabel();
  const { digits } = currencyIn(useStore(language), COMPANY.currency);
  const changeable = changeableOf(approval);
  const fixed = Object.fromEntries(
    Object.entries(approval.args).filter(([name]) => !changeable.includes(name)),
  );
  const [fields, setFields] = useState(() => toTexts(approval.args, digits));
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const read = fromTexts(fields, approval.args, digits);
    setWrong(read.ok ? null : read.wrong);
    const why = reason.trim();
    if (read.ok) void onDecide({ decision: 'edit', args: read.args, ...(why === '' ? {} : { reason: why }) });
  };
  return (
    <Dialog title={texts.approvals.editTitle} closeLabel={texts.app.close} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>{texts.approvals.editLead}</p>
        <ArgumentList args={fixed} />
        {changeable.map((name) => (
          <Field
            key={name}
            label={label(name)}
            error={wrong === name ? texts.approvals[isMoney(name) ? 'notMoney' : 'notNumber'] : null}
          >
            {(control) => (
              <input
                {...control}
                class="input"
                value={fields[name] ?? ''}
                inputMode={
                  typeof approval.args[name] !== 'number' ? 'text' : isMoney(name) ? 'decimal' : 'numeric'
                }
                onInput={({ currentTarget: { value } }) => setFields((old) => ({ ...old, [name]: value }))}
              />
            )}
          </Field>
        ))}
        <Field label={texts.approvals.reason}>
          {(control) => (
            <input
              {...control}
              class="input"
              maxLength={500}
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
        <Failure error={action.error} />
        <FormButtons confirm={texts.approvals.editApprove} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** An approval as a card shows it: open with what deciding it means, or what became of it as far as that is known. */
export type ShownApproval = Omit<ApprovalRecord, 'status'> &
  Partial<Pick<Approval, 'customer_name' | 'consequences' | 'record_names'>> & {
    readonly status: ApprovalRecord['status'] | 'decided';
  };

/**
 * The open approvals and those that were open since the view was entered, in the order they came: what an operator
 * looks at does not vanish, but says what became of it, where that is known, or that it was decided.
 * @param over what is known of those that are open no longer
 */
export function useSeenApprovals(
  open: readonly Approval[],
  over: readonly ApprovalRecord[],
): readonly ShownApproval[] {
  const seen = useRef(new Map<string, ShownApproval>());
  const ids = new Set(open.map(({ id }) => id));
  for (const approval of open) seen.current.set(approval.id, approval);
  for (const [id, approval] of seen.current) {
    const now = over.find((one) => one.id === id);
    if (now) seen.current.set(id, { ...approval, ...now });
    else if (!ids.has(id) && approval.status === 'pending')
      seen.current.set(id, { ...approval, status: 'decided' });
  }
  return [...seen.current.values()];
}
