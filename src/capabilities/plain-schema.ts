import type { JsonObject, JsonValue } from '../core/domain/json.js';

/** Keywords of JSON Schema 2020-12 that validators know without further packages. */
const KEYWORDS = new Set(
  (
    '$id $anchor $ref $dynamicRef $dynamicAnchor $defs $comment type enum const title description default deprecated ' +
    'readOnly writeOnly examples format contentEncoding contentMediaType multipleOf maximum exclusiveMaximum minimum ' +
    'exclusiveMinimum maxLength minLength pattern items prefixItems maxItems minItems uniqueItems contains maxContains ' +
    'minContains properties patternProperties additionalProperties propertyNames maxProperties minProperties required ' +
    'dependentRequired dependentSchemas allOf anyOf oneOf not if then else unevaluatedItems unevaluatedProperties'
  ).split(' '),
);
/** Kept for references to it; older than `$defs`. */
const DEFINITIONS = 'definitions';
/** Their values are data. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired', 'type']);
/** Their values are schemas by name. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', DEFINITIONS, 'dependentSchemas']);

/**
 * A schema as an author wrote it, with nothing in it that a strict validator refuses: unknown keywords are left out, since
 * they say nothing, and so is `$schema`: whoever reads this expects 2020-12 and may have no other.
 */
export function plainSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, JsonValue | undefined][] => {
      if (key === 'items' && Array.isArray(value))
        return [['prefixItems', value.map((item) => plainValue(item) ?? {})]];
      if (!KEYWORDS.has(key) && key !== DEFINITIONS) return [];
      if (DATA.has(key)) return [[key, value]];
      return [[key, BY_NAME.has(key) && isSchema(value) ? byName(value) : plainValue(value)]];
    }),
  );
}

function byName(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plainValue(schema)]));
}

function plainValue(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => plainValue(item) ?? null);
  return isSchema(value) ? plainSchema(value) : value;
}

function isSchema(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
