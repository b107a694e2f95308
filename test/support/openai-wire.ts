/** What the test server needs to know of the Chat Completions format. */
export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly {
    readonly type?: string;
    readonly function: {
      readonly name: string;
      readonly description?: string;
      readonly parameters?: unknown;
      readonly strict?: boolean;
    };
  }[];
  readonly tool_choice?: unknown;
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name?: string; readonly strict?: boolean; readonly schema: unknown };
  };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
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
  /** The answer's own id, for a server that gives each the same; a new one where absent. */
  readonly id?: string;
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
    ...head(request, reply, 'chat.completion'),
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
  const base = head(request, reply, 'chat.completion.chunk');
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

function head(request: ChatRequest, reply: ReplyParts, object: string): Record<string, unknown> {
  made += 1;
  return {
    id: reply.id ?? `chatcmpl-${made}`,
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

/**
 * The share of a prompt (0..1) that a provider which caches by what a prompt begins with has read before: what two
 * requests have in common from the beginning, tools and form first, as providers put them.
 */
export function cacheableShare(earlier: ChatRequest, later: ChatRequest): number {
  const [before, after] = [earlier, later].map((request) =>
    JSON.stringify([request.response_format ?? '', request.tools ?? [], request.messages]),
  ) as [string, string];
  let common = 0;
  while (common < after.length && before[common] === after[common]) common += 1;
  return common / after.length;
}
