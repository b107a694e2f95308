import type { ServerContext } from '@modelcontextprotocol/server';
import type { CapabilityProgress } from '../../core/capabilities.js';

/** Tells the client how far its call has come, where it asked to be told; undefined where it did not. */
export function progressTo({ mcpReq }: ServerContext): ((progress: CapabilityProgress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = Number.NEGATIVE_INFINITY;
  return ({ done, total, message }) => {
    // The protocol wants it to grow, and nothing for a call that is over.
    if (done <= told || mcpReq.signal.aborted) return;
    told = done;
    const params = { progressToken, progress: done, message, ...(total === null ? {} : { total }) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
