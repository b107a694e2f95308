import type { JsonValue } from '../../../core/domain/json.js';
import { didYouMean } from '../../../core/spelling.js';
import { placeholderNames } from '../../expressions/placeholders.js';
import { QUERY_BUILDERS, RESPONSE_PARSERS } from '../../handlers/index.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor, SourceDeclaration } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import type { Mapping } from '../file-schemas.js';
import { sqlFaults } from '../sql-rules.js';
import type { NodePath } from '../text-file.js';
import { checkJsonSchemaAt, rawKeys } from './json-schema-at.js';

const ENV = /^env:[A-Z][A-Z0-9_]*$/;
const SCHEMES = {
  postgres: ['postgres:', 'postgresql:', 'redshift:'],
  clickhouse: ['http:', 'https:', 'clickhouse:'],
  http: ['http:', 'https:'],
} as const;

/** The declarations in data_sources: addresses that are some, and secrets that stand elsewhere. */
export function checkSources({ descriptor }: Draft): void {
  if (descriptor === null) return;
  for (const [name, source] of Object.entries(descriptor.data.data_sources)) {
    const at: NodePath = ['data_sources', name];
    if (source.kind === 'sqlite') continue;
    const key = source.kind === 'http' ? 'endpoint' : 'url';
    const address = source.kind === 'http' ? source.endpoint : source.url;
    checkAddress(descriptor, [...at, key], address, SCHEMES[source.kind]);
    if (source.kind === 'http' && descriptor.sound([...at, 'auth'])) checkAuth(descriptor, at, name, source);
  }
}

function checkAddress(
  descriptor: Checked<Descriptor>,
  path: NodePath,
  address: string,
  schemes: readonly string[],
): void {
  if (ENV.test(address)) return;
  const key = String(path.at(-1));
  // What stands for a variable that is not set is an address as any other.
  const [, otherwise] = /^env:[A-Z][A-Z0-9_]*:-(.+)$/.exec(address) ?? [];
  const url = otherwise === undefined && /^env:/i.test(address) ? null : parsed(otherwise ?? address);
  if (url === null) {
    const near = /^env:|^\$/.test(address) ? ' Write env:NAME, in capital letters.' : '';
    const message = `${key} must be a URL such as ${schemes[0]}//host/path, or env:NAME; this is neither.${near}`;
    descriptor.note(path, 'wrong_address', message);
    return;
  }
  if (!schemes.includes(url.protocol)) {
    const message = `${key} begins with ${url.protocol}//, but this kind of source wants ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`;
    descriptor.note(path, 'wrong_address', message);
  }
  if (url.username !== '' || url.password !== '') {
    const message = `${key} holds a user or a password. Put the whole URL into a variable and write env:NAME here.`;
    descriptor.note(path, 'secret_in_pack', message);
  }
}

function checkAuth(
  descriptor: Checked<Descriptor>,
  at: NodePath,
  name: string,
  { auth, credentials, header }: Extract<SourceDeclaration, { kind: 'http' }>,
): void {
  if (auth !== 'none' && credentials === undefined && descriptor.sound([...at, 'credentials'])) {
    const message = `${name} has auth: ${auth} but no credentials. Add credentials: env:NAME, or write auth: none.`;
    descriptor.note([...at, 'auth'], 'missing_credentials', message);
  }
  if (auth === 'none' && credentials !== undefined) {
    const message = `${name} has credentials, but nothing is done with them. Write auth: bearer, basic or api_key.`;
    descriptor.note([...at, 'credentials'], 'unused_credentials', message);
  }
  if (header !== undefined && auth !== 'api_key') {
    const message = `header names where an api_key goes, but ${name} has auth: ${auth}. Write auth: api_key, or remove it.`;
    descriptor.note([...at, 'header'], 'unused_header', message);
  }
}

function parsed(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** The kind of a declared source; null, and noted at the place that names it, where there is none. */
export function kindOf(
  { descriptor }: Draft,
  name: string,
  where: Checked<unknown>,
  path: NodePath,
): SourceDeclaration['kind'] | null {
  if (descriptor === null) return null;
  const { data_sources: sources } = descriptor.data;
  if (!descriptor.sound(['data_sources', name, 'kind']) || !descriptor.sound(['data_sources'])) return null;
  if (Object.hasOwn(sources, name)) return sources[name]?.kind ?? null;
  const known = rawKeys(descriptor.file, ['data_sources']);
  if (known.includes(name)) return null;
  const message = `data_sources in skill.yaml has no source ${name}.${didYouMean(name, known)}`;
  where.note(path, 'unknown_source', message);
  return null;
}

/** The parts of a request that a pack writes. */
interface RequestTexts {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, JsonValue | undefined>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: JsonValue | undefined;
}

/** A SQL text: read only, with its values bound. */
export function checkStatement(
  { descriptor }: Draft,
  where: Checked<unknown>,
  path: NodePath,
  sql: string,
  source: string,
): void {
  const declared = descriptor?.data.data_sources[source];
  if (declared === undefined || declared.kind === 'http') return;
  const { kind } = declared;
  const tables = descriptor?.sound(['data_sources', source, 'tables', 0]) ? declared.tables : undefined;
  for (const { code, message } of sqlFaults(sql, { kind, ...(tables === undefined ? {} : { tables }) })) {
    where.note(path, code, message);
  }
}

/** A request: a path beneath the endpoint, and a body only where there can be one. */
export function checkRequest(where: Checked<unknown>, at: NodePath, request: RequestTexts): void {
  const { method = 'GET', path, headers = {}, body } = request;
  if (path !== undefined) checkPath(where, [...at, 'path'], path);
  if (body !== undefined && (method === 'GET' || method === 'HEAD') && where.sound([...at, 'method'])) {
    const message = `A ${method} request has no body. Write method: POST, or put the values into query.`;
    where.note([...at, 'body'], 'body_on_get', message);
  }
  for (const name of Object.keys(headers)) {
    if (/^(authorization|cookie|x-api-key|proxy-authorization)$/i.test(name)) {
      const message = `The header ${name} carries a secret. Declare it in data_sources with auth and credentials: env:NAME.`;
      where.note([...at, 'headers', name], 'secret_in_pack', message);
    } else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      where.note(
        [...at, 'headers', name],
        'wrong_name',
        `"${name}" is no name of a header; use letters, digits and -.`,
      );
    }
  }
}

function checkPath(where: Checked<unknown>, at: NodePath, path: string): void {
  const refuse = (message: string): void => where.note(at, 'unsafe_path', message);
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//')) {
    refuse('A path begins after the endpoint of its source; leave scheme and host out.');
  } else if (path.split(/[/?#\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) {
    refuse('A path may not lead up with "..", out of the endpoint of its source.');
  } else if (/\{\{|\$\{/.test(path)) {
    where.note(
      at,
      'pasted_placeholder',
      'Write a placeholder as {name}, with one pair of braces; its value is then encoded.',
    );
  } else if (/\s/.test(path)) refuse('A path has no spaces; write %20, or use a placeholder.');
}

/** api_mappings.yaml: sources that exist, queries for SQL and requests for HTTP, parameters that are used. */
export function checkMappings(draft: Draft): void {
  const { mappings } = draft;
  if (mappings === null) return;
  for (const [name, mapping] of Object.entries(mappings.data.mappings)) {
    const at: NodePath = ['mappings', name];
    const { source, response_schema: schema } = mapping;
    const kind = kindOf(draft, source, mappings, [...at, 'source']);
    if (kind === 'http') checkHttp(mappings, at, name, mapping);
    else if (kind !== null) checkSql(draft, mappings, at, name, mapping);
    checkParams(mappings, at, name, mapping);
    if (schema !== undefined) checkJsonSchemaAt(mappings, [...at, 'response_schema'], schema);
  }
}

function checkSql(
  draft: Draft,
  mappings: Checked<unknown>,
  at: NodePath,
  name: string,
  mapping: Mapping,
): void {
  for (const key of ['method', 'path', 'headers', 'body'] as const) {
    if (mapping[key] === undefined) continue;
    const message = `The mapping ${name} asks ${mapping.source}, a SQL source, which has no ${key}. Give it a query alone, or name an http source.`;
    mappings.note([...at, key], 'request_on_sql', message);
  }
  checkFunctions(mappings, at, name, mapping);
  if (mapping.query_builder !== undefined) return;
  if (isNameAlone(mapping)) {
    checkUnwritten(draft, mappings, at, name, String(mapping.query));
    return;
  }
  if (typeof mapping.query === 'string') {
    checkStatement(draft, mappings, [...at, 'query'], mapping.query, mapping.source);
    return;
  }
  const message = `The mapping ${name} asks ${mapping.source}, a SQL source, but has no query. Write query: "SELECT ...".`;
  mappings.note([...at, 'query'], 'missing_query', message);
}

/** Functions that write the statement and read its rows, by name. */
function checkFunctions(mappings: Checked<unknown>, at: NodePath, name: string, mapping: Mapping): void {
  for (const [key, known] of [
    ['query_builder', QUERY_BUILDERS],
    ['response_parser', RESPONSE_PARSERS],
  ] as const) {
    const wanted = mapping[key];
    if (wanted === undefined || Object.hasOwn(known, wanted)) continue;
    const message = `There is no ${key} ${wanted} in src/skills/handlers.${didYouMean(wanted, Object.keys(known))}`;
    mappings.note([...at, key], 'unknown_handler', message);
  }
  if (mapping.query_builder !== undefined && mapping.query !== undefined) {
    const message = `The mapping ${name} has a query and a query_builder; it can be asked in one way only. Remove one.`;
    mappings.note([...at, 'query_builder'], 'query_and_builder', message);
  }
}

/** `query: orders_by_day`: the name of a statement that stands nowhere. */
function isNameAlone({ query }: Mapping): boolean {
  return typeof query === 'string' && /^[A-Za-z]\w*$/.test(query.trim());
}

/** A design announces its queries; nothing may ask one before it is written. */
function checkUnwritten(
  draft: Draft,
  mappings: Checked<unknown>,
  at: NodePath,
  name: string,
  query: string,
): void {
  const path = [...at, 'query'];
  const steps = Object.values(draft.tree?.data.steps ?? {});
  const used = steps.some(({ action }) => 'mapping' in action && action.mapping === name);
  const message = `The query of ${name} is a name, ${query}, and its SQL stands nowhere. Write the SELECT here, or into queries/${query}.sql.`;
  if (used) mappings.note(path, 'unwritten_query', message);
  else mappings.warn(path, 'unfinished', message);
}

function checkHttp(mappings: Checked<unknown>, at: NodePath, name: string, mapping: Mapping): void {
  if (typeof mapping.query === 'string') {
    const message = `The mapping ${name} asks ${mapping.source}, an http source, which takes no SQL. Give it a method and a path; query is then a list of name: value.`;
    mappings.note([...at, 'query'], 'query_on_http', message);
  }
  if (mapping.path === undefined) {
    const message = `The mapping ${name} asks ${mapping.source}, an http source, but has no path. Write path: /what/{is}/asked.`;
    mappings.note([...at, 'path'], 'missing_path', message);
  }
  checkRequest(mappings, at, textsOf(mapping));
}

function textsOf({ method, path, query, headers, body }: Mapping): RequestTexts {
  const names = typeof query === 'object' ? query : undefined;
  return { method, path, query: names, headers, body };
}

/** The names that a mapping's texts have in them. */
export function namesIn({ query, path, headers, body }: Mapping): readonly string[] {
  return [...new Set([query, path, headers, body].flatMap((part) => placeholderNames(part)))];
}

function checkParams(mappings: Checked<unknown>, at: NodePath, name: string, mapping: Mapping): void {
  const { required, optional } = mapping.params;
  const declared = [...required, ...optional];
  // What should have used them is missing itself.
  if ((mapping.query === undefined && mapping.path === undefined) || isNameAlone(mapping)) return;
  const names = namesIn(mapping);
  const covers = (param: string, used: string): boolean => used === param || used.startsWith(`${param}.`);
  for (const list of ['required', 'optional'] as const) {
    mapping.params[list].forEach((param, index) => {
      const path = [...at, 'params', list, index];
      if (declared.indexOf(param) !== (list === 'required' ? index : required.length + index)) {
        mappings.note(
          path,
          'duplicate_param',
          `The parameter ${param} of ${name} is named twice; name it once.`,
        );
      } else if (!names.some((used) => covers(param, used))) {
        const message = `Nothing in the mapping ${name} uses the parameter ${param}. Write {${param}} where it goes, or remove it.`;
        mappings.note(path, 'unused_param', message);
      }
    });
  }
  // Without `params` the names are those of the step that uses the mapping.
  if (declared.length === 0) return;
  for (const used of names) {
    if (used === 'now' || declared.some((param) => covers(param, used))) continue;
    const message = `The mapping ${name} uses {${used}}, which its params do not name. Add it to params.required or params.optional.`;
    mappings.note([...at, 'params'], 'undeclared_param', message);
  }
}
