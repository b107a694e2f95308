import type { ModelRole } from '../src/core/ports/chat-models.js';
import type { OfflinePolicy } from '../src/core/ports/offline-policy.js';
import { accountPolicy } from './account/offline.js';
import { actionPolicy } from './action/offline.js';
import { investigationPolicy } from './investigation/offline.js';
import { knowledgePolicy } from './knowledge/offline.js';
import { contextIn, type OfflineDeps } from './offline-support.js';
import { remoteStep } from './remote/offline.js';
import { supervisorPolicy } from './supervisor/offline.js';
import { triagePolicy } from './triage/offline.js';

export type { OfflineDeps } from './offline-support.js';

/** Each role's rule policy: what answers without a key, and when the provider is down. */
export function offlinePolicies(deps: OfflineDeps): Record<ModelRole, OfflinePolicy> {
  const own = knowledgePolicy(deps);
  // Agents elsewhere share the role of the knowledge agent: what they answered is passed on as it is.
  const knowledge: OfflinePolicy = (turn) => remoteStep(contextIn(turn)) ?? own(turn);
  return {
    triage: triagePolicy(deps),
    supervisor: supervisorPolicy(deps),
    knowledge,
    account: accountPolicy(deps),
    action: actionPolicy(deps),
    investigation: investigationPolicy(deps),
    review: knowledge,
  };
}
