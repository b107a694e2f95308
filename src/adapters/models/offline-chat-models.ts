import { type ChatModels, MODEL_ROLES, type ModelRole } from '../../core/ports/chat-models.js';
import type { OfflinePolicy } from '../../core/ports/offline-policy.js';
import { OfflineChatModel } from './offline-chat-model.js';

/** The chat models of all roles without a provider. Apart from the provider's, whose client takes long to load. */
export function createOfflineChatModels(policies: Readonly<Record<ModelRole, OfflinePolicy>>): ChatModels {
  const models = new Map(
    MODEL_ROLES.map((role) => [role, new OfflineChatModel({ role, policy: policies[role] })]),
  );
  return {
    provider: 'offline',
    forRole(role) {
      const model = models.get(role);
      if (model === undefined) throw new TypeError(`no chat model for role ${String(role)}`);
      return model;
    },
  };
}
