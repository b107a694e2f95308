import type { ModelRole } from '../src/core/ports/chat-models.js';
import type { OfflinePolicy } from '../src/core/ports/offline-policy.js';
import { accountPolicy } from './account/offline.js';
import { actionPolicy } from './action/offline.js';
import { investigationPolicy } from './investigation/offline.js';
import { knowledgePolicy } from './knowledge/offline.js';
import type { OfflineDeps } from './offline-support.js';
import { supervisorPolicy } from './supervisor/offline.js';
import { triagePolicy } from './triage/offline.js';

export type { OfflineDeps } from './offline-support.js';

/** Each role's rule policy: what answers without a key, and when the provider is down. */
export function offlinePolicies(deps: OfflineDeps): Record<ModelRole, OfflinePolicy> {
  const knowledge = knowledgePolicy(deps);
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
