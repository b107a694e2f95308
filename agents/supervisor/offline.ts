import { HumanMessage } from '@langchain/core/messages';
import type { OfflinePolicy } from '../../src/core/ports/chat-models.js';
import { call } from '../../src/runtime/offline-step.js';
import type { OfflineDeps } from '../offline-support.js';

/** The router without a model: the local classifier's best guess, among the agents there are. */
export function supervisorPolicy(deps: OfflineDeps): OfflinePolicy {
  return ({ messages, toolNames }) => {
    const last = messages.findLast((message) => HumanMessage.isInstance(message));
    const { intent } = deps.nlu.classifyIntent(last?.text ?? '');
    const wanted = `transfer_to_${deps.agents.forRoute(deps.nlu.intents.of(intent).route)}`;
    return call(toolNames.includes(wanted) ? wanted : 'transfer_to_knowledge');
  };
}
