import { createHash } from 'node:crypto';
import { isObject } from '../core/domain/json.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Session } from '../core/domain/session.js';
import { type ErrorCode, HubError } from '../core/errors.js';
import type { TimeFormat } from '../core/i18n/index.js';
import type { ActionPlan, ToolContext, ToolDeps } from './define-tool.js';

export interface ToolError {
  readonly code: ErrorCode;
  /** What to do instead, for the model. */
  readonly message: string;
  /** The sentence for the customer, in the customer's language, where the company has one of its own. */
  readonly said?: string;
  /** The company's name for the rule that denies it. */
  readonly rule?: string;
  /** What `said` offers in its place. */
  readonly offer?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
  /** An operator's reason for a refusal, where one was given. */
  readonly reason?: string;
}

/** What every tool returns, to a model and to a program alike. */
export type ToolEnvelope =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: ToolError };

/** What to do instead, for the model. Codes without an entry carry their own message. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  not_signed_in: 'The customer is not signed in. Invite them to sign in; answer general questions meanwhile.',
  customer_blocked:
    'The account is blocked: it may ask but not change anything. Say so and offer a review by the team.',
  not_found:
    'Nothing with this id belongs to this customer. Look up what the customer has, and use an id from there.',
  already_done: 'This was done before. Tell the customer; do not call the tool again.',
  already_requested:
    'The team has this request already. Tell the customer that it waits; do not call the tool again.',
  already_refunded:
    'A refund is made only once and exists already. Tell the customer; do not call the tool again.',
  not_upcoming: 'It has started or is over and cannot be cancelled. Explain the rule.',
  attended: 'The customer attended it: no cancellation and no refund. Explain the rule.',
  nothing_paid: 'Nothing was paid for it, so there is nothing to refund. Tell the customer.',
  wrong_status:
    'The action does not fit the present state of the record. Say so; another tool may be the right one for it.',
  constraint_failed:
    'The data may not become what was asked for, so nothing was changed. Say so; the same call will be refused again.',
  policy_denied: 'The rules do not allow it as it was asked. Say so, and offer what they do allow.',
  confirmation_rejected:
    'The customer said no. Nothing was changed. Acknowledge it and do not call the tool again.',
  approval_rejected:
    'An operator said no. Nothing was changed. Tell the customer; do not promise anything else.',
  pending_expired: 'The question expired without an answer. Nothing was changed.',
  pending_mismatch:
    'The conditions changed after the customer agreed. Nothing was changed; ask again if it is still wanted.',
  pending_withdrawn:
    'The customer took the request back. Nothing was changed. Say so; do not call the tool again.',
  pending_decided: 'A newer request replaced this one. Nothing was changed.',
  index_unavailable: 'The knowledge base cannot be reached. Do not answer from memory.',
  database_failed: 'The data cannot be reached at the moment. Nothing was changed.',
  database_busy: 'The data cannot be written at the moment. Nothing was changed.',
  disk_full: 'The data cannot be written at the moment. Nothing was changed.',
};

/** Wraps a result. */
export function success(data: unknown): ToolEnvelope {
  return { ok: true, data };
}

/** Wraps a refusal or fault by its code, with advice on what to do instead. */
export function failure(code: ErrorCode, message?: string): ToolEnvelope {
  return {
    ok: false,
    error: { code, message: message ?? ADVICE[code] ?? 'The tool failed. Nothing was changed.' },
  };
}

/** The same refusal in the company's own words. */
export function withWords(
  envelope: ToolEnvelope,
  { offer, ...words }: Pick<ToolError, 'said' | 'offer' | 'rule'>,
): ToolEnvelope {
  if (envelope.ok) return envelope;
  const offered = offer && words.said !== undefined ? { offer } : {};
  return { ok: false, error: { ...envelope.error, ...wordsOf(words), ...offered } };
}

/** What a company says of a refusal beside its code, of all that a plan, an error or a record of it holds. */
export function wordsOf(given: object): Pick<ToolError, 'said' | 'rule'> {
  const { said, rule } = given as Readonly<Record<string, unknown>>;
  return { ...(typeof said === 'string' ? { said } : {}), ...(typeof rule === 'string' ? { rule } : {}) };
}

/** Turns a thrown HubError into an envelope; anything else is a bug and is not hidden. */
export function fromError(error: unknown): ToolEnvelope {
  if (error instanceof HubError) {
    return withWords(failure(error.code, ADVICE[error.code] ?? error.message), wordsOf(error.fields));
  }
  throw error;
}

/** How times and amounts are written. */
interface Notation {
  readonly time: TimeFormat;
  /** @param minorUnits of the company's currency */
  money(minorUnits: number): string;
}

type Row = Readonly<Record<string, unknown>>;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
/** A record's day, see `asRecordTime`. */
const RECORD_DAY = /^\d{4}-\d{2}-\d{2}T12:00Z$/;
const CENTS = /_cents$/;

/**
 * A tool's result as a model reads it best and cheapest: lists as tables, times in the customers' zone with their
 * weekday, amounts in the company's currency, nothing that is empty. Refusals stay JSON with their code.
 */
export function modelText(envelope: ToolEnvelope, notation: Notation): string {
  if (!envelope.ok) return JSON.stringify(envelope);
  const { data } = envelope;
  if (!isObject(data)) return cell(data, notation);
  const parts = Object.entries(data).flatMap(([name, value]) => section(name, value, notation));
  return parts.length === 0 ? 'ok' : parts.join('\n');
}

function section(name: string, value: unknown, notation: Notation): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${label(name)}: none`];
    return value.every(isObject)
      ? table(name, value, notation)
      : [`${label(name)}: ${value.map((item) => cell(item, notation)).join(', ')}`];
  }
  if (isObject(value)) return [`${label(name)}: ${fields(value, notation)}`];
  return value === null || value === undefined ? [] : [`${label(name)}: ${field(name, value, notation)}`];
}

/** One line a row under the names of the columns; columns that are empty throughout are left out. */
function table(name: string, rows: readonly Row[], notation: Notation): readonly string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) =>
    rows.some((row) => row[column] !== null && row[column] !== undefined && row[column] !== false),
  );
  const lines = rows.map((row) =>
    columns
      .map((column) => field(column, row[column], notation))
      .join(' | ')
      .replace(/(?: \| )+$/, ''),
  );
  return [`${label(name)} (${columns.map(label).join(' | ')}):`, ...lines];
}

function fields(row: Row, notation: Notation): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => `${label(name)} ${field(name, value, notation)}`)
    .join(', ');
}

/** Column names as words. */
function label(name: string): string {
  return name.replace(CENTS, '').replaceAll('_', ' ');
}

function field(name: string, value: unknown, notation: Notation): string {
  if (CENTS.test(name) && typeof value === 'number') return notation.money(value);
  return isObject(value) ? fields(value, notation) : cell(value, notation);
}

function cell(value: unknown, notation: Notation): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isTime = ISO_TIME.test(value) || RECORD_DAY.test(value);
  return isTime ? notation.time.short(value) : value.replaceAll('\n\n', '\n').trim();
}

/** JSON with sorted keys, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** SHA-256 (hex) of the canonical JSON of the parts. */
export function hashOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

type AuditDeps = Pick<ToolDeps, 'audit' | 'clock'>;

const REFUSED_BY_PERSON: ReadonlySet<PendingAction['status']> = new Set(['rejected', 'withdrawn']);
const STORAGE_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'disk_full',
  'database_failed',
  'database_busy',
  'data_dir_unusable',
  // Another server works on the conversation.
  'thread_busy',
  // What became of a call to another system is looked up later; until then nothing may be claimed.
  'outcome_unknown',
]);

/** True for faults that pass: the same action may well succeed later. */
export function isStorageFault(code: ErrorCode): boolean {
  return STORAGE_FAULTS.has(code);
}

/** A call as its record names it; one from another program belongs to no ticket yet. */
interface DeniedCall extends Pick<ToolContext, 'callId'> {
  readonly session: Pick<Session, 'turnId' | 'identity'> & { readonly ticketId: string | null };
}

/** Records an action that the rules refused before a confirmation was asked. Once per call, however often it runs again. */
export async function auditDenied(
  deps: AuditDeps,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  { session, callId }: DeniedCall,
  denied: Extract<ActionPlan, { kind: 'denied' }>,
): Promise<void> {
  const { identity } = session;
  await deps.audit.append({
    auditKey: `${session.turnId}:${callId}:refused`,
    ticketId: session.ticketId,
    customerId: identity.kind === 'customer' ? identity.customerId : null,
    actor: 'hub',
    action: tool,
    outcome: 'refused',
    details: { args: input, code: denied.code, ...wordsOf(denied) },
    createdAt: deps.clock.now().toISOString(),
  });
}

/**
 * Records an action that was asked about and not performed: a no, or a yes that the rules
 * or a fault stopped. Once a question.
 * @param words what the company says of it (`said`, `rule`), as an error carries it
 */
export async function auditRefused(
  deps: AuditDeps,
  pending: PendingAction,
  code: ErrorCode,
  words: object = {},
): Promise<void> {
  await deps.audit.append({
    auditKey: `${pending.pendingId}:refused`,
    ticketId: pending.ticketId,
    customerId: pending.customerId,
    actor: REFUSED_BY_PERSON.has(pending.status) ? (pending.decidedBy ?? 'hub') : 'hub',
    action: pending.tool,
    outcome: isStorageFault(code) || code === 'internal' ? 'failed' : 'refused',
    details: {
      args: pending.args,
      code,
      ...wordsOf(words),
      ...(pending.reason === null ? {} : { reason: pending.reason }),
    },
    createdAt: deps.clock.now().toISOString(),
  });
}
