import type { SourceSpec } from '../../core/ports/data-source.js';
import type { SourceDeclaration } from '../pack/descriptor-schema.js';

/** A source as the pack declares it, in the words of the port (milliseconds instead of seconds). */
export function sourceSpec(name: string, declared: SourceDeclaration): SourceSpec {
  if (declared.kind === 'sqlite') return { name, ...declared };
  const { timeout, ...settings } = declared;
  // Words for people are no setting of a connection.
  const { service: _service, logs: _logs, ...rest } = { service: undefined, logs: undefined, ...settings };
  return { name, ...rest, ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }) };
}
