import type { Config } from '../../config/config.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Ids } from '../../core/ports/ids.js';
import type { Log } from '../../core/ports/log.js';
import type { RemoteAgents } from '../../core/ports/remote-agents.js';
import { readAgentFile } from './agent-file.js';
import type { Patience } from './patience.js';
import { createRemoteAgents } from './remote-agents.js';

/** What the application hands over. */
export interface OpenRemoteAgentsOptions {
  readonly config: Config['remoteAgents'];
  /** Names of the hub's own agents and parts, which no other agent may have. */
  readonly roster: readonly string[];
  /** The address others reach this hub at, where it is configured: an agent there would be the hub itself. */
  readonly publicUrl?: string | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Waiting times other than the usual ones. */
  readonly patience?: Partial<Patience>;
}

/**
 * Opens the agents that the file of `HUB_REMOTE_AGENTS` names. Reads that file and nothing else: cards are fetched when
 * they are first asked for. Without a file there are none.
 * @throws HubError `config_invalid` with one line naming file, agent, field and what is wrong
 */
export function openRemoteAgents(options: OpenRemoteAgentsOptions): RemoteAgents {
  const { config, roster, publicUrl, ...rest } = options;
  const agents =
    config.file === undefined ? [] : readAgentFile(config.file, { ...config, roster, publicUrl });
  return createRemoteAgents({ agents, ...rest });
}
