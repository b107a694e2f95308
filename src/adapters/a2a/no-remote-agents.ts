import { HubError } from '../../core/errors.js';
import type { RemoteAgents } from '../../core/ports/remote-agents.js';

const nobody = (agent: string): Promise<never> =>
  Promise.reject(
    new HubError('not_found', 'There is no other agent by this name.', { agent: agent.slice(0, 64) }),
  );

/** Where no agents elsewhere are configured. */
export const NO_REMOTE_AGENTS: RemoteAgents = {
  list: () => [],
  card: nobody,
  callSkill: nobody,
  send: nobody,
  close: async () => undefined,
};
