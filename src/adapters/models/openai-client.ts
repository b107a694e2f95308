import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ModelsConfig } from '../../core/ports/chat-models.js';
import { AnswerTooLong } from './length.js';
import { MaskedChatOpenAI } from './openai-masked.js';

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
