import { type Database, storeOf } from '../../../data/database.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type {
  BoundStatement,
  ChangeStatement,
  DataSources,
  Expressions,
  HttpAnswer,
  HttpRequest,
  SourceOptions,
  SourceSpec,
} from '../../core/ports/data-source.js';
import type { ActionSpec, ReadSpec, StatementSpec } from './schemas.js';

const MAX_ROWS = 500;
const MAX_BYTES = 1_000_000;

/** The request of a call, before its values are filled in. */
export type RequestSpec =
  | (Pick<ReadSpec, 'params' | 'headers'> & {
      readonly method: string;
      readonly path: string;
      readonly body?: JsonValue | undefined;
    })
  | { readonly tool: string; readonly args: Readonly<Record<string, JsonValue>> };

interface AskerParts {
  readonly expressions: Expressions;
  /** By the names of `sources.yaml`. */
  readonly specs: ReadonlyMap<string, SourceSpec>;
  readonly sources: DataSources;
  /** The company's own database, read-only. */
  readonly reader: Database;
}

/** Asks what YAML declares, with its values bound. */
export interface Asker {
  /**
   * One row, or null, where one is meant; else all rows.
   * @throws HubError `source_unavailable`, `source_rejected`, `source_bad_answer`, `source_misconfigured`,
   * `database_failed`, `input_invalid`
   */
  read(spec: ReadSpec, scope: JsonObject, signal?: AbortSignal): Promise<JsonValue>;
  /** The request as it is sent: what it is filled with stays the same however often it is repeated. */
  filled(spec: RequestSpec, scope: JsonObject): HttpRequest;
  send(source: string, request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer>;
  /** All of it in one transaction of a source, once for a key. @throws HubError as QuerySource.change */
  change(source: string, key: string, statements: readonly ChangeStatement[]): Promise<void>;
  /** What a tool of a source takes now; null where the source does not tell. @throws HubError as `read` */
  contract(source: string, tool: string): Promise<string | null>;
}

/** Makes the one of a company. */
export function createAsker({ expressions, specs, sources, reader }: AskerParts): Asker {
  const texts = (templates: Readonly<Record<string, JsonValue>>, scope: JsonObject): Record<string, string> =>
    Object.fromEntries(
      Object.entries(templates).flatMap(([name, template]) => {
        const value = expressions.fill(template, scope);
        if (value === null || value === '') return [];
        return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
      }),
    );
  const filled: Asker['filled'] = (spec, scope) => {
    if ('tool' in spec) {
      const args = Object.entries(spec.args).map(([name, value]) => [name, expressions.fill(value, scope)]);
      // What there is no value of is left out: a tool's argument is there or not.
      const body = Object.fromEntries(args.filter(([, value]) => value !== null)) as JsonObject;
      return { method: 'CALL', path: `/${spec.tool}`, body };
    }
    const { method, path, params, headers, body } = spec;
    return {
      method,
      path: expressions.path(path, scope),
      query: texts(params, scope),
      headers: texts(headers, scope),
      ...(body === undefined ? {} : { body: expressions.fill(body, scope) }),
    };
  };
  const open = async (name: string) => {
    const spec = specs.get(name);
    if (spec === undefined)
      throw new HubError('source_misconfigured', `sources.yaml has no source ${name}.`, { source: name });
    return sources.open(spec, { kind: 'operator', operatorId: 'hub' });
  };
  const send: Asker['send'] = async (name, request, signal) => {
    const source = await open(name);
    if (source.answers !== 'request')
      throw new HubError('source_misconfigured', `${name} answers queries, no requests.`, { source: name });
    const answer = await source.request(request, options(signal));
    if (answer.status !== 401 && answer.status !== 403) return answer;
    throw new HubError('source_rejected', `${name} refuses our credentials (HTTP ${answer.status}).`, {
      source: name,
      status: answer.status,
    });
  };
  const own = ownQueries(reader);
  const query = async (name: string | undefined, statement: BoundStatement, signal?: AbortSignal) => {
    if (name === undefined) return own.query(statement);
    const source = await open(name);
    if (source.answers !== 'query')
      throw new HubError('source_misconfigured', `${name} answers requests, no queries.`, { source: name });
    return (await source.query(statement, options(signal))).rows;
  };
  /** Left out where it has no value, what holds a call to the customer would ask for everybody's. */
  const isHeld = (spec: ReadSpec, scope: JsonObject): boolean => {
    const has = (name: string): boolean => ![null, ''].includes(expressions.fill(`{${name}}`, scope) as null);
    const ties = tiesOf(expressions, spec);
    if (ties.includes('customer_id')) {
      if (has('customer_id')) return true;
      throw new HubError('not_signed_in', 'Sign in first.');
    }
    return spec.public || ties.length === 0 || ties.some(has);
  };
  const answerOf = async (spec: ReadSpec, scope: JsonObject, signal?: AbortSignal): Promise<JsonObject> => {
    if (!isHeld(spec, scope)) return { status: 404, body: null, rows: [] };
    if (spec.query !== undefined)
      return {
        status: 200,
        rows: await query(spec.source, expressions.statement(spec.query, scope), signal),
      };
    const { tool, args, path = '/', harmless } = spec;
    const request =
      tool === undefined
        ? filled({ ...spec, path }, scope)
        : {
            ...filled({ tool, args }, scope),
            ...{ method: 'READ', headers: harmless ? { harmless: 'true' } : {} },
          };
    const { status, body } = await send(spec.source ?? '', request, signal);
    if (status === 404) return { status, body: null, rows: [] };
    if (status >= 400)
      throw new HubError('source_rejected', `${spec.source} answers HTTP ${status} to ${request.path}.`, {
        status,
      });
    return { status, body, rows: Array.isArray(body) ? body : body === null ? [] : [body] };
  };
  return {
    filled,
    send,
    async change(name, key, statements) {
      const source = await open(name);
      if (source.answers === 'query' && source.change) return source.change(key, statements);
      throw new HubError('source_misconfigured', `${name} is only read.`, { source: name });
    },
    async contract(name, tool) {
      const source = await open(name);
      if (source.answers !== 'request') return null;
      return (await source.contract?.(tool, new AbortController().signal)) ?? null;
    },
    async read(spec, scope, signal) {
      const answer = await answerOf(spec, scope, signal);
      const picked = spec.rows === undefined ? answer.rows : expressions.formula(spec.rows).value(answer);
      const rows = Array.isArray(picked) ? picked : picked === null || picked === undefined ? [] : [picked];
      // Many systems write null for none of many; where not even its name is there, this is no answer to what was asked.
      if (rows.length === 0 && !spec.one && spec.rows !== undefined && answer.status !== 404) {
        const named = expressions.formula(spec.rows).names.filter((name) => name.startsWith('body.'));
        if (named.length > 0 && !named.some((name) => isThere(answer, name.split('.'))))
          throw badAnswer(spec, `none of ${named.join(', ')}`);
      }
      return spec.one
        ? ((rows[0] as JsonValue | undefined) ?? null)
        : (rows.slice(0, MAX_ROWS) as JsonValue[]);
    },
  };
}

function isThere(value: JsonValue | undefined, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  return isObject(value ?? null) && Object.hasOwn(value as JsonObject, key)
    ? isThere((value as JsonObject)[key], rest)
    : false;
}

/** A system that answers otherwise than it was declared: what it holds is not known. */
export function badAnswer({ source }: Pick<ReadSpec, 'source'>, what: string): HubError {
  return new HubError('source_bad_answer', `${source ?? 'The own database'} answers with ${what}.`, {
    source: source ?? null,
  });
}

function options(signal: AbortSignal | undefined): SourceOptions {
  return { signal: signal ?? new AbortController().signal, maxRows: MAX_ROWS, maxBytes: MAX_BYTES };
}

/** SQLite takes no booleans. */
export function sqliteValues({ values }: BoundStatement): unknown[] {
  return values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
}

/** Asks the company's own database. */
const ownQueries = (database: Database) =>
  storeOf<{ query(statement: BoundStatement): Promise<readonly JsonObject[]> }>(database, {
    *query(statement) {
      const rows = yield* database.prepare(statement.segments.join('?')).all(...sqliteValues(statement));
      return rows.slice(0, MAX_ROWS).filter((row): row is JsonObject => isObject(row));
    },
  });

/** Names that say nothing of whose it is: the customer's own words, the company's rules, and what customers are looked for by. */
const FREE = new Set(
  'input policy customer terms now at email name postal_code text pattern limit'.split(' '),
);

/** The names that a call is filled with. */
export function namesOf(
  expressions: Expressions,
  spec: { readonly [key: string]: unknown },
): readonly string[] {
  const { query, path, params, headers, body, sql, args } = spec as Readonly<
    Record<string, JsonValue | undefined>
  >;
  return [query, path, params, headers, body, sql, args].flatMap((template) => expressions.namesIn(template));
}

/** What a call is held by: the customer, or what was read before. */
function tiesOf(expressions: Expressions, spec: { readonly [key: string]: unknown }): readonly string[] {
  return namesOf(expressions, spec).filter((name) => !FREE.has(name.split('.')[0] ?? ''));
}

/** Whether a call is held to the customer who asks. */
export function namesCustomer(
  expressions: Expressions,
  spec: { readonly [key: string]: unknown },
  also: readonly string[] = [],
): boolean {
  return namesOf(expressions, spec).some(
    (name) => name === 'customer_id' || also.some((read) => name === read || name.startsWith(`${read}.`)),
  );
}

/** The request with the key by which its repetition is known, and with what its tool took when it was agreed to. */
export function keyedBy(
  { headers, body, ...request }: HttpRequest,
  perform: Exclude<ActionSpec['perform'], { sql: readonly StatementSpec[] }>,
  key: string,
  contract: JsonValue | undefined,
): HttpRequest {
  if (!('tool' in perform))
    return {
      ...{ ...request, headers: { ...headers, [perform.idempotency_header]: key } },
      ...(body === undefined ? {} : { body }),
    };
  const named = perform.idempotency_arg === undefined ? {} : { [perform.idempotency_arg]: key };
  return {
    ...request,
    body: { ...(body as JsonObject), ...named },
    ...(typeof contract === 'string' ? { headers: { contract } } : {}),
  };
}
