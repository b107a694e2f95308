import { isObject, type JsonObject, type JsonValue } from '../../../core/domain/json.js';
import { OPEN_KEYWORDS } from '../names.js';

/** The fields an object of the schema has by name; null where that cannot be read off it. */
export function propertiesOf(
  schema: JsonValue | undefined,
): Readonly<Record<string, JsonValue | undefined>> | null {
  if (!isObject(schema) || OPEN_KEYWORDS.some((keyword) => schema[keyword] !== undefined)) return null;
  return isObject(schema.properties) ? schema.properties : null;
}

/** The fields an object of the schema must have. */
export function requiredOf(schema: JsonValue | undefined): readonly string[] {
  const required = isObject(schema) ? schema.required : undefined;
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}

/** Whether the author says in so many words that there may be further fields. */
export function takesOthers(schema: JsonObject): boolean {
  return schema.additionalProperties === true || isObject(schema.additionalProperties);
}
