import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { ChatOpenAI } from '@langchain/openai';
import type { ModelsConfig } from '../../core/ports/chat-models.js';
import { PlaceholderStream, SecretMask } from '../../core/secret-mask.js';
import { AnswerTooLong } from './length.js';

type ToolCallChunks = NonNullable<AIMessageChunk['tool_call_chunks']>;

/**
 * The provider's client, which sends no card number, CPF, CNPJ, password, code or key: placeholders go out in their
 * places, whatever message they stand in. Arguments of tools and JSON come back with the true values, which never left
 * this process; words for people come back with the end of a number at most.
 */
class MaskedChatOpenAI extends ChatOpenAI {
  static override lc_name(): string {
    return 'MaskedChatOpenAI';
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const mask = new SecretMask();
    const result = await super._generate(maskedMessages(messages, mask), options, runManager);
    for (const generation of result.generations) {
      restoreMessage(generation.message, mask);
      generation.text = generation.message.text;
    }
    return result;
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const mask = new SecretMask();
    const stream = new RestoredStream(mask);
    for await (const chunk of super._streamResponseChunks(
      maskedMessages(messages, mask),
      options,
      runManager,
    )) {
      stream.restore(chunk);
      yield chunk;
    }
  }
}

/** The same for an answer in pieces. A placeholder may be cut anywhere. */
class RestoredStream {
  readonly #mask: SecretMask;
  readonly #text: PlaceholderStream;
  readonly #args = new Map<number, PlaceholderStream>();

  constructor(mask: SecretMask) {
    this.#mask = mask;
    this.#text = new PlaceholderStream((text) => mask.show(text));
  }

  restore(chunk: ChatGenerationChunk): void {
    const { message } = chunk;
    if (!AIMessageChunk.isInstance(message) || typeof message.content !== 'string') return;
    const last = (chunk.generationInfo?.finish_reason ?? message.response_metadata.finish_reason) != null;
    const text = `${this.#text.push(message.content)}${last ? this.#text.end() : ''}`;
    message.content = text;
    chunk.text = text;
    const pieces = (message.tool_call_chunks ?? []).map((piece) => ({
      ...piece,
      ...(piece.args !== undefined && { args: this.#argsOf(piece.index ?? 0).push(piece.args) }),
    }));
    message.tool_call_chunks = last ? [...pieces, ...this.#rest()] : pieces;
  }

  #argsOf(index: number): PlaceholderStream {
    const known = this.#args.get(index) ?? new PlaceholderStream((text) => this.#mask.restore(text, true));
    this.#args.set(index, known);
    return known;
  }

  #rest(): ToolCallChunks {
    return [...this.#args].flatMap(([index, held]) => {
      const args = held.end();
      return args === '' ? [] : [{ type: 'tool_call_chunk' as const, index, args }];
    });
  }
}

/** As many bytes as a streamed token may take, with all that stands around it. */
const STREAMED = 16;

/**
 * A fetch that takes in no more than so many bytes of an answer, and as many of one event of a stream; then the
 * connection is closed. A provider that ignores the limit it was given costs no memory.
 */
function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
    const body = response.body.pipeThrough(isStream ? boundedLines(maxBytes) : bounded(maxBytes));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function bounded(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let total = 0;
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.byteLength;
      if (total > maxBytes) controller.error(new AnswerTooLong(`more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

function boundedLines(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let line = 0;
  let total = 0;
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.byteLength;
      const end = chunk.lastIndexOf(0x0a);
      line = end === -1 ? line + chunk.byteLength : chunk.byteLength - end - 1;
      if (line > maxBytes || total > maxBytes * STREAMED)
        controller.error(
          new AnswerTooLong(`more than ${line > maxBytes ? maxBytes : maxBytes * STREAMED} bytes`),
        );
      else controller.enqueue(chunk);
    },
  });
}

/** What a call wants beyond the configuration. */
interface OpenAiClientOptions {
  /** 0 where absent; left out for models that take none. */
  readonly temperature?: number;
  /** Longest answer, in tokens. */
  readonly maxTokens: number;
}

const OPENAI_URL = 'https://api.openai.com/v1';

/** Bytes that a token may take in an answer: a few characters, escaped, and what stands around them. */
const BYTES_PER_TOKEN = 64;
const FRAME_BYTES = 65_536;
/** Reasoning is counted as output too. */
const REASONING = 4;

/**
 * The client of Chat Completions that every request to a provider goes through: without secrets, with a longest answer,
 * no retries and no timeout of its own beyond ours.
 */
export function chatOpenAi(
  model: string,
  config: ModelsConfig,
  { temperature = 0, maxTokens }: OpenAiClientOptions,
): BaseChatModel {
  const thinks = !takesTemperature(model);
  return new MaskedChatOpenAI({
    model,
    ...(!thinks && { temperature }),
    // The library sends it as max_completion_tokens to the models that want it so.
    maxTokens: thinks ? maxTokens * REASONING : maxTokens,
    apiKey: config.apiKey ?? 'not-needed',
    // Given even where it is the default: the client would look into the environment by itself.
    configuration: {
      baseURL: config.baseUrl ?? OPENAI_URL,
      fetch: boundedFetch(FRAME_BYTES + maxTokens * BYTES_PER_TOKEN),
    },
    timeout: config.timeoutMs,
    maxRetries: 0,
    streamUsage: true,
    useResponsesApi: false,
  });
}

/** Reasoning models refuse any temperature but their own. */
function takesTemperature(model: string): boolean {
  return !/^o\d/.test(model) && (!model.startsWith('gpt-5') || model.startsWith('gpt-5-chat'));
}

function maskedMessages(messages: readonly BaseMessage[], mask: SecretMask): BaseMessage[] {
  for (const message of messages) mask.learn(message.text);
  return messages.map((message) => {
    const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message) as BaseMessage;
    copy.content = mask.maskIn(message.content);
    if (AIMessage.isInstance(copy) && copy.tool_calls) copy.tool_calls = mask.maskIn(copy.tool_calls);
    // The call names its tool; who made it is the graph's business, and would be paid for with every call.
    if (ToolMessage.isInstance(copy) || (AIMessage.isInstance(copy) && copy.tool_calls?.length))
      delete copy.name;
    return copy;
  });
}

function restoreMessage(message: BaseMessage, mask: SecretMask): void {
  if (typeof message.content === 'string') {
    const isJson = /^\s*(?:\{|```|\[\s*[{"])/.test(message.content);
    message.content = isJson ? mask.restore(message.content, true) : mask.show(message.content);
  }
  if (!AIMessage.isInstance(message)) return;
  if (message.tool_calls) message.tool_calls = mask.restoreIn(message.tool_calls);
  for (const call of message.invalid_tool_calls ?? []) {
    if (call.args !== undefined) call.args = mask.restore(call.args, true);
  }
}
