import type { JsonObject, JsonValue } from '../../core/domain/json.js';

/** Rows that are kept with the run; conditions have seen all of them by then. */
const KEPT_ROWS = 50;
/** Characters of JSON that a step's result may take in a checkpoint. */
const KEPT_CHARS = 32_000;
const KEPT_FIELD_CHARS = 1_000;
const SHOWN_ROWS = 3;
const SHOWN_CHARS = 2_000;

/**
 * What is kept of a result for later steps and for a checkpoint: the first rows, and where they are still too much fewer of
 * them, then the short fields alone. `count` and `truncated` always say how much there was.
 */
export function keptOf(result: JsonObject): JsonObject {
  const { rows } = result;
  if (!Array.isArray(rows)) return withinLimit(result) ? result : shortFields(result);
  const { body: _body, ...fields } = result;
  for (let count = Math.min(rows.length, KEPT_ROWS); count > 0; count = Math.floor(count / 2)) {
    const kept = count === rows.length ? result : { ...fields, rows: rows.slice(0, count) };
    if (withinLimit(kept)) return kept;
  }
  return { ...shortFields(fields), rows: [] };
}

/** What a person is shown of the data. */
export function excerptOf(result: JsonObject): JsonValue {
  const { rows, body: _body, truncated: _truncated, ...fields } = result;
  const shown: JsonObject =
    Array.isArray(rows) && rows.length > 1 ? { ...fields, rows: rows.slice(0, SHOWN_ROWS) } : fields;
  const text = JSON.stringify(shown);
  return text.length <= SHOWN_CHARS ? shown : `${text.slice(0, SHOWN_CHARS)}…`;
}

function withinLimit(value: JsonValue): boolean {
  return JSON.stringify(value).length <= KEPT_CHARS;
}

function shortFields(result: JsonObject): JsonObject {
  const fields = Object.entries(result).filter(
    ([, value]) => value !== undefined && JSON.stringify(value).length <= KEPT_FIELD_CHARS,
  );
  const short = Object.fromEntries(fields);
  return withinLimit(short) ? short : { count: result.count ?? null };
}
