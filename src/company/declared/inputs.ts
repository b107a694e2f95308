import { z } from 'zod';
import type { InputSpec } from './schemas.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The input of a tool as it is checked before each call. */
export function inputOf(declared: Readonly<Record<string, InputSpec>>): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(declared).map(([name, spec]) => [name, fieldOf(spec)])),
  );
}

function fieldOf(spec: InputSpec): z.ZodType {
  const field = spec.about === undefined ? typeOf(spec) : typeOf(spec).describe(spec.about);
  return spec.optional ? field.optional() : field;
}

function typeOf(spec: InputSpec): z.ZodType {
  switch (spec.type) {
    case 'record':
      return z.string().trim().min(1).max(64);
    case 'text':
      return z.string().trim().min(1).max(spec.max);
    case 'number': {
      const number = spec.whole ? z.int() : z.number();
      return number.min(spec.min ?? -1e9).max(spec.max ?? 1e9);
    }
    case 'money':
      return z.int().min(0).max(1e11);
    case 'date':
      return z.string().regex(DAY, 'must be a day, YYYY-MM-DD');
    case 'yes_no':
      return z.boolean();
    case 'choice':
      return z.enum(spec.of);
    case 'list':
      return z.array(fieldOf(spec.of)).min(1).max(spec.max);
    case 'object':
      return inputOf(spec.fields);
  }
}
