import type { ApprovalOutcome, ChoiceOutcome, TicketView } from '../../core/app.js';
import type { PendingAction } from '../../core/domain/pending.js';
import type { EscalationRecord, Ticket } from '../../core/domain/ticket.js';
import type { QueueEntry } from '../../core/ports/ticket-store.js';
import { toClassificationJson, toEscalationJson, toToolCallJson } from '../reply-json.js';
import { toSkillRunJson } from '../skill-run-json.js';

/** A ticket of the queue on the wire. */
export function toQueueJson({ ticket, classification, escalation }: QueueEntry): Record<string, unknown> {
  return {
    ...toTicketJson(ticket),
    classification: classification === null ? null : toClassificationJson(classification),
    escalation: escalation === null ? null : toEscalationRecordJson(escalation),
  };
}

/** All an operator sees of a ticket, on the wire. */
export function toTicketViewJson(view: TicketView): Record<string, unknown> {
  return {
    ...toTicketJson(view.ticket),
    classification: view.classification === null ? null : toClassificationJson(view.classification),
    messages: view.messages.map(({ messageId, role, content, createdAt }) => ({
      message_id: messageId,
      role,
      content,
      created_at: createdAt,
    })),
    turns: view.turns.map((turn) => ({
      turn_id: turn.turnId,
      provider: turn.provider,
      route: turn.route.map(({ to, by }) => ({ to, by })),
      tool_calls: turn.toolCalls.map(toToolCallJson),
      usage: {
        llm_calls: turn.usage.llmCalls,
        prompt_tokens: turn.usage.promptTokens,
        completion_tokens: turn.usage.completionTokens,
        cost_usd: turn.usage.costUsd,
      },
      total_ms: turn.totalMs,
      created_at: turn.createdAt,
    })),
    escalations: view.escalations.map(toEscalationRecordJson),
    investigations: view.investigations.map(toSkillRunJson),
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

/** An action that waits for an operator, on the wire. */
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
  };
}

/** What a decision led to, on the wire. */
export function toOutcomeJson({ pending, reply }: ApprovalOutcome): Record<string, unknown> {
  return { approval: { id: pending.pendingId, status: pending.status, reply } };
}

/** What a choice led to, on the wire. */
export function toChoiceJson({ run, reply, pending }: ChoiceOutcome): Record<string, unknown> {
  return {
    investigation: toSkillRunJson(run),
    reply,
    pending: pending === null ? null : toApprovalJson(pending),
  };
}

function toTicketJson(ticket: Ticket): Record<string, unknown> {
  return {
    ticket_id: ticket.ticketId,
    customer_id: ticket.customerId,
    thread_id: ticket.threadId,
    channel: ticket.channel,
    status: ticket.status,
    owner: ticket.owner,
    created_at: ticket.createdAt,
    updated_at: ticket.updatedAt,
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
