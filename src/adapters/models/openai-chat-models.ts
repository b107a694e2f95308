import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { Texts } from '../../core/i18n/index.js';
import type { ChatModels, ModelRole, ModelsConfig, OfflinePolicy } from '../../core/ports/chat-models.js';
import type { Spend } from '../../core/ports/metrics.js';
import type { Log } from '../../core/ports/system.js';
import type { ModelCallReport } from './call.js';
import { type CircuitBreaker, createModelCircuit, logModelCall } from './circuit.js';
import { chatModels, createOfflineChatModels } from './offline-chat-model.js';
import { chatOpenAi } from './openai-client.js';
import { ResilientChatModel } from './resilient-chat-model.js';
import { StructuredMethods } from './structured.js';
import { createPrices } from './usage.js';

/** How a provider is called, and who is told of it. */
export interface ModelCallOptions {
  readonly log: Log;
  /** Told of every call that could have gone to the provider. */
  readonly onCall?: (report: ModelCallReport) => void;
  /** Longest time spent on attempts and waiting for one answer; batch work may be more patient. Default 30 s. */
  readonly budgetMs?: number;
  /** First pause between attempts. Default 250 ms. */
  readonly baseDelayMs?: number;
  /** Shared with whatever else asks the same provider; one of its own where absent. */
  readonly circuit?: CircuitBreaker;
  /** Holds calls back at the spend ceiling; without limit where absent. */
  readonly spend?: Spend;
}

interface ChatModelsOptions extends ModelCallOptions {
  readonly config: ModelsConfig;
  /** What answers without a provider, and when the provider is down. */
  readonly offlinePolicies: Readonly<Record<ModelRole, OfflinePolicy>>;
  /** What an answer says that had to be cut. */
  readonly texts: Texts;
}

// A second hand-off or write in the same message would stay unanswered in the history.
const ONE_CALL_AT_A_TIME: ReadonlySet<ModelRole> = new Set(['supervisor', 'action']);

/**
 * The chat models of all roles, made once. Offline: each role's policy. Otherwise the provider through Chat
 * Completions (the API that compatible servers share), with the policy behind it.
 */
export function createChatModels(options: ChatModelsOptions): ChatModels {
  const { config } = options;
  if (config.provider === 'offline') return createOfflineChatModels(options.offlinePolicies);
  return chatModels(config.provider, providerModels(options));
}

function providerModels(options: ChatModelsOptions): (role: ModelRole) => BaseChatModel {
  const { config, log } = options;
  const circuit = options.circuit ?? createModelCircuit(log);
  const methods = new StructuredMethods();
  const prices = createPrices({ ...config, log });
  const offline = createOfflineChatModels(options.offlinePolicies);
  return (role) => {
    const model = config.chatModel[role];
    const maxTokens = config.maxOutputTokens[role];
    return new ResilientChatModel({
      role,
      model,
      primary: chatOpenAi(model, config, { maxTokens }),
      maxTokens,
      texts: options.texts,
      fallback: offline.forRole(role),
      retries: config.retries,
      timeoutMs: config.timeoutMs,
      budgetMs: options.budgetMs ?? 30_000,
      circuit,
      methods,
      prices,
      spend: options.spend,
      log,
      onCall: (report) => {
        logModelCall(log, report);
        options.onCall?.(report);
      },
      oneCallAtATime: ONE_CALL_AT_A_TIME.has(role) && !/^o\d/.test(model),
      ...(options.baseDelayMs !== undefined && { baseDelayMs: options.baseDelayMs }),
    });
  };
}
