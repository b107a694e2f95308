import { CHOOSE_PROMPT, FILL_PROMPT, LOOK_AGAIN_PROMPT } from '../../agents/remote/agent.js';
import { triageAgent } from '../../agents/triage/agent.js';
import { createModelRemoteReasoner } from '../adapters/models/remote-reasoner.js';
import { maskText } from '../adapters/telemetry/pino-log.js';
import type { Config } from '../config/config.js';
import type { CompanyProfile } from '../core/domain/company.js';
import type { ChatModels, Clock, Ids, Log, RemoteAgents } from '../core/ports/index.js';
import { NO_REMOTE_AGENTS } from '../core/ports/remote-agents.js';
import { HubState } from '../graph/state.js';
import { readMeaning } from '../nlu/index.js';
import type { AgentRoster } from '../runtime/agent-definition.js';
import { readPrompt } from '../runtime/build-agent.js';
import type { RemoteAccess } from '../runtime/remote/remote-calls.js';

/** Most that a request may take elsewhere, milliseconds; two of them fit into a turn beside the hub's own work. */
const DEADLINE_MS = 20_000;
const SHARE_OF_TURN = 0.35;

/** Names that mean something else in the hub: its agents, the nodes of its graph, and whom it speaks of beside agents. */
const TAKEN =
  'hub supervisor router intake review escalate respond escalation customer operator desk colleague model remote';

/** A node of the graph cannot be called like a part of its state, or like what every object has. */
const CHANNELS = [...Object.keys(HubState.spec), 'constructor'];

interface OpenedRemote {
  readonly agents: RemoteAgents;
  /** Undefined where there are none, so that nothing of it is in the way of a turn. */
  readonly access: RemoteAccess | undefined;
}

/**
 * Opens the agents elsewhere that are configured, or takes those of a test.
 * @throws HubError `config_invalid`
 */
export async function openRemote(
  config: Config,
  parts: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly log: Log;
    readonly models: ChatModels;
    readonly company: CompanyProfile;
    readonly agents: AgentRoster;
    readonly given: RemoteAgents | undefined;
  },
): Promise<OpenedRemote> {
  const agents = parts.given ?? (await configured(config, parts));
  if (agents.list().length === 0) return { agents, access: undefined };
  const { models, log, company } = parts;
  const online = models.provider !== 'offline';
  return {
    agents,
    access: {
      agents,
      mask: maskText,
      linkHosts: config.server.linkHosts,
      deadlineMs: Math.min(DEADLINE_MS, Math.round(config.turn.timeoutMs * SHARE_OF_TURN)),
      meaning: await readMeaning(),
      ...(online ? { reasoner: reasoner(models, company, log) } : {}),
    },
  };
}

async function configured(
  config: Config,
  {
    clock,
    ids,
    log,
    agents,
  }: { readonly clock: Clock; readonly ids: Ids; readonly log: Log; readonly agents: AgentRoster },
): Promise<RemoteAgents> {
  if (config.remoteAgents.file === undefined) return NO_REMOTE_AGENTS;
  // Loaded where it is used only: the protocol's library takes its time.
  const { openRemoteAgents } = await import('../adapters/a2a/remote-agents.js');
  return openRemoteAgents({
    config: config.remoteAgents,
    roster: [...agents.all.map(({ name }) => name), triageAgent.name, ...TAKEN.split(' '), ...CHANNELS],
    publicUrl: config.server.publicUrl,
    clock,
    ids,
    log,
  });
}

function reasoner(models: ChatModels, company: CompanyProfile, log: Log) {
  return createModelRemoteReasoner({
    model: models.forRole('supervisor'),
    prompts: {
      choose: readPrompt(CHOOSE_PROMPT, company),
      fill: readPrompt(FILL_PROMPT, company),
      lookAgain: readPrompt(LOOK_AGAIN_PROMPT, company),
    },
    log,
  });
}
