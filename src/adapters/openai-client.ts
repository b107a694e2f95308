import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import type { ModelsConfig } from '../config.js';

/** What a call wants beyond the configuration. */
export interface OpenAiClientOptions {
  /** 0 where absent; left out for models that take none. */
  readonly temperature?: number;
  /** Longest answer, in tokens; the provider's own limit where absent. */
  readonly maxTokens?: number;
}

const OPENAI_URL = 'https://api.openai.com/v1';

/** A bare client of Chat Completions: no retries and no timeout of its own beyond ours. */
export function chatOpenAi(
  model: string,
  config: ModelsConfig,
  { temperature = 0, maxTokens }: OpenAiClientOptions = {},
): BaseChatModel {
  return new ChatOpenAI({
    model,
    ...(takesTemperature(model) && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    apiKey: config.apiKey ?? 'not-needed',
    // Given even where it is the default: the client would look into the environment by itself.
    configuration: { baseURL: config.baseUrl ?? OPENAI_URL },
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
