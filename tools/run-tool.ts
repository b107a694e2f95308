import { HubError } from '../src/core/errors.js';
import type { PendingAction } from '../src/core/domain/pending.js';
import type { Language } from '../src/core/domain/taxonomy.js';
import type { ActionPlan, ActionTool, AnyTool, PlainTool, ToolContext } from './define-tool.js';
import { hashOf } from './args-hash.js';
import { failure, fromError, success, type ToolEnvelope } from './envelope.js';
import { passGate } from './gate.js';
import type { ToolDeps } from './tool-deps.js';

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
    return { envelope: failure('input_invalid', `Call it again with valid input. ${where.join('; ')}`), paused: false };
  }
  const { identity } = context.session;
  if (tool.access === 'customer' && identity.kind !== 'customer') {
    return { envelope: failure('not_signed_in'), paused: false };
  }
  if (tool.effect !== 'irreversible') return runPlain(tool, deps, parsed.data, context);
  if (identity.kind !== 'customer') return { envelope: failure('not_signed_in'), paused: false };
  return runAction(tool, deps, parsed.data, context, identity.customerId);
}

async function runPlain(
  tool: PlainTool,
  deps: ToolDeps,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolRun> {
  const envelope = await attempt(async () => success(tool.output.parse(await tool.run(deps, input, context))));
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

async function runAction(
  tool: ActionTool,
  deps: ToolDeps,
  input: Record<string, unknown>,
  context: ToolContext,
  customerId: string,
): Promise<ToolRun> {
  const plan = await planSafely(tool, deps, input, customerId, context);
  if (plan.kind === 'denied') {
    await auditRefusal(tool, deps, input, context, customerId, plan.code);
    return { envelope: failure(plan.code), paused: false };
  }
  const request = { customerId, tool: tool.name, args: input, terms: plan.terms };
  const confirmed = await passGate(deps, { ...request, kind: 'confirmation', question: plan.question }, context);
  if (confirmed.kind === 'refused') return { envelope: failure(confirmed.code), paused: true };
  let released = confirmed.pending;
  if (plan.approval !== null) {
    await deps.pending.release(confirmed.pending.pendingId);
    const approved = await passGate(deps, { ...request, kind: 'approval', question: plan.approval }, context);
    if (approved.kind === 'refused') {
      return { envelope: withReason(failure(approved.code), approved.reason), paused: true };
    }
    released = approved.pending;
  }
  const envelope = await attempt(async () =>
    success(await releaseAction(tool, deps, released, context.session.language)),
  );
  return { envelope, paused: true };
}

async function planSafely(
  tool: ActionTool,
  deps: ToolDeps,
  input: Record<string, unknown>,
  customerId: string,
  context: ToolContext,
): Promise<ActionPlan> {
  try {
    return await tool.plan(deps, input, customerId, context.session);
  } catch (error) {
    if (error instanceof HubError) return { kind: 'denied', code: error.code };
    throw error;
  }
}

function withReason(envelope: ToolEnvelope, reason: string | null): ToolEnvelope {
  if (envelope.ok || reason === null) return envelope;
  return { ok: false, error: { ...envelope.error, reason } };
}

/**
 * Carries out an approved action from its stored row alone, so that a paused graph, a restarted process and the
 * operators' desk all take the same path. The idempotency key is the row's id: however often this runs, the effect
 * happens once. The plan is made again first; where its terms are no longer those agreed to, nothing is done.
 * @throws HubError from the plan or the writer
 */
export async function releaseAction(
  tool: ActionTool,
  deps: ToolDeps,
  pending: PendingAction,
  language: Language,
): Promise<unknown> {
  const { customerId, pendingId } = pending;
  const earlier = await deps.customerWrites.findOutcome(pendingId);
  const now = deps.clock.now();
  const write = {
    customerId,
    idempotencyKey: pendingId,
    argsHash: pending.argsHash,
    ticketId: pending.ticketId,
    releasedBy: pending.decidedBy ?? 'hub',
    at: now,
  };
  const input = tool.input.parse(pending.args);
  const terms = earlier ? {} : await agreedTerms(tool, deps, pending, language);
  const data = tool.output.parse(await tool.perform(deps, input, terms, write));
  await deps.pending.release(pendingId);
  await deps.audit.append({
    auditKey: pendingId,
    ticketId: pending.ticketId,
    customerId,
    actor: write.releasedBy,
    action: tool.name,
    outcome: 'done',
    details: { args: pending.args, terms },
    createdAt: now.toISOString(),
  });
  return data;
}

async function agreedTerms(
  tool: ActionTool,
  deps: ToolDeps,
  pending: PendingAction,
  language: Language,
): Promise<Readonly<Record<string, unknown>>> {
  const input = tool.input.parse(pending.args);
  const plan: ActionPlan = await tool.plan(deps, input, pending.customerId, { language });
  if (plan.kind === 'denied') throw new HubError(plan.code, 'The action is no longer possible.');
  const stillNeedsApproval = plan.approval !== null && pending.kind === 'confirmation';
  const hash = hashOf(pending.customerId, tool.name, pending.args, plan.terms);
  if (stillNeedsApproval || hash !== pending.argsHash) {
    throw new HubError('pending_mismatch', 'The conditions changed after they were agreed to.');
  }
  return plan.terms;
}

async function auditRefusal(
  tool: ActionTool,
  deps: ToolDeps,
  input: Record<string, unknown>,
  context: ToolContext,
  customerId: string,
  code: string,
): Promise<void> {
  await deps.audit.append({
    auditKey: `${context.session.turnId}:${context.callId}:refused`,
    ticketId: context.session.ticketId,
    customerId,
    actor: 'hub',
    action: tool.name,
    outcome: 'refused',
    details: { args: input, code },
    createdAt: deps.clock.now().toISOString(),
  });
}
