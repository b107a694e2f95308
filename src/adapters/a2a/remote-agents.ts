import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Ids } from '../../core/ports/ids.js';
import type { Log } from '../../core/ports/log.js';
import type {
  RemoteAgent,
  RemoteAgents,
  RemoteAgentsConfig,
  RemoteCallOptions,
  RemoteCard,
  RemoteReply,
} from '../../core/ports/remote-agents.js';
import { type AgentSettings, readAgentFile } from './agent-file.js';
import { Attempts, PATIENCE, type Patience } from './attempts.js';
import { CardCache } from './card-cache.js';
import { type Connection, callHeaders, callKey, nextHop } from './connection.js';
import { callGeneric, callTasks } from './generic-call.js';
import { callSpecific } from './specific-call.js';
import { Wire } from './wire.js';

interface RemoteAgentsOptions {
  readonly agents: readonly AgentSettings[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly patience?: Partial<Patience>;
}

const MAX_MESSAGE_CHARS = 20_000;

/** Other agents over HTTP and A2A. Nothing is sent before the first call. */
export function createRemoteAgents(options: RemoteAgentsOptions): RemoteAgents {
  return new HttpRemoteAgents(options);
}

class HttpRemoteAgents implements RemoteAgents {
  readonly #connections: ReadonlyMap<string, Connection>;
  readonly #ids: Ids;
  readonly #closing = new AbortController();
  readonly #later = new Set<Promise<unknown>>();

  constructor({ agents, clock, ids, log, patience: given }: RemoteAgentsOptions) {
    const patience = { ...PATIENCE, ...given };
    this.#ids = ids;
    const closing = this.#closing.signal;
    this.#connections = new Map(
      agents.map((settings) => {
        const wire = new Wire(settings);
        const attempts = new Attempts({ settings, patience, log, closing });
        const headers = callHeaders(1, {});
        const cards = new CardCache({ settings, wire, attempts, clock, patience, headers });
        return [settings.name, { settings, wire, attempts, cards, clock, patience }];
      }),
    );
  }

  list(): readonly RemoteAgent[] {
    return [...this.#connections.values()].map(({ settings, cards }) => {
      const card = cards.last?.card ?? null;
      const { name, keywords, share } = settings;
      return { name, keywords, share, description: settings.description ?? card?.description ?? '', card };
    });
  }

  async card(agent: string, options: RemoteCallOptions = {}): Promise<RemoteCard> {
    const { card } = await this.#connection(agent).cards.get({ way: 'card', skill: null, options });
    return card;
  }

  async callSkill(
    agent: string,
    skill: string,
    input: JsonObject,
    options: RemoteCallOptions = {},
  ): Promise<RemoteReply> {
    const connection = this.#connection(agent);
    const hop = nextHop(agent, options.hops);
    const key = callKey(options, () => this.#ids.next('rcl'));
    const { endpoints } = await connection.cards.get({ way: 'card', skill: null, options });
    const endpoint = endpoints.get(skill);
    if (endpoint === undefined)
      throw new HubError(
        'not_found',
        `The agent ${agent} has no skill that takes structured input by this name.`,
        {
          agent,
          skill,
        },
      );
    return callSpecific(connection, { skill, endpoint, input, hop, key, options });
  }

  async send(
    agent: string,
    message: { readonly text: string; readonly taskId?: string; readonly contextId?: string },
    options: RemoteCallOptions = {},
  ): Promise<RemoteReply> {
    const connection = this.#connection(agent);
    const hop = nextHop(agent, options.hops);
    const key = callKey(options, () => this.#ids.next('rcl'));
    if (message.text.trim() === '' || message.text.length > MAX_MESSAGE_CHARS) {
      const errors = [{ field: 'text', message: `must have 1 to ${MAX_MESSAGE_CHARS} characters` }];
      throw new HubError('input_invalid', `The message for the agent ${agent} ${errors[0]?.message}.`, {
        errors,
      });
    }
    const { generic } = await connection.cards.get({ way: 'card', skill: null, options });
    if (generic === null)
      throw new HubError('not_found', `The agent ${agent} takes no messages in a form that is spoken here.`, {
        agent,
      });
    const sent = { at: generic, message, hop, key, options };
    if (generic.binding === 'TASKS') return callTasks(connection, sent);
    return callGeneric(connection, sent, (work) => this.#after(work));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#connections.values()].map(({ cards }) => cards.settled()));
    await Promise.all(this.#later);
    for (const { wire } of this.#connections.values()) wire.close();
  }

  /** Work that nobody waits for: it must not fail aloud, and must be over before the connections are closed. */
  #after(work: Promise<unknown>): void {
    const over = work.catch(() => undefined).finally(() => this.#later.delete(over));
    this.#later.add(over);
  }

  #connection(agent: string): Connection {
    const connection = this.#connections.get(agent);
    if (connection !== undefined) return connection;
    throw new HubError('not_found', 'There is no other agent by this name.', { agent: agent.slice(0, 64) });
  }
}

/** What the application hands over. */
export interface OpenRemoteAgentsOptions {
  readonly config: RemoteAgentsConfig;
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
