import type { JsonObject } from '../../src/core/domain/json.js';
import { HubError } from '../../src/core/errors.js';
import type {
  RemoteAgent,
  RemoteAgents,
  RemoteCallOptions,
  RemoteCard,
  RemoteReply,
  RemoteSkill,
} from '../../src/core/ports/remote-agents.js';

/** One call as the other agent got it. */
export interface RemoteCallSeen {
  readonly agent: string;
  readonly way: 'card' | 'specific' | 'generic';
  readonly skill: string | null;
  readonly input: JsonObject | null;
  readonly message: { readonly text: string; readonly taskId?: string; readonly contextId?: string } | null;
  readonly options: RemoteCallOptions;
}

/** What a call comes to: a reply, an error, or a function of the call. */
export type RemoteScript =
  | Partial<RemoteReply>
  | HubError
  | ((call: RemoteCallSeen) => Partial<RemoteReply> | HubError | Promise<Partial<RemoteReply> | HubError>);

export interface ScriptedAgent extends Partial<Omit<RemoteAgent, 'card'>> {
  readonly name: string;
  readonly card?: RemoteCard | HubError;
  /** By skill; the next one each time, the last one for good. */
  readonly specific?: Readonly<Record<string, readonly RemoteScript[]>>;
  readonly generic?: readonly RemoteScript[];
}

/** The port of agents elsewhere over scripts: what is called is written down, and told as tries like the real one does. */
export interface ScriptedRemote extends RemoteAgents {
  readonly calls: readonly RemoteCallSeen[];
  /** The calls but the reading of cards. */
  asked(): readonly RemoteCallSeen[];
  readonly closed: boolean;
}

/** A skill of a card. */
export function remoteSkill(
  over: Partial<RemoteSkill> & Pick<RemoteSkill, 'id'>,
  inputSchema: JsonObject | null = TEXT_INPUT,
  readOnly = true,
): RemoteSkill {
  return {
    name: over.id.replaceAll('_', ' '),
    description: '',
    tags: [],
    examples: [],
    specific: inputSchema && { method: 'POST', inputSchema, outputSchema: { type: 'object' }, readOnly },
    ...over,
  };
}

const TEXT_INPUT: JsonObject = {
  type: 'object',
  properties: { query: { type: 'string' } },
  required: ['query'],
};

export function remoteCard(skills: readonly RemoteSkill[], generic = true): RemoteCard {
  return { name: 'Somebody else', description: 'Knows other things.', skills, generic };
}

/** Makes an answer whole. */
function remoteReply(over: Partial<RemoteReply>): RemoteReply {
  return { state: 'completed', text: '', data: null, taskId: null, contextId: null, ...over };
}

export function scriptedRemote(agents: readonly ScriptedAgent[]): ScriptedRemote {
  const calls: RemoteCallSeen[] = [];
  const counts = new Map<string, number>();
  const read = new Set<string>();
  let closed = false;
  const find = (name: string): ScriptedAgent => {
    const found = agents.find((agent) => agent.name === name);
    if (!found) throw new HubError('not_found', 'There is no other agent by this name.');
    return found;
  };
  const cardOf = (agent: ScriptedAgent): RemoteCard | HubError => agent.card ?? remoteCard([]);
  const next = (key: string, script: readonly RemoteScript[] | undefined): RemoteScript => {
    const at = counts.get(key) ?? 0;
    counts.set(key, at + 1);
    const step = script?.[Math.min(at, script.length - 1)];
    if (step === undefined) throw new Error(`The script says nothing about ${key}`);
    return step;
  };
  const answer = async (call: RemoteCallSeen, script: RemoteScript): Promise<RemoteReply> => {
    calls.push(call);
    const step = typeof script === 'function' ? await script(call) : script;
    const { agent, way, skill } = call;
    const failed = step instanceof HubError;
    call.options.onTry?.({
      agent,
      way,
      skill,
      attempt: 1,
      ok: !failed,
      code: failed ? step.code : null,
      ms: 1,
    });
    if (failed) throw step;
    return remoteReply(step);
  };
  return {
    calls,
    asked: () => calls.filter(({ way }) => way !== 'card'),
    get closed() {
      return closed;
    },
    list: () =>
      agents.map(({ name, description = '', keywords = [], share = [], ...rest }) => {
        const card = read.has(name) ? cardOf({ name, ...rest }) : null;
        return { name, description, keywords, share, card: card instanceof HubError ? null : card };
      }),
    async card(name, options = {}) {
      const card = cardOf(find(name));
      calls.push({ agent: name, way: 'card', skill: null, input: null, message: null, options });
      const failed = card instanceof HubError;
      const entry = { agent: name, way: 'card', skill: null, attempt: 1, ms: 1 } as const;
      if (failed || !read.has(name))
        options.onTry?.({ ...entry, ok: !failed, code: failed ? card.code : null });
      if (failed) throw card;
      read.add(name);
      return card;
    },
    async callSkill(name, skill, input, options = {}) {
      const script = next(`${name}.${skill}`, find(name).specific?.[skill]);
      return answer({ agent: name, way: 'specific', skill, input, message: null, options }, script);
    },
    async send(name, message, options = {}) {
      const script = next(`${name}.generic`, find(name).generic);
      return answer({ agent: name, way: 'generic', skill: null, input: null, message, options }, script);
    },
    async close() {
      closed = true;
    },
  };
}
