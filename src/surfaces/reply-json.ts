import type { CapabilityOutcome } from '../core/capabilities.js';
import type { JsonObject } from '../core/domain/json.js';
import type { SkillRun } from '../core/domain/skill.js';
import type { Classification, Escalation } from '../core/domain/ticket.js';
import type { PendingView, ToolCallRecord, TurnReply } from '../core/domain/turn.js';
import type { HubError } from '../core/errors.js';
import { type AttachedFile, isPicture } from '../core/file-types.js';

/** A run of a skill on the wire. */
export function toSkillRunJson(run: SkillRun): Record<string, unknown> {
  return {
    run_id: run.runId,
    skill_id: run.skillId,
    skill_version: run.skillVersion,
    status: run.status,
    kind: run.result?.kind ?? null,
    result: run.result?.value ?? null,
    handoff: run.handoff,
    error: run.error,
    usage: run.usage,
    duration_ms: Math.round(run.durationMs * 10) / 10,
  };
}

/** The wire form of an answer: the public contract's names and shapes, in its order. */
export function toReplyJson(reply: TurnReply): Record<string, unknown> {
  return {
    thread_id: reply.threadId,
    ticket_id: reply.ticketId,
    reply: reply.reply,
    language: reply.language,
    provider: reply.provider,
    classification: reply.classification === null ? null : toClassificationJson(reply.classification),
    agents: reply.agents,
    route: reply.route.map(({ to, by }) => ({ to, by })),
    tool_calls: reply.toolCalls.map(toToolCallJson),
    citations: reply.citations.map(({ articleId, title, confidence }) => ({
      article_id: articleId,
      title,
      confidence,
    })),
    pending: reply.pending === null ? null : toPendingJson(reply.pending),
    escalated: reply.escalated,
    escalation: reply.escalation === null ? null : toEscalationJson(reply.escalation),
    usage: {
      llm_calls: reply.usage.llmCalls,
      prompt_tokens: reply.usage.promptTokens,
      completion_tokens: reply.usage.completionTokens,
      cost_usd: reply.usage.costUsd,
    },
    timings_ms: reply.timingsMs,
  };
}

/** The outcome of triage as clients and the desk see it. */
export function toClassificationJson(classification: Classification): Record<string, unknown> {
  return {
    issue_type: classification.issueType,
    priority: classification.priority,
    sentiment: classification.sentiment,
    requires_human: classification.requiresHuman,
    summary: classification.summary,
    confidence: classification.confidence,
  };
}

/** A question that is open. */
export function toPendingJson({ id, kind, tool, args, question }: PendingView): Record<string, unknown> {
  return { id, kind, tool, args, question };
}

/** What an operator is handed. */
export function toEscalationJson(escalation: Escalation): Record<string, unknown> {
  const { reason, summary, found, tried, options } = escalation;
  return { reason, summary, found, tried, options };
}

/** One tool call; `code` only where it failed. */
export function toToolCallJson({ agent, tool, args, ok, code }: ToolCallRecord): Record<string, unknown> {
  return { agent, tool, args, ok, ...(code === undefined ? {} : { code }) };
}

/** The wire form of an error. */
export function toErrorJson({ code, message }: HubError): Record<string, unknown> {
  return { error: { code, message } };
}

/**
 * What a call of a capability came to, as one object that names its status.
 * @param input what the protocol calls what a call is given
 */
export function toCapabilityJson(outcome: CapabilityOutcome, input: 'input' | 'arguments'): JsonObject {
  switch (outcome.kind) {
    case 'done':
      return { status: 'done', result: outcome.data };
    case 'refused':
      return { status: 'refused', error: { ...outcome.error } };
    case 'confirmation':
      return {
        status: 'confirmation_required',
        question: outcome.question,
        tool: outcome.tool,
        [input]: outcome.input,
        terms: outcome.terms,
        confirmation_token: outcome.token,
        pending_id: outcome.pendingId,
        ticket_id: outcome.ticketId,
        expires_at: outcome.expiresAt,
      };
    case 'awaiting_operator':
      return {
        status: 'awaiting_operator',
        message: outcome.message,
        pending_id: outcome.pendingId,
        ticket_id: outcome.ticketId,
        expires_at: outcome.expiresAt,
      };
    case 'awaiting_choice':
      return {
        status: 'awaiting_choice',
        message: outcome.message,
        run_id: outcome.runId,
        ticket_id: outcome.ticketId,
        handoff: outcome.handoff as unknown as JsonObject,
      };
  }
}

/** A file of a message. */
export function toFileJson({ fileId, name, type, size }: AttachedFile) {
  return { id: fileId, name, type, size, picture: isPicture(type) };
}
