import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { SourceOptions, SourceRows } from '../../core/ports/data-source.js';
import type { TextAnswer } from './fetch-text.js';

/** A line of names, a line of types, and a line for each row: only with the types is it known what a text stands for. */
export const FORMAT = 'JSONCompactEachRowWithNamesAndTypes';

const WIDE_INTEGER = /^(?:Nullable\(|LowCardinality\()*U?Int(?:64|128|256)\)*$/;
const DECIMAL = /^(?:Nullable\()?Decimal/;

/**
 * The rows of an answer in {@link FORMAT}, at most as many as are wanted.
 * @throws HubError `source_bad_answer` where it is in another format, or broken
 */
export function readRows(
  source: string,
  { text, headers }: TextAnswer,
  { maxRows, maxBytes = Number.POSITIVE_INFINITY }: SourceOptions,
): SourceRows {
  const format = headers.get('x-clickhouse-format');
  if (format !== null && format !== FORMAT) {
    throw new HubError(
      'source_rejected',
      `${source}: the statement has a FORMAT clause; leave it out, the hub chooses the format.`,
      {
        source,
        format,
      },
    );
  }
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return { rows: [], truncated: false };
  const names = list(source, lines[0]).map(String);
  const types = list(source, lines[1]).map(String);
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (const line of lines.slice(2)) {
    bytes += Buffer.byteLength(line);
    if (rows.length === maxRows || bytes > maxBytes) {
      if (rows.length > 0 || maxRows === 0) return { rows, truncated: true };
      throw new HubError('source_bad_answer', `${source}: a single row has more than ${maxBytes} bytes.`, {
        source,
      });
    }
    const values = list(source, line);
    if (values.length !== names.length) throw broken(source, line);
    rows.push(
      Object.fromEntries(names.map((name, at) => [name, plain(values[at] ?? null, types[at] ?? '')])),
    );
  }
  return { rows, truncated: false };
}

function list(source: string, line = ''): readonly JsonValue[] {
  try {
    const value = JSON.parse(line) as JsonValue;
    if (Array.isArray(value)) return value as readonly JsonValue[];
  } catch {
    // Said below: either way it is not a row.
  }
  throw broken(source, line);
}

/** The server may write wide integers as texts, so that no digit is lost; those that fit are numbers here. */
function plain(value: JsonValue, type: string): JsonValue {
  if (typeof value !== 'string' || !(WIDE_INTEGER.test(type) || DECIMAL.test(type))) return value;
  const number = Number(value);
  const digits = value.replace(/\D/g, '').replace(/^0+/, '').length;
  return Number.isFinite(number) && digits <= 15 ? number : value;
}

/** An exception after the first rows arrives as text where a row should be. */
function broken(source: string, line: string): HubError {
  return new HubError(
    'source_bad_answer',
    `${source} answers with something else than rows: ${line.slice(0, 200)}`,
    { source },
  );
}
