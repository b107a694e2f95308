import { useState } from 'preact/hooks';
import { Badge, Button } from '../../shared/components/controls.js';
import { useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import type { ApiError } from '../../shared/problem.js';
import type { Decision } from '../lib/desk-api.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { useAction } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { useTexts } from '../texts.js';
import { changeableOf, EditDialog, RejectDialog, type ShownApproval } from './approval-dialogs.js';
import { ArgumentList, Doer, RecordNames } from './arguments.js';
import { Failure, Notice } from './states.js';
import { Time, useNow } from './time.js';

/** What became of an approval here: the decision that was taken and what the customer was told. */
interface Outcome {
  readonly status: string;
  readonly reply: string | null;
}

interface Card {
  readonly approval: ShownApproval;
  readonly onTicket?: boolean;
}

/** One action that waits: exactly what would be done, what follows, and the buttons that decide. */
export function ApprovalCard({ approval, onTicket = false }: Card) {
  const texts = useTexts();
  const { api, live } = useDesk();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [open, setOpen] = useState<'reject' | 'edit' | null>(null);
  const decide = useAction(
    async (decision: Decision, key) => setOutcome((await api.decide(approval.id, decision, key)).approval),
    (error) => {
      // Nothing is left to decide: what became of it stands on the card.
      if (isOver(error)) setOpen(null);
      if (error === null || isOver(error)) live.publish({ kind: 'ticket', ticketId: approval.ticket_id });
    },
  );
  const expired = new Date(approval.expires_at).getTime() <= useNow().getTime();
  const closed = outcome !== null || expired || approval.status !== 'pending' || isOver(decide.error);
  const submit = async (decision: Decision): Promise<void> => {
    if (await decide.run(decision)) setOpen(null);
  };
  return (
    <article class="approval">
      <ApprovalHead approval={approval} status={outcome?.status ?? approval.status} onTicket={onTicket} />
      <RecordNames value={approval.record_names}>
        <ArgumentList args={approval.args} />
      </RecordNames>
      {!closed && <Consequences approval={approval} onTicket={onTicket} />}
      {expired && outcome === null && approval.status === 'pending' && (
        <Notice tone="info">{texts.approvals.expired}</Notice>
      )}
      {approval.status === 'withdrawn' && (
        <Notice tone="info">
          {texts.approvals.withdrawn} <Time at={approval.decided_at ?? approval.created_at} />: “
          {approval.reason}”
        </Notice>
      )}
      {outcome === null && isDecided(approval) && <DecidedBy approval={approval} />}
      {!expired && outcome === null && decide.error === null && approval.status === 'decided' && (
        <Notice tone="info">{texts.approvals.decided}</Notice>
      )}
      {open === null && <Failure error={decide.error} />}
      {outcome !== null && (
        <Notice tone="good">
          {fill(texts.approvals.done, { status: term(texts.approval, outcome.status) })}
          {outcome.reply !== null && outcome.reply !== '' && (
            <> {fill(texts.approvals.told, { reply: outcome.reply })}</>
          )}
        </Notice>
      )}
      {!closed && (
        <div class="approval__buttons">
          <Button
            kind="primary"
            icon="check"
            busy={decide.busy && open === null}
            onClick={() => void submit({ decision: 'approve' })}
          >
            {texts.approvals.approve}
          </Button>
          <Button kind="danger" disabled={decide.busy} onClick={() => setOpen('reject')}>
            {texts.approvals.reject}
          </Button>
          {changeableOf(approval).length > 0 && (
            <Button kind="outline" icon="edit" disabled={decide.busy} onClick={() => setOpen('edit')}>
              {texts.approvals.edit}
            </Button>
          )}
        </div>
      )}
      {open === 'reject' && <RejectDialog action={decide} onDecide={submit} onClose={() => setOpen(null)} />}
      {open === 'edit' && (
        <RecordNames value={approval.record_names}>
          <EditDialog approval={approval} action={decide} onDecide={submit} onClose={() => setOpen(null)} />
        </RecordNames>
      )}
    </article>
  );
}

const CLOSED: ReadonlySet<string> = new Set([
  'pending_decided',
  'pending_withdrawn',
  'pending_expired',
  'pending_not_found',
]);

/** True where it is known who has decided it. What its customer took back says so in their words. */
function isDecided({ status, decided_by: by }: ShownApproval): boolean {
  return by !== null && status !== 'pending' && status !== 'withdrawn';
}

/** Who decided it, when, and why. */
function DecidedBy({ approval: { decided_by: by, decided_at: at, reason } }: Pick<Card, 'approval'>) {
  return (
    <p class="approval__who">
      <Doer id={by ?? ''} />
      {at !== null && (
        <>
          {' · '}
          <Time at={at} />
        </>
      )}
      {reason !== null && reason !== '' && <>: “{reason}”</>}
    </p>
  );
}

/** True where there is nothing left to decide. */
function isOver(error: ApiError | null): boolean {
  return error !== null && CLOSED.has(error.code);
}

function ApprovalHead({
  approval,
  status,
  onTicket,
}: {
  readonly approval: ShownApproval;
  readonly status: string;
  readonly onTicket: boolean;
}) {
  const texts = useTexts();
  const toolLabel = useToolLabel();
  const Title = onTicket ? 'h3' : 'h2';
  return (
    <header class="approval__head">
      <Badge tone={status === 'pending' ? 'sun' : 'plain'}>{term(texts.approval, status)}</Badge>
      <Title class="approval__title">{toolLabel(approval.tool)}</Title>
      <p class="approval__who">
        {!onTicket && (
          <>
            <a href={linkTo('customers', approval.customer_id)}>
              {approval.customer_name ?? approval.customer_id}
            </a>
            {' · '}
            <a href={linkTo('tickets', approval.ticket_id)}>{texts.approvals.openTicket}</a>
            {' · '}
          </>
        )}
        <Time at={approval.created_at} />
        {status === 'pending' && (
          <>
            {' · '}
            {texts.approvals.expires} <Time at={approval.expires_at} />
          </>
        )}
      </p>
    </header>
  );
}

/** What a yes does, then what a no does, as the server knows it at this moment. */
function Consequences({
  approval,
  onTicket,
}: {
  readonly approval: ShownApproval;
  readonly onTicket: boolean;
}) {
  const texts = useTexts();
  const { noConsequences, onRejectText } = texts.approvals;
  const Title = onTicket ? 'h4' : 'h3';
  const known = approval.consequences ?? [];
  return (
    <div class="approval__effects">
      <Title class="approval__follows">{texts.approvals.consequences}</Title>
      <ul>
        {(known.length === 0 ? [noConsequences, onRejectText] : known).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
