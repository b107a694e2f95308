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
  | { readonly kind: 'released'; readonly pending: PendingAction }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly reason: string | null };

type GateDeps = Pick<ToolDeps, 'pending' | 'clock' | 'policy'>;

const MINUTE_MS = 60_000;

/**
 * Asks and waits. The question is a stored row with an id made from the paused call and a hash of the exact action;
 * the graph pauses on it, and goes on only as that row was decided. Nothing may run between `open` and `interrupt`
 * that must not run twice: on resume the calling node starts again from its beginning.
 *
 * The pause is always taken, whatever the row says: LangGraph matches answers to pauses by their order.
 */
export async function passGate(deps: GateDeps, request: GateRequest, context: ToolContext): Promise<GateResult> {
  const { session } = context;
  const argsHash = hashOf(request.customerId, request.tool, request.args, request.terms);
  const pendingId = `pnd_${hashOf(session.graphThreadId, context.callId, request.kind, argsHash).slice(0, 20)}`;
  const lifeMs =
    request.kind === 'confirmation'
      ? deps.policy.pending.confirmation_minutes * MINUTE_MS
      : deps.policy.pending.approval_hours * 60 * MINUTE_MS;
  const opened = await deps.pending.open({
    pendingId,
    kind: request.kind,
    threadId: session.threadId,
    graphThreadId: session.graphThreadId,
    ticketId: session.ticketId,
    customerId: request.customerId,
    tool: request.tool,
    args: request.args,
    argsHash,
    question: request.question,
    expiresAt: new Date(deps.clock.now().getTime() + lifeMs).toISOString(),
  });
  const answer = interrupt<GateInterrupt, GateAnswer>({
    pending_id: pendingId,
    kind: request.kind,
    tool: request.tool,
    args: request.args,
    question: request.question,
    args_hash: argsHash,
    expires_at: opened.expiresAt,
  });
  return settle(deps, pendingId, argsHash, answer);
}

async function settle(
  deps: GateDeps,
  pendingId: string,
  argsHash: string,
  answer: GateAnswer,
): Promise<GateResult> {
  let row = await deps.pending.get(pendingId);
  if (row === null || row.argsHash !== argsHash) return { kind: 'refused', code: 'pending_mismatch', reason: null };
  // Surfaces decide before they resume. In Studio the developer's answer arrives here undecided.
  if (row.status === 'pending') {
    if (answer.pending_id !== undefined && answer.pending_id !== pendingId) {
      // The terms changed since the question was put, so this row asks something nobody has seen.
      await deps.pending.supersede(pendingId);
      return { kind: 'refused', code: 'pending_mismatch', reason: null };
    }
    row = await deps.pending.decide(pendingId, studioDecision(answer));
  }
  switch (row.status) {
    case 'approved':
    case 'released':
      return { kind: 'released', pending: row };
    case 'rejected':
      return {
        kind: 'refused',
        code: row.kind === 'approval' ? 'approval_rejected' : 'confirmation_rejected',
        reason: row.reason,
      };
    case 'superseded':
      return { kind: 'refused', code: 'pending_decided', reason: null };
    default:
      return { kind: 'refused', code: 'pending_expired', reason: null };
  }
}

function studioDecision(answer: GateAnswer): Decision {
  const decision = { approved: answer.approved === true, by: answer.by ?? 'operator:studio' };
  return answer.reason === undefined ? decision : { ...decision, reason: answer.reason };
}
