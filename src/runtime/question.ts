import type { PendingAction, PendingAnswers, PendingKind } from '../core/domain/pending.js';
import { hashOf } from './args-hash.js';
import type { ToolContext, ToolDeps } from './define-tool.js';

type Terms = Readonly<Record<string, unknown>>;

/** What somebody is asked to agree to. */
interface Question {
  readonly kind: PendingKind;
  readonly customerId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Exact effects; the hash that is agreed to covers them. */
  readonly terms: Terms;
  readonly text: string;
  readonly answers?: PendingAnswers | null | undefined;
  readonly needsOperator: boolean;
}

/** Where a question is put, and under which id: the same for the same question on every run. */
export type QuestionPlace = Pick<PendingAction, 'pendingId' | 'threadId' | 'graphThreadId' | 'ticketId'>;

const MINUTE_MS = 60_000;

/** Stores a question about one exact action. Repeating it changes nothing. */
export async function openQuestion(
  deps: Pick<ToolDeps, 'pending' | 'clock' | 'policy'>,
  { kind, customerId, tool, args, terms, text, answers = null, needsOperator }: Question,
  place: QuestionPlace,
): Promise<PendingAction> {
  const { confirmation_minutes: minutes, approval_hours: hours } = deps.policy.pending;
  const lifeMs = kind === 'confirmation' ? minutes * MINUTE_MS : hours * 60 * MINUTE_MS;
  return deps.pending.open({
    ...place,
    kind,
    customerId,
    tool,
    args,
    argsHash: hashOf(customerId, tool, args, terms),
    question: text,
    answers,
    needsOperator,
    expiresAt: new Date(deps.clock.now().getTime() + lifeMs).toISOString(),
  });
}

/** As much of a call's context as its question is placed by. */
interface CallInPlace extends Pick<ToolContext, 'callId'> {
  readonly session: Pick<ToolContext['session'], 'threadId' | 'graphThreadId' | 'ticketId' | 'turnId'>;
}

/**
 * Where a paused call asks its customer. The turn is part of the id, because some providers number their calls from 0
 * in every answer; the terms are not, so that a call that runs again finds its question whatever has changed since.
 */
export function confirmationPlace(
  tool: string,
  args: Terms,
  { session, callId }: CallInPlace,
): QuestionPlace {
  const { threadId, graphThreadId, ticketId, turnId } = session;
  return { pendingId: idOf(graphThreadId, turnId, callId, tool, args), threadId, graphThreadId, ticketId };
}

/** Where the approval that follows a confirmation is asked, by the graph or from the stored row alone. */
export function approvalPlace(confirmation: PendingAction): QuestionPlace {
  const { pendingId, argsHash, threadId, graphThreadId, ticketId } = confirmation;
  return { pendingId: idOf(pendingId, 'approval', argsHash), threadId, graphThreadId, ticketId };
}

/** True where these effects are those that the question was about. */
export function agreesTo(pending: PendingAction, terms: Terms): boolean {
  return hashOf(pending.customerId, pending.tool, pending.args, terms) === pending.argsHash;
}

function idOf(...parts: readonly unknown[]): string {
  return `pnd_${hashOf(...parts).slice(0, 20)}`;
}
