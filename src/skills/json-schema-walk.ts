import type { ErrorObject } from 'ajv';
import type { JsonObject, JsonValue } from '../core/domain/json.js';
import { messageOf } from '../core/errors.js';
import { safePattern } from './safe-pattern.js';

/** More messages than this help nobody. */
const MAX_MESSAGES = 20;

/**
 * What Ajv found, in words that begin with the place: `/reply must be string`, `/amount is missing`. Values are never
 * repeated, since they may be private. Of alternatives (`anyOf`, `oneOf`) the faults of each are reported.
 */
export function describeSchemaErrors(errors: readonly ErrorObject[]): readonly string[] {
  const messages = [...new Set(errors.filter(isReported).map(describe))];
  if (messages.length <= MAX_MESSAGES) return messages;
  return [...messages.slice(0, MAX_MESSAGES), `and ${messages.length - MAX_MESSAGES} more`];
}

/** `if` only repeats what the failed branch says. */
function isReported(error: ErrorObject): boolean {
  return error.keyword !== 'if';
}

function describe({ keyword, instancePath, params, message }: ErrorObject): string {
  const at = instancePath === '' ? 'the value' : instancePath;
  const child = (name: unknown): string => `${instancePath}/${escapePointer(String(name))}`;
  switch (keyword) {
    case 'required':
      return `${child(params.missingProperty)} is missing`;
    case 'dependentRequired':
    case 'dependencies':
      return params.missingProperty === undefined
        ? `${at} ${message}`
        : `${child(params.missingProperty)} is missing, and is needed beside ${String(params.property)}`;
    case 'additionalProperties':
      return `${child(params.additionalProperty)} is not allowed`;
    case 'unevaluatedProperties':
      return `${child(params.unevaluatedProperty)} is not allowed`;
    case 'enum':
      return `${at} must be one of ${list(params.allowedValues)}`;
    case 'const':
      return `${at} must be ${shorten(JSON.stringify(params.allowedValue))}`;
    default:
      return `${at} ${message ?? 'is not valid'}`;
  }
}

function list(values: unknown): string {
  return Array.isArray(values)
    ? shorten(values.map((value) => JSON.stringify(value)).join(', '))
    : 'the listed values';
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

/** A field's name as a part of a JSON pointer. */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Keywords whose value is data and not a schema. */
export const DATA_KEYWORDS = new Set(['const', 'enum', 'default', 'examples', 'required']);
/** Keywords whose value maps names to schemas. */
export const SCHEMA_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const MAX_DEPTH = 100;

/**
 * What the meta-schema cannot see: references that lead out of the schema (nothing is ever loaded for one) or nowhere,
 * patterns that are no regular expressions, and nesting without end.
 * @returns one message a fault, each beginning with the place; `tooDeep` where the meta-schema must not be tried on it
 */
export function walkSchema(schema: JsonObject): {
  readonly faults: readonly string[];
  readonly tooDeep: boolean;
} {
  const walk: Walk = {
    root: schema,
    names: new Set(),
    references: [],
    faults: [],
    embedded: false,
    tooDeep: false,
  };
  visit(schema, '', 0, walk);
  for (const { at, to } of walk.references) {
    const problem = referenceProblem(to, walk);
    if (problem !== undefined) walk.faults.push(`${at} ${problem}`);
  }
  return walk;
}

interface Walk {
  readonly root: JsonObject;
  /** Anchors and ids a reference may name. */
  readonly names: Set<string>;
  readonly references: { readonly at: string; readonly to: string }[];
  readonly faults: string[];
  /** True where a schema inside has an id of its own: pointers in it are relative to that, which only Ajv works out. */
  embedded: boolean;
  tooDeep: boolean;
}

function visit(value: JsonValue | undefined, at: string, depth: number, walk: Walk): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) {
    walk.faults.push(`${at.slice(0, 80)}... is nested more than ${MAX_DEPTH} levels deep`);
    walk.tooDeep = true;
    return;
  }
  if (isList(value)) {
    value.forEach((entry, index) => {
      visit(entry, `${at}/${index}`, depth + 1, walk);
    });
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    const place = `${at}/${escapePointer(key)}`;
    if (DATA_KEYWORDS.has(key)) continue;
    if (SCHEMA_MAPS.has(key)) visitMap(key, child, place, depth, walk);
    else if (typeof child === 'string') {
      keyword(key, child, place, walk);
      if (key === '$id' && depth > 0) walk.embedded = true;
    } else visit(child, place, depth + 1, walk);
  }
}

function visitMap(key: string, map: JsonValue | undefined, at: string, depth: number, walk: Walk): void {
  if (typeof map !== 'object' || map === null || isList(map)) return;
  for (const [name, child] of Object.entries(map)) {
    const place = `${at}/${escapePointer(name)}`;
    if (key === 'patternProperties') checkPattern(name, place, walk);
    visit(child, place, depth + 1, walk);
  }
}

function keyword(key: string, text: string, at: string, walk: Walk): void {
  if (key === 'pattern') checkPattern(text, at, walk);
  else if (key === '$ref' || key === '$dynamicRef') walk.references.push({ at, to: text });
  else if (key === '$anchor' || key === '$dynamicAnchor') walk.names.add(`#${text}`);
  else if (key === '$id') walk.names.add(text.replace(/#$/, ''));
}

function checkPattern(pattern: string, at: string, walk: Walk): void {
  try {
    safePattern(pattern);
  } catch (error) {
    walk.faults.push(`${at} is not a regular expression: ${messageOf(error)}`);
  }
}

function referenceProblem(to: string, walk: Walk): string | undefined {
  if (to === '#' || walk.names.has(to)) return undefined;
  if (to.startsWith('#/'))
    return walk.embedded || resolves(walk.root, to.slice(2))
      ? undefined
      : `refers to ${to}, which is not in this schema`;
  if (to.startsWith('#')) return `refers to ${to}, but no $anchor has that name`;
  const [base = '', fragment] = to.split('#');
  if (walk.names.has(base) && fragment !== undefined) return undefined;
  return `refers to ${to}, outside this schema; nothing is loaded for a reference: put the definition under $defs and refer to it with #/$defs/NAME`;
}

function resolves(root: JsonObject, pointer: string): boolean {
  let at: JsonValue | undefined = root;
  for (const part of pointer.split('/')) {
    if (typeof at !== 'object' || at === null) return false;
    const key = unescapePointer(part);
    at = Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }
  return at !== undefined;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function unescapePointer(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // Not percent-encoded, so it is the name itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
