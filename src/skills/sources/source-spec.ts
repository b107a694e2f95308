import type { SourceSpec } from '../../core/ports/data-source.js';
import type { SourceDeclaration } from '../pack/descriptor-schema.js';

/** A source as the pack declares it, in the words of the port (milliseconds instead of seconds). */
export function sourceSpec(name: string, declared: SourceDeclaration): SourceSpec {
  if (declared.kind === 'sqlite') return { name, ...declared };
  const { timeout, ...rest } = declared;
  return { name, ...rest, ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }) };
}
