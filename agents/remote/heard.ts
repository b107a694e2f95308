import type { Focus } from '../../src/core/domain/session.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import { ASK_REMOTE_AGENT, type RemoteOutcome, remoteShape } from '../../src/runtime/remote/remote-shape.js';

/** What came of asking another agent, and where a reply of the customer would go. */
interface Heard extends RemoteOutcome {
  readonly focus: Focus | null;
}

/** The newest answer of another agent to this task; null where it was not asked, or the call itself failed. */
export function heardFrom({ trace }: Pick<AgentContext, 'trace'>): Heard | null {
  const entry = trace.findLast(({ tool }) => tool === ASK_REMOTE_AGENT);
  const parsed = entry?.ok ? remoteShape.safeParse(entry.result) : null;
  if (!parsed?.success) return null;
  return { ...parsed.data, focus: focusOf(parsed.data) };
}

function focusOf({ agent, task }: RemoteOutcome): Focus | null {
  if (!task) return null;
  const { task_id: taskId, context_id: contextId, goal, asked } = task;
  const remote = { taskId, contextId, goal, asked };
  return { agent, intent: 'remote_question', choices: [], attempts: asked, remote };
}

/** What is one line stays on the line of its introduction. */
export function gapBefore(text: string): string {
  return text.includes('\n') ? '\n\n' : ' ';
}
