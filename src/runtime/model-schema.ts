import { toJsonSchema } from '@langchain/core/utils/json_schema';
import type { z } from 'zod';

/** What the input check applies anyway; a model gains nothing from it and pays for it in every prompt. */
const LEFT_OUT = new Set(['$schema', 'additionalProperties', 'pattern', 'minLength', 'maxLength']);

/** The input of a tool as JSON schema, as short as a model needs it. */
export function modelSchema(input: z.ZodObject): Record<string, unknown> {
  return slim(toJsonSchema(input)) as Record<string, unknown>;
}

function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !LEFT_OUT.has(key) || (typeof item === 'object' && item !== null))
      .map(([key, item]) => [key, slim(item)]),
  );
}
