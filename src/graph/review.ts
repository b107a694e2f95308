import type { GuardrailFault, GuardrailOutcome } from '../core/domain/guardrail.js';
import type { Draft, Session, ToolTrace } from '../core/domain/session.js';
import type { StatementReader } from '../core/ports/language-layer.js';
import type { ToolDeps } from '../runtime/define-tool.js';
import { evidenceOf, type TurnEvidence } from './claims/turn-evidence.js';
import { SUPERVISOR } from './clarify.js';
import { performedActions } from './performed-actions.js';
import { isFromElsewhere, type ReviewFinding, reviewDraft, withoutCitations } from './review-rules.js';
import type { HubStateType, HubUpdate } from './state.js';

/** A draft that must not be sent. */
interface Faulty {
  readonly index: number;
  readonly draft: Draft;
  readonly finding: ReviewFinding;
  /** What may be sent instead; null where it has to be written again. */
  readonly instead: Draft | null;
}

/**
 * Decides whether the drafts may be sent. Every faulty one is taken out: one revision by the agents that wrote them,
 * then their rules answer from what was read, so that a customer whose question has an answer gets it. Rules cannot
 * write better the second time: where theirs is faulty, a person answers. What a record that was read does not bear out
 * the rules say at once.
 */
export function reviewNode(deps: ReviewDeps) {
  return (state: HubStateType): HubUpdate => {
    const { session, drafts, tasks } = state;
    if (!session) throw new Error('Review was called outside a turn');
    const faulty = faultyDrafts(deps, state);
    for (const { draft, finding } of faulty) {
      deps.tools.log.warn({
        agent: 'review',
        action: 'draft_rejected',
        ticketId: session.ticketId,
        details: { agent: draft.agent, fault: finding.fault, revision: state.revision !== null },
      });
    }
    const open = faulty.filter(({ instead }) => instead === null);
    const sound = drafts.flatMap((draft, index) => {
      const found = faulty.find((one) => one.index === index);
      return found ? (found.instead ?? []) : [draft];
    });
    const noted = (outcomeOf: (index: number) => GuardrailOutcome): Pick<HubUpdate, 'guardrails'> => ({
      guardrails: [
        ...state.guardrails,
        ...faulty.map(({ index, draft, finding, instead }) => ({
          agent: draft.agent,
          fault: finding.fault,
          outcome: instead ? ('quoted' as const) : outcomeOf(index),
        })),
      ],
    });
    if (drafts.length === 0 || isLeftOpen(drafts))
      return { next: 'escalate', drafts: sound, ...noted(() => 'person') };
    if (open.length === 0) {
      const details = { drafts: drafts.length };
      deps.tools.log.info({ agent: 'review', action: 'draft_passed', ticketId: session.ticketId, details });
      const next = drafts.some((one) => one.needsPerson) ? 'escalate' : 'respond';
      return faulty.length === 0 ? { next } : { next, drafts: sound, ...noted(() => 'person') };
    }
    const again = new Set(open.map(({ index }) => indexOfDraftTask(state, index)));
    const wasRevised = state.revision !== null;
    const isLast = ({ draft: { agent, provider } }: Faulty) =>
      provider === 'offline' || (wasRevised && isFromElsewhere(agent, state.trace));
    if (again.has(-1) || open.some(isLast))
      return { next: 'escalate', drafts: sound, ...noted(() => 'person') };
    const wrong = open.filter(({ finding }) => !finding.byRules);
    const advice = [...new Set(wrong.map(({ finding }) => finding.advice))].join(' ');
    const revised = new Set(wasRevised ? [] : wrong.map(({ index }) => indexOfDraftTask(state, index)));
    return {
      next: 'router',
      ...(advice === '' ? {} : { revision: advice }),
      ...noted((index) => (revised.has(indexOfDraftTask(state, index)) ? 'rewritten' : 'rules')),
      drafts: sound,
      tasks: tasks.map((task, index) =>
        again.has(index)
          ? { ...task, status: 'todo', ...(revised.has(index) ? {} : { withoutModel: true }) }
          : task,
      ),
    };
  };
}

/** True where a question has no answer, and was not named beside what else is answered. */
function isLeftOpen(drafts: readonly Draft[]): boolean {
  return (
    drafts.every(({ unanswered }) => unanswered) ||
    drafts.some(({ unanswered, owed }) => unanswered && owed === undefined)
  );
}

/** What a check of drafts needs. */
interface ReviewDeps {
  readonly tools: Pick<ToolDeps, 'log' | 'clock' | 'time' | 'policy' | 'roster' | 'company' | 'texts'>;
  readonly statements: StatementReader;
}

/** The drafts of a turn that must not be sent, with what is wrong with them. */
export function faultyDrafts(
  deps: ReviewDeps,
  state: Pick<HubStateType, 'session' | 'drafts' | 'trace' | 'messages'>,
): readonly Faulty[] {
  const { session, drafts, trace } = state;
  if (!session) return [];
  const evidence = evidenceOf(deps, { ...state, session });
  const words = companyWords(deps, trace, session);
  return drafts.flatMap((draft, index) => {
    const checked = isFromElsewhere(draft.agent, trace) ? draft : without(words, draft);
    const finding = checked && reviewDraft(checked, trace, session, deps.tools.roster, evidence);
    return finding && !(finding.fault === 'claimed_action' && isHubsOwn(draft))
      ? [{ index, draft, finding, instead: insteadOf(draft, finding, evidence) }]
      : [];
  });
}

/**
 * What the company's own files say of this turn: why something is refused, what was done, what a skill found. "When we cancelled
 * a flight" is a rule of the company there, and no claim of whoever repeats it.
 */
function companyWords(deps: ReviewDeps, trace: readonly ToolTrace[], session: Session): readonly string[] {
  const told = trace.flatMap(({ ok, tool, result }) => {
    const { said, customer_message: found } = (result ?? {}) as Readonly<Record<string, unknown>>;
    // A refusal is worded by the hub; what another system answered may have such names too, and is its word alone.
    const one = ok ? (tool === INVESTIGATE ? found : null) : said;
    return typeof one === 'string' && one.length >= SENTENCE ? [one] : [];
  });
  return [...told, ...performedActions(deps, trace, session)];
}

/** The tool whose findings packs word. */
const INVESTIGATE = 'investigate';
/** A shorter text is no sentence, and might stand inside another one. */
const SENTENCE = 12;

/** What is left of a draft without these; null where nothing is. */
function without(words: readonly string[], draft: Draft): Draft | null {
  const text = words.reduce((rest, one) => rest.replaceAll(one, ' '), draft.text);
  return text.trim() === '' && draft.text.trim() !== '' ? null : { ...draft, text };
}

/** What the articles that were read say better. */
const QUOTABLE: ReadonlySet<GuardrailFault> = new Set(['figure', 'claimed_action', 'promise']);

/** In place of a draft that no article bears out, what they say of it themselves. */
function insteadOf(draft: Draft, { fault }: ReviewFinding, evidence: TurnEvidence): Draft | null {
  const quotes = QUOTABLE.has(fault) ? evidence.quotesOf(draft.agent) : null;
  const text = quotes?.quote(withoutCitations(draft.text)) ?? null;
  return text === null ? null : { ...draft, text, provider: 'offline', focus: null };
}

/** What the hub says by itself of what was done it has read from its own records of this conversation, in earlier turns too. */
function isHubsOwn({ agent, provider }: Draft): boolean {
  return agent === SUPERVISOR && provider === 'offline';
}

/** Drafts come in the order of the tasks that are done. */
function indexOfDraftTask(state: HubStateType, draft: number): number {
  const done = state.tasks.flatMap((task, index) => (task.status === 'done' ? [index] : []));
  return done[draft] ?? -1;
}
