import { z } from 'zod';
import type { AskedInput, InputReading } from '../../core/domain/entity.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { LANGUAGE_TAG } from '../../core/domain/language.js';
import { HubError } from '../../core/errors.js';
import type { Sentences } from '../../core/i18n/index.js';
import type { CustomerRecords } from '../../core/ports/index.js';
import { minorDigits } from '../../core/prices.js';
import type { AnyTool } from '../../runtime/define-tool.js';
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

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const NO_DAY = 'must be a day of the calendar, YYYY-MM-DD';

/**
 * The input of a tool as it is checked before each call.
 * @param currency of the company
 */
export function inputOf(declared: Readonly<Record<string, InputSpec>>, currency: string): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(declared).map(([name, spec]) => [name, fieldOf(spec, currency)])),
  );
}

function fieldOf(spec: InputSpec, currency: string): z.ZodType {
  const about = [spec.about, unitOf(spec, currency)].filter((one) => one !== undefined).join(' ');
  const field = about === '' ? typeOf(spec, currency) : typeOf(spec, currency).describe(about);
  return spec.optional ? field.optional() : field;
}

/** How a value is written, where its type alone does not say it. */
function unitOf({ type, about }: InputSpec, currency: string): string | undefined {
  if (type === 'date') return about === undefined ? 'A day as YYYY-MM-DD.' : undefined;
  if (type !== 'money') return undefined;
  const digits = minorDigits(currency);
  const example = (1250 / 10 ** digits).toFixed(digits);
  return `In minor units of ${currency}, as a whole number: 1250 is ${currency} ${example}.`;
}

function typeOf(spec: InputSpec, currency: string): z.ZodType {
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
      return z.string().regex(DAY, NO_DAY).refine(isDay, NO_DAY);
    case 'yes_no':
      return z.boolean();
    case 'choice':
      return z.enum(spec.of);
    case 'list':
      return z.array(fieldOf(spec.of, currency)).min(1).max(spec.max);
    case 'object':
      return inputOf(spec.fields, currency);
  }
}

/** False of the 30th of February: it would be taken for the 2nd of March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/**
 * What a customer's words say of the inputs of a tool, and how it asks for what they leave open (`says.ask_INPUT`).
 * @param target the input that takes a record, which is found otherwise
 * @param says true of a sentence that the file has
 */
export function asksOf(
  tool: string,
  declared: Readonly<Record<string, InputSpec>>,
  target?: string,
  says?: (part: string) => boolean,
): Pick<AnyTool, 'asks'> {
  const inputs = Object.entries(declared).filter(([name]) => name !== target);
  if (inputs.length === 0) return {};
  return {
    asks: {
      inputs: inputs.map(
        ([name, spec]): AskedInput => ({ name, reading: readingOf(spec), required: !spec.optional }),
      ),
      question: (input, texts) => texts.sayOwn(`${tool}.ask_${input}`),
      ...(inputs.some(([name]) => says?.(`more_${name}`))
        ? {
            another: (input: string, texts: Sentences) =>
              says?.(`more_${input}`) ? texts.sayOwn(`${tool}.more_${input}`) : null,
          }
        : {}),
    },
  };
}

/** What can be told of a thing in one breath with the rest of it. */
const TOLD: ReadonlySet<InputReading['kind']> = new Set(['text', 'number', 'money', 'date', 'choice']);

function readingOf(spec: InputSpec): InputReading {
  switch (spec.type) {
    case 'choice':
      return {
        kind: 'choice',
        options: new Map(spec.of.map((value) => [value, spec.words[value] ?? {}])),
        several: false,
      };
    case 'list': {
      const one = readingOf(spec.of);
      if (one.kind === 'choice') return { ...one, several: true };
      return one.kind === 'items' && one.max === null ? { ...one, max: spec.max } : { kind: 'other' };
    }
    case 'record':
      return { kind: 'record', entity: spec.entity };
    case 'object': {
      const fields = Object.entries(spec.fields).map(
        ([name, field]): AskedInput => ({ name, reading: readingOf(field), required: !field.optional }),
      );
      return fields.every(({ reading }) => TOLD.has(reading.kind))
        ? { kind: 'items', fields, max: null }
        : { kind: 'other' };
    }
    default:
      return { kind: spec.type };
  }
}

/** The sentences by which the inputs that must be given are asked for. */
export function askSentences(
  declared: Readonly<Record<string, InputSpec>>,
  target?: string,
): readonly string[] {
  return Object.entries(declared).flatMap(([name, { optional }]) =>
    optional || name === target ? [] : [`ask_${name}`],
  );
}

/**
 * Holds the records that a call names to the customer it is made for, whatever the statements of a company's files ask:
 * what an entity's `records.read` does not give of this customer is not there. It knows of inputs of the type `record` only.
 */

/** An input of the type `record`, wherever it is in a declaration. */
export interface RecordInput {
  /** Keys from the top, as in the file. */
  readonly path: readonly string[];
  readonly entity: string;
}

/** All of them, in lists and objects too. */
export function recordInputs(
  declared: Readonly<Record<string, InputSpec>>,
  above: readonly string[] = [],
): readonly RecordInput[] {
  const within = (spec: InputSpec, path: readonly string[]): readonly RecordInput[] => {
    if (spec.type === 'record') return [{ path, entity: spec.entity }];
    if (spec.type === 'list') return within(spec.of, [...path, 'of']);
    return spec.type === 'object' ? recordInputs(spec.fields, [...path, 'fields']) : [];
  };
  return Object.entries(declared).flatMap(([name, spec]) => within(spec, [...above, name]));
}

/** Whose the records are that a call names. */
export interface Ownership {
  /**
   * @param customerId null where nobody is signed in
   * @throws HubError `not_found` for a record that is not the customer's, `not_signed_in`, and what reading them throws
   */
  hold(
    declared: Readonly<Record<string, InputSpec>>,
    input: JsonObject,
    customerId: string | null,
    records: CustomerRecords,
  ): Promise<void>;
}

/** @param shared entities whose records are the same for everybody, so that any of them may be named */
export function createOwnership(shared: ReadonlySet<string>): Ownership {
  return {
    async hold(declared, input, customerId, records) {
      const named = new Map<string, Set<string>>();
      for (const { entity, id } of idsIn(declared, input))
        if (!shared.has(entity)) named.set(entity, (named.get(entity) ?? new Set()).add(id));
      if (named.size > 0 && customerId === null) throw new HubError('not_signed_in', 'Sign in first.');
      for (const [entity, ids] of named) {
        const own = new Set((await records.list(customerId ?? '', entity)).map(({ id }) => id));
        if ([...ids].some((id) => !own.has(id)))
          throw new HubError('not_found', 'Nothing of that kind belongs to this customer.', { entity });
      }
    },
  };
}

function idsIn(
  declared: Readonly<Record<string, InputSpec>>,
  input: JsonObject,
): readonly { readonly entity: string; readonly id: string }[] {
  const within = (spec: InputSpec, value: JsonValue | undefined): ReturnType<typeof idsIn> => {
    if (value === undefined || value === null) return [];
    if (spec.type === 'record') return [{ entity: spec.entity, id: String(value) }];
    if (spec.type === 'list') return Array.isArray(value) ? value.flatMap((one) => within(spec.of, one)) : [];
    return spec.type === 'object' && isObject(value) ? idsIn(spec.fields, value) : [];
  };
  return Object.entries(declared).flatMap(([name, spec]) => within(spec, input[name]));
}
