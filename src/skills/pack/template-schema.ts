import { z } from 'zod';
import { idSchema, jsonSchemaSchema, versionSchema } from './descriptor-schema.js';

const text = z.string().trim().min(1);

/** One version in the prompt registry (`prompts/<prompt_id>/<version>.yaml`). */
export const promptSchema = z.strictObject({
  prompt_id: idSchema.optional(),
  version: versionSchema.optional(),
  description: text.optional(),
  system: text.optional(),
  vars_schema: jsonSchemaSchema,
  output_schema: jsonSchemaSchema,
  /**
   * Further variables of template and fallback, each a CEL expression over the input. Mustache cannot compare, so this is
   * how a text depends on a value: `portuguese: "language == 'pt-BR'"`, then `{{#portuguese}}...{{/portuguese}}`.
   */
  computed: z.record(idSchema, text).optional(),
  /** Mustache. */
  template: text,
  /**
   * What stands in for the model where none can be reached: a Mustache template for each field of the output. A field whose
   * template is one variable (`{{name}}`) keeps that variable's type.
   */
  fallback: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type Prompt = z.infer<typeof promptSchema>;

export const criterionSchema = z.strictObject({
  id: idSchema,
  name: text,
  description: text,
  pass_condition: text,
  fail_condition: text,
  weight: z.number().optional(),
  /** CEL over the reviewed input: what judges the criterion where no model can be reached. True passes. */
  rule: text.optional(),
  /** What to do about a failure, said by the rule. */
  fix: text.optional(),
});

/** One version in the rubric registry (`rubrics/<rubric_id>/<version>.json`). */
export const rubricSchema = z.strictObject({
  rubric_id: idSchema,
  version: versionSchema,
  description: text,
  scoring_mode: z.enum(['binary', 'weighted']),
  pass_threshold: z.number().min(0).max(1).optional(),
  criteria: z.array(criterionSchema).min(1),
  output_schema: jsonSchemaSchema.optional(),
});
export type Rubric = z.infer<typeof rubricSchema>;
export type Criterion = z.infer<typeof criterionSchema>;
