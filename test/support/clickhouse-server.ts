import type { ServerResponse } from 'node:http';
import { type ReceivedRequest, startHttpServer, type TestHttpServer } from './http-server.js';

const FORMAT = 'JSONCompactEachRowWithNamesAndTypes';

/** What the fake answers to a statement: a table, or an exception of ClickHouse. */
export type ClickhouseAnswer =
  | {
      readonly names: readonly string[];
      readonly types: readonly string[];
      readonly rows: readonly (readonly unknown[])[];
    }
  | { readonly code: number; readonly status: number; readonly message: string };

/** A server that treats requests as ClickHouse's HTTP interface does, up to the SQL, which a test answers. */
export interface ClickhouseServer extends TestHttpServer {
  /** Settings of the last request, and its parameters decoded as ClickHouse decodes them. */
  readonly last: {
    readonly sql: string;
    readonly settings: URLSearchParams;
    readonly values: readonly unknown[];
  };
  respond(answer: (sql: string, values: readonly unknown[]) => ClickhouseAnswer): void;
}

interface ClickhouseUser {
  readonly user: string;
  readonly password: string;
  /** A profile that only reads refuses every setting. */
  readonly readonly?: boolean;
}

/** @param account who may ask; everybody where absent */
export async function startClickhouse(account?: ClickhouseUser): Promise<ClickhouseServer> {
  const last = { sql: '', settings: new URLSearchParams(), values: [] as unknown[] };
  let respond: (sql: string, values: readonly unknown[]) => ClickhouseAnswer = () => ({
    names: [],
    types: [],
    rows: [],
  });
  const server = await startHttpServer((request, response) => {
    const settings = new URL(request.url, 'http://x').searchParams;
    const sql = request.body;
    if (account !== undefined && !isUser(request, account))
      return fail(response, 516, 403, 'Authentication failed');
    if (account?.readonly && settings.has('max_result_rows')) {
      return fail(response, 164, 500, "Cannot modify 'max_result_rows' setting in readonly mode");
    }
    const values: unknown[] = [];
    for (const [, name, type] of sql.matchAll(/\{(\w+):([^}]+)\}/g)) {
      const raw = settings.get(`param_${name}`);
      if (raw === null) return fail(response, 456, 404, `Substitution \`${name}\` is not set`);
      values.push(decode(raw, type ?? ''));
    }
    Object.assign(last, { sql, settings, values });
    const answer = respond(sql, values);
    if ('code' in answer) return fail(response, answer.code, answer.status, answer.message);
    const limit = Number(settings.get('max_result_rows') ?? Number.POSITIVE_INFINITY);
    // It stops between blocks, so a little more than the limit may come.
    const rows = answer.rows.slice(
      0,
      settings.get('result_overflow_mode') === 'break' ? limit + 5 : undefined,
    );
    const format = /\bFORMAT\s+(\w+)/i.exec(sql)?.[1] ?? settings.get('default_format') ?? 'TabSeparated';
    response.writeHead(200, { 'x-clickhouse-format': format, 'content-type': 'application/x-ndjson' });
    response.end(
      format === FORMAT
        ? [answer.names, answer.types, ...rows].map((line) => `${JSON.stringify(line)}\n`).join('')
        : 'something\telse\n',
    );
  });
  return Object.assign(server, {
    last,
    respond(next: (sql: string, values: readonly unknown[]) => ClickhouseAnswer) {
      respond = next;
    },
  });
}

function isUser({ headers }: ReceivedRequest, { user, password }: ClickhouseUser): boolean {
  return headers['x-clickhouse-user'] === user && headers['x-clickhouse-key'] === password;
}

function fail(response: ServerResponse, code: number, status: number, message: string): void {
  response.writeHead(status, { 'x-clickhouse-exception-code': String(code) });
  response.end(`Code: ${code}. DB::Exception: ${message}. (NAME)\n`);
}

/** A field of the tab-separated format: escaped, and nothing may follow it. */
function decode(raw: string, type: string): unknown {
  if (raw === '\\N') return type.startsWith('Nullable') ? null : raw;
  if (/[\t\n]/.test(raw))
    throw new Error(`a value may not hold a bare tab or line break: ${JSON.stringify(raw)}`);
  if (/^Int64|^Float64/.test(type)) return Number(raw);
  if (type === 'Bool') return raw === 'true';
  const names: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', 0: '\0', b: '\b', f: '\f' };
  return raw.replace(/\\(.)/gs, (_, letter: string) => names[letter] ?? letter);
}
