import { z } from 'zod';
import { isObject, type JsonObject, type JsonValue, snake } from '../core/domain/json.js';
import { type FieldError, HubError } from '../core/errors.js';
import type { AnyTool } from '../runtime/define-tool.js';

/** @throws HubError `input_invalid`, always; `fields.errors` are all of them */
export function refuseInput(name: string, errors: readonly FieldError[]): never {
  const said = errors
    .slice(0, 5)
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  throw new HubError('input_invalid', `The input does not fit ${name}. ${said.join('; ')}`, {
    errors: errors.slice(0, 20),
    ...(errors[0] && errors[0].field !== '' ? { field: errors[0].field } : {}),
  });
}

/** The arguments of a tool as JSON Schema. What it does not name is refused, and so it says. */
export function toolInputSchema(tool: AnyTool): JsonObject {
  return { ...zodSchema(tool.input, 'input'), additionalProperties: false };
}

/** What a tool gives back as JSON Schema, with the names of the wire. */
export function toolOutputSchema(tool: AnyTool): JsonObject {
  return renamed(zodSchema(tool.output, 'output'));
}

/** The arguments as the tool takes them. @throws HubError `input_invalid` */
export function toolInput(tool: AnyTool, input: JsonObject): Record<string, unknown> {
  const known = Object.keys(tool.input.shape);
  const unknown = Object.keys(input).filter((name) => !known.includes(name));
  const parsed = tool.input.safeParse(input);
  const errors: FieldError[] = unknown.map((name) => ({
    field: name.slice(0, 80),
    message: `is no argument of ${tool.name}${known.length > 0 ? `, which takes ${known.join(', ')}` : ''}`,
  }));
  if (!parsed.success) {
    for (const issue of parsed.error.issues)
      errors.push({ field: issue.path.join('.'), message: issue.message });
  }
  if (!parsed.success || errors.length > 0) return refuseInput(tool.name, errors);
  return parsed.data;
}

/** Data of a tool with the names of the wire: words joined by underscores. */
export function wireData(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(wireData);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [snake(name), wireData(item)]));
}

/** A zod schema as JSON Schema 2020-12, which it does not name: validators of other drafts read it too. */
export function zodSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return plain(json as JsonObject) as JsonObject;
}

/** A pattern says all that a format does, and every validator knows it. */
function plain(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value ?? null;
  const { format, ...rest } = value;
  const kept = typeof value.pattern === 'string' && typeof format === 'string' ? rest : value;
  return Object.fromEntries(Object.entries(kept).map(([key, item]) => [key, plain(item)]));
}

function renamed(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' && isObject(value)) {
        const entries = Object.entries(value).map(([name, item]) => [snake(name), renamedAny(item)]);
        return [key, Object.fromEntries(entries)];
      }
      if (key === 'required' && Array.isArray(value)) return [key, value.map((name) => snake(String(name)))];
      return [key, renamedAny(value)];
    }),
  );
}

function renamedAny(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(renamedAny);
  return isObject(value) ? renamed(value) : (value ?? null);
}
