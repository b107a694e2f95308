import type { AgentContext } from '../../src/runtime/agent-state.js';
import { investigationShape } from '../../src/runtime/read-run.js';
import type { AgentSpec } from '../offline-support.js';
import { investigationPolicy, problemOf } from './offline.js';

/** True where a procedure has come to its end, or to a question for an operator: nothing is left to look up. */
function isSettled({ trace }: AgentContext): boolean {
  return trace.some((entry) => {
    const parsed =
      entry.tool === 'investigate' && entry.ok ? investigationShape.safeParse(entry.result) : null;
    return parsed?.success === true && parsed.data.status !== 'undecided';
  });
}

/** Finds out why something does not work, by the procedures in skills/. */
export const investigationAgent: AgentSpec = (tools) => ({
  description: 'Finds out why something does not work for the customer.',
  role: 'investigation',
  route: 'investigation',
  takes: 'a symptom of unknown cause',
  access: 'customer',
  prompt: new URL('./prompt.md', import.meta.url),
  tools,
  needs: ['investigate'],
  offline: investigationPolicy,
  // The procedure is picked by its triggers; the model is asked only where they do not decide.
  prefetch: (context) =>
    context.trace.length > 0 ? [] : [{ tool: 'investigate', args: { problem: problemOf(context) } }],
  spared: (context) => (isSettled(context) ? tools.map(({ name }) => name) : []),
});
