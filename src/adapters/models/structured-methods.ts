import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { StructuredRequest } from './structured.js';

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
