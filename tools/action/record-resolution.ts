import { z } from 'zod';
import { defineTool, type ToolDeps } from '../../src/runtime/define-tool.js';

/** Remembers how the present ticket ended. The hub does this by itself too; a repeated record adds a line, no effect. */
export const recordResolution = defineTool({
  name: 'record_resolution',
  description: 'Notes in long-term memory how the present ticket was resolved, in one sentence.',
  effect: 'write',
  access: 'customer',
  input: z.object({
    resolution_type: z.enum(['answered', 'action_completed', 'declined', 'escalated']),
    summary: z.string().min(1).max(500),
  }),
  output: z.object({ resolution_id: z.string(), resolution_type: z.string(), summary: z.string() }),
  async run(deps: Pick<ToolDeps, 'memory'>, input, context) {
    const { session } = context;
    const saved = await deps.memory.addResolution({
      ticketId: session.ticketId,
      customerId: session.identity.kind === 'customer' ? session.identity.customerId : null,
      resolutionType: input.resolution_type,
      summary: input.summary,
      agent: context.agent,
    });
    return {
      resolution_id: saved.resolutionId,
      resolution_type: saved.resolutionType,
      summary: saved.summary,
    };
  },
});
