import type { BaseMessage } from '@langchain/core/messages';

/** What a rule policy sees in place of a prompt. */
export interface OfflineTurn {
  /** The conversation as the model would get it, system messages included. */
  readonly messages: readonly BaseMessage[];
  /** The JSON the graph attaches to the first system message as `additional_kwargs.hub`; undefined where absent. */
  readonly context: unknown;
  /** Names of the tools bound for this call, in order. */
  readonly toolNames: readonly string[];
}

/** What the policy does next: call one tool, or say something (`metadata` goes into `response_metadata`). */
export type OfflineStep =
  | { readonly kind: 'call'; readonly tool: string; readonly args: Record<string, unknown> }
  | { readonly kind: 'say'; readonly text: string; readonly metadata?: Record<string, unknown> };

/** Decides a model's next step by rules. Must be deterministic: the same turn gives the same step. */
export type OfflinePolicy = (turn: OfflineTurn) => Promise<OfflineStep> | OfflineStep;
