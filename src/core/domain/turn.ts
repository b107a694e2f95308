import type { AttachedFile } from '../file-types.js';
import type { Citation } from './article.js';
import type { GuardrailHit } from './guardrail.js';
import type { PendingAnswers, PendingKind } from './pending.js';
import type { Language, ProviderName } from './taxonomy.js';
import type { Classification, Escalation } from './ticket.js';

/** One step the supervisor took, and on whose authority: `rule:R5` or `model:<reason>`. */
export interface RouteStep {
  readonly to: string;
  readonly by: string;
  /** When it was decided, ISO 8601 UTC; absent in a reply, and of turns before that was noted. */
  readonly at?: string;
}

/** One tool call of a turn as it is reported to the outside. */
export interface ToolCallRecord {
  readonly agent: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  /** The error code where `ok` is false. */
  readonly code?: string;
  /** When it began, ISO 8601 UTC, and how long it took; absent of turns before that was noted. */
  readonly at?: string;
  readonly ms?: number;
}

/** Tokens and money a turn cost; all zero offline. */
export interface Usage {
  readonly llmCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
}

export const NO_USAGE: Usage = { llmCalls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };

/** The usage of two turns together. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    llmCalls: a.llmCalls + b.llmCalls,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

/** A question that is open when the turn ends. */
export interface PendingView {
  readonly id: string;
  readonly kind: PendingKind;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly question: string;
  readonly answers?: PendingAnswers | null;
}

/** A message as it was sent. With files its text may be empty. */
export interface MessagePart {
  readonly text: string;
  readonly clientMessageId?: string;
  readonly files?: readonly AttachedFile[];
}

/** The answer to one message. */
export interface TurnReply {
  readonly threadId: string;
  readonly ticketId: string;
  readonly reply: string;
  readonly language: Language;
  readonly provider: ProviderName;
  readonly classification: Classification | null;
  readonly agents: readonly string[];
  readonly route: readonly RouteStep[];
  readonly toolCalls: readonly ToolCallRecord[];
  readonly citations: readonly Citation[];
  readonly pending: PendingView | null;
  readonly escalated: boolean;
  readonly escalation: Escalation | null;
  readonly usage: Usage;
  readonly timingsMs: Readonly<Record<string, number>>;
  /**
   * The stored message of the hub that this is, on a conversation that is kept; null for a mere acknowledgement, which
   * is not.
   */
  readonly messageId?: string | null;
  /** True where the reply asks the customer something without which the hub cannot continue; absent elsewhere. */
  readonly asksBack?: boolean;
  /** True where a visitor asked for something of an account, which only signing in can answer; absent elsewhere. */
  readonly needsSignIn?: boolean;
  /** What guardrails kept from being sent; absent where nothing was. */
  readonly guardrails?: readonly GuardrailHit[];
}

/** What happens while a turn runs, for surfaces that show it live. */
export type TurnEvent =
  | { readonly type: 'triage'; readonly classification: Classification }
  | { readonly type: 'route'; readonly step: RouteStep }
  | { readonly type: 'agent'; readonly agent: string }
  | { readonly type: 'tool'; readonly call: ToolCallRecord }
  /** Text that passed review and may be shown at once. */
  | { readonly type: 'token'; readonly text: string }
  | { readonly type: 'pending'; readonly pending: PendingView }
  | { readonly type: 'escalation'; readonly escalation: Escalation }
  | { readonly type: 'message'; readonly reply: TurnReply };
