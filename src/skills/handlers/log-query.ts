import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { textInput } from './handler.js';

/** A statement that a function wrote for a mapping: a template, and the values its placeholders stand for. */
interface BuiltQuery {
  readonly query: string;
  readonly values: JsonObject;
}

/** What `query_builder: NAME` of a mapping names. @throws HubError `input_invalid` where a parameter cannot be used */
export type QueryBuilder = (params: JsonObject, now: Date) => BuiltQuery;
/** What `response_parser: NAME` of a mapping names: each row as the step sees it. */
export type ResponseParser = (row: JsonObject) => JsonObject;

const RANGE = /^(?:last_)?(\d{1,4})_?(m|h|d|minutes?|hours?|days?)$/;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Log lines of one service as SigNoz keeps them in ClickHouse, newest first. `service`; `keyword`: what a line holds;
 * `time_range`: `last_30_days`, `last_12_hours`, `90m` (a day where absent).
 */
export const signozQuery: QueryBuilder = (params, now) => {
  const since = now.getTime() - rangeMs(textInput(params, 'time_range', 'last_1_days'));
  const query = [
    'SELECT timestamp, severity_text AS severity, body FROM signoz_logs.distributed_logs_v2',
    "WHERE resources_string['service.name'] = {service} AND position(body, {keyword}) > 0",
    'AND timestamp >= toUInt64({since}) ORDER BY timestamp DESC LIMIT 1000',
  ].join(' ');
  // Nanoseconds are larger than JSON's numbers are exact.
  const values = {
    service: textInput(params, 'service'),
    keyword: textInput(params, 'keyword', ''),
    since: `${since}000000`,
  };
  return { query, values };
};

/** A line of SigNoz as `{ at, severity, message }` and the fields of a body that is JSON. */
export const signozLine: ResponseParser = ({ timestamp, severity, body, ...others }) => {
  const nanoseconds = Number(timestamp);
  const at =
    Number.isFinite(nanoseconds) && nanoseconds > 0 ? new Date(nanoseconds / 1e6).toISOString() : null;
  return { ...others, ...fieldsOf(body), at, severity: severity ?? null, message: body ?? null };
};

function fieldsOf(body: JsonValue | undefined): JsonObject {
  if (typeof body !== 'string' || !body.startsWith('{')) return {};
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return {};
  }
}

function rangeMs(text: string): number {
  const [, count, unit = ''] = RANGE.exec(text.trim().toLowerCase()) ?? [];
  if (count === undefined)
    throw new HubError('input_invalid', 'time_range must be such as last_30_days, last_12_hours or 90m.', {
      field: 'time_range',
    });
  const size = unit.startsWith('m') ? 60_000 : unit.startsWith('h') ? HOUR_MS : DAY_MS;
  return Number(count) * size;
}
