import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ProviderName } from '../domain/taxonomy.js';

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

/**
 * Chat models by role. What is handed out are real BaseChatModels (with bindTools), as createSupervisor demands.
 * A model that cannot reach its provider answers through the role's offline policy and says so with
 * `response_metadata.hub_provider = 'offline'`.
 */
export interface ChatModels {
  readonly provider: ProviderName;
  forRole(role: ModelRole): BaseChatModel;
}
