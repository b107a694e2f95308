import { interrupt } from '@langchain/langgraph';
import type { Decision, PendingAction, PendingKind } from '../core/domain/pending.js';
import type { ErrorCode } from '../core/errors.js';
import type { YesNoAnswer } from '../core/ports/language-layer.js';
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

/** What a surface resumes a paused graph with. The stored decision counts; this only wakes the graph. */
export interface GateAnswer {
  readonly approved?: boolean;
  readonly pending_id?: string;
  readonly by?: string;
  readonly reason?: string;
}

/** What a graph may be resumed with: in Studio a developer answers in words, or with a plain yes or no. */
type ResumeValue = GateAnswer | { readonly answer: string | boolean } | string | boolean | null;

/** How a text answers a yes/no question. */
type ReadAnswer = (text: string) => YesNoAnswer['kind'];

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
 * @param read how an answer in words is understood; one that is neither a yes nor a no leaves the question open
 */
export async function passGate(
  deps: Pick<ToolDeps, 'pending'>,
  asked: PendingAction,
  read: ReadAnswer,
): Promise<GateResult> {
  const question: GateInterrupt = {
    pending_id: asked.pendingId,
    kind: asked.kind,
    tool: asked.tool,
    args: asked.args,
    question: asked.question,
    args_hash: asked.argsHash,
    expires_at: asked.expiresAt,
  };
  for (;;) {
    const answer = answerOf(interrupt<GateInterrupt, ResumeValue>(question), read);
    // An answer that is left over from an attempt that broke off is none to this question.
    if (answer.pending_id !== undefined && answer.pending_id !== asked.pendingId) continue;
    const result = await settle(deps, asked, answer);
    if (result !== null) return result;
  }
}

/** An answer of any shape as a surface gives it. */
function answerOf(value: ResumeValue, read: ReadAnswer): GateAnswer {
  const said = typeof value === 'object' && value !== null && 'answer' in value ? value.answer : value;
  if (typeof said === 'boolean') return { approved: said };
  if (typeof said !== 'string') return said ?? {};
  const kind = read(said);
  return kind === 'yes' || kind === 'no' ? { approved: kind === 'yes' } : {};
}

/** @returns null where nobody has decided, and the answer does not either */
async function settle(
  { pending }: Pick<ToolDeps, 'pending'>,
  asked: PendingAction,
  answer: GateAnswer,
): Promise<GateResult | null> {
  const refused = (code: ErrorCode, row: PendingAction): GateResult => ({
    kind: 'refused',
    code,
    pending: row,
  });
  const stored = await pending.get(asked.pendingId);
  if (stored === null || stored.argsHash !== asked.argsHash) return refused('pending_mismatch', asked);
  // Surfaces decide before they resume. In Studio the developer's answer arrives here undecided.
  const decidedHere = stored.status === 'pending';
  if (decidedHere && answer.approved === undefined) return null;
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
