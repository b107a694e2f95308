import type { GraphDeps } from './graph-deps.js';
import { reviewDraft } from './review-rules.js';
import type { HubStateType, HubUpdate } from './state.js';

/**
 * Decides whether the drafts may be sent: one revision by the agent that wrote the faulty one, then escalation.
 * Rules cannot write better the second time, so an offline draft is not revised.
 */
export function reviewNode(deps: GraphDeps) {
  return (state: HubStateType): HubUpdate => {
    const { session, drafts, trace, tasks } = state;
    if (!session) throw new Error('Review was called outside a turn');
    if (drafts.length === 0 || drafts.some((draft) => draft.unanswered)) return { next: 'escalate' };
    const faulty = drafts.findIndex((draft) => reviewDraft(draft, trace, session) !== null);
    const draft = drafts[faulty];
    if (!draft) {
      const details = { drafts: drafts.length };
      deps.tools.log.info({ agent: 'review', action: 'draft_passed', ticketId: session.ticketId, details });
      return { next: drafts.some((one) => one.needsPerson) ? 'escalate' : 'respond' };
    }
    const finding = reviewDraft(draft, trace, session);
    deps.tools.log.warn({
      agent: 'review',
      action: 'draft_rejected',
      ticketId: session.ticketId,
      details: { agent: draft.agent, fault: finding?.fault, revision: state.revision !== null },
    });
    const taskIndex = indexOfDraftTask(state, faulty);
    if (state.revision !== null || draft.provider === 'offline' || taskIndex === -1) {
      return { next: 'escalate', drafts: drafts.filter((_candidate, index) => index !== faulty) };
    }
    return {
      next: 'router',
      revision: finding?.advice ?? null,
      drafts: drafts.filter((_candidate, index) => index !== faulty),
      tasks: tasks.map((task, index) => (index === taskIndex ? { ...task, status: 'todo' } : task)),
    };
  };
}

/** Drafts come in the order of the tasks that are done. */
function indexOfDraftTask(state: HubStateType, draft: number): number {
  const done = state.tasks.flatMap((task, index) => (task.status === 'done' ? [index] : []));
  return done[draft] ?? -1;
}
