import { interrupt } from '@langchain/langgraph';
import type { Decision, PendingAction, PendingKind } from '../core/domain/pending.js';
import type { ErrorCode } from '../core/errors.js';
import type { ToolDeps } from './define-tool.js';

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

/**
 * Waits until the question was decided. The stored row decides; the graph only waits for it.
 *
 * On resume the calling node starts again from its beginning, so nothing may run before this that must not run twice.
 * The pause is always taken, whatever the row says: LangGraph matches answers to pauses by their order.
 */
export async function passGate(deps: Pick<ToolDeps, 'pending'>, asked: PendingAction): Promise<GateResult> {
  const question: GateInterrupt = {
    pending_id: asked.pendingId,
    kind: asked.kind,
    tool: asked.tool,
    args: asked.args,
    question: asked.question,
    args_hash: asked.argsHash,
    expires_at: asked.expiresAt,
  };
  let answer = interrupt<GateInterrupt, GateAnswer>(question);
  // An answer that is left over from an attempt that broke off is none to this question.
  while (answer.pending_id !== undefined && answer.pending_id !== asked.pendingId) {
    answer = interrupt<GateInterrupt, GateAnswer>(question);
  }
  return settle(deps, asked, answer);
}

async function settle(
  { pending }: Pick<ToolDeps, 'pending'>,
  asked: PendingAction,
  answer: GateAnswer,
): Promise<GateResult> {
  const refused = (code: ErrorCode, row: PendingAction): GateResult => ({
    kind: 'refused',
    code,
    pending: row,
  });
  const stored = await pending.get(asked.pendingId);
  if (stored === null || stored.argsHash !== asked.argsHash) return refused('pending_mismatch', asked);
  // Surfaces decide before they resume. In Studio the developer's answer arrives here undecided.
  const decidedHere = stored.status === 'pending';
  const row = decidedHere ? await pending.decide(asked.pendingId, studioDecision(answer)) : stored;
  switch (row.status) {
    case 'approved':
    case 'released':
      return { kind: 'released', pending: row, decidedHere };
    case 'rejected':
      return refused(row.kind === 'approval' ? 'approval_rejected' : 'confirmation_rejected', row);
    case 'withdrawn':
      return refused('pending_withdrawn', row);
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
