import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { HttpAnswer, SourceRows } from '../../core/ports/data-source.js';

/**
 * The `result` of a step that asked SQL: `count` and `rows`, `truncated`, and the columns of a single row. A column called
 * `count` (`SELECT count(*) AS count`) is what its author means by `result.count`, so it comes before the number of rows.
 */
export function rowsResult({ rows, truncated }: SourceRows): JsonObject {
  const single = rows.length === 1 ? rows[0] : undefined;
  return { count: rows.length, ...single, rows, truncated };
}

/**
 * The `result` of a step that asked over HTTP: `status`, `body`, the fields of a body that is an object, and `count` and
 * `rows` as of SQL: a list has its entries, an object is one row, and nothing found is none. `status` is always that of
 * HTTP; a body's own is `body.status`.
 */
export function answerResult({ status, body }: HttpAnswer): JsonObject {
  const found = status < 400;
  const rows = found ? rowsOf(body) : [];
  const fields = isObject(body) ? body : {};
  const counted = { count: Array.isArray(fields.rows) ? fields.rows.length : rows.length, rows };
  return found ? { ...counted, ...fields, status, body } : { ...fields, ...counted, status, body };
}

function rowsOf(body: JsonValue): readonly JsonValue[] {
  if (Array.isArray(body)) return body;
  return body === null || body === '' ? [] : [body];
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
