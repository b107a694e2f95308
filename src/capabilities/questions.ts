import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CapabilityOutcome } from '../core/capabilities.js';
import type { JsonObject } from '../core/domain/json.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import { type ErrorCode, HubError } from '../core/errors.js';
import { canonicalJson, failure, wordsOf } from '../runtime/envelope.js';
import { agreesTo, approvalPlace, confirmationPlace } from '../runtime/plan-action.js';
import { releaseAction, withdrawnText } from '../runtime/release-action.js';
import { type CapabilityDeps, callOf } from './caller-session.js';
import { refusedAsClaimed } from './checked-call.js';
import { wireData } from './tool-schema.js';

/** Makes and checks what proves that a plan was seen. */
export interface ConfirmationTokens {
  issue(row: PendingAction): string;
  /** The question a token says it is for; nothing is proven by that. @throws HubError `confirmation_invalid` */
  pendingIdOf(token: string): string;
  /** @throws HubError `confirmation_invalid` unless it was issued for this question, and so to its customer */
  verify(token: string, row: PendingAction | null, customerId: string): PendingAction;
}

const TOKEN = /^cft_([\w-]{1,80})\.([\w-]{43})$/;
/** The secret signs session tokens too: a key of its own, so that one can never pass for the other. */
const PURPOSE = 'udahub confirmation token 1';

/** @param secrets the first signs, all of them verify; not asked for before they are needed */
export function createConfirmationTokens(secrets: () => readonly string[]): ConfirmationTokens {
  const macsOf = ({
    pendingId,
    customerId,
    argsHash,
  }: Pick<PendingAction, 'pendingId' | 'customerId' | 'argsHash'>): readonly Buffer[] =>
    secrets().map((secret) => {
      const key = createHmac('sha256', secret).update(PURPOSE).digest();
      return createHmac('sha256', key)
        .update(canonicalJson([pendingId, customerId, argsHash]))
        .digest();
    });
  const read = (token: string): { readonly pendingId: string; readonly given: Buffer } => {
    const [, pendingId, given] = TOKEN.exec(token) ?? [];
    if (pendingId === undefined || given === undefined) throw invalid();
    return { pendingId, given: Buffer.from(given, 'base64url') };
  };
  return {
    issue: (row) => `cft_${row.pendingId}.${macsOf(row)[0]?.toString('base64url')}`,
    pendingIdOf: (token) => read(token).pendingId,
    verify(token, row, customerId) {
      const { pendingId, given } = read(token);
      const { argsHash } = row ?? { argsHash: '' };
      // Made for the one who asks: a token of another customer does not even reveal that there is such a question.
      const fits = macsOf({ pendingId, customerId, argsHash }).some(
        (expected) => given.length === expected.length && timingSafeEqual(given, expected),
      );
      if (!fits || row?.pendingId !== pendingId || row.customerId !== customerId) throw invalid();
      return row;
    },
  };
}

function invalid(): HubError {
  return new HubError(
    'confirmation_invalid',
    'This confirmation was not given for this call of this customer. Make the call again and confirm what it returns.',
  );
}

/** What became of questions that calls have put to their customers; read from what is stored, so in any process. */
export interface Questions {
  outcomeOf(row: PendingAction): Promise<CapabilityOutcome>;
  /** True of a question that no paused graph waits for, so that it may be answered and finished from its row. */
  standsAlone(row: PendingAction): boolean;
}

const AUDITED = 200;

/** See `Questions`. */
export function createQuestions(deps: CapabilityDeps, tokens: ConfirmationTokens): Questions {
  const { pending, effects, audit } = deps.tools;

  const outcomeOf = async (row: PendingAction): Promise<CapabilityOutcome> => {
    switch (row.status) {
      case 'pending':
        return row.kind === 'confirmation' ? confirmation(row) : awaitingOperator(row);
      case 'expired':
        return refusal('pending_expired');
      case 'withdrawn':
        return withdrawnByCustomer(row);
      case 'superseded':
        return withdrawn(row, 'pending_decided');
      case 'rejected':
        return row.kind === 'confirmation' ? refusal('confirmation_rejected') : rejected(row);
      default:
        return agreed(row);
    }
  };

  /** Agreed to: carried out, refused by the rules after all, or passed on to an operator. */
  const agreed = async (row: PendingAction): Promise<CapabilityOutcome> => {
    const tool = deps.tools.roster.findAction(row.tool);
    if (tool && (await effects.findOutcome(row.pendingId))) {
      // The effect is there, so this only reads what it was.
      const data = await releaseAction(tool, deps.tools, row, await languageOf(row));
      return { kind: 'done', data: wireData(data) as JsonObject };
    }
    const approval = row.kind === 'confirmation' ? await pending.get(approvalPlace(row).pendingId) : null;
    if (approval) return outcomeOf(approval);
    if (row.status === 'approved' && row.kind === 'approval') return awaitingOperator(row);
    const audited = await auditedRefusal(row);
    return audited === null
      ? withdrawn(row, 'pending_decided')
      : refusal(audited.code as ErrorCode, { ...audited, reason: null });
  };

  const withdrawnByCustomer = async (row: PendingAction): Promise<CapabilityOutcome> => {
    const tool = deps.tools.roster.findAction(row.tool);
    const message = tool && (await withdrawnText(tool, deps.tools, row, await languageOf(row)));
    return refusal('pending_withdrawn', {}, message ?? undefined);
  };

  /** An operator's no; where they have suggested something else instead, that is the question now. */
  const rejected = async (row: PendingAction): Promise<CapabilityOutcome> => {
    const instead = await pending.findOpenConfirmation(row.threadId);
    if (instead && standsAlone(instead)) return confirmation(instead);
    return refusal('approval_rejected', { reason: row.reason });
  };

  const confirmation = async (row: PendingAction): Promise<CapabilityOutcome> => {
    const { pendingId, ticketId, tool, question, expiresAt, args, customerId } = row;
    const session = { language: await languageOf(row) };
    const plan = await deps.tools.roster.findAction(tool)?.plan(deps.tools, args, customerId, session);
    // A yes to what cannot be done any more would come to this.
    if (plan?.kind !== 'ready') return refusal(plan?.code ?? 'not_found', { ...plan });
    if (!agreesTo(row, plan.terms)) return refusal('pending_mismatch');
    return {
      kind: 'confirmation',
      pendingId,
      ticketId,
      tool,
      input: args as JsonObject,
      terms: wireData(plan.terms) as JsonObject,
      question,
      yes:
        row.answers?.yes ??
        deps.tools.texts
          .for(session.language)
          .say('plain_answer', { yes: true })
          .replace(/\p{P}$/u, ''),
      token: tokens.issue(row),
      expiresAt,
    };
  };

  const awaitingOperator = async (row: PendingAction): Promise<CapabilityOutcome> => {
    const { pendingId, ticketId, expiresAt } = row;
    const message = deps.tools.texts.for(await languageOf(row)).say('waiting_for_approval');
    return { kind: 'awaiting_operator', pendingId, ticketId, message, expiresAt };
  };

  const auditedRefusal = async ({ pendingId, ticketId }: PendingAction) => {
    const entries = await audit.list({ ticketId, limit: AUDITED });
    const details = entries.find(({ auditKey }) => auditKey === `${pendingId}:refused`)?.details;
    return typeof details?.code === 'string' ? details : null;
  };

  const languageOf = async ({ ticketId }: PendingAction): Promise<Language> =>
    (await deps.tickets.getClassification(ticketId))?.language ?? deps.locale;

  /** Whoever has claimed the conversation is why nothing came of it. */
  const withdrawn = async ({ threadId }: PendingAction, code: ErrorCode): Promise<CapabilityOutcome> => {
    const thread = await deps.threads.get(threadId);
    return thread?.operator ? refusedAsClaimed(thread) : refusal(code);
  };

  return { outcomeOf, standsAlone };
}

/** The question of a call, or one that an operator's word has led to: their ids tell. */
function standsAlone(row: PendingAction): boolean {
  const { pendingId, threadId, graphThreadId, kind } = row;
  if (graphThreadId === `${threadId}~${pendingId}` || graphThreadId === `${threadId}~${pendingId.slice(4)}`)
    return true;
  const asked = askedBy(row);
  return (
    pendingId === asked ||
    (kind === 'approval' && pendingId === approvalPlace({ ...row, pendingId: asked }).pendingId)
  );
}

/** The id that the confirmation has where a call from outside has asked it. */
function askedBy({ tool, args, threadId, ticketId }: PendingAction): string {
  const callId = callOf(threadId);
  const session = { threadId, graphThreadId: threadId, ticketId, turnId: callId };
  return confirmationPlace(tool, args, { session, callId }).pendingId;
}

/** @param why an operator's `reason`, and what the company says of it (`said`, `rule`) */
function refusal(
  code: ErrorCode,
  { reason, ...why }: Readonly<Record<string, unknown>> = {},
  advice?: string,
): CapabilityOutcome {
  const envelope = failure(code, advice);
  const message = envelope.ok ? '' : envelope.error.message;
  const words = wordsOf(why);
  return {
    kind: 'refused',
    error: { code, message, ...words, ...(typeof reason === 'string' ? { reason } : {}) },
  };
}
