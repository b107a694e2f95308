import type { Draft, Session } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import type { Sentences } from '../core/i18n/index.js';
import type { AgentResults } from './agent-results.js';
import type { RoutedTurn } from './conversation-tasks.js';
import type { GraphDeps } from './graph-deps.js';
import { escalatedIn } from './operator-messages.js';
import { withoutCitations } from './review-rules.js';
import { unansweredNote } from './unanswered-parts.js';

/** What the customer reads of drafts: those that may be sent, and what the hub adds to any of them. */
export function saidIn(drafts: readonly Draft[], faulty: ReadonlySet<Draft>): readonly string[] {
  return drafts.flatMap((draft) => [
    ...(isSaid(draft, faulty) ? [withoutCitations(draft.text)] : []),
    ...(draft.note ? [draft.note] : []),
  ]);
}

/** Names what stays unanswered beside what is said. */
export function owedIn(
  drafts: readonly Draft[],
  faulty: ReadonlySet<Draft>,
  session: Session,
  texts: Sentences,
): readonly string[] {
  const said = drafts.filter((draft) => isSaid(draft, faulty));
  return unansweredNote(drafts, said, session, texts);
}

/** True where a draft's own words go out. */
export function isSaid(draft: Draft, faulty: ReadonlySet<Draft>): boolean {
  return draft.text !== '' && !draft.unanswered && !faulty.has(draft);
}

/** A shorter answer may come twice. */
const LONG = 40;

/**
 * Why a request of the conversation waits for a person, where a message tells of it what the agents have only the answer to that they
 * gave before: the person reads it then.
 * @returns null where none waits, something is asked or was done, or an answer is new
 */
export async function toldAgain(
  deps: GraphDeps,
  { state, session, text }: RoutedTurn,
  { tasks, drafts }: Pick<AgentResults, 'tasks' | 'drafts'>,
): Promise<EscalationReason | null> {
  const said = `${session.earlierReplies ?? ''}\n${session.lastReply ?? ''}`;
  const isOld = ({ text: answer, focus, paused, needsPerson }: Draft): boolean =>
    focus === null &&
    !paused &&
    !needsPerson &&
    answer.length >= LONG &&
    said.includes(withoutCitations(answer));
  if (drafts.length === 0 || tasks.some(({ status }) => status !== 'done') || !drafts.every(isOld))
    return null;
  if (deps.dialogue.isQuestion(text) || state.trace.some(({ tool }) => deps.tools.roster.findAction(tool)))
    return null;
  const waiting = await escalatedIn(deps, session.threadId);
  const escalations = waiting ? await deps.tickets.listEscalations(waiting.ticketId) : [];
  return escalations.findLast(({ status }) => status === 'open')?.reason ?? null;
}
