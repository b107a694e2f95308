import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type {
  BoundStatement,
  DataSource,
  DataSources,
  Exchange,
  HttpRequest,
  QuerySource,
  RequestSource,
  SourceOptions,
  SourceRows,
  SourceSpec,
} from '../../core/ports/data-source.js';
import { abortReason } from '../../core/signals.js';
import { overProcesses } from './sqlite-file.js';
import { createSqliteProcesses, type SqliteProcesses } from './sqlite-processes.js';

/** `CREATE TABLE schema.name`: SQLite knows such a name only where a database of that name is attached. */
const QUALIFIED = /\bcreate\s+(?:table|view)\s+(?:if\s+not\s+exists\s+)?["`[]?([a-z_]\w*)["`\]]?\s*\./gi;
const BUILT_IN = new Set(['main', 'temp']);
/** SQLite attaches ten at most. */
const MAX_SCHEMAS = 10;
/** Texts, quoted names and comments, which are left as they are; or what is written otherwise for SQLite. */
const FOREIGN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::\s*[a-z_]\w*(?:\s*\(\s*\d+(?:\s*,\s*\d+)?\s*\))?(?:\[\])?|\bilike\b|\bfinal\b/gi;

/**
 * The scripts that make the database of a source, in the order of the fixtures.
 * @throws HubError `skill_invalid` where the pack has no such file
 */
function fixtureScript(
  source: string,
  fixtures: readonly Fixture[],
  pack: FixturePack,
): { readonly script: readonly string[]; readonly schemas: readonly string[] } {
  const script = fixtures.flatMap((fixture) => {
    if ('sql' in fixture) return [fixture.sql];
    return 'file' in fixture ? [fileOf(source, fixture.file, pack)] : [];
  });
  const named = [...script.join('\n').matchAll(QUALIFIED)].map((match) => (match[1] ?? '').toLowerCase());
  const schemas = [...new Set(named)].filter((name) => !BUILT_IN.has(name)).slice(0, MAX_SCHEMAS);
  return { script, schemas };
}

/**
 * A statement of PostgreSQL or ClickHouse for the SQLite of a test case: `ILIKE` is `LIKE` (which knows no case there),
 * `x::type` is `x`, `FINAL` is left out. What SQLite cannot say otherwise has `mapping` and `rows` for a fixture.
 */
function portableSql({ segments, values }: BoundStatement): BoundStatement {
  const translate = (piece: string): string => {
    if (piece.startsWith('::')) return '';
    const word = piece.toLowerCase();
    if (word === 'ilike') return 'LIKE';
    return word === 'final' ? '' : piece;
  };
  return { segments: segments.map((segment) => segment.replace(FOREIGN, translate)), values };
}

/** Test cases lie in test_cases/, so a path may be meant from there or from the pack. */
function fileOf(source: string, file: string, pack: FixturePack): string {
  for (const path of [posix.normalize(file), posix.join('test_cases', file)]) {
    const text = Object.hasOwn(pack.files, path) ? pack.files[path] : undefined;
    if (text !== undefined) return text;
  }
  throw new HubError(
    'skill_invalid',
    `The pack ${pack.id} has no file ${file}, which fixtures.${source} names.`,
    { skill: pack.id, file },
  );
}

/** The rows that may be given of those there are. */
function limitRows(all: readonly JsonObject[], { maxRows, maxBytes }: SourceOptions): SourceRows {
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (const row of all) {
    bytes += maxBytes === undefined ? 0 : Buffer.byteLength(JSON.stringify(row));
    if (rows.length === maxRows || bytes > (maxBytes ?? bytes)) return { rows, truncated: true };
    rows.push(row);
  }
  return { rows, truncated: false };
}

interface FixtureOptions {
  /** ISO 8601; what `now()` is in SQL. The real time where absent. */
  readonly now?: string;
  /** Processes shared by several cases, closed by whoever made them. */
  readonly processes?: SqliteProcesses;
}

/**
 * The sources of a test case, made of its fixtures: databases in memory, canned rows and answers. What a case does not
 * describe is a fault that says so, and never a real source.
 */
export function createFixtureSources(
  fixtures: Readonly<Record<string, readonly Fixture[]>>,
  pack: FixturePack,
  options: FixtureOptions = {},
): DataSources {
  const processes = options.processes ?? createSqliteProcesses();
  const opened = new Map<string, DataSource>();
  return {
    async open(spec) {
      const known = opened.get(spec.name);
      if (known !== undefined) return known;
      const own = Object.hasOwn(fixtures, spec.name) ? fixtures[spec.name] : undefined;
      if (own === undefined) throw nothing(pack, spec);
      const source = isDown(own)
        ? unreachable(spec)
        : spec.kind === 'http'
          ? fixtureRequests(spec, own)
          : fixtureRows(spec, own, pack, processes, options.now);
      opened.set(spec.name, source);
      return source;
    },
    // Made of what a case describes, which belongs to no customer.
    isCustomersOwn: () => false,
    async close() {
      if (options.processes === undefined) processes.close();
    },
  };
}

function fixtureRows(
  spec: SourceSpec,
  fixtures: readonly Fixture[],
  pack: FixturePack,
  processes: SqliteProcesses,
  now: string | undefined,
): QuerySource {
  const canned = new Map<string, readonly JsonObject[]>();
  for (const fixture of fixtures) if ('mapping' in fixture) canned.set(fixture.mapping, fixture.rows);
  const { script, schemas } = fixtureScript(spec.name, fixtures, pack);
  const target = { script, schemas, ...(now === undefined ? {} : { now }) };
  const key = createHash('sha256').update(JSON.stringify(target)).digest('hex');
  const database = overProcesses(spec, { key, target }, processes);
  return {
    answers: 'query',
    async query(statement, options) {
      if (options.signal.aborted) throw abortReason(options.signal);
      const rows = options.mapping === undefined ? undefined : canned.get(options.mapping);
      if (rows !== undefined) return limitRows(rows, options);
      return await database.query(spec.kind === 'sqlite' ? statement : portableSql(statement), options);
    },
    close: async () => undefined,
  };
}

function isDown(fixtures: readonly Fixture[]): boolean {
  return fixtures.some((fixture) => 'down' in fixture);
}

function unreachable(spec: SourceSpec): DataSource {
  const refuse = async (): Promise<never> => {
    throw new HubError('source_unavailable', `${spec.name} cannot be reached: the test case has it down.`, {
      source: spec.name,
    });
  };
  const close = async (): Promise<void> => undefined;
  return spec.kind === 'http'
    ? { answers: 'request', request: refuse, close }
    : { answers: 'query', query: refuse, close };
}

function nothing(pack: FixturePack, spec: SourceSpec): HubError {
  return new HubError(
    'source_unavailable',
    `The test case has no fixtures for the source ${spec.name} of ${pack.id}. Give it some under fixtures.${spec.name}, or "down: true".`,
    { skill: pack.id, source: spec.name },
  );
}

/** One fixture of a source, as a test case has it. */
export type Fixture =
  | { readonly sql: string }
  | { readonly file: string }
  | { readonly mapping: string; readonly rows: readonly JsonObject[] }
  | Exchange
  | { readonly down: true };

/** What of a pack is needed to make its fixtures. */
interface FixturePack {
  readonly id: string;
  /** Texts of its files by path relative to its folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** An API that knows the requests of a test case and no other. The first fixture that fits answers. */
export function fixtureRequests(spec: SourceSpec, fixtures: readonly Fixture[]): RequestSource {
  const exchanges = fixtures.filter((fixture): fixture is Exchange => 'request' in fixture);
  return {
    answers: 'request',
    async request(request, { signal }) {
      if (signal.aborted) throw abortReason(signal);
      const { path, query } = asked(request);
      const found = exchanges.find((exchange) => fits(exchange, request.method, path, query));
      if (found === undefined) throw unknown(spec, request.method, path, query, exchanges);
      const { status, body } = found.response;
      if (status < 500 && status !== 429) return { status, body: body ?? null };
      throw new HubError('source_unavailable', `${spec.name} cannot be reached: it answers HTTP ${status}.`, {
        source: spec.name,
        status,
      });
    },
    close: async () => undefined,
  };
}

/** Every name a fixture gives in its query, or after `?` in its path, must be asked for with that value; others may be. */
function fits({ request }: Exchange, method: string, path: string, query: URLSearchParams): boolean {
  const wanted = asked({
    method: request.method,
    path: request.path,
    ...(request.query && { query: request.query }),
  });
  if (request.method.toUpperCase() !== method || !sameWay(wanted.path, path)) return false;
  return [...wanted.query].every(([name, value]) => query.get(name) === value);
}

/** Segment by segment; `*` is any one. */
function sameWay(wanted: string, path: string): boolean {
  const [expected, given] = [wanted, path].map((way) => way.split('/'));
  if (expected === undefined || given === undefined || expected.length !== given.length) return false;
  return expected.every((segment, at) => segment === '*' || segment === given[at]);
}

/** Path and query of a request as a server reads them: decoded, and the query wherever it was given. */
function asked({ path, query }: HttpRequest): { readonly path: string; readonly query: URLSearchParams } {
  const mark = path.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1));
  for (const [name, value] of Object.entries(query ?? {})) parameters.set(name, value);
  return {
    path: decoded(`/${(mark < 0 ? path : path.slice(0, mark)).replace(/^\/+|\/+$/g, '')}`),
    query: parameters,
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function unknown(
  spec: SourceSpec,
  method: string,
  path: string,
  query: URLSearchParams,
  exchanges: readonly Exchange[],
): HubError {
  const text = query.size === 0 ? '' : `?${query.toString()}`;
  const known = exchanges.map(({ request }) => `${request.method} ${request.path}`).join(', ') || 'none';
  return new HubError(
    'source_unavailable',
    `The test case has no answer of ${spec.name} to ${method} ${path}${text}; it has answers to: ${known}.`,
    { source: spec.name, method, path },
  );
}
