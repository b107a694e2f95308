import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { compileJsonSchema } from '../json-schema.js';
import { propertiesOf } from './step-output.js';

/** The schema of one field of an input; undefined where the input's schema does not name it. */
export function propertyOf(schema: JsonObject, field: string): JsonValue | undefined {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, field) ? properties[field] : undefined;
}

/**
 * What is wrong with a value for a field, one message a fault. A field the schema does not name, or a schema that cannot be
 * used by itself, finds nothing: the part checks its whole input all the same.
 */
export function faultsOfProperty(schema: JsonObject, field: string, value: JsonValue): readonly string[] {
  const property = propertyOf(schema, field);
  if (!isObject(property)) return [];
  const { $defs, definitions, $schema } = schema;
  const shared = Object.fromEntries(
    Object.entries({ $defs, definitions, $schema }).filter(([, part]) => part !== undefined),
  );
  try {
    return compileJsonSchema({ ...shared, ...property })(value);
  } catch {
    return [];
  }
}

export function fitsProperty(schema: JsonObject, field: string, value: JsonValue): boolean {
  return faultsOfProperty(schema, field, value).length === 0;
}
