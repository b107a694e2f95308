import { z } from 'zod';
import type { JsonValue } from '../../core/domain/json.js';
import { idSchema } from './descriptor-schema.js';

const text = z.string().trim().min(1);
const fraction = z.number().min(0).max(1);
/** A literal, or text with `{dotted.name}` placeholders; a text that is one placeholder keeps the value's type. */
const template = z.custom<JsonValue>(() => true);
const params = z.record(z.string(), template);

const recommended = z.union([
  text.transform((action) => ({ action })),
  z.strictObject({
    action: text,
    priority: text.optional(),
    human_approval_required: z.boolean().optional(),
    arguments: params.optional(),
  }),
]);

/** What a decision says. `root_cause` concludes the investigation, `partial_finding` goes on. */
export const conclusionSchema = z.strictObject({
  root_cause: text.optional(),
  partial_finding: text.optional(),
  explanation: text.optional(),
  impact: text.optional(),
  recommended_action: recommended.nullish(),
  /** What a customer may be told, by language. Placeholders are filled from what was found. */
  customer_message: z.strictObject({ en: text.optional(), 'pt-BR': text.optional() }).optional(),
});

const source = { source: idSchema.optional(), mapping: idSchema.optional(), params: params.optional() };

export const actionSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('query'), ...source, query_template: text.optional() }),
  z.strictObject({
    type: z.literal('api'),
    ...source,
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).optional(),
    path: text.optional(),
    query: params.optional(),
    body: template.optional(),
  }),
  z.strictObject({
    type: z.literal('skill'),
    skill: idSchema,
    version: text.optional(),
    input: params.optional(),
  }),
  z.strictObject({ type: z.literal('ask'), question: text }),
]);

export const decisionSchema = z.strictObject({
  condition: text,
  confidence: fraction,
  conclusion: conclusionSchema.optional(),
  next_step: idSchema.nullable().optional(),
});

/** An answer a tree offers beside A, B and C; `next_step` is where it leads, null ends with what was found. */
const optionSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]$/, 'must be one capital letter'),
  label: text,
  next_step: idSchema.nullable().optional(),
});

export const stepSchema = z.strictObject({
  name: text,
  description: text.optional(),
  pre_conditions: z.array(text).default([]),
  action: actionSchema,
  decisions: z.record(idSchema, decisionSchema).default({}),
  options: z.array(optionSchema).default([]),
});

export const treeSchema = z.strictObject({
  entry_point: idSchema,
  steps: z.record(idSchema, stepSchema),
  parallel_checks: z.array(idSchema).default([]),
});
export type DecisionTree = z.infer<typeof treeSchema>;
export type TreeStep = z.infer<typeof stepSchema>;
export type TreeAction = z.infer<typeof actionSchema>;
export type TreeDecision = z.infer<typeof decisionSchema>;
export type Conclusion = z.infer<typeof conclusionSchema>;
