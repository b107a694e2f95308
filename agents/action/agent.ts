import { sparedBy } from '../../src/runtime/roster.js';
import type { AgentSpec } from '../offline-support.js';
import { listingTool } from '../offline-support.js';
import { actionPolicy } from './offline.js';

/** Changes what the customer asks to have changed, after the customer and, where needed, an operator agreed. */
export const actionAgent: AgentSpec = (tools) => {
  const entities = new Set(
    tools.flatMap((tool) => (tool.effect === 'irreversible' && tool.target ? [tool.target.entity] : [])),
  );
  const lists = [...entities].flatMap((entity) => listingTool(tools, entity)?.name ?? []);
  return {
    description: 'Changes what the customer has, as they ask for it.',
    role: 'action',
    route: 'action',
    takes: 'changes it',
    access: 'customer',
    prompt: new URL('./prompt.md', import.meta.url),
    tools,
    offline: actionPolicy,
    // How the ticket ended is noted by the hub itself after every turn.
    spared: ({ trace }) => [
      'record_resolution',
      ...tools.flatMap((tool) => sparedBy(tool)),
      ...lists.filter((name) => trace.some((entry) => entry.tool === name && entry.ok)),
    ],
    prefetch: ({ trace }) => (trace.length > 0 ? [] : lists.map((tool) => ({ tool, args: {} }))),
  };
};
