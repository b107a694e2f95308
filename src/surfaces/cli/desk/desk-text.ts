import type { ChoiceOutcome, TicketView } from '../../../core/app.js';
import type { PendingAction } from '../../../core/domain/pending.js';
import type { SkillRun } from '../../../core/domain/skill.js';
import { requestNumber } from '../../../core/domain/ticket.js';
import type { QueueEntry } from '../../../core/ports/ticket-store.js';
import { formatTable, oneLine, printable } from '../../printable.js';

/** The queue as a table, most pressing first. @param width columns of the terminal, where there is one */
export function formatQueue(entries: readonly QueueEntry[], width?: number): string {
  if (entries.length === 0) return 'No ticket waits for an operator.\n';
  const rows = entries.map(({ ticket, classification, escalation }) => [
    ticket.ticketId,
    classification?.priority ?? '-',
    classification?.issueType ?? '-',
    classification?.sentiment ?? '-',
    ticket.customerId ?? 'anonymous',
    shortTime(escalation?.createdAt ?? ticket.createdAt),
    escalation?.reason ?? '-',
    escalation?.summary ?? classification?.summary ?? '',
  ]);
  const head = ['TICKET', 'PRIORITY', 'TYPE', 'SENTIMENT', 'CUSTOMER', 'SINCE (UTC)', 'REASON', 'SUMMARY'];
  return `${formatTable(head, rows, width === undefined ? {} : { width })}\n`;
}

/** What waits for a decision, as a table, and what each decision would do. */
export function formatApprovals(actions: readonly PendingAction[], width?: number): string {
  if (actions.length === 0) return 'No action waits for approval.\n';
  const rows = actions.map((action) => [
    action.pendingId,
    action.ticketId,
    action.customerId,
    action.tool,
    shortTime(action.expiresAt),
    action.question,
  ]);
  const head = ['ID', 'TICKET', 'CUSTOMER', 'ACTION', 'EXPIRES (UTC)', 'QUESTION'];
  const arguments_ = actions.map(
    (action) => `${action.pendingId}: ${action.tool} ${oneLine(JSON.stringify(action.args))}`,
  );
  return `${formatTable(head, rows, width === undefined ? {} : { width })}\n\n${arguments_.join('\n')}\n`;
}

/** What customers took back of late: when and in which words. */
export function formatWithdrawals(actions: readonly PendingAction[]): string {
  if (actions.length === 0) return '';
  return `\nWithdrawn by their customers within the last day\n${actions.map(formatApproval).join('\n')}\n`;
}

function formatApproval({
  pendingId,
  tool,
  args,
  status,
  decidedAt,
  decidedBy,
  reason,
}: PendingAction): string {
  const by = status === 'withdrawn' ? 'by the customer' : `by ${decidedBy}`;
  const settled = decidedAt === null ? '' : ` ${shortTime(decidedAt)} UTC ${by}`;
  const words = reason === null ? '' : `: "${reason}"`;
  return `  ${pendingId}: ${oneLine(`${tool} ${JSON.stringify(args)}, ${status}${settled}${words}`)}`;
}

/** Everything about one ticket. */
export function formatTicket(view: TicketView): string {
  const { ticket, classification } = view;
  const sections = [
    [
      `Ticket     ${ticket.ticketId} (${ticket.status}, owner ${ticket.owner})`,
      `Number     ${requestNumber(ticket.ticketId)}, which the customer calls it by`,
      `Customer   ${ticket.customerId ?? 'anonymous'}`,
      `Thread     ${ticket.threadId}, ${ticket.channel}`,
      `Opened     ${shortTime(ticket.createdAt)} UTC, last change ${shortTime(ticket.updatedAt)} UTC`,
      ...(classification === null
        ? []
        : [
            `Triage     ${classification.issueType}, ${classification.priority}, ${classification.sentiment}`,
            `Summary    ${oneLine(classification.summary)}`,
          ]),
    ],
    ...view.escalations.map((escalation) => [
      `Escalation (${escalation.status}): ${escalation.reason}`,
      `  ${oneLine(escalation.summary)}`,
      ...list('Found', escalation.found),
      ...list('Tried', escalation.tried),
      ...list('Options', escalation.options),
    ]),
    ...view.investigations.map(formatInvestigation),
    [
      'Messages',
      ...view.messages.map(
        (message) => `  ${shortTime(message.createdAt)}  ${speakerOf(message)}: ${indent(message.content)}`,
      ),
    ],
    ...(view.turns.length === 0 ? [] : [['Turns', ...view.turns.map(formatTurn)]]),
    ...(view.approvals.length === 0 ? [] : [['Approvals', ...view.approvals.map(formatApproval)]]),
    ...(view.audit.length === 0
      ? []
      : [
          [
            'Audit',
            ...view.audit.map(
              (entry) =>
                `  ${shortTime(entry.createdAt)}  ${oneLine(`${entry.action} ${entry.outcome}, by ${entry.actor}`)}`,
            ),
          ],
        ]),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** What a choice led to. */
export function formatChoice({ run, reply }: ChoiceOutcome): string {
  const outcome =
    reply === null ? 'The ticket stays with the operators.' : `The customer is told: ${indent(reply)}`;
  return `${formatInvestigation(run).join('\n')}\n${outcome}\n`;
}

/** A run of a skill: where it stands, what it found, and what it asks. */
function formatInvestigation(run: SkillRun): readonly string[] {
  const head = `Investigation ${run.runId}: ${run.skillId} ${run.skillVersion}, ${run.status}`;
  const value = run.result?.kind === 'investigation' ? run.result.value : null;
  const found = (value?.evidence ?? run.handoff?.found ?? []).map(
    ({ name, finding, error }) => `${name}: ${error ? `failed (${error.code})` : finding}`,
  );
  const cause = value
    ? [`  Cause: ${value.root_cause ?? 'not found'} (confidence ${value.confidence_score.toFixed(2)})`]
    : [];
  const asks = run.handoff ? [`  Asks: ${oneLine(run.handoff.question)}`] : [];
  const options = (run.handoff?.options ?? []).map(({ id, label }) => `${id}: ${label}`);
  return [head, ...cause, ...list('Found', found), ...asks, ...list('Options', options)];
}

function formatTurn({ createdAt, provider, route, toolCalls, totalMs }: TicketView['turns'][number]): string {
  const steps = route.map(({ to, by }) => `${to} (${by})`).join(' > ');
  const calls = toolCalls.map(({ tool, ok, code }) => `${tool} ${ok ? 'ok' : (code ?? 'failed')}`).join(', ');
  return `  ${shortTime(createdAt)}  ${provider}, ${totalMs.toFixed(0)} ms: ${steps}${calls === '' ? '' : `; ${calls}`}`;
}

function speakerOf({ role, author, audience }: TicketView['messages'][number]): string {
  const name = author === null ? '' : ` ${oneLine(author)}`;
  return role === 'operator' && audience === 'desk' ? `note of${name || ' an operator'}` : `${role}${name}`;
}

function list(name: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`  ${name}:`, ...items.map((item) => `    - ${oneLine(item)}`)];
}

function indent(text: string): string {
  return printable(text).trim().replaceAll('\n', '\n      ');
}

function shortTime(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
