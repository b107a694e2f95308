import { z } from 'zod';
import type { JsonValue } from '../../core/domain/json.js';
import { idSchema, jsonSchemaSchema } from './descriptor-schema.js';

const text = z.string().trim().min(1);

export const mappingSchema = z.strictObject({
  source: idSchema,
  description: text.optional(),
  /** SQL with `{dotted.name}` placeholders; or, for an http source, method, path, query and body. */
  query: z.union([text, z.record(z.string(), text)]).optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).optional(),
  path: text.optional(),
  headers: z.record(z.string(), text).optional(),
  body: z.custom<JsonValue>(() => true).optional(),
  /** A registered function that writes the statement from the parameters. */
  query_builder: text.optional(),
  /** A registered function that each row goes through. */
  response_parser: text.optional(),
  /** `defaults` are values that a step need not give. */
  params: z
    .strictObject({
      required: z.array(text).default([]),
      optional: z.array(text).default([]),
      defaults: z
        .record(
          z.string(),
          z.custom<JsonValue>(() => true),
        )
        .optional(),
    })
    .prefault({}),
  response_schema: jsonSchemaSchema.optional(),
  /** Seconds; 0 keeps nothing. */
  cache_ttl: z.number().min(0).default(0),
});

/** The keys of api_mappings.yaml. */
export const mappingsSchema = z.strictObject({ mappings: z.record(idSchema, mappingSchema) });
export type Mapping = z.infer<typeof mappingSchema>;
