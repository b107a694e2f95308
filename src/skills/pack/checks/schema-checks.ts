import type { JsonObject } from '../../../core/domain/json.js';
import { checkJsonSchema } from '../../json-schema.js';
import type { Checked } from '../checked-file.js';
import type { Draft } from '../draft.js';
import type { NodePath } from '../text-file.js';

const MAX_TOLD = 5;

/** JSON Schemas of a pack that are none. */
export function checkSchemas({ descriptor, inputSchema, outputSchema }: Draft): void {
  if (descriptor === null) return;
  checkJsonSchemaAt(descriptor, ['input_schema'], inputSchema);
  checkJsonSchemaAt(descriptor, ['output_schema'], outputSchema);
  if (!takesObjects(inputSchema)) {
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

/** Notes what is wrong with a schema, at the line of the keyword. True where it can be used. */
export function checkJsonSchemaAt(where: Checked<unknown>, at: NodePath, schema: JsonObject): boolean {
  const faults = checkJsonSchema(schema);
  for (const fault of faults.slice(0, MAX_TOLD)) {
    const pointer = /^\/\S*/.exec(fault)?.[0] ?? '';
    const inside = pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const name = String(at.at(-1));
    where.note(
      [...at, ...inside],
      'invalid_schema',
      `${name} is no JSON Schema: ${fault.replace(/\.$/, '')}.`,
    );
  }
  return faults.length === 0;
}
