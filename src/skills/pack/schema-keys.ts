import { z } from 'zod';
import type { NodePath } from './text-file.js';

/**
 * The keys that the objects at a path may have, so that an unknown one can name the nearest. Of alternatives all keys count.
 */
export function knownKeys(schema: z.core.$ZodType, path: NodePath, value: unknown): readonly string[] {
  let level: readonly z.core.$ZodType[] = [schema];
  let at = value;
  for (const key of path) {
    level = level.flatMap((one) => children(plain(one, at), key));
    at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  }
  return [...new Set(level.flatMap((one) => plain(one, at)).flatMap(keysOf))];
}

function keysOf(schema: z.core.$ZodType): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function children(schemas: readonly z.core.$ZodType[], key: PropertyKey): readonly z.core.$ZodType[] {
  return schemas.flatMap((schema): readonly z.core.$ZodType[] => {
    if (schema instanceof z.ZodObject) {
      const child: unknown = Reflect.get(schema.shape, key);
      return child instanceof z.ZodType ? [child] : [];
    }
    if (schema instanceof z.ZodRecord) return [schema.valueType];
    if (schema instanceof z.ZodArray) return [schema.element];
    return [];
  });
}

/** What is behind optional, default and the like; of alternatives those that the value chooses, else all. */
function plain(schema: z.core.$ZodType, value: unknown): readonly z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return plain(schema.unwrap(), value);
  if (schema instanceof z.ZodPipe) return plain(schema.in, value);
  if (schema instanceof z.ZodUnion) {
    const all = schema.options.flatMap((option) => plain(option, value));
    const chosen = all.filter((option) => isChosen(option, value));
    return chosen.length > 0 ? chosen : all;
  }
  return [schema];
}

/** True where a literal of the object (`type: query`) is the value's own. */
function isChosen(schema: z.core.$ZodType, value: unknown): boolean {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return false;
  return Object.entries(schema.shape).some(
    ([key, field]) => field instanceof z.ZodLiteral && field.values.has(Reflect.get(value, key)),
  );
}
