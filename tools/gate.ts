import { interrupt } from '@langchain/langgraph';
import type { Decision, PendingAction, PendingKind } from '../src/core/domain/pending.js';
import type { ErrorCode } from '../src/core/errors.js';
import { hashOf } from './args-hash.js';
import type { ToolContext } from './define-tool.js';
import type { ToolDeps } from './tool-deps.js';

/** What somebody is asked to agree to. */
export interface GateRequest {
  readonly kind: PendingKind;
  readonly customerId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly terms: Readonly<Record<string, unknown>>;
  readonly question: string;
  /** The confirmation that an approval follows; null for the first question about a call. */
  readonly follows: PendingAction | null;
}

/** What a paused graph shows to whoever resumes it. */
export interface GateInterrupt {
  readonly pending_id: string;
  readonly kind: PendingKind;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly question: string;
  readonly args_hash: string;
  readonly expires_at: string;
}

/** What a paused graph is resumed with. The stored decision counts; this only wakes the graph. */
export interface GateAnswer {
  readonly approved?: boolean;
  readonly pending_id?: string;
  readonly by?: string;
  readonly reason?: string;
}

export type GateResult =
  | {
      readonly kind: 'released';
      readonly pending: PendingAction;
      /** True where nobody else closes the row afterwards (Studio). */
      readonly decidedHere: boolean;
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly pending: PendingAction };

type GateDeps = Pick<ToolDeps, 'pending' | 'clock' | 'policy'>;

const MINUTE_MS = 60_000;

/**
 * Stores a question about one exact action. Repeating it changes nothing.
 * @param pendingId the same for the same question on every run
 */
export async function openQuestion(
  deps: GateDeps,
  request: GateRequest,
  at: Pick<PendingAction, 'pendingId' | 'threadId' | 'graphThreadId' | 'ticketId'>,
): Promise<PendingAction> {
  const { confirmation_minutes: minutes, approval_hours: hours } = deps.policy.pending;
  const lifeMs = request.kind === 'confirmation' ? minutes * MINUTE_MS : hours * 60 * MINUTE_MS;
  const { kind, customerId, tool, args, question } = request;
  const opened = await deps.pending.open({
    ...at,
    kind,
    customerId,
    tool,
    args,
    argsHash: hashOf(customerId, tool, args, request.terms),
    question,
    expiresAt: new Date(deps.clock.now().getTime() + lifeMs).toISOString(),
  });
  // The approval stands in its place now. The other way round a crash in between would lose the customer's yes.
  if (request.follows) await deps.pending.release(request.follows.pendingId);
  return opened;
}

/** The id of the approval that follows a confirmation: the same whether the graph or the stored row asks for it. */
export function approvalIdOf(confirmation: PendingAction): string {
  return pendingIdOf(confirmation.pendingId, 'approval', confirmation.argsHash);
}

function pendingIdOf(...parts: readonly unknown[]): string {
  return `pnd_${hashOf(...parts).slice(0, 20)}`;
}

/**
 * Asks and waits. The question is a stored row with an id made from the paused call and a hash of the exact action;
 * the graph pauses on it, and goes on only as that row was decided. Nothing may run between `open` and `interrupt`
 * that must not run twice: on resume the calling node starts again from its beginning.
 *
 * The pause is always taken, whatever the row says: LangGraph matches answers to pauses by their order.
 */
export async function passGate(
  deps: GateDeps,
  request: GateRequest,
  context: ToolContext,
): Promise<GateResult> {
  const { session, callId } = context;
  const { threadId, graphThreadId, ticketId, turnId } = session;
  const argsHash = hashOf(request.customerId, request.tool, request.args, request.terms);
  // The turn is part of it: some providers number their calls from 0 in every answer.
  const pendingId = request.follows
    ? approvalIdOf(request.follows)
    : pendingIdOf(graphThreadId, turnId, callId, request.kind, argsHash);
  const opened = await openQuestion(deps, request, { pendingId, threadId, graphThreadId, ticketId });
  const answer = interrupt<GateInterrupt, GateAnswer>({
    pending_id: pendingId,
    kind: request.kind,
    tool: request.tool,
    args: request.args,
    question: request.question,
    args_hash: argsHash,
    expires_at: opened.expiresAt,
  });
  return settle(deps, opened, argsHash, answer);
}

async function settle(
  deps: GateDeps,
  opened: PendingAction,
  argsHash: string,
  answer: GateAnswer,
): Promise<GateResult> {
  const { pendingId } = opened;
  const refused = (code: ErrorCode, pending: PendingAction): GateResult => ({ kind: 'refused', code, pending });
  let row = await deps.pending.get(pendingId);
  if (row === null || row.argsHash !== argsHash) return refused('pending_mismatch', opened);
  // Surfaces decide before they resume. In Studio the developer's answer arrives here undecided.
  const decidedHere = row.status === 'pending';
  if (decidedHere) {
    if (answer.pending_id !== undefined && answer.pending_id !== pendingId) {
      // The terms changed since the question was put, so this row asks something nobody has seen.
      await deps.pending.supersede(pendingId);
      return refused('pending_mismatch', opened);
    }
    row = await deps.pending.decide(pendingId, studioDecision(answer));
  }
  switch (row.status) {
    case 'approved':
    case 'released':
      return { kind: 'released', pending: row, decidedHere };
    case 'rejected':
      return refused(row.kind === 'approval' ? 'approval_rejected' : 'confirmation_rejected', row);
    case 'superseded':
      return refused('pending_decided', row);
    default:
      return refused('pending_expired', row);
  }
}

function studioDecision(answer: GateAnswer): Decision {
  const decision = { approved: answer.approved === true, by: answer.by ?? 'operator:studio' };
  return answer.reason === undefined ? decision : { ...decision, reason: answer.reason };
}
