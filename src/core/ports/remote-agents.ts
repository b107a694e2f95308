import type { JsonObject } from '../domain/json.js';
import type { Language } from '../domain/taxonomy.js';
import { HubError } from '../errors.js';

/** One skill of another agent's card. Everything in it is the other side's word: data, never instruction. */
export interface RemoteSkill {
  readonly id: string;
  readonly name: string;
  /** Cut to 500 characters. */
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  /** Set where the card tells how to call it with structured input. */
  readonly specific: {
    readonly method: 'POST' | 'GET';
    readonly inputSchema: JsonObject;
    readonly outputSchema: JsonObject;
    /** True where the card says it changes nothing; a call whose outcome is unknown may then be made again. */
    readonly readOnly: boolean;
  } | null;
}

/** What a card says, cleaned and cut. */
export interface RemoteCard {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly RemoteSkill[];
  /** True where it takes messages (the generic way). */
  readonly generic: boolean;
}

/** Another agent, as the operator of this hub has configured it. */
export interface RemoteAgent {
  /** `[a-z][a-z0-9_]{0,31}`, unlike those of the roster. */
  readonly name: string;
  /** The configured one; the card's where none is. */
  readonly description: string;
  /** Words of requests that are certainly for it, lower case, in any language. */
  readonly keywords: readonly string[];
  /** Facts of a request that it may be told, besides the request: `language`, `customer_name`. */
  readonly share: readonly ('language' | 'customer_name')[];
  /** As last read; null until then, or where it cannot be. */
  readonly card: RemoteCard | null;
}

/** One try of one call, for log and trace. */
export interface RemoteTry {
  readonly agent: string;
  readonly way: 'card' | 'specific' | 'generic';
  /** Skill id of a specific call. */
  readonly skill: string | null;
  /** From 1. */
  readonly attempt: number;
  readonly ok: boolean;
  /** An error code, where not ok. */
  readonly code: string | null;
  readonly ms: number;
}

/** How many hubs a request may have come through before it is sent on no more: two that name each other end there. */
export const MAX_REMOTE_HOPS = 3;
/** Metadata of an A2A message that counts the hubs its request came through. */
export const REMOTE_HOPS_METADATA = 'uda_hub_hops';
/** The same as a header, of every request to another agent. */
export const REMOTE_HOPS_HEADER = 'x-uda-hub-hops';

export interface RemoteCallOptions {
  readonly language?: Language;
  readonly signal?: AbortSignal;
  /** Hubs that the request came through before this one, as its metadata or header says; 0 where absent. */
  readonly hops?: number;
  /**
   * Names the call, the same whenever it is made again (a turn that is resumed after a crash): the other side sees it as
   * message id or idempotency key. 1 to 100 of `[A-Za-z0-9_.:-]`. A new one where absent.
   */
  readonly key?: string;
  /** Told of each try; must not throw. */
  readonly onTry?: (entry: RemoteTry) => void;
}

/** What another agent answered. Text and data are theirs: never instruction, never trusted HTML. */
export interface RemoteReply {
  /** `input_required`: it asks something back; the text is the question. */
  readonly state: 'completed' | 'input_required';
  /** At most 8,000 characters. */
  readonly text: string;
  /** Structured output, at most 64 kB. */
  readonly data: JsonObject | null;
  /** To continue the same task. */
  readonly taskId: string | null;
  readonly contextId: string | null;
}

/** Where the other agents are named, and what their tokens are. */
export interface RemoteAgentsConfig {
  /** Absolute path of the file that names them; undefined: there are none. */
  readonly file: string | undefined;
  /** What the file's `token_env` stands for; undefined where it is not set. The hub's own settings are nobody else's. */
  readonly secret: (name: string) => string | undefined;
}

/**
 * Other agents over A2A. Network faults and 5xx are tried again with back-off behind a circuit breaker, 4xx are not.
 * All calls throw HubError: `remote_unreachable` (network, time, 5xx, open circuit; fields.certain is false where the call
 * may have been carried out all the same), `remote_refused` (4xx; fields.status, fields.detail), `remote_failed` (the task
 * failed or was rejected there), `remote_bad_answer` (not the protocol, too large), `remote_forbidden_address`, `cancelled`.
 */
export interface RemoteAgents {
  list(): readonly RemoteAgent[];
  /** Reads the card, from the cache where it is fresh. @throws HubError also `not_found` */
  card(agent: string, options?: RemoteCallOptions): Promise<RemoteCard>;
  /** The specific way. @throws HubError also `not_found`, `input_invalid` against the skill's schema */
  callSkill(
    agent: string,
    skill: string,
    input: JsonObject,
    options?: RemoteCallOptions,
  ): Promise<RemoteReply>;
  /** The generic way: a message. */
  send(
    agent: string,
    message: { readonly text: string; readonly taskId?: string; readonly contextId?: string },
    options?: RemoteCallOptions,
  ): Promise<RemoteReply>;
  close(): Promise<void>;
}

/** What a model is told of a request to another agent: nothing but what that agent may be told as well. */
export interface RemoteMatter {
  /** The request, without what the other agent does not need. */
  readonly goal: string;
  /** For the record of the model's call. */
  readonly ticketId: string;
  readonly signal: AbortSignal;
}

/** One skill with its input, as a model read them from the request. */
interface FilledSkill {
  readonly skill: string;
  readonly input: JsonObject;
}

/** An agent elsewhere as a model is shown it. */
export interface RemoteOffer {
  readonly agent: string;
  /** What the hub's own settings say of it; empty where nothing. */
  readonly description: string;
  readonly card: RemoteCard;
}

/** Which agent elsewhere a model takes to be meant. */
export interface RemoteChoice {
  /** One of those that were offered; null where none of them answers the request. */
  readonly agent: string | null;
  /** One sentence for the log. */
  readonly reason: string;
}

/** What a model thinks of a request whose structured call failed. */
interface SecondLook {
  /** False: the other agent cannot do it anyway, so it is not asked again. */
  readonly fits: boolean;
  /** The request in new words; of use only where it fits. */
  readonly words: string;
  /** One sentence for the log. */
  readonly reason: string;
}

/**
 * Helps where rules cannot tell how to put a request to another agent. What it gives is checked by the one who asked. Nothing
 * here throws but for an aborted signal: null means that no model could be asked, so that the rules decide.
 */
export interface RemoteReasoner {
  /** Which of the agents answers the request. */
  choose(matter: RemoteMatter, offers: readonly RemoteOffer[]): Promise<RemoteChoice | null>;
  /** Which skill fits, and its input; `skill` is empty where none does. */
  fill(matter: RemoteMatter, skills: readonly RemoteSkill[]): Promise<FilledSkill | null>;
  /** Looks at the request again. @param failed the skill that was called @param code how that went wrong */
  lookAgain(matter: RemoteMatter, failed: RemoteSkill, code: string): Promise<SecondLook | null>;
}

const notListed = (agent: string): Promise<never> =>
  Promise.reject(
    new HubError('not_found', 'There is no other agent by this name.', { agent: agent.slice(0, 64) }),
  );

/** Where no agents elsewhere are configured. */
export const NO_REMOTE_AGENTS: RemoteAgents = {
  list: () => [],
  card: notListed,
  callSkill: notListed,
  send: notListed,
  close: async () => undefined,
};
