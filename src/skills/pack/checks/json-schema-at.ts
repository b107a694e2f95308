import type { JsonObject } from '../../../core/domain/json.js';
import { checkJsonSchema } from '../../json-schema.js';
import type { Checked } from '../checked-file.js';
import type { NodePath } from '../text-file.js';

const MAX_TOLD = 5;

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
