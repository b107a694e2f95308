import type { Session } from '../../core/domain/session.js';
import { toHubError } from '../../core/errors.js';
import type { RemoteAgent } from '../../core/ports/remote-agents.js';
import type { ToolDeps } from '../define-tool.js';
import { bestFit } from './match-skill.js';
import { minimalGoal } from './minimal-goal.js';
import { RemoteCalls } from './remote-calls.js';
import { limitTime, type TimeLimit } from './time-limit.js';

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
    const fit = bestFit(minimalGoal(text, agent, session, access.mask).text, card);
    if (fit) calls.decide('ask', 'rule', `fits ${fit.score.toFixed(2)}`, fit.skill.id);
    else calls.decide('leave_out', 'rule', 'no_skill_fits', null);
    return fit && { agent: agent.name, score: fit.score };
  } catch (error) {
    calls.decide('leave_out', 'rule', toHubError(error).code, null);
    return null;
  }
}
