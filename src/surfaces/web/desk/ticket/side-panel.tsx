import type { AuditEntry, Classification, Escalation, TicketView } from '../../shared/api-types.js';
import { Badge } from '../../shared/components/controls.js';
import { language } from '../../shared/i18n.js';
import { useIssueLabel, useToolLabel } from '../../shared/labels.js';
import { useStore } from '../../shared/store.js';
import { linkTo } from '../lib/location.js';
import { percent, term, topicOf } from '../lib/values.js';
import { ArgumentLine, ArgumentList, Doer, Records, Sentence } from '../parts/arguments.js';
import { Fold, Meter, PriorityMark, SentimentMark } from '../parts/marks.js';
import { Memory } from '../parts/memory.js';
import { Show } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { useTexts } from '../texts.js';
import { Investigations } from './investigations.js';
import { PathAndTools } from './path-and-tools.js';
import { Tags } from './tags-and-merge.js';
import { TeamFold, Timeline } from './timeline.js';
import { useCustomer } from './use-customer.js';
import type { TicketActions } from './use-ticket-actions.js';

const TONES = { done: 'good', refused: 'sun', failed: 'bad' } as const;

/** What was asked for. */
const argsOf = ({ args }: AuditEntry['details']): AuditEntry['details'] =>
  typeof args === 'object' && args !== null ? { ...args } : {};

/** What was asked for and on which terms, as one list. */
function flat({ args, terms, ...rest }: AuditEntry['details']): AuditEntry['details'] {
  const parts = [args, terms].filter((part) => typeof part === 'object' && part !== null);
  return Object.assign({}, ...parts, rest);
}

/** What was changed or refused on a ticket, by whom, when. The newest first. */
function AuditTrail({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const texts = useTexts();
  const toolLabel = useToolLabel();
  if (entries.length === 0) return <p>{texts.panel.noAudit}</p>;
  return (
    <ol class="audit">
      {[...entries].reverse().map((entry) => (
        <li key={entry.audit_key}>
          <details class="call">
            <summary>
              <span class="call__name">{toolLabel(entry.action)}</span>
              <Badge tone={TONES[entry.outcome] ?? 'plain'}>{term(texts.outcome, entry.outcome)}</Badge>
              <ArgumentLine args={argsOf(entry.details)} />
            </summary>
            <p class="call__by">
              <Doer id={entry.actor} /> · <Time at={entry.created_at} />
            </p>
            <ArgumentList args={flat(entry.details)} />
          </details>
        </li>
      ))}
    </ol>
  );
}

/** Everything about a ticket beside its conversation. */
export function SidePanel({
  ticket,
  actions,
}: {
  readonly ticket: TicketView;
  readonly actions: TicketActions;
}) {
  const texts = useTexts();
  const escalation = ticket.escalations.at(-1) ?? ticket.escalation;
  return (
    <aside class="panel" aria-label={texts.ticket.details} tabIndex={0}>
      {ticket.investigations.length > 0 && (
        <Fold title={texts.panel.evidence} open>
          <Investigations ticket={ticket} />
        </Fold>
      )}
      {escalation !== null && escalation !== undefined && (
        <Fold title={texts.panel.handover} open>
          <EscalationDetails
            escalation={escalation}
            asked={topicOf(ticket.classification?.summary ?? '')}
            runs={ticket.investigations}
          />
        </Fold>
      )}
      {ticket.classification !== null && (
        <Fold title={texts.panel.triage} open>
          <Triage classification={ticket.classification} />
        </Fold>
      )}
      <CustomerFolds customerId={ticket.customer_id} ticket={ticket} />
      {ticket.customer_id !== null && (
        <Fold title={texts.timeline.title} lazy>
          <Timeline ticket={ticket} />
        </Fold>
      )}
      <TeamFold ticket={ticket} actions={actions} />
      <Fold title={texts.tags.title} open={ticket.tags.length > 0}>
        <Tags ticket={ticket} actions={actions} />
      </Fold>
      <Fold title={texts.panel.path}>
        <PathAndTools turns={ticket.turns} before={ticket.earlier_turns} />
      </Fold>
      <Fold title={texts.panel.audit}>
        <AuditTrail entries={ticket.audit} />
      </Fold>
    </aside>
  );
}

function Triage({ classification }: { readonly classification: Classification }) {
  const texts = useTexts();
  const issueLabel = useIssueLabel();
  const shown = useStore(language);
  return (
    <div class="triage">
      <p class="triage__tags">
        <PriorityMark priority={classification.priority} />
        <SentimentMark sentiment={classification.sentiment} />
        <span class="tag">{issueLabel(classification.issue_type)}</span>
      </p>
      <p>{classification.summary}</p>
      <Meter
        label={texts.panel.confidence}
        value={classification.confidence}
        text={percent(classification.confidence, shown)}
      />
    </div>
  );
}

/** Why the ticket came to the team. What an investigation found, asks and offers stands with that investigation, in words. */
function EscalationDetails({
  escalation,
  asked,
  runs,
}: {
  readonly escalation: Escalation;
  /** What the ticket was about first; the message that called for a person may say nothing of it. */
  readonly asked: string;
  readonly runs: TicketView['investigations'];
}) {
  const texts = useTexts();
  const toolLabel = useToolLabel();
  const plain = (items: readonly string[]): readonly string[] =>
    items
      .filter((item) => !runs.some((run) => item.includes(run.run_id) || item.startsWith(run.skill_id)))
      .map((item) => {
        const [, tool, code] = CALL.exec(item) ?? REFUSED.exec(item) ?? [];
        if (tool === undefined) return item;
        return code === undefined ? toolLabel(tool) : `${toolLabel(tool)}: ${texts.panel.failed}`;
      });
  return (
    <div class="handover">
      <p>
        <strong>{term(texts.reason, escalation.reason)}</strong>
      </p>
      {asked !== '' && !escalation.summary.includes(asked) && (
        <p>
          {texts.timeline.kinds.opened} <Sentence text={asked} />
        </p>
      )}
      <p>
        <Sentence text={escalation.summary} />
      </p>
      <Facts title={texts.panel.found} items={plain(escalation.found)} />
      <Facts title={texts.panel.tried} items={plain(escalation.tried)} />
      <Facts title={texts.panel.remaining} items={plain(escalation.options)} />
    </div>
  );
}

/** A call among what was tried: who called which tool. */
const CALL = /^\w+: (\w+)\(/;
/** A call among what was found: which tool was refused, and by which code. */
const REFUSED = /^(\w+) was refused: (\w+)$/;

function Facts({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul>
        {items.map((item, at) => (
          <li key={at}>
            <Sentence text={item} />
          </li>
        ))}
      </ul>
    </>
  );
}

function CustomerFolds({
  customerId,
  ticket,
}: {
  readonly customerId: string | null;
  readonly ticket: TicketView;
}) {
  const texts = useTexts();
  const record = useCustomer(ticket);
  if (customerId === null) {
    return (
      <Fold title={texts.panel.customer} open>
        <p>{texts.panel.noCustomer}</p>
      </Fold>
    );
  }
  return (
    <Show loaded={record}>
      {(known) => (
        <>
          <Fold title={texts.panel.customer} open>
            <p class="record__name">
              <a href={linkTo('customers', customerId)}>{known.customer.name}</a>
              <span>{known.customer.email}</span>
            </p>
            {known.sections.map((section) => (
              <section key={section.id}>
                <h4>{section.label}</h4>
                <Records section={section} />
              </section>
            ))}
          </Fold>
          <Fold title={texts.panel.memory} open>
            <Memory record={known} beside={ticket.ticket_id} />
          </Fold>
        </>
      )}
    </Show>
  );
}
