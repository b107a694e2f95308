import { snaked } from '../core/domain/json.js';
import type { SkillRun } from '../core/domain/skill.js';
import type { Classification, Escalation } from '../core/domain/ticket.js';
import type { PendingView, ToolCallRecord, TurnReply } from '../core/domain/turn.js';
import type { HubError } from '../core/errors.js';
import { type AttachedFile, isPicture } from '../core/file-types.js';

/** A run of a skill on the wire. */
export function toSkillRunJson(run: SkillRun): Record<string, unknown> {
  const { runId, skillId, skillVersion, status, result, handoff, error, usage, durationMs } = run;
  return {
    ...snaked({ runId, skillId, skillVersion, status }),
    kind: result?.kind ?? null,
    result: result?.value ?? null,
    handoff,
    error,
    usage,
    duration_ms: Math.round(durationMs * 10) / 10,
  };
}

/** The wire form of an answer: the public contract's names and shapes, in its order. */
export function toReplyJson(answer: TurnReply): Record<string, unknown> {
  const { threadId, ticketId, reply, language, provider, escalated, escalation } = answer;
  return {
    ...snaked({ threadId, ticketId, reply, language, provider }),
    classification: answer.classification && toClassificationJson(answer.classification),
    agents: answer.agents,
    route: answer.route.map(({ to, by }) => ({ to, by })),
    tool_calls: answer.toolCalls.map(toToolCallJson),
    citations: answer.citations.map(snaked),
    pending: answer.pending && toPendingJson(answer.pending),
    escalated,
    escalation: escalation && toEscalationJson(escalation),
    usage: snaked(answer.usage),
    timings_ms: answer.timingsMs,
  };
}

/** The outcome of triage as clients and the desk see it. */
export function toClassificationJson(classification: Classification): Record<string, unknown> {
  const { issueType, priority, sentiment, requiresHuman, summary, confidence } = classification;
  return snaked({ issueType, priority, sentiment, requiresHuman, summary, confidence });
}

/** A question that is open. */
export function toPendingJson({ id, kind, tool, args, question }: PendingView): Record<string, unknown> {
  return { id, kind, tool, args, question };
}

/** What an operator gets. */
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

/** A file of a message. */
export function toFileJson({ fileId, name, type, size }: AttachedFile) {
  return { id: fileId, name, type, size, picture: isPicture(type) };
}
