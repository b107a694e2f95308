import type { ModelRole, OfflinePolicy } from '../src/core/ports/chat-models.js';
import { contextIn, type HubAgent, type OfflineDeps } from './offline-support.js';
import { remoteStep } from './remote/agent.js';
import { supervisorPolicy } from './supervisor/offline.js';
import { triagePolicy } from './triage/agent.js';

/**
 * Each role's rule policy: what answers without a key, and when the provider is down. Agents may share a role, so each
 * turn is answered by the rules of the agent that asks.
 */
export function offlinePolicies(
  deps: OfflineDeps,
  agents: readonly HubAgent[],
): Record<ModelRole, OfflinePolicy> {
  const [first] = agents;
  if (!first) throw new Error('There is no agent to answer by rules');
  const own = new Map(agents.map((agent) => [agent.name, agent.offline(deps)]));
  const asked: OfflinePolicy = (turn) => {
    const context = contextIn(turn);
    // Agents elsewhere have no rules here: what they answered is passed on as it is.
    const step = own.get(context.agent)?.(turn) ?? remoteStep(deps, context) ?? own.get(first.name)?.(turn);
    if (!step) throw new Error(`${context.agent} has no rules to answer by`);
    return step;
  };
  return {
    triage: triagePolicy(deps),
    supervisor: supervisorPolicy(deps),
    knowledge: asked,
    account: asked,
    action: asked,
    investigation: asked,
    review: asked,
  };
}
