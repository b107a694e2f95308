import { sparedBy } from '../../src/runtime/roster.js';
import type { AgentSpec } from '../offline-support.js';
import { accountPolicy, openingTool } from './offline.js';

/** Answers from the signed-in customer's own record. */
export const accountAgent: AgentSpec = (tools) => {
  const first = openingTool(tools);
  return {
    description: "Answers from the customer's own record.",
    role: 'account',
    route: 'account',
    takes: "reads the customer's own data",
    alsoTakes: ['investigation'],
    access: 'customer',
    prompt: new URL('./prompt.md', import.meta.url),
    tools,
    offline: accountPolicy,
    spared: ({ trace }) => {
      const opened = trace.find((entry) => entry.tool === first?.name && entry.ok);
      return first && opened ? [first.name, ...sparedBy(first, opened.result)] : [];
    },
    prefetch: ({ trace }) => (first === null || trace.length > 0 ? [] : [{ tool: first.name, args: {} }]),
  };
};
