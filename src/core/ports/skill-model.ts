import type { ProviderName } from '../domain/taxonomy.js';

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
