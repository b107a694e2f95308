import { type JsonObject, type JsonValue, parseJson } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type {
  BoundStatement,
  QuerySource,
  SourceOptions,
  SourceRows,
  SourceSpec,
} from '../../core/ports/data-source.js';
import { createRetrier, fetchText, type TextAnswer, TransientFault } from './fetch-text.js';
import {
  type Address,
  addressOf,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  type Secret,
  settingOf,
} from './settings.js';
import { checkStatement } from './sql-text.js';

/** A line of names, a line of types, and a line for each row: only with the types is it known what a text stands for. */
const FORMAT = 'JSONCompactEachRowWithNamesAndTypes';

const WIDE_INTEGER = /^(?:Nullable\(|LowCardinality\()*U?Int(?:64|128|256)\)*$/;
const DECIMAL = /^(?:Nullable\()?Decimal/;

/**
 * The rows of an answer in {@link FORMAT}, at most as many as are wanted.
 * @throws HubError `source_bad_answer` where it is in another format, or broken
 */
function readRows(
  source: string,
  { text, headers }: TextAnswer,
  { maxRows, maxBytes = Number.POSITIVE_INFINITY }: SourceOptions,
): SourceRows {
  const format = headers.get('x-clickhouse-format');
  if (format !== null && format !== FORMAT) {
    throw new HubError(
      'source_rejected',
      `${source}: the statement has a FORMAT clause; leave it out, the hub chooses the format.`,
      { source, format },
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
  const value = parseJson(line, null);
  if (Array.isArray(value)) return value as readonly JsonValue[];
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

/** Rows stop at a limit on the server; this is for rows that are very wide. */
const MAX_ANSWER_BYTES = 8_000_000;
/** Too many queries at once, network faults between its servers, a replica that is not ready. */
const PASSING = new Set([202, 203, 209, 210, 225, 242, 279, 319]);
const TOO_SLOW = new Set([159, 160]);
const READ_ONLY_USER = 164;

/**
 * A ClickHouse server over its HTTP interface. Values travel as typed parameters beside the statement.
 * @throws HubError `source_misconfigured`
 */
export function openClickhouse(spec: SourceSpec, secret: Secret): QuerySource {
  const address = addressOf(spec, 'url', secret);
  const headers = { 'user-agent': 'uda-hub', ...authHeaders(spec, address, secret) };
  const retrier = createRetrier(spec.name);
  return {
    answers: 'query',
    async query(statement, options) {
      checkStatement(spec, statement);
      const answer = await retrier.run(
        spec.retries ?? DEFAULT_RETRIES,
        JSON.stringify(statement),
        options.signal,
        async () => {
          const ask = (limited: boolean) => exchange(spec, address.url, headers, statement, options, limited);
          const first = await ask(true);
          // A user whose profile only reads may not even set limits, and needs none to be kept from writing.
          const answer = exceptionOf(first) === READ_ONLY_USER ? await ask(false) : first;
          refuse(spec, answer);
          return answer;
        },
      );
      return readRows(spec.name, answer, options);
    },
    close: async () => undefined,
  };
}

async function exchange(
  spec: SourceSpec,
  base: URL,
  headers: Readonly<Record<string, string>>,
  statement: BoundStatement,
  { signal, maxRows }: SourceOptions,
  limited: boolean,
): Promise<TextAnswer> {
  const timeoutMs = spec.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const url = new URL(base);
  const { text, parameters } = parametrised(statement);
  const settings = {
    default_format: FORMAT,
    readonly: '1',
    max_result_rows: String(maxRows + 1),
    result_overflow_mode: 'break',
    max_execution_time: String(Math.max(1, Math.ceil(timeoutMs / 1_000))),
    date_time_output_format: 'iso',
    // The status tells whether it succeeded only where nothing is sent before it has.
    wait_end_of_query: '1',
    cancel_http_readonly_queries_on_client_close: '1',
  };
  const query = { ...(limited ? settings : { default_format: FORMAT }), ...parameters };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return await fetchText({
    source: spec.name,
    url,
    method: 'POST',
    headers,
    body: text,
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  });
}

/** `{p1:String}` for each value, and the values by name. */
function parametrised({ segments, values }: BoundStatement): {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
} {
  const parameters: Record<string, string> = {};
  const text = segments.reduce((before, segment, at) => {
    if (at === 0) return segment;
    const value = values[at - 1] ?? null;
    parameters[`param_p${at}`] = textOf(value);
    return `${before}{p${at}:${typeOf(value)}}${segment}`;
  }, '');
  return { text: text.replace(/;\s*$/, ''), parameters };
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'Nullable(String)';
  if (typeof value === 'boolean') return 'Bool';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64';
  if (!Array.isArray(value)) return 'String';
  const types = new Set(value.map(typeOf));
  return `Array(${types.size === 1 ? [...types][0] : 'String'})`;
}

/** ClickHouse reads a parameter as a field of its tab-separated format; texts within arrays are quoted. */
function textOf(value: JsonValue): string {
  if (value === null) return '\\N';
  if (Array.isArray(value)) return `[${value.map((one) => elementOf(one, value)).join(',')}]`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\\\t\n\r\0\b\f]/g, escaped);
}

function elementOf(value: JsonValue, list: readonly JsonValue[]): string {
  if (value === null) return 'NULL';
  const sameType = new Set(list.map(typeOf)).size === 1;
  if (sameType && typeof value !== 'string' && typeof value !== 'object') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replace(/[\\'\t\n\r\0\b\f]/g, escaped)}'`;
}

function escaped(character: string): string {
  const names: Readonly<Record<string, string>> = {
    '\t': 't',
    '\n': 'n',
    '\r': 'r',
    '\0': '0',
    '\b': 'b',
    '\f': 'f',
  };
  return `\\${names[character] ?? character}`;
}

function exceptionOf({ headers }: TextAnswer): number {
  return Number(headers.get('x-clickhouse-exception-code') ?? 0);
}

/** @throws TransientFault, HubError `source_unavailable`, `source_rejected` where the answer is none */
function refuse(spec: SourceSpec, answer: TextAnswer): void {
  const { status, text } = answer;
  const code = exceptionOf(answer);
  if (status === 200 && code === 0) return;
  const { name } = spec;
  const why = text.trim().split('\n')[0]?.slice(0, 300) ?? '';
  const fields = { source: name, status, exception: code };
  if (status === 401 || status === 403 || code === 516) {
    throw new HubError('source_rejected', `${name} refuses our credentials (HTTP ${status}).`, fields);
  }
  if (TOO_SLOW.has(code)) {
    throw new HubError('source_unavailable', `${name} took too long to answer, and stopped: ${why}`, fields);
  }
  if (PASSING.has(code) || (code === 0 && (status >= 500 || status === 429))) {
    throw new TransientFault(why === '' ? `it answers HTTP ${status}` : `it answers HTTP ${status}: ${why}`);
  }
  throw new HubError(
    'source_rejected',
    `${name} rejects the statement: ${why === '' ? `HTTP ${status}` : why}`,
    fields,
  );
}

/** `user:password`, in the address or the variable; a variable without a colon is a token. */
function authHeaders(spec: SourceSpec, { userinfo }: Address, secret: Secret): Record<string, string> {
  const credentials = spec.credentials === undefined ? userinfo : settingOf(spec, 'credentials', secret);
  if (credentials === null) return {};
  const colon = credentials.indexOf(':');
  if (colon < 0) return { authorization: `Bearer ${credentials}` };
  return {
    'x-clickhouse-user': credentials.slice(0, colon),
    'x-clickhouse-key': credentials.slice(colon + 1),
  };
}
