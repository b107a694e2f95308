import type { AgentContext } from '../../src/runtime/agent-state.js';

const MAX_CHARS = 2_000;

/** The symptom in the customer's words; a reply to the agent's question comes with what it was asked about. */
export function problemOf({ task, focus, session }: AgentContext): string {
  const before = focus ? session.previousMessage : null;
  return (before === null ? task.text : `${before}\n${task.text}`).slice(0, MAX_CHARS);
}
