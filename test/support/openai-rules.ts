import type { ChatRequest, WireMessage } from './openai-wire.js';

/** Names of functions, schemas and tools. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Names of who speaks. */
const SPEAKER = /^[^\s<|\\/>]{1,64}$/;
const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const MOST_TOOLS = 128;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_CALL_ID = 40;

/**
 * Why OpenAI would refuse the request by its published rules, for the mistakes that agent graphs make; undefined where it
 * would not. The test server asks it about every request, so that each test that uses the server proves them.
 */
export function requestFault(request: ChatRequest): string | undefined {
  return (
    pairingFault(request.messages) ??
    first(request.messages, messageFault) ??
    toolsFault(request) ??
    formatFault(request) ??
    optionsFault(request)
  );
}

/** Each call of a tool has its answer right behind it, and each answer its call. */
function pairingFault(messages: readonly WireMessage[]): string | undefined {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? ''))
        return `a tool message answers no open call (${message.tool_call_id})`;
      continue;
    }
    if (open.size > 0) break;
    const ids = (message.tool_calls ?? []).map((call) => call.id);
    open = new Set(ids);
    if (open.size < ids.length) return `two calls with one id: ${ids.join(', ')}`;
  }
  if (open.size > 0) return `tool calls without an answer: ${[...open].join(', ')}`;
  return messages.length === 0 ? 'no messages' : undefined;
}

function messageFault({ role, name, content, tool_calls: calls = [] }: WireMessage): string | undefined {
  if (!ROLES.has(role)) return `there is no role ${role}`;
  if (name !== undefined && !SPEAKER.test(name)) return `a name that is refused: ${name}`;
  if (role !== 'assistant' && calls.length > 0) return `a ${role} message calls tools`;
  if (role === 'assistant' && calls.length === 0 && !content)
    return 'an assistant message without content or tool calls';
  if (role !== 'assistant' && typeof content !== 'string' && !Array.isArray(content))
    return `a ${role} message without content`;
  if (typeof content === 'string' && LONE_SURROGATE.test(content))
    return 'half a character, which is no text';
  return first(calls, ({ id, function: { name: tool, arguments: args } }) => {
    if (!NAME.test(tool)) return `a call of a name that is refused: ${tool}`;
    if (id.length === 0 || id.length > LONGEST_CALL_ID) return `a call id of ${id.length} characters`;
    return isJson(args) ? undefined : `the arguments of ${tool} are no JSON`;
  });
}

function toolsFault({ tools, tool_choice: choice, parallel_tool_calls: parallel }: ChatRequest) {
  if (tools === undefined)
    return choice === undefined && parallel === undefined ? undefined : 'a choice of tools without tools';
  if (tools.length === 0 || tools.length > MOST_TOOLS) return `${tools.length} tools`;
  const names = tools.map((tool) => tool.function.name);
  const wanted = (choice as { readonly function?: { readonly name?: string } } | undefined)?.function?.name;
  if (wanted !== undefined && !names.includes(wanted)) return `${wanted} is chosen, which is not offered`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `two tools are called ${twice}`;
  return first(tools, ({ type, function: { name, description = '', parameters, strict } }) => {
    if (type !== 'function') return `${name}: a tool of the type ${type}`;
    if (!NAME.test(name)) return `a tool of a name that is refused: ${name}`;
    if (description.length > LONGEST_DESCRIPTION)
      return `${name}: ${description.length} characters of description`;
    if (parameters !== undefined && (parameters as Schema).type !== 'object')
      return `${name}: the parameters must be an object`;
    return strict === true ? strictFault(parameters, name) : undefined;
  });
}

function formatFault({ response_format: format }: ChatRequest): string | undefined {
  if (format?.type !== 'json_schema') return undefined;
  const { name = '', strict, schema } = format.json_schema ?? { schema: undefined };
  if (!NAME.test(name)) return `a schema of a name that is refused: ${name}`;
  return strict === true ? strictFault(schema, name) : undefined;
}

function optionsFault(request: ChatRequest): string | undefined {
  const { model, stream, stream_options: options, temperature } = request;
  if (!model) return 'no model';
  if (stream !== true && options !== undefined) return 'stream_options without stream';
  const reasoning = /^(?:o\d|gpt-5(?!-chat))/.test(model);
  if (reasoning && temperature !== undefined && temperature !== 1)
    return `${model} does not support temperature`;
  if (reasoning && request.max_tokens !== undefined) return `${model} does not support max_tokens`;
  // No rule of the provider's, but the house's: every answer has a longest length.
  const longest = request.max_tokens ?? request.max_completion_tokens ?? 0;
  return Number.isInteger(longest) && longest > 0 ? undefined : 'no longest answer (max_tokens)';
}

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** What strict outputs understand. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf'],
  ...['$ref', '$defs', 'definitions', 'title', 'description', 'pattern', 'format', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
]);
const FORMATS: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
]);
const DEEPEST = 10;
const MOST_PROPERTIES = 5000;
const MOST_ENUM_VALUES = 1000;
const LONGEST_STRINGS = 120_000;

/** Why strict outputs would refuse the schema. */
function strictFault(schema: unknown, name: string): string | undefined {
  if (typeof schema !== 'object' || schema === null || (schema as Schema).type !== 'object')
    return `${name}: the root must be an object`;
  const size = { properties: 0, values: 0, characters: 0 };
  const fault = schemaFault(schema, name, 1, size);
  if (fault !== undefined) return fault;
  if (size.properties > MOST_PROPERTIES) return `${name}: ${size.properties} properties`;
  if (size.values > MOST_ENUM_VALUES) return `${name}: ${size.values} values`;
  return size.characters > LONGEST_STRINGS ? `${name}: ${size.characters} characters` : undefined;
}

function schemaFault(
  schema: unknown,
  path: string,
  depth: number,
  size: { properties: number; values: number; characters: number },
): string | undefined {
  if (typeof schema !== 'object' || schema === null) return `${path}: no schema`;
  const unknown = Object.keys(schema).find((key) => !KEYWORDS.has(key));
  if (unknown !== undefined) return `${path}: ${unknown} is not supported`;
  const { type, properties = {}, required = [], additionalProperties, ...rest } = schema as Schema;
  const {
    enum: values = [],
    items,
    anyOf = [],
    $defs = {},
    definitions = {},
    format,
  } = rest as {
    readonly enum?: readonly unknown[];
    readonly items?: unknown;
    readonly anyOf?: readonly unknown[];
    readonly $defs?: object;
    readonly definitions?: object;
    readonly format?: unknown;
  };
  const names = Object.keys(properties);
  size.properties += names.length;
  size.values += values.length;
  size.characters += [...names, ...values].join('').length;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (isObject && additionalProperties !== false) return `${path}: additionalProperties must be false`;
  const missing = names.find((key) => !required.includes(key));
  if (missing !== undefined) return `${path}: ${missing} must be required`;
  if (required.some((key) => !names.includes(key))) return `${path}: a required property that there is not`;
  if (type === 'array' && items === undefined) return `${path}: an array without items`;
  if (type === undefined && !('enum' in schema || 'const' in schema || 'anyOf' in schema || '$ref' in schema))
    return `${path}: no type`;
  if (format !== undefined && !FORMATS.has(format))
    return `${path}: the format ${String(format)} is not supported`;
  if (depth > DEEPEST) return `${path}: nested deeper than ${DEEPEST}`;
  const below = [
    ...Object.entries({ ...properties, ...$defs, ...definitions }),
    ...(items === undefined ? [] : [['items', items] as const]),
    ...anyOf.map((one, index) => [`anyOf.${index}`, one] as const),
  ];
  return first(below, ([key, one]) => schemaFault(one, `${path}.${key}`, depth + (isObject ? 1 : 0), size));
}

function first<T>(items: readonly T[], fault: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = fault(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
