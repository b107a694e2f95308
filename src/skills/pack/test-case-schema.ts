import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { exchangeSchema, idSchema } from './descriptor-schema.js';

const text = z.string().trim().min(1);
const json = z.custom<JsonValue>(() => true);
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/**
 * One fixture of a source: SQL that makes its tables and rows (`file`: the same from a file of the pack), a canned answer
 * of an HTTP source, or the rows a mapping gives (for SQL that the test database does not speak). `down: true` makes the
 * source unreachable.
 */
const fixture = z.union([
  z.strictObject({ sql: text }),
  z.strictObject({ file: text }),
  z.strictObject({ mapping: idSchema, rows: z.array(jsonObject) }),
  exchangeSchema,
  z.strictObject({ down: z.literal(true) }),
]);

/** The keys of one file in test_cases/. */
export const testCaseSchema = z.strictObject({
  name: text,
  description: text.optional(),
  input: jsonObject,
  /** ISO 8601; what `now` is in the case. The real time where absent. */
  now: text.optional(),
  fixtures: z.record(idSchema, z.array(fixture)).default({}),
  /** `input`: values for what was missing, or the answer to a question. */
  human: z
    .array(z.strictObject({ at: text.optional(), choose: text, input: jsonObject.optional() }))
    .default([]),
  expect: z.strictObject({
    root_cause: text.nullable().optional(),
    confidence_at_least: z.number().min(0).max(1).optional(),
    confidence_below: z.number().min(0).max(1).optional(),
    recommended_action: text.nullable().optional(),
    path: z.array(idSchema).optional(),
    handoff: z.boolean().optional(),
    status: z.enum(['done', 'waiting', 'failed']).optional(),
    /** A subset of the result: every key named here must be there with this value. */
    output: json.optional(),
  }),
});
export type TestCase = z.infer<typeof testCaseSchema>;
export type Fixture = z.infer<typeof fixture>;
