import type { Session } from '../../core/domain/session.js';
import { toHubError } from '../../core/errors.js';
import type { RemoteAgent, RemoteCard, RemoteChoice } from '../../core/ports/remote-agents.js';
import { wordPattern } from '../../core/privacy.js';
import type { ToolDeps } from '../define-tool.js';
import { bestFit, type RankedRemoteSkill, type RemoteGoal } from './fill-input.js';
import { limitTime, RemoteCalls, type TimeLimit } from './remote-calls.js';

type Deps = Pick<ToolDeps, 'log' | 'remote' | 'spans'>;

/** Cards that do not come in this time, or in half of what a request may take, are left out; milliseconds. */
const CARDS_MS = 3_000;

/** Agents whose skills fit nearly as well may each be meant. */
const NEAR = 0.15;

/** What an agent's card makes of the request. */
interface Offered {
  readonly agent: RemoteAgent;
  readonly card: RemoteCard;
  readonly calls: RemoteCalls;
  readonly fit: RankedRemoteSkill | null;
}

/**
 * Which of the agents has a skill that fits what was asked, the best one; null where none has. Where no card fits, or
 * several fit nearly as well, a model chooses among them, if there is one. Cards come from the cache where they are fresh.
 * One that cannot be read is logged and left out.
 */
export async function chooseRemoteAgent(
  deps: Deps,
  agents: readonly RemoteAgent[],
  session: Session,
  text: string,
): Promise<string | null> {
  const limit = limitTime(Math.min(CARDS_MS, (deps.remote?.deadlineMs ?? CARDS_MS) / 2), undefined);
  try {
    const all = await Promise.all(agents.map((agent) => offerOf(deps, agent, session, text, limit)));
    const offers = all
      .filter((offer) => offer !== null)
      .sort((a, b) => (b.fit?.score ?? 0) - (a.fit?.score ?? 0));
    const [best, second] = offers;
    const isSure = best?.fit && best.fit.score - (second?.fit?.score ?? 0) >= NEAR;
    const choice = best && !isSure ? await chosenByModel(deps, offers, session, text) : null;
    return decided(offers, choice);
  } finally {
    limit.release();
  }
}

/** Notes for each agent what was decided. @returns the one that is asked */
function decided(offers: readonly Offered[], choice: RemoteChoice | null): string | null {
  const best = offers[0]?.fit ? offers[0].agent.name : null;
  const asked = choice ? choice.agent : best;
  for (const { agent, calls, fit } of offers) {
    const isAsked = agent.name === asked;
    const why = fit ? `fits ${fit.score.toFixed(2)}` : 'no_skill_fits';
    calls.decide(
      isAsked ? 'ask' : 'leave_out',
      choice ? 'model' : 'rule',
      choice?.reason ?? why,
      isAsked ? (fit?.skill.id ?? null) : null,
    );
  }
  return asked;
}

/** The model gets of the request what every offered agent may get. */
async function chosenByModel(
  { remote }: Deps,
  offers: readonly Offered[],
  session: Session,
  text: string,
): Promise<RemoteChoice | null> {
  if (!remote?.reasoner) return null;
  const limit = limitTime(remote.deadlineMs / 2, undefined);
  try {
    const { text: goal } = minimalGoal(text, { share: [] }, session, remote.mask);
    const matter = { goal, ticketId: session.ticketId, signal: limit.signal };
    const shown = offers.map(({ agent, card }) => ({
      agent: agent.name,
      description: agent.description,
      card,
    }));
    return await limit.within(remote.reasoner.choose(matter, shown));
  } catch (error) {
    // Too late to be of use: what fits by its words and meaning stands.
    if (limit.signal.aborted) return null;
    throw error;
  } finally {
    limit.release();
  }
}

async function offerOf(
  { remote: access, log, spans }: Deps,
  agent: RemoteAgent,
  session: Session,
  text: string,
  limit: TimeLimit,
): Promise<Offered | null> {
  if (!access) return null;
  const { ticketId } = session;
  const about = { key: `hub-card-${session.turnId}`, hops: session.hops ?? 0, language: undefined };
  const calls = new RemoteCalls({ agent, access, log, spans, ticketId, limit, ...about });
  try {
    const card = await calls.card();
    const goal = minimalGoal(text, agent, session, access.mask).text;
    return { agent, card, calls, fit: bestFit(goal, card, access.meaning) };
  } catch (error) {
    calls.decide('leave_out', 'rule', toHubError(error).code, null);
    return null;
  }
}

/** Longest request that is sent to another agent, in characters. */
const GOAL_CHARS = 2_000;
/** Ids of the hub and of the company: `tkt_7k3m…`. They mean nothing to a remote agent and are not for it. */
const OWN_ID =
  /(?<![\p{L}\p{N}_])(?:tkt|thr|trn|msg|usr|res|exp|sub|pay|rfd|rsl|rcl|pnd|pending|run|esc|cli|seg|inb|apr|cal)_(?=[a-z0-9_]*\d)[a-z0-9_]{2,60}(?![\p{L}\p{N}])/giu;
const INTRODUCES =
  /(?<![\p{L}\p{N}])(?:my name is|i am|i['’]m|this is|meu nome [eé]|me chamo|eu sou (?:o |a )?|aqui [eé] (?:o |a )?)\s*$/iu;

/**
 * What another agent gets to know of a request: its words without e-mail addresses, numbers of people and cards, secrets,
 * ids and the customer's name, and besides only what the configuration allows.
 * @param mask takes personal data and secrets out of a text
 */
export function minimalGoal(
  text: string,
  agent: Pick<RemoteAgent, 'share'>,
  { language, customerName, identity }: Pick<Session, 'language' | 'customerName' | 'identity'>,
  mask: (text: string) => string,
): RemoteGoal {
  const sharesName = agent.share.includes('customer_name');
  const masked = mask(text).replace(OWN_ID, '[id]');
  const words = sharesName || customerName === null ? masked : withoutName(masked, customerName);
  return {
    // Cut last: half an address would not be taken for one.
    text: words.slice(0, GOAL_CHARS).toWellFormed(),
    language: agent.share.includes('language') ? language : null,
    customerName: sharesName && identity.kind === 'customer' ? customerName : null,
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
