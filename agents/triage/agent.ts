import { HumanMessage } from '@langchain/core/messages';
import type { OfflinePolicy } from '../../src/core/ports/chat-models.js';
import type { AgentDefinition } from '../../src/runtime/agent-definition.js';
import { say } from '../../src/runtime/offline-step.js';
import { classifyTicket } from '../../tools/triage/classify-ticket.js';
import type { OfflineDeps } from '../offline-support.js';

/** Classifies the message. Its one tool is always called, so it never asks a model whether to. */
export const triageAgent: AgentDefinition = {
  name: 'triage',
  description: 'Classifies a message: issue type, priority, sentiment, whether a person is needed, summary.',
  role: 'triage',
  route: 'knowledge',
  access: 'anyone',
  prompt: new URL('./prompt.md', import.meta.url),
  tools: [classifyTicket],
  prefetch: (context) => [{ tool: 'classify_ticket', args: { message: context.task.text } }],
  early: () => ({ text: 'classified', unanswered: false }),
};

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
