import type { Session } from '../../core/domain/session.js';
import { toHubError } from '../../core/errors.js';
import type { RemoteAgent } from '../../core/ports/remote-agents.js';
import { wordPattern } from '../../core/privacy-scrub.js';
import type { ToolDeps } from '../define-tool.js';
import { bestFit, type RemoteGoal } from './fill-input.js';
import { limitTime, RemoteCalls, type TimeLimit } from './remote-calls.js';

type Deps = Pick<ToolDeps, 'log' | 'remote' | 'spans'>;

/** Cards that do not come in this time, or in half of what a request may take, are left out; milliseconds. */
const CARDS_MS = 3_000;

/**
 * Which of the agents has a skill that fits what was asked, the best one; null where none has. Cards come from the cache
 * where they are fresh. One that cannot be read is logged and left out.
 */
export async function whoFits(
  deps: Deps,
  agents: readonly RemoteAgent[],
  session: Session,
  text: string,
): Promise<string | null> {
  const limit = limitTime(Math.min(CARDS_MS, (deps.remote?.deadlineMs ?? CARDS_MS) / 2), undefined);
  try {
    const fits = await Promise.all(agents.map((agent) => fitOf(deps, agent, session, text, limit)));
    const [best] = fits.filter((fit) => fit !== null).sort((a, b) => b.score - a.score);
    return best?.agent ?? null;
  } finally {
    limit.release();
  }
}

async function fitOf(
  { remote: access, log, spans }: Deps,
  agent: RemoteAgent,
  session: Session,
  text: string,
  limit: TimeLimit,
): Promise<{ readonly agent: string; readonly score: number } | null> {
  if (!access) return null;
  const { ticketId } = session;
  const about = { key: `hub-card-${session.turnId}`, hops: session.hops ?? 0, language: undefined };
  const calls = new RemoteCalls({ agent, access, log, spans, ticketId, limit, ...about });
  try {
    const card = await calls.card();
    const fit = bestFit(minimalGoal(text, agent, session, access.mask).text, card, access.meaning);
    if (fit) calls.decide('ask', 'rule', `fits ${fit.score.toFixed(2)}`, fit.skill.id);
    else calls.decide('leave_out', 'rule', 'no_skill_fits', null);
    return fit && { agent: agent.name, score: fit.score };
  } catch (error) {
    calls.decide('leave_out', 'rule', toHubError(error).code, null);
    return null;
  }
}

/** Longest request that is sent to another agent, in characters. */
const GOAL_CHARS = 2_000;
/** Ids of the hub and of the company: `tkt_7k3m…`. They mean nothing elsewhere, and are nobody's business there. */
const OWN_ID =
  /(?<![\p{L}\p{N}_])(?:tkt|thr|trn|msg|usr|res|exp|sub|pay|rfd|rsl|rcl|pnd|pending|run|esc|cli|seg|inb|apr|cal)_(?=[a-z0-9_]*\d)[a-z0-9_]{2,60}(?![\p{L}\p{N}])/giu;
const INTRODUCES =
  /(?<![\p{L}\p{N}])(?:my name is|i am|i['’]m|this is|meu nome [eé]|me chamo|eu sou (?:o |a )?|aqui [eé] (?:o |a )?)\s*$/iu;

/**
 * What another agent gets to know of a request: its words without e-mail addresses, numbers of people and cards, secrets,
 * ids and the customer's name, and besides only what the configuration lets it be told.
 * @param mask takes personal data and secrets out of a text
 */
export function minimalGoal(
  text: string,
  agent: Pick<RemoteAgent, 'share'>,
  { language, customerName, identity }: Pick<Session, 'language' | 'customerName' | 'identity'>,
  mask: (text: string) => string,
): RemoteGoal {
  const tellsName = agent.share.includes('customer_name');
  const masked = mask(text).replace(OWN_ID, '[id]');
  const words = tellsName || customerName === null ? masked : withoutName(masked, customerName);
  return {
    // Cut last: half an address would not be taken for one.
    text: words.slice(0, GOAL_CHARS).toWellFormed(),
    language: agent.share.includes('language') ? language : null,
    customerName: tellsName && identity.kind === 'customer' ? customerName : null,
  };
}

/** A first name alone may be a place or an artist ("Lima", "Elis"): it goes where the customer says that it is theirs. */
function withoutName(text: string, name: string): string {
  const whole = text.replace(wordPattern([name]), '[name]');
  const parts = name.split(/\s+/).filter((part) => part.length > 2);
  if (parts.length === 0) return whole;
  return whole.replace(wordPattern(parts), (found, offset: number) =>
    INTRODUCES.test(whole.slice(Math.max(0, offset - 40), offset)) ? '[name]' : found,
  );
}
