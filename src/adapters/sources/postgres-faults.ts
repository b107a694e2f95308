import { HubError } from '../../core/errors.js';
import type { SourceSpec } from '../../core/ports/data-source.js';
import { TransientFault } from './retrying.js';

/** SQLSTATEs of a server that is starting, stopping, full, or reached over a line that broke. */
const PASSING = /^(?:08|57P0|53300|40001|40P01)/;
const CANCELLED = '57014';
const NO_ENTRY = /^(?:28|3D000)/;

/**
 * What a failed statement means for whoever asked.
 * @returns a TransientFault where it may go better at once, else a HubError
 */
export function postgresFault(
  spec: SourceSpec,
  error: unknown,
  timeoutMs: number,
): HubError | TransientFault {
  const { name } = spec;
  const message = error instanceof Error ? error.message : String(error);
  const state = sqlState(error);
  if (state === null) return new TransientFault(reasonOf(error, message), { cause: error });
  const fault = (code: 'source_unavailable' | 'source_rejected', text: string): HubError =>
    new HubError(code, text, { source: name, sqlstate: state }, { cause: error });
  if (state === CANCELLED) {
    return fault(
      'source_unavailable',
      `${name} took longer than ${timeoutMs / 1_000} s to answer, and was stopped.`,
    );
  }
  if (NO_ENTRY.test(state)) return fault('source_rejected', `${name} refuses the connection: ${message}.`);
  if (PASSING.test(state)) return new TransientFault(message, { cause: error });
  return fault('source_rejected', `${name} rejects the statement: ${message}.`);
}

/** Null where the server did not say anything, since the line broke. */
function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('severity' in error)) return null;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : null;
}

/** A connection tried over IPv4 and IPv6 fails with an error of several errors and no message of its own. */
function reasonOf(error: unknown, message: string): string {
  if (message !== '') return message;
  const errors = error instanceof AggregateError ? error.errors : [];
  const first: unknown = errors[0];
  return first instanceof Error ? first.message : 'the connection failed';
}
