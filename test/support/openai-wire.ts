/** What the test server needs to know of the Chat Completions format. */
export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly strict?: boolean; readonly schema: unknown };
  };
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly temperature?: number;
  readonly parallel_tool_calls?: boolean;
  readonly input?: string | readonly string[];
  readonly encoding_format?: string;
  readonly dimensions?: number;
}

export interface ReplyParts {
  readonly text?: string;
  /** An object sent as JSON text, as an answer to `response_format`. */
  readonly json?: unknown;
  readonly toolCalls?: readonly {
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>> | string;
    readonly id?: string;
  }[];
  readonly finishReason?: string;
  readonly usage?: { readonly prompt: number; readonly completion: number; readonly cached?: number };
}

let made = 0;

/** Four characters a token: near enough to compare prompts with each other. */
export function estimateTokens(body: ChatRequest): number {
  return Math.ceil(
    (JSON.stringify(body.messages ?? []).length +
      JSON.stringify(body.tools ?? []).length +
      JSON.stringify(body.response_format ?? '').length) /
      4,
  );
}

/** The answer in one piece. */
export function completionBody(request: ChatRequest, reply: ReplyParts, promptTokens: number): unknown {
  const calls = wireCalls(reply);
  return {
    ...head(request, 'chat.completion'),
    choices: [
      {
        index: 0,
        finish_reason: finishOf(reply),
        message: {
          role: 'assistant',
          content: textOf(reply),
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      },
    ],
    usage: usageOf(reply, promptTokens),
  };
}

/** The answer as server-sent events, a few characters each, with a usage event where it was asked for. */
export function streamEvents(request: ChatRequest, reply: ReplyParts, promptTokens: number): string[] {
  const base = head(request, 'chat.completion.chunk');
  const event = (delta: unknown, finish: string | null = null): string =>
    `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const events = [event({ role: 'assistant', content: '' })];
  for (const piece of textOf(reply)?.match(/.{1,8}/gsu) ?? []) events.push(event({ content: piece }));
  for (const [index, call] of wireCalls(reply).entries()) {
    events.push(
      event({
        tool_calls: [
          { index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } },
        ],
      }),
    );
    for (const piece of call.function.arguments.match(/.{1,8}/gsu) ?? [])
      events.push(event({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  events.push(event({}, finishOf(reply)));
  if (request.stream_options?.include_usage)
    events.push(`data: ${JSON.stringify({ ...base, choices: [], usage: usageOf(reply, promptTokens) })}\n\n`);
  return [...events, 'data: [DONE]\n\n'];
}

/** Why OpenAI would refuse the request, for the mistakes that agent graphs make; undefined where it would not. */
export function conversationFault(request: ChatRequest): string | undefined {
  let open = new Set<string>();
  for (const message of request.messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? ''))
        return `a tool message answers no open call (${message.tool_call_id})`;
      continue;
    }
    if (open.size > 0) return `tool calls without an answer: ${[...open].join(', ')}`;
    open = new Set((message.tool_calls ?? []).map((call) => call.id));
    if (message.role === 'assistant' && open.size === 0 && !message.content)
      return 'an assistant message without content or tool calls';
  }
  if (open.size > 0) return `tool calls without an answer: ${[...open].join(', ')}`;
  if (request.messages.length === 0) return 'no messages';
  if (request.stream !== true && request.stream_options !== undefined) return 'stream_options without stream';
  const reasoning = /^(?:o\d|gpt-5(?!-chat))/.test(request.model);
  if (reasoning && request.temperature !== undefined && request.temperature !== 1)
    return `${request.model} does not support temperature`;
  const format = request.response_format?.json_schema;
  return format?.strict === true ? strictFault(format.schema, 'schema') : undefined;
}

function strictFault(schema: unknown, path: string): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { type, properties, required, additionalProperties } = schema as {
    readonly type?: unknown;
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
  };
  if (type === 'object' && additionalProperties !== false)
    return `${path}: additionalProperties must be false`;
  const missing = Object.keys(type === 'object' ? (properties ?? {}) : {}).find(
    (key) => !(required ?? []).includes(key),
  );
  if (missing !== undefined) return `${path}: ${missing} must be required`;
  for (const [key, value] of Object.entries(schema)) {
    const fault = strictFault(value, `${path}.${key}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function head(request: ChatRequest, object: string): Record<string, unknown> {
  made += 1;
  return {
    id: `chatcmpl-${made}`,
    object,
    created: 1_700_000_000,
    model: request.model,
    system_fingerprint: 'fp_test',
  };
}

function textOf(reply: ReplyParts): string | null {
  return reply.json === undefined ? (reply.text ?? null) : JSON.stringify(reply.json);
}

function finishOf(reply: ReplyParts): string {
  return reply.finishReason ?? ((reply.toolCalls?.length ?? 0) > 0 ? 'tool_calls' : 'stop');
}

function wireCalls(
  reply: ReplyParts,
): { id: string; type: 'function'; function: { name: string; arguments: string } }[] {
  return (reply.toolCalls ?? []).map((call) => {
    made += 1;
    const text = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
    return {
      id: call.id ?? `call_${made}`,
      type: 'function',
      function: { name: call.name, arguments: text },
    };
  });
}

function usageOf(reply: ReplyParts, promptTokens: number): Record<string, unknown> {
  const said = (textOf(reply) ?? '').length + JSON.stringify(reply.toolCalls ?? []).length - 2;
  const {
    prompt,
    completion,
    cached = 0,
  } = reply.usage ?? { prompt: promptTokens, completion: Math.ceil(said / 4) };
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
