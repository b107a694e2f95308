import { z } from 'zod';
import { LANGUAGE_TAG } from '../../core/domain/language.js';
import { NAME } from '../yaml-file.js';

const name = z.string().regex(NAME, 'must be lower case with underscores');
const tag = z.string().regex(LANGUAGE_TAG, 'must be a language tag such as pt-BR');
const text = z.string().trim().min(1);

const described = { about: z.string().max(300).optional(), optional: z.boolean().default(false) };

/** What an input takes. */
export type InputSpec =
  | { type: 'record'; entity: string; about?: string | undefined; optional: boolean }
  | { type: 'text'; max: number; about?: string | undefined; optional: boolean }
  | {
      type: 'number';
      whole: boolean;
      min?: number | undefined;
      max?: number | undefined;
      about?: string | undefined;
      optional: boolean;
    }
  | { type: 'money' | 'date' | 'yes_no'; about?: string | undefined; optional: boolean }
  | {
      type: 'choice';
      of: string[];
      words: Record<string, Record<string, string[]>>;
      about?: string | undefined;
      optional: boolean;
    }
  | { type: 'list'; of: InputSpec; max: number; about?: string | undefined; optional: boolean }
  | { type: 'object'; fields: Record<string, InputSpec>; about?: string | undefined; optional: boolean };

const inputSchema: z.ZodType<InputSpec> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('record'), entity: name, ...described }),
    z.strictObject({ type: z.literal('text'), max: z.int().min(1).max(4_000).default(200), ...described }),
    z.strictObject({
      type: z.literal('number'),
      whole: z.boolean().default(false),
      min: z.number().optional(),
      max: z.number().optional(),
      ...described,
    }),
    z.strictObject({ type: z.enum(['money', 'date', 'yes_no']), ...described }),
    z.strictObject({
      type: z.literal('choice'),
      of: z.array(text).min(1),
      /** By value: what customers call it, by language, beside the value itself. */
      words: z.record(text, z.record(tag, z.array(text))).default({}),
      ...described,
    }),
    z.strictObject({
      type: z.literal('list'),
      of: inputSchema,
      max: z.int().min(1).max(100).default(20),
      ...described,
    }),
    z.strictObject({ type: z.literal('object'), fields: z.record(name, inputSchema), ...described }),
  ]),
);

/** Who a call is made for is the session's to say. */
const IDENTITY = /^(?:customers?|users?|accounts?|identity)(?:_?ids?)?$/;
/** The inputs of a tool by name. */
export const inputsSchema = z
  .record(name, inputSchema)
  .refine(
    (given) => !Object.keys(given).some((one) => IDENTITY.test(one)),
    'names a customer, whom only the session knows; write {customer_id} where the customer is meant',
  );
