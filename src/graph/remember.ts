import type { Draft, Session } from '../core/domain/session.js';
import type { GraphDeps } from './graph-deps.js';
import type { FinalReply, HubStateType } from './state.js';

/**
 * Long-term memory: what this turn settled, so that a returning customer is recognised.
 * @param answered the last draft that may be sent
 */
export async function remember(
  deps: GraphDeps,
  state: HubStateType,
  session: Session,
  reply: FinalReply,
  answered: Draft | undefined,
): Promise<void> {
  const { identity } = session;
  const { classification } = state;
  if (identity.kind !== 'customer' || !classification || classification.requests.length === 0) return;
  const acted = state.trace.filter((entry) => deps.tools.roster.findAction(entry.tool) !== null);
  if (state.escalationNotice?.kind === 'aside') return;
  if (!state.escalation && answered?.focus && acted.length === 0) return;
  const resolutionType = state.escalation
    ? 'escalated'
    : acted.some((entry) => entry.ok)
      ? 'action_completed'
      : acted.length > 0
        ? 'declined'
        : 'answered';
  await deps.tools.memory.addResolution({
    ticketId: session.ticketId,
    customerId: identity.customerId,
    resolutionType,
    summary: deps.tools.texts.for(session.language).say('came_of', {
      type: resolutionType,
      about: classification.summary,
      outcome: shortly(reply.text),
    }),
    agent: answered?.agent ?? (reply.escalated ? 'escalation' : 'hub'),
  });
}

const OUTCOME_CHARS = 200;

/** The beginning of an answer, as much as tells later what came of a request; a list that it announces belongs to it. */
function shortly(text: string): string {
  const [first = '', ...more] = text.split('\n').filter((line) => line.trim() !== '');
  const line = first.endsWith(':') ? [first, ...more.map((one) => one.replace(/^\W+/, ''))].join(' ') : first;
  if (line.length <= OUTCOME_CHARS) return line;
  const cut = line.slice(0, OUTCOME_CHARS);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '));
  return end > 0 ? cut.slice(0, end + 1) : `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}
