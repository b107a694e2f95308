import type { ProviderName } from '../../core/domain/taxonomy.js';
import { messageOf } from '../../core/errors.js';

/** What kept a provider from answering. */
export type FailureKind =
  | 'rate_limited'
  | 'quota'
  | 'unavailable'
  | 'timeout'
  | 'network'
  | 'auth'
  | 'rejected'
  | 'bad_output'
  | 'internal';

export interface ModelFailure {
  readonly kind: FailureKind;
  /** Another attempt may help. */
  readonly retryable: boolean;
  /** HTTP status, where there was a response. */
  readonly status: number | undefined;
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** For the log; the log masks secrets. */
  readonly message: string;
}

/** Thrown by the resilient model where the provider takes longer than it is waited for. */
export class ModelTimeout extends Error {
  override readonly name = 'ModelTimeout';
}

/** Thrown where a stream ends before the answer does. */
export class StreamCut extends Error {
  override readonly name = 'StreamCut';
}

const NETWORK_CODES = /^(?:ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR)/;
const NETWORK_NAMES = new Set(['StreamCut', 'FetchError', 'SocketError', 'APIConnectionError']);
// The SDK reads JSON answers itself and throws where they are malformed, cut short or filtered.
const OUTPUT_NAMES = new Set([
  'SyntaxError',
  'LengthFinishReasonError',
  'ContentFilterFinishReasonError',
  'AnswerTooLong',
]);

const FAILURE_TEXTS: Readonly<Record<FailureKind | 'circuit_open' | 'spend_ceiling', string>> = {
  rate_limited: 'the provider is too busy',
  quota: 'the quota is spent',
  unavailable: 'the provider has a fault',
  timeout: 'the provider took too long',
  network: 'the provider cannot be reached',
  auth: 'the provider refuses the key',
  rejected: 'the provider refuses the request',
  bad_output: 'its answers could not be read',
  internal: 'the client of the provider failed',
  circuit_open: 'the provider is left alone for a while after several failures',
  spend_ceiling: 'as much was spent on models as is allowed',
};

/** Why there was no answer, for a person; what the provider itself said is for the log. */
export function failureText(kind: keyof typeof FAILURE_TEXTS): string {
  return FAILURE_TEXTS[kind];
}

/** Sorts anything a model client throws. */
export function classifyFailure(error: unknown): ModelFailure {
  const status = numberIn(error, 'status');
  const name = error instanceof Error ? error.constructor.name : '';
  const kind = status === undefined ? kindWithoutStatus(error, name) : kindOfStatus(status, error);
  return {
    kind,
    retryable: kind === 'rate_limited' || kind === 'unavailable' || kind === 'timeout' || kind === 'network',
    status,
    retryAfterMs: kind === 'rate_limited' || kind === 'unavailable' ? retryAfter(error) : undefined,
    message: messageOf(error).slice(0, 500),
  };
}

function kindOfStatus(status: number, error: unknown): FailureKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return textIn(error, 'code') === 'insufficient_quota' ? 'quota' : 'rate_limited';
  if (status === 408) return 'timeout';
  return status === 409 || status >= 500 ? 'unavailable' : 'rejected';
}

function kindWithoutStatus(error: unknown, name: string): FailureKind {
  if (error instanceof ModelTimeout || textIn(error, 'name') === 'TimeoutError') return 'timeout';
  if (OUTPUT_NAMES.has(name)) return 'bad_output';
  if (NETWORK_NAMES.has(name)) return 'network';
  return isNetwork(error, 0) ? 'network' : 'internal';
}

/** Looks through the causes: fetch says "terminated" or "fetch failed" and hides the reason below. */
function isNetwork(error: unknown, depth: number): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  if (NETWORK_CODES.test(textIn(error, 'code') ?? '')) return true;
  if (error instanceof TypeError && /^(?:terminated|fetch failed)$/.test(error.message)) return true;
  return isNetwork(error.cause, depth + 1);
}

/** Milliseconds that a provider asks to be left alone, as its client's error has it; undefined where it does not say. */
export function retryAfter(error: unknown): number | undefined {
  const headers = fieldOf(error, 'headers');
  if (!(headers instanceof Headers)) return undefined;
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  return ms >= 0 ? ms : (retryAfterMs(headers.get('retry-after'), Date.now()) ?? undefined);
}

/**
 * Milliseconds that a `Retry-After` asks for, in seconds or as a date; null where it says neither.
 * @param now milliseconds since 1970
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The number in a field of anything; undefined where there is none. */
export function numberIn(value: unknown, key: string): number | undefined {
  const found = fieldOf(value, key);
  return typeof found === 'number' ? found : undefined;
}

function textIn(value: unknown, key: string): string | undefined {
  const found = fieldOf(value, key);
  return typeof found === 'string' ? found : undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** How a compatible server says that it does not know this way of structured output. */
export function refusesFormat(failure: ModelFailure): boolean {
  return failure.kind === 'rejected' && (failure.status === 400 || failure.status === 422);
}

/** Why the provider was left alone. */
export type NotAsked = 'circuit_open' | 'spend_ceiling';

/** What one call of a model came to, for metrics and the log. */
export interface ModelCallReport {
  readonly ticketId: string | null;
  readonly role: string;
  readonly provider: ProviderName;
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
  readonly ms: number;
  /** Requests sent, answered or not. */
  readonly attempts: number;
  readonly outcome: 'ok' | 'fallback';
  /** Why the fallback answered. */
  readonly reason: NotAsked | FailureKind | null;
}
