import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import type { Sentences } from '../core/i18n/index.js';
import { forgetReads } from '../core/turn-reads.js';
import { askedOf } from './asked-at.js';
import type { ActionPlan, ActionTool, Matter, ToolDeps } from './define-tool.js';
import { wordsOf } from './envelope.js';
import { agreesTo, approvalPlace, openQuestion } from './plan-action.js';

type Terms = Readonly<Record<string, unknown>>;

/**
 * Carries out an approved action from its stored row alone, so that a paused graph, a restarted process and the
 * operators' desk all take the same path. The idempotency key is the row's id: however often this runs, the effect
 * happens once. The plan is made again first; where its terms are no longer those agreed to, nothing is done.
 *
 * The row stays approved until the customer has the answer, so that a crash before that is recovered from.
 * @param beforeEffect the last word on whether it may be done; throws where not
 * @throws HubError from the plan or the writer; `pending_decided` where the row was closed without an effect
 */
export async function releaseAction(
  tool: ActionTool,
  deps: ToolDeps,
  pending: PendingAction,
  language: Language,
  beforeEffect: () => Promise<void> = async () => undefined,
): Promise<unknown> {
  const { customerId, pendingId } = pending;
  const earlier = await deps.effects.findOutcome(pendingId);
  if (!earlier && pending.status !== 'approved') {
    throw new HubError('pending_decided', 'This decision was used up before.', { pendingId });
  }
  const now = deps.clock.now();
  const write = {
    customerId,
    idempotencyKey: pendingId,
    argsHash: pending.argsHash,
    ticketId: pending.ticketId,
    releasedBy: pending.decidedBy ?? 'hub',
    at: now,
    ...askedOf(pending),
  };
  forgetReads();
  const terms = earlier ? {} : await agreedTerms(tool, deps, pending, language);
  await beforeEffect();
  const performed = tool.perform(deps, tool.input.parse(pending.args), terms, write).finally(forgetReads);
  const data = tool.output.parse(await performed);
  await auditDone(deps, pending, terms, now);
  return data;
}

/** The effect is committed: a record that cannot be written is no reason to say otherwise. The next start completes it. */
async function auditDone(deps: ToolDeps, pending: PendingAction, terms: Terms, now: Date): Promise<void> {
  const { pendingId, ticketId, customerId, tool, args } = pending;
  try {
    await deps.audit.append({
      auditKey: pendingId,
      ticketId,
      customerId,
      actor: pending.decidedBy ?? 'hub',
      action: tool,
      outcome: 'done',
      details: { args, terms },
      createdAt: now.toISOString(),
    });
  } catch (error) {
    deps.log.error(
      { agent: 'action', action: 'audit_failed', ticketId, details: { pendingId, tool } },
      error,
    );
  }
}

async function agreedTerms(
  tool: ActionTool,
  deps: ToolDeps,
  pending: PendingAction,
  language: Language,
): Promise<Terms> {
  const plan = await planAgain(tool, deps, pending, language);
  if (plan.kind === 'denied') {
    throw new HubError(plan.code, 'The action is no longer possible.', { ...wordsOf(plan) });
  }
  const stillNeedsApproval =
    (plan.approval !== null || pending.needsOperator) && pending.kind === 'confirmation';
  if (stillNeedsApproval || !agreesTo(pending, plan.terms)) {
    throw new HubError('pending_mismatch', 'The conditions changed after they were agreed to.');
  }
  return plan.terms;
}

/**
 * Where a confirmed action needs an operator too: opens that question in the confirmation's place.
 * @returns the approval, open or decided; null where none is needed, or where the action cannot continue as agreed
 */
export async function askOperator(
  tool: ActionTool,
  deps: ToolDeps,
  confirmation: PendingAction,
  language: Language,
): Promise<PendingAction | null> {
  if (confirmation.kind !== 'confirmation') return null;
  const place = approvalPlace(confirmation);
  const known = await deps.pending.get(place.pendingId);
  if (known) return known;
  if (confirmation.status !== 'approved') return null;
  if (await deps.effects.findOutcome(confirmation.pendingId)) return null;
  const plan = await planAgain(tool, deps, confirmation, language).catch(deniedBy);
  if (plan.kind === 'denied' || !agreesTo(confirmation, plan.terms)) return null;
  const { customerId, args, needsOperator } = confirmation;
  const text = plan.approval ?? (needsOperator ? advisedText(tool.name, args) : null);
  if (text === null) return null;
  const ask = { customerId, tool: tool.name, args, terms: plan.terms, text, needsOperator };
  const approval = await openQuestion(deps, { ...ask, kind: 'approval' }, place);
  // The approval is in its place now. The other way round a crash in between would lose the customer's yes.
  await deps.pending.release(confirmation.pendingId);
  return approval;
}

/** What an operator reads where the policy alone would not have asked. */
function advisedText(tool: string, args: Terms): string {
  return `${tool} ${JSON.stringify(args)}: advised by an investigation whose skill asks for an operator's yes`;
}

/** A plan that cannot be made is a refusal that `releaseAction` meets again and names. */
function deniedBy(error: unknown): ActionPlan {
  if (error instanceof HubError) return { kind: 'denied', code: error.code };
  throw error;
}

function planAgain(
  tool: ActionTool,
  deps: ToolDeps,
  pending: PendingAction,
  language: Language,
): Promise<ActionPlan> {
  return tool.plan(deps, tool.input.parse(pending.args), pending.customerId, {
    language,
    ...askedOf(pending),
  });
}

/** What a stored question is about, as its customer speaks of it. */
export function matterOf(
  tool: ActionTool,
  deps: ToolDeps,
  row: PendingAction,
  language: Language,
): Promise<Matter> {
  const view = { language, ...askedOf(row) };
  return tool.matter(deps, tool.input.parse(row.args), row.customerId, view);
}

/** The answer to a customer who has withdrawn a request. */
export async function withdrawnText(
  tool: ActionTool,
  deps: ToolDeps,
  withdrawn: PendingAction,
  language: Language,
): Promise<string> {
  const { unchanged } = await matterOf(tool, deps, withdrawn, language);
  return deps.texts.for(language).say('withdrawn', { unchanged });
}

/** What was done, in the customer's language; null where nothing was. */
export async function outcomeOf(
  tool: ActionTool,
  deps: ToolDeps,
  row: PendingAction,
  language: Language,
): Promise<string | null> {
  if (!(await deps.effects.findOutcome(row.pendingId))) return null;
  // The effect is there, so this only reads what it was.
  const data = await releaseAction(tool, deps, row, language);
  return tool.describe(tool.output.parse(data), deps.texts.for(language), deps.time);
}

/** What the customer can do who wants back what was done; null where no tool says. */
export function anewOf(tool: ActionTool | null, row: PendingAction, texts: Sentences): string | null {
  return tool?.anew?.(tool.input.parse(row.args), texts) ?? null;
}
