import { HumanMessage } from '@langchain/core/messages';
import type { OfflinePolicy } from '../../src/core/ports/offline-policy.js';
import { say } from '../../src/runtime/offline-step.js';
import type { OfflineDeps } from '../offline-support.js';

/** Triage without a model, in the form the model fills in. */
export function triagePolicy(deps: OfflineDeps): OfflinePolicy {
  return ({ messages }) => {
    const text = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
    const guess = deps.nlu.triage(text);
    const human = guess.humanReason === 'sentiment_priority' ? null : guess.humanReason;
    return say(
      JSON.stringify({
        issue_type: guess.issueType,
        priority: guess.priority,
        sentiment: guess.sentiment,
        human_reason: human,
        summary: guess.summary,
        requests: [{ text, route: guess.route }],
        confidence: guess.confidence,
      }),
    );
  };
}
