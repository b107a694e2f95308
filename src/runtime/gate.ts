import { interrupt } from '@langchain/langgraph';
import type { Decision, PendingAction, PendingKind } from '../core/domain/pending.js';
import { type ErrorCode, HubError } from '../core/errors.js';
import type { YesNoAnswer } from '../core/ports/language-layer.js';
import { missingScope, scopeAdvice } from './caller-facts.js';
import type { AnyTool, PlainTool, ToolContext, ToolDeps } from './define-tool.js';
import {
  auditDenied,
  auditRefused,
  failure,
  fromError,
  isStorageFault,
  success,
  type ToolEnvelope,
  withWords,
} from './envelope.js';
import { type ActionCall, askCustomer, confirmationPlace, planAction } from './plan-action.js';
import { askOperator, releaseAction, withdrawnText } from './release-action.js';

/** What a paused graph shows to the one who resumes it. */
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

type GateResult =
  | {
      readonly kind: 'released';
      readonly pending: PendingAction;
      /** True where no other code closes the row afterwards (Studio). */
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
async function passGate(
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

/** @returns null where no decision is stored, and the answer is none either */
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

export interface ToolRun {
  readonly envelope: ToolEnvelope;
  /** True where a person was asked. */
  readonly paused: boolean;
}

/**
 * Runs one tool call with everything that must hold whatever the model says: input schema, identity, ownership
 * (inside the tool), policy, confirmation, approval, idempotency, output schema, audit.
 * HubErrors become coded envelopes; a pause passes through as LangGraph's interrupt.
 */
export async function runTool(
  tool: AnyTool,
  deps: ToolDeps,
  rawInput: unknown,
  context: ToolContext,
): Promise<ToolRun> {
  const parsed = tool.input.safeParse(rawInput);
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
    return {
      envelope: failure('input_invalid', `Call it again with valid input. ${where.join('; ')}`),
      paused: false,
    };
  }
  const { identity } = context.session;
  if (tool.access === 'customer' && identity.kind !== 'customer') {
    return { envelope: failure('not_signed_in'), paused: false };
  }
  const missing = missingScope(tool, context.session.scopes);
  if (missing !== null) return { envelope: failure('scope_missing', scopeAdvice(missing)), paused: false };
  if (tool.effect !== 'irreversible') return runPlain(tool, deps, parsed.data, context);
  if (identity.kind !== 'customer') return { envelope: failure('not_signed_in'), paused: false };
  return runAction({ tool, deps, input: parsed.data, context, customerId: identity.customerId });
}

async function runPlain(
  tool: PlainTool,
  deps: ToolDeps,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolRun> {
  if (tool.effect === 'write') await deps.guard?.check(context.session);
  const envelope = await attempt(async () =>
    success(tool.output.parse(await tool.run(deps, input, context))),
  );
  return { envelope, paused: false };
}

/** Coded errors become envelopes here, around plan and effect only: never around a pause. */
async function attempt(work: () => Promise<ToolEnvelope>): Promise<ToolEnvelope> {
  try {
    return await work();
  } catch (error) {
    return fromError(error);
  }
}

/**
 * Plans and asks on the first run. On every later one the stored question counts: what was agreed to is carried out or
 * refused as the rules stand then, also where the effect itself has changed what the plan would say.
 */
async function runAction(call: ActionCall): Promise<ToolRun> {
  const { tool, deps, input, context } = call;
  const place = confirmationPlace(tool.name, input, context);
  let question = await deps.pending.get(place.pendingId);
  if (!question) {
    const plan = await planAction(call);
    await deps.guard?.check(context.session);
    if (plan.kind === 'denied') {
      await auditDenied(deps, tool.name, input, context, plan);
      return { envelope: withWords(failure(plan.code), plan), paused: false };
    }
    question = await askCustomer(call, plan, place);
  }
  const { language } = context.session;
  const read = (text: string) => deps.language.readYesNo(text, language).kind;
  const confirmed = await passGate(deps, question, read);
  if (confirmed.kind === 'refused') return afterGates(call, confirmed);
  await deps.guard?.check(context.session);
  const approval = await askOperator(tool, deps, confirmed.pending, language);
  return afterGates(call, approval ? await passGate(deps, approval, read) : confirmed);
}

/**
 * Performs what the last gate let through, or says why not. A conversation that an operator claimed meanwhile ends the
 * turn right before: that is no refusal of the tool.
 */
async function afterGates({ tool, deps, context }: ActionCall, passed: GateResult): Promise<ToolRun> {
  const { pending } = passed;
  const stillOurs = async (): Promise<void> => deps.guard?.check(context.session);
  if (passed.kind === 'refused') {
    await stillOurs();
    await auditRefused(deps, pending, passed.code);
    // The answer to a customer's own withdrawal is fixed; no model words it.
    const said =
      passed.code === 'pending_withdrawn'
        ? await withdrawnText(tool, deps, pending, context.session.language)
        : undefined;
    return { envelope: withReason(failure(passed.code, said), pending.reason), paused: true };
  }
  const envelope = await carryOut(async () =>
    success(await releaseAction(tool, deps, pending, context.session.language, stillOurs)),
  );
  if (!envelope.ok) await auditRefused(deps, pending, envelope.error.code, envelope.error);
  // A decision from elsewhere closes the row once the customer has the answer, so that a crash before that is recovered from.
  if (passed.decidedHere) await deps.pending.release(pending.pendingId);
  return { envelope, paused: true };
}

/**
 * A fault of the storage ends the turn: the decision stands and is carried out later, so nothing may be claimed now. So does
 * an operator who claims it.
 */
async function carryOut(work: () => Promise<ToolEnvelope>): Promise<ToolEnvelope> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HubError && (isStorageFault(error.code) || error.code === 'taken_over')) throw error;
    return fromError(error);
  }
}

function withReason(envelope: ToolEnvelope, reason: string | null): ToolEnvelope {
  if (envelope.ok || reason === null) return envelope;
  return { ok: false, error: { ...envelope.error, reason } };
}
