import { HubError } from '../../core/errors.js';
import type { BoundStatement, SourceSpec } from '../../core/ports/data-source.js';
import { READING_WORDS, sqlTokens, tablePlaces } from '../../core/sql/tables.js';

/** The text with `?`, for reading only. */
export function textOf(statement: BoundStatement): string {
  return statement.segments.join('?');
}

/**
 * Refuses what is not plain reading, and tables that the pack did not declare. What a source may be asked at all is settled
 * by its own means (a read-only handle or transaction); this gives the author the clear sentence.
 * @throws HubError `source_rejected`
 */
export function checkStatement(spec: SourceSpec, statement: BoundStatement): void {
  const all = sqlTokens(textOf(statement), spec.kind === 'clickhouse' ? 'clickhouse' : 'standard');
  const tokens = all.filter(({ kind }) => kind !== 'comment');
  const first = tokens.find(({ text }) => text !== '(')?.text ?? '';
  if (!READING_WORDS.has(first)) {
    throw new HubError(
      'source_rejected',
      `${spec.name}: a statement must begin with SELECT, WITH or VALUES, since sources are only read. This one begins with ${first === '' ? 'nothing' : first.toUpperCase()}.`,
      { source: spec.name },
    );
  }
  if (spec.tables === undefined) return;
  const allowed = new Set(spec.tables.map((name) => name.toLowerCase()));
  for (const { name } of tablePlaces(tokens)) {
    if (allowed.has(name) || allowed.has(name.slice(name.lastIndexOf('.') + 1))) continue;
    throw new HubError(
      'source_rejected',
      `${spec.name}: the table ${name} is not declared in data_sources.${spec.name}.tables; that has: ${spec.tables.join(', ')}.`,
      { source: spec.name, table: name },
    );
  }
}

/** Where a company's database keeps the keys of what was changed in it by the hub; made where it is not there. */
export const EFFECTS_TABLE =
  'CREATE TABLE IF NOT EXISTS hub_effects (idempotency_key text PRIMARY KEY, performed_at timestamp DEFAULT CURRENT_TIMESTAMP)';

/** A change whose record is not as it was when it was agreed to. */
export function nothingToChange({ name }: SourceSpec): HubError {
  return new HubError('wrong_status', 'The record is not in a state that allows this.', { source: name });
}
