import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import type { Language, ProviderName } from '../domain/taxonomy.js';
import type { Classification } from '../domain/ticket.js';
import type { Usage } from '../domain/turn.js';

export interface SkillModelCall {
  /** `write` writes and decides, `review` judges what was written: a separate model. */
  readonly role: 'write' | 'review';
  /** Overrides the configured model of the role. */
  readonly model?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly system: string;
  readonly prompt: string;
  /** True where one JSON object is wanted. */
  readonly json: boolean;
  /** Whose cost it is, where it is made for a ticket. */
  readonly ticketId?: string;
  readonly signal: AbortSignal;
}

export interface SkillModelAnswer {
  readonly text: string;
  /** The model that answered. */
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
}

/**
 * What skills ask of a model. Offline there is none: skills look at `provider` first and use their rule fallback, and do
 * the same where a call throws `model_unavailable`.
 */
export interface SkillModel {
  readonly provider: ProviderName;
  /** The size of a role's model, for prompts that have a variant (`NAME.<tier>.txt`). */
  tier(role: SkillModelCall['role'], model?: string): 'small' | 'large';
  /** @throws HubError `model_unavailable` */
  complete(call: SkillModelCall): Promise<SkillModelAnswer>;
}

export interface ClassifierContext {
  /** Language of the conversation so far, kept for texts too short to tell. */
  readonly language?: Language;
  /** What the hub last asked, where a question is open; helps to read short replies. */
  readonly openQuestion?: string;
  /** What the customer wrote before; makes "and for Premium?" understandable. */
  readonly previousMessage?: string;
  /** What may be named that says nothing of what is wanted: titles of what the customer has booked. */
  readonly names?: readonly string[];
  /** Named in the log and in traces. */
  readonly ticketId?: string;
  /** Aborts a slow provider. */
  readonly signal?: AbortSignal;
}

export interface TriageResult {
  readonly classification: Classification;
  readonly provider: ProviderName;
  readonly usage: Usage;
}

/**
 * Triage of one message: at most one model call. Falls back to the offline language layer where the provider
 * does not answer, and says so in `provider`. Any text is accepted; never throws for bad input.
 */
export interface TicketClassifier {
  classify(text: string, context?: ClassifierContext): Promise<TriageResult>;
}

/** Classifies on several cores of this machine, for a whole batch; each result is that of the classifier alone. */
export interface ClassifierPool extends TicketClassifier {
  /** How many processes it may work in; 1: in this one alone. */
  readonly workers: number;
  /** Starts the processes at once, which otherwise waits for many tickets. @returns their ids, when all are ready */
  ready(): Promise<readonly number[]>;
  /** Ends the processes; what is still asked for throws `cancelled`. */
  close(): void;
}

export const MODEL_ROLES = [
  'triage',
  'supervisor',
  'knowledge',
  'account',
  'action',
  'investigation',
  'review',
] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** Chat models: which provider, reached how, and for how long it is waited for. */
export interface ModelsConfig {
  /** `auto` is resolved already. */
  readonly provider: ProviderName;
  /** `not-needed` where only a base URL is given; undefined offline. */
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly chatModel: Readonly<Record<ModelRole, string>>;
  /** Longest answer of each role, in tokens. */
  readonly maxOutputTokens: Readonly<Record<ModelRole, number>>;
  /** Longest wait for one answer of the provider. */
  readonly timeoutMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** US dollars per million tokens; overrides the built-in price list. */
  readonly inputPricePerMTok: number | undefined;
  readonly outputPricePerMTok: number | undefined;
}

/**
 * Chat models by role. What is handed out are real BaseChatModels (with bindTools), as createSupervisor demands.
 * A model that cannot reach its provider answers through the role's offline policy and says so with
 * `response_metadata.hub_provider = 'offline'`.
 */
export interface ChatModels {
  readonly provider: ProviderName;
  forRole(role: ModelRole): BaseChatModel;
}

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
