import {
  type CapabilityCall,
  type CapabilityError,
  type CapabilityOutcome,
  callerName,
  type OutsideCaller,
} from '../core/capabilities.js';
import { isDeeperThan, isObject, type JsonObject } from '../core/domain/json.js';
import type { Language } from '../core/domain/taxonomy.js';
import { type ErrorCode, HubError } from '../core/errors.js';
import type { Ids, ThreadRecord } from '../core/ports/index.js';
import { untilAborted, withReason } from '../core/signals.js';
import type { PlainTool } from '../runtime/define-tool.js';
import { hashOf, isStorageFault, type ToolEnvelope } from '../runtime/envelope.js';
import { runTool } from '../runtime/gate.js';
import { type CapabilityDeps, sessionOf } from './caller-session.js';
import type { Entry } from './catalogue.js';
import { wireData } from './tool-schema.js';

/** Tools that note something about the ticket of the turn; a call from outside has none, so it is the last one. */
const ABOUT_A_TICKET = new Set(['record_resolution']);

/** Runs a tool that reads, or writes something harmless, behind the checks that an agent's call passes. */
export async function runPlain(
  deps: CapabilityDeps,
  tool: PlainTool,
  { call, input, language, callId }: CheckedCall,
): Promise<CapabilityOutcome> {
  const { caller, signal } = call;
  demandNotCancelled(signal);
  const place = { turnId: callId, threadId: callId, graphThreadId: callId };
  const ticketId = ABOUT_A_TICKET.has(tool.name) ? await presentTicket(deps, caller) : callId;
  if (ticketId === null) return refused('not_found', 'There is no ticket of this customer to note it for.');
  const session = sessionOf(caller, language, { ...place, ticketId });
  const agent = caller.operator ? 'desk' : caller.channel;
  const { tools } = deps;
  const run = runTool(tool, tools, input, { session, agent, callId });
  // A write that has begun is not left alone: its caller learns what came of it.
  const { envelope } = await (tool.effect === 'read' ? untilCancelled(run, signal) : run);
  return outcomeOf(envelope);
}

/** The ticket that the customer's last conversation is about. */
async function presentTicket(
  { threads }: CapabilityDeps,
  { identity }: CheckedCall['call']['caller'],
): Promise<string | null> {
  if (identity.kind !== 'customer') return null;
  const [last] = await threads.list({ customerId: identity.customerId }, 1);
  return last?.ticketId ?? null;
}

/** An outcome that says no. */
export function refused(code: ErrorCode, message: string): CapabilityOutcome {
  return { kind: 'refused', error: { code, message } };
}

/** The answer to a program while an operator has claimed its customer's conversation. */
export function refusedAsClaimed(thread: Pick<ThreadRecord, 'operator'> | null): CapabilityOutcome {
  const operator = thread?.operator;
  const who = operator ? `${operator.name} from the support team has` : 'A person of the support team has';
  return refused(
    'taken_over',
    `${who} this conversation in hand now. Nothing was changed; they answer there.`,
  );
}

function outcomeOf(envelope: ToolEnvelope): CapabilityOutcome {
  if (envelope.ok) return { kind: 'done', data: wireData(envelope.data) as JsonObject };
  return { kind: 'refused', error: refusalOf(envelope.error) };
}

/** @throws HubError where the storage failed: that is no answer */
export function refusalOf(error: CapabilityError & { readonly code: HubError['code'] }): CapabilityError {
  if (isStorageFault(error.code)) throw new HubError(error.code, error.message);
  return error;
}

/** @throws HubError `cancelled` */
export function demandNotCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}

/**
 * Waits for work that changes nothing, until it is cancelled; what it comes to after that is nobody's.
 * @throws HubError `cancelled`, and whatever the work throws
 */
async function untilCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const stop = cancelling(signal);
  try {
    return await untilAborted(work, stop.signal);
  } finally {
    stop.release();
  }
}

/** A signal that tells the work that it was cancelled, see {@link withReason}. */
export const cancelling = (signal: AbortSignal | undefined) => withReason(signal, cancelled);

function cancelled(): HubError {
  return new HubError('cancelled', 'The call was cancelled; nothing was changed.');
}

/** A call whose caller and input are in order. */
export interface CheckedCall<Input = Record<string, unknown>> {
  readonly call: CapabilityCall;
  readonly input: Input;
  readonly language: Language;
  /** Names the call; the same for a call that is repeated with its idempotency key. */
  readonly callId: string;
}

/** What no tool or skill takes, in characters of JSON. */
const INPUT_CHARS = 500_000;
const INPUT_DEPTH = 60;
const KEY = /^[\x20-\x7e]{1,200}$/;

/** @throws HubError `not_signed_in`, `scope_missing` */
export function demandRights({ capability }: Pick<Entry, 'capability'>, caller: OutsideCaller): void {
  const { access, scope, name } = capability;
  if (access === 'customer' && callerName(caller) === null)
    throw new HubError('not_signed_in', `${name} is for a customer who is signed in.`);
  demandScope(caller, scope, name);
}

/** @throws HubError `scope_missing` */
export function demandScope(
  { scopes }: OutsideCaller,
  scope: Entry['capability']['scope'],
  name: string,
): void {
  if (scope === null || scopes.includes(scope)) return;
  throw new HubError('scope_missing', `${name} needs a token with the scope ${scope}.`, { scope });
}

/** What a surface hands on may come from anybody. @throws HubError `input_invalid`, `input_too_large` */
export function demandWhole({ input, idempotencyKey }: CapabilityCall): void {
  const refuse = (field: string, message: string): never => {
    const errors = [{ field, message }];
    throw new HubError('input_invalid', `The ${field === '' ? 'input' : field} ${message}.`, { errors });
  };
  if (idempotencyKey !== undefined && (!KEY.test(idempotencyKey) || idempotencyKey.trim() === ''))
    refuse('idempotency_key', 'must have 1 to 200 printable ASCII characters');
  if (!isObject(input)) refuse('', 'must be an object');
  if (isDeeperThan(input, INPUT_DEPTH)) refuse('', `must not be nested more than ${INPUT_DEPTH} levels deep`);
  if (JSON.stringify(input).length > INPUT_CHARS)
    throw new HubError('input_too_large', `An input has at most ${INPUT_CHARS} characters.`);
}

/** The id of a call; of one with a key the same each time, so that what it has begun is found again. */
export function callIdOf({ caller, idempotencyKey, name, input }: CapabilityCall, ids: Ids): string {
  const owner = callerName(caller);
  if (idempotencyKey === undefined || owner === null) return ids.next('cal');
  return `cal_${hashOf(owner, idempotencyKey, name, input).slice(0, 24)}`;
}
