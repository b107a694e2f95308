import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
} from '@langchain/core/language_models/base';
import { assembleStructuredOutputPipeline } from '@langchain/core/language_models/structured_output';
import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { type Runnable, RunnableLambda } from '@langchain/core/runnables';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { parseJson } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';

/** A zod schema, a standard schema or plain JSON schema, as `withStructuredOutput` takes them. */
export type OutputSchema = object;

/** What a structured call carries in its options, so that the model itself can check the answer. */
export interface StructuredRequest {
  /** Name the provider sees for the schema or function. */
  readonly name: string;
  readonly schema: OutputSchema;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

/** Prepares a structured request; done once per bound model, not per call. */
export function structuredRequest(
  schema: OutputSchema,
  config?: StructuredOutputMethodOptions<boolean>,
): StructuredRequest {
  const jsonSchema = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0]) as Record<string, unknown>;
  const title = typeof jsonSchema.title === 'string' ? jsonSchema.title : 'extract';
  return { name: config?.name ?? title.replace(/[^\w-]/g, '_'), schema, jsonSchema };
}

/**
 * The object in a model's answer: the arguments of its tool call, or the JSON in its text (a code fence and
 * words around it are tolerated, because small models add them), checked by the schema.
 * @throws HubError `model_bad_output`
 */
export async function readStructured(
  message: BaseMessage,
  request: StructuredRequest,
): Promise<Record<string, unknown>> {
  const value =
    AIMessage.isInstance(message) && message.tool_calls?.[0]
      ? message.tool_calls[0].args
      : jsonIn(message.text);
  return check(value, request);
}

/** Pipes a model whose answers were made for `request` into the parser; used by all our models. */
export function structuredPipeline(
  model: Runnable<BaseLanguageModelInput, BaseMessage>,
  request: StructuredRequest,
  includeRaw: boolean | undefined,
): Runnable<BaseLanguageModelInput, never> {
  const parser = RunnableLambda.from((message: BaseMessage) => readStructured(message, request));
  // JSON for the program is not streamed to people.
  const quiet = model.withConfig({ tags: ['nostream'] });
  return assembleStructuredOutputPipeline(quiet, parser, includeRaw, 'StructuredOutput') as Runnable<
    BaseLanguageModelInput,
    never
  >;
}

interface Checker {
  readonly '~standard': { validate(value: unknown): Verdict | Promise<Verdict> };
}
type Verdict = {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[];
};

async function check(value: unknown, request: StructuredRequest): Promise<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badOutput(request, 'not a JSON object');
  if (!('~standard' in request.schema)) return value as Record<string, unknown>;
  const verdict = await (request.schema as Checker)['~standard'].validate(value);
  if (verdict.issues === undefined) return verdict.value as Record<string, unknown>;
  const issues = verdict.issues
    .slice(0, 5)
    .map((issue) => `${(issue.path ?? []).map(String).join('.')}: ${issue.message}`);
  throw badOutput(request, issues.join('; '));
}

function jsonIn(text: string): unknown {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start === -1 || end < start ? undefined : parseJson(text.slice(start, end + 1), undefined);
}

function badOutput(request: StructuredRequest, why: string): HubError {
  return new HubError('model_bad_output', `The model's ${request.name} does not fit its schema: ${why}`, {
    name: request.name,
  });
}

/** Ways to ask for an object, best first. */
const METHODS = ['jsonSchema', 'functionCalling', 'jsonText'] as const;
export type StructuredMethod = (typeof METHODS)[number];

/**
 * Which way works with which model. Compatible servers (Ollama, vLLM, LM Studio) differ, and some answer 400 to
 * `response_format`; what worked once is used from then on.
 */
export class StructuredMethods {
  readonly #known = new Map<string, StructuredMethod>();

  get(model: string): StructuredMethod {
    return this.#known.get(model) ?? METHODS[0];
  }

  remember(model: string, method: StructuredMethod): void {
    this.#known.set(model, method);
  }

  /** The next one to try after the server refused this one. */
  static after(method: StructuredMethod): StructuredMethod | undefined {
    return METHODS[METHODS.indexOf(method) + 1];
  }
}

/** The call options that ask for the object. */
export function structuredOptions(
  request: StructuredRequest,
  method: StructuredMethod,
): Record<string, unknown> {
  const { name } = request;
  if (method === 'jsonText') return {};
  if (method === 'functionCalling') {
    const tool = {
      type: 'function',
      function: { name, description: 'Gives the answer.', parameters: request.jsonSchema },
    };
    return { tools: [tool], tool_choice: { type: 'function', function: { name } } };
  }
  const strict = fitsStrictMode(request.jsonSchema);
  // `strict: false` also keeps the client from switching strict mode on by itself.
  return {
    strict,
    response_format: {
      type: 'json_schema',
      json_schema: { name, strict, schema: sendable(request.jsonSchema) },
    },
  };
}

/** The messages for a server that is told the schema in words. */
export function structuredMessages(
  messages: readonly BaseMessage[],
  request: StructuredRequest,
  method: StructuredMethod,
): BaseMessage[] {
  if (method !== 'jsonText') return [...messages];
  const rule = `Reply with nothing but one JSON object that fits this JSON schema: ${JSON.stringify(request.jsonSchema)}`;
  const [first, ...rest] = messages;
  if (first === undefined || !SystemMessage.isInstance(first)) return [new SystemMessage(rule), ...messages];
  return [new SystemMessage(`${first.text}\n\n${rule}`), ...rest];
}

// Not part of the subset that strict mode takes; our own check applies them to the answer all the same.
const UNSENT = new Set(['$schema', 'default', 'minLength', 'maxLength']);

function sendable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sendable);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(nullableInOne(schema))
      .filter(([key, value]) => !UNSENT.has(key) || typeof value === 'object')
      .map(([key, value]) => [key, sendable(value)]),
  );
}

/** One of a few words or null, in the shorter of its two spellings. */
function nullableInOne(schema: object): object {
  const { anyOf, ...rest } = schema as { readonly anyOf?: unknown };
  const [words, none, ...more] = Array.isArray(anyOf) ? (anyOf as readonly Partial<Words>[]) : [];
  if (!words?.enum || words.type !== 'string' || none?.type !== 'null' || more.length > 0) return schema;
  return { ...rest, type: ['string', 'null'], enum: [...words.enum, null] };
}

interface Words {
  readonly type: string;
  readonly enum: readonly unknown[];
}

/** Strict mode wants every property of every object required, and no others allowed. */
function fitsStrictMode(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(fitsStrictMode);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties } = schema as {
    readonly properties?: unknown;
    readonly required?: unknown;
    readonly additionalProperties?: unknown;
  };
  if (typeof properties === 'object' && properties !== null) {
    const names = new Set(Array.isArray(required) ? required : []);
    if (additionalProperties !== false || !Object.keys(properties).every((key) => names.has(key)))
      return false;
  }
  return Object.values(schema).every(fitsStrictMode);
}
