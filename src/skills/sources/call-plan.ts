import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { BoundStatement, HttpRequest, SourceSpec } from '../../core/ports/data-source.js';
import { bindStatement, fillPath, fillValue } from '../expressions/placeholders.js';
import { QUERY_BUILDERS, RESPONSE_PARSERS, type ResponseParser } from '../handlers/index.js';
import type { SourceDeclaration } from '../pack/descriptor-schema.js';
import type { Mapping, TreeAction } from '../pack/file-schemas.js';
import type { Pack } from '../pack/pack.js';

/** A source as the pack declares it, in the words of the port (milliseconds instead of seconds). */
export function sourceSpec(name: string, declared: SourceDeclaration): SourceSpec {
  if (declared.kind === 'sqlite') return { name, ...declared };
  const { timeout, ...settings } = declared;
  // Words for people are no setting of a connection.
  const { service: _service, logs: _logs, ...rest } = { service: undefined, logs: undefined, ...settings };
  return { name, ...rest, ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }) };
}

/** A step that asks a source. */
export type SourceAction = Extract<TreeAction, { type: 'query' | 'api' }>;

/**
 * What the placeholders of a step's statement may name: everything the step sees, and the step's `params` under their own
 * names, which come first. A parameter that the step does not give is looked up by its name in the input.
 * @throws HubError `input_invalid` naming the first required parameter that has no value
 */
function mappingScope(
  pack: Pack,
  action: SourceAction,
  mapping: Mapping | null,
  scope: JsonObject,
): JsonObject {
  const given: Record<string, JsonValue> = { ...mapping?.params.defaults };
  for (const [name, template] of Object.entries(action.params ?? {})) {
    given[name] = fillValue(template, scope) ?? null;
  }
  const values: JsonObject = { ...scope, ...given };
  for (const name of mapping?.params.required ?? []) {
    const value = lookUp(values, name) ?? lookUp(scope.input, name);
    if (value === null || value === undefined || value === '') throw missing(pack, action, name);
    if (lookUp(values, name) === undefined) given[name] = value;
  }
  return { ...scope, ...given };
}

/** `name` as a key, else as a path of keys (`customer.user_id`). Inherited properties are no values. */
function lookUp(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const dot = name.indexOf('.');
  if (dot < 0) return undefined;
  const head = name.slice(0, dot);
  return Object.hasOwn(value, head) ? lookUp(value[head], name.slice(dot + 1)) : undefined;
}

function missing(pack: Pack, action: SourceAction, param: string): HubError {
  return new HubError(
    'input_invalid',
    `The mapping ${action.mapping} (api_mappings.yaml of ${pack.id}) needs ${param}, which has no value here. Give it in the input or in the step's params.`,
    { skill: pack.id, mapping: action.mapping, field: param },
  );
}

/** What is asked of which source, with all values filled in. */
export interface CallPlan {
  readonly spec: SourceSpec;
  /** Null where the step has its statement or request itself. */
  readonly mapping: string | null;
  /** Exactly one of the two. */
  readonly statement: BoundStatement | null;
  readonly request: HttpRequest | null;
  readonly responseSchema: JsonObject | null;
  readonly cacheTtlMs: number;
  /** Each row goes through it before conditions see it. */
  readonly parser: ResponseParser | null;
}

/**
 * Looks up the mapping and the source of a step and fills in its values.
 * @throws HubError `input_invalid` (a required parameter is missing), `skill_invalid` (the pack lacks what the step names)
 */
export function planCall(pack: Pack, action: SourceAction, scope: JsonObject, now: Date): CallPlan {
  const mapping = action.mapping === undefined ? null : mappingOf(pack, action.mapping);
  const spec = specOf(pack, mapping?.source ?? action.source);
  const values = mappingScope(pack, action, mapping, scope);
  const common = {
    spec,
    mapping: action.mapping ?? null,
    responseSchema: mapping?.response_schema ?? null,
    cacheTtlMs: (mapping?.cache_ttl ?? 0) * 1_000,
    parser: RESPONSE_PARSERS[mapping?.response_parser ?? ''] ?? null,
  };
  if (spec.kind === 'http') {
    return { ...common, statement: null, request: requestOf(pack, action, mapping, values) };
  }
  const build = QUERY_BUILDERS[mapping?.query_builder ?? ''];
  const built = build?.(values, now) ?? { query: textOf(pack, action, mapping), values };
  return { ...common, statement: bindStatement(built.query, built.values), request: null };
}

function mappingOf(pack: Pack, name: string): Mapping {
  const mapping = pack.mappings.get(name);
  if (mapping !== undefined) return mapping;
  const known = [...pack.mappings.keys()].join(', ') || 'none';
  throw new HubError(
    'skill_invalid',
    `api_mappings.yaml of ${pack.id} has no mapping ${name}; it has: ${known}.`,
    { skill: pack.id, mapping: name },
  );
}

function specOf(pack: Pack, name: string | undefined): SourceSpec {
  const declared = name === undefined ? undefined : pack.descriptor.data_sources[name];
  if (name !== undefined && declared !== undefined) return sourceSpec(name, declared);
  throw new HubError(
    'skill_invalid',
    name === undefined
      ? `A step of ${pack.id} names neither a source nor a mapping.`
      : `skill.yaml of ${pack.id} declares no source ${name} in data_sources.`,
    { skill: pack.id, source: name },
  );
}

function textOf(pack: Pack, action: SourceAction, mapping: Mapping | null): string {
  const own = action.type === 'query' ? action.query_template : undefined;
  const text = mapping === null ? own : mapping.query;
  if (typeof text === 'string') return text;
  throw new HubError(
    'skill_invalid',
    `${place(pack, action)} asks a SQL source, but has no query. Give it one, or name another source.`,
    { skill: pack.id, mapping: action.mapping },
  );
}

function requestOf(
  pack: Pack,
  action: SourceAction,
  mapping: Mapping | null,
  scope: JsonObject,
): HttpRequest {
  const own = action.type === 'api' ? action : null;
  const path = own?.path ?? mapping?.path;
  if (path === undefined) {
    throw new HubError(
      'skill_invalid',
      `${place(pack, action)} asks an http source, but has no path. Give it a method and a path.`,
      { skill: pack.id, mapping: action.mapping },
    );
  }
  const body = own?.body ?? mapping?.body;
  const query = { ...(typeof mapping?.query === 'object' ? mapping.query : {}), ...own?.query };
  return {
    method: own?.method ?? mapping?.method ?? 'GET',
    path: fillPath(path, scope),
    query: fillTexts(query, scope),
    headers: fillTexts(mapping?.headers ?? {}, scope),
    ...(body === undefined ? {} : { body: fillValue(body, scope) }),
  };
}

/** Values that are absent are left out: `?status=` would ask for something else than no `status`. */
function fillTexts(
  templates: Readonly<Record<string, JsonValue>>,
  scope: JsonObject,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, template] of Object.entries(templates)) {
    const value = fillValue(template, scope);
    if (value === null || value === undefined) continue;
    texts[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  return texts;
}

function place(pack: Pack, action: SourceAction): string {
  return action.mapping === undefined
    ? `A step of ${pack.id}`
    : `The mapping ${action.mapping} (api_mappings.yaml of ${pack.id})`;
}
