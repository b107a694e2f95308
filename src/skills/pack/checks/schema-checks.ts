import type { JsonObject } from '../../../core/domain/json.js';
import { checkJsonSchema } from '../../json-schema.js';
import type { Draft } from '../draft.js';
import { checkJsonSchemaAt } from './json-schema-at.js';

/** JSON Schemas of a pack that are none. */
export function checkSchemas({ descriptor, inputSchema, outputSchema }: Draft): void {
  if (descriptor === null) return;
  checkJsonSchemaAt(descriptor, ['output_schema'], outputSchema);
  if (checkJsonSchemaAt(descriptor, ['input_schema'], inputSchema) && !takesObjects(inputSchema)) {
    const message = `The input of a skill is an object with named fields, but input_schema has type ${JSON.stringify(inputSchema.type)}. Write type: object and properties.`;
    descriptor.note(['input_schema', 'type'], 'invalid_schema', message);
  }
}

/** Whether a schema can say anything of an input. */
export function isInputSchema(schema: JsonObject): boolean {
  return takesObjects(schema) && checkJsonSchema(schema).length === 0;
}

function takesObjects({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}
