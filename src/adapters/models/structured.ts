import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
} from '@langchain/core/language_models/base';
import { assembleStructuredOutputPipeline } from '@langchain/core/language_models/structured_output';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { type Runnable, RunnableLambda } from '@langchain/core/runnables';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
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
  readonly '~standard': {
    validate(value: unknown): Verdict | Promise<Verdict>;
  };
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
  if (start === -1 || end < start) return undefined;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
}

function badOutput(request: StructuredRequest, why: string): HubError {
  return new HubError('model_bad_output', `The model's ${request.name} does not fit its schema: ${why}`, {
    name: request.name,
  });
}
