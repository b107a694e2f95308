import type { AgentDefinition } from '../../src/runtime/agent-definition.js';
import { classifyTicket } from '../../tools/triage/classify-ticket.js';

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
