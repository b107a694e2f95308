import type { ApprovalOutcome, ChoiceOutcome, OfferedAction, TicketView } from '../core/app.js';
import type { ApprovalDetails, DeskEntry, DeskTicket, ServiceClock, Suggestion } from '../core/desk-reads.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { EscalationRecord, Ticket, TicketMessage } from '../core/domain/ticket.js';
import type { Presence } from '../core/ports/desk-stores.js';
import type { QueueEntry, TurnRecord } from '../core/ports/ticket-store.js';
import { toClassificationJson, toEscalationJson, toSkillRunJson, toToolCallJson } from './reply-json.js';

/*
 * What operators see, on the wire: the same shapes in the terminal and over HTTP.
 */

/** A ticket. */
export function toTicketJson(ticket: Ticket): Record<string, unknown> {
  const { operatorId, operatorName } = ticket;
  return {
    ticket_id: ticket.ticketId,
    customer_id: ticket.customerId,
    thread_id: ticket.threadId,
    channel: ticket.channel,
    status: ticket.status,
    owner: ticket.owner,
    operator: operatorId === null ? null : { id: operatorId, name: operatorName ?? operatorId },
    claimed_at: ticket.claimedAt,
    resolved_at: ticket.resolvedAt,
    created_at: ticket.createdAt,
    updated_at: ticket.updatedAt,
  };
}

/** A ticket of the queue. */
export function toQueueJson({ ticket, classification, escalation }: QueueEntry): Record<string, unknown> {
  return {
    ...toTicketJson(ticket),
    classification: classification === null ? null : toClassificationJson(classification),
    escalation: escalation === null ? null : toEscalationRecordJson(escalation),
  };
}

/** A ticket of the desk's list. */
export function toEntryJson(entry: DeskEntry): Record<string, unknown> {
  const { customerName, clock, lastMessage, customerMessage, approvals, withdrawnAt } = entry;
  return {
    ...toQueueJson(entry),
    customer_name: customerName,
    clock: clock === null ? null : toClockJson(clock),
    last_message:
      lastMessage === null
        ? null
        : { role: lastMessage.role, content: lastMessage.content, created_at: lastMessage.createdAt },
    customer_message:
      customerMessage === null
        ? null
        : { content: customerMessage.content, created_at: customerMessage.createdAt },
    unread: entry.unread,
    tags: [...entry.tags],
    team: entry.team,
    merged_into: entry.mergedInto,
    snoozed_until: entry.snoozedUntil,
    approvals,
    withdrawn_at: withdrawnAt,
  };
}

/** An action that an operator may do. */
export function toOfferedActionJson({ tool, fields }: OfferedAction) {
  return {
    tool,
    fields: fields.map(({ records, ...field }) => ({
      ...field,
      records: records && records.map(({ id, title, startsAt }) => ({ id, title, starts_at: startsAt })),
    })),
  };
}

/** An operator at the desk. */
export function toPresenceJson({ operatorId, name, ticketId, typing, seenAt }: Presence) {
  return { id: operatorId, name, ticket_id: ticketId, typing, seen_at: seenAt };
}

/** All an operator sees of a ticket. */
export function toTicketViewJson(view: TicketView): Record<string, unknown> {
  return {
    ...toTicketJson(view.ticket),
    classification: view.classification === null ? null : toClassificationJson(view.classification),
    messages: view.messages.map(toDeskMessageJson),
    turns: view.turns.map((turn) => toTurnJson(turn)),
    escalations: view.escalations.map(toEscalationRecordJson),
    investigations: view.investigations.map(toSkillRunJson),
    approval_history: view.approvals.map(toApprovalJson),
    audit: view.audit.map((entry) => ({
      audit_key: entry.auditKey,
      customer_id: entry.customerId,
      actor: entry.actor,
      action: entry.action,
      outcome: entry.outcome,
      details: entry.details,
      created_at: entry.createdAt,
    })),
  };
}

/**
 * The same with what the desk's page shows besides.
 * @param why says in words on whose authority a step of the graph was taken
 */
export function toDeskTicketJson(
  view: TicketView,
  desk: DeskTicket,
  why: (by: string) => string,
): Record<string, unknown> {
  return {
    ...toTicketViewJson(view),
    ...toEntryJson(desk),
    messages: desk.messages.map(toDeskMessageJson),
    turns: view.turns.map((turn) => toTurnJson(turn, why)),
    customer_flags: [...desk.customerFlags],
    record_names: desk.recordNames,
    approvals_open: desk.approvalsOpen.map(toApprovalDetailsJson),
  };
}

/** A message as operators see it, notes too. */
export function toDeskMessageJson(message: TicketMessage): Record<string, unknown> {
  return {
    message_id: message.messageId,
    ticket_id: message.ticketId,
    role: message.role,
    content: message.content,
    audience: message.audience,
    author: message.author,
    citations: toSourcesJson(message.citations),
    client_message_id: message.clientMessageId,
    created_at: message.createdAt,
  };
}

/** An action that waits for an operator. */
export function toApprovalJson(pending: PendingAction): Record<string, unknown> {
  return {
    id: pending.pendingId,
    kind: pending.kind,
    status: pending.status,
    ticket_id: pending.ticketId,
    thread_id: pending.threadId,
    customer_id: pending.customerId,
    tool: pending.tool,
    args: pending.args,
    question: pending.question,
    created_at: pending.createdAt,
    expires_at: pending.expiresAt,
    decided_at: pending.decidedAt,
    decided_by: pending.decidedBy,
    reason: pending.reason,
  };
}

/** The same with what a decision means. */
export function toApprovalDetailsJson(details: ApprovalDetails): Record<string, unknown> {
  const { pending, customerName, consequences, recordNames } = details;
  return {
    ...toApprovalJson(pending),
    customer_name: customerName,
    consequences: [...consequences],
    record_names: recordNames,
  };
}

/** What a decision led to. */
export function toOutcomeJson({ pending, reply }: ApprovalOutcome): Record<string, unknown> {
  return { approval: { id: pending.pendingId, status: pending.status, reply } };
}

/** What a choice led to. */
export function toChoiceJson({ run, reply, pending }: ChoiceOutcome): Record<string, unknown> {
  return {
    investigation: toSkillRunJson(run),
    reply,
    pending: pending === null ? null : toApprovalJson(pending),
  };
}

/** A reply to accept or edit. */
export function toSuggestionJson({ text, citations, provider }: Suggestion): Record<string, unknown> {
  return { text, citations: toSourcesJson(citations), provider };
}

function toSourcesJson(citations: Suggestion['citations']): readonly Record<string, unknown>[] {
  return citations.map(({ articleId, title, confidence }) => ({ article_id: articleId, title, confidence }));
}

function toTurnJson(turn: TurnRecord, why?: (by: string) => string): Record<string, unknown> {
  return {
    turn_id: turn.turnId,
    message_id: turn.messageId,
    provider: turn.provider,
    route: turn.route.map(({ to, by }) => ({ to, by, ...(why ? { why: why(by) } : {}) })),
    tool_calls: turn.toolCalls.map(toToolCallJson),
    guardrails: turn.guardrails.map(({ agent, fault, outcome }) => ({ agent, fault, outcome })),
    usage: {
      llm_calls: turn.usage.llmCalls,
      prompt_tokens: turn.usage.promptTokens,
      completion_tokens: turn.usage.completionTokens,
      cost_usd: turn.usage.costUsd,
    },
    total_ms: turn.totalMs,
    created_at: turn.createdAt,
  };
}

function toClockJson(clock: ServiceClock): Record<string, unknown> {
  return {
    waited_minutes: Math.floor(clock.waitedMinutes),
    target_minutes: clock.targetMinutes,
    due_at: clock.dueAt,
    running: clock.running,
    resumes_at: clock.resumesAt,
    breached: clock.breached,
  };
}

function toEscalationRecordJson(escalation: EscalationRecord): Record<string, unknown> {
  return {
    escalation_id: escalation.escalationId,
    ...toEscalationJson(escalation),
    status: escalation.status,
    created_at: escalation.createdAt,
  };
}
