import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { LRUCache } from 'lru-cache';
import { HubError } from '../../core/errors.js';
import type {
  ModelsConfig,
  SkillModel,
  SkillModelAnswer,
  SkillModelCall,
} from '../../core/ports/chat-models.js';
import { type CircuitBreaker, createModelCircuit, logModelCall } from './circuit.js';
import type { ModelCallOptions } from './openai-chat-models.js';
import { ResilientChatModel, ticketMark } from './resilient-chat-model.js';
import { StructuredMethods } from './structured.js';
import { type Prices, tokensOf } from './usage.js';

export interface SkillModelOptions extends ModelCallOptions {
  readonly models: ModelsConfig;
  readonly prices: Prices;
}

/** Kept clients: one for each model, temperature and limit that packs ask for. */
const MAX_CLIENTS = 50;
const SMALL =
  /(?:^|[-_.:/ ])(?:mini|nano|small|tiny|lite|flash|haiku|(?:0\.\d|[1-9]|1[0-4])(?:\.\d)?b)(?=$|[-_.:/ ])/i;

/**
 * The models of skills: `write` asks the model of the investigation agent, `review` that of the review. Offline every call
 * throws `model_unavailable`, so that skills use their rules.
 */
export function createSkillModel(options: SkillModelOptions): SkillModel {
  const { models } = options;
  const nameOf = (role: SkillModelCall['role'], model?: string): string =>
    model ?? models.chatModel[role === 'review' ? 'review' : 'investigation'];
  const online = models.provider === 'offline' ? null : new OnlineSkillModel(options);
  return {
    provider: models.provider,
    tier: (role, model) => (SMALL.test(nameOf(role, model)) ? 'small' : 'large'),
    async complete(call) {
      if (online === null)
        throw new HubError('model_unavailable', 'There is no model: the hub works offline');
      return online.complete(nameOf(call.role, call.model), call);
    },
  };
}

class OnlineSkillModel {
  readonly #options: SkillModelOptions;
  readonly #circuit: CircuitBreaker;
  readonly #methods = new StructuredMethods();
  readonly #clients = new LRUCache<string, Promise<ResilientChatModel>>({ max: MAX_CLIENTS });
  /** Models whose server refuses `response_format`; they are told in words alone. */
  readonly #withoutJsonMode = new LRUCache<string, true>({ max: MAX_CLIENTS });

  constructor(options: SkillModelOptions) {
    this.#options = options;
    this.#circuit = options.circuit ?? createModelCircuit(options.log);
  }

  async complete(model: string, call: SkillModelCall): Promise<SkillModelAnswer> {
    if (!call.json || this.#withoutJsonMode.has(model)) return this.#ask(model, call, false);
    try {
      return await this.#ask(model, call, true);
    } catch (error) {
      if (!mayRefuseJsonMode(error)) throw error;
      const answer = await this.#ask(model, call, false);
      // Only now it is known that it was the mode which it refused, and not the request.
      this.#withoutJsonMode.set(model, true);
      return answer;
    }
  }

  async #ask(model: string, call: SkillModelCall, jsonMode: boolean): Promise<SkillModelAnswer> {
    const client = await this.#client(model, call);
    const system = new SystemMessage({ content: call.system, additional_kwargs: ticketMark(call.ticketId) });
    const messages = [system, new HumanMessage(call.prompt)];
    const mode = jsonMode ? { response_format: { type: 'json_object' } } : {};
    // What a skill has written for itself is not streamed to people.
    const message = await client
      .invoke(messages, { ...mode, signal: call.signal, tags: ['nostream'] })
      .catch((error: unknown) => {
        throw call.signal.aborted ? givenUp(call.signal) : error;
      });
    const tokens = tokensOf(message);
    return {
      text: message.text,
      model,
      promptTokens: tokens.prompt,
      completionTokens: tokens.completion,
      costUsd: this.#options.prices.costUsd(model, tokens),
    };
  }

  #client(model: string, { role, temperature, maxTokens }: SkillModelCall): Promise<ResilientChatModel> {
    const key = JSON.stringify([model, role, temperature, maxTokens]);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const made = this.#create(model, role, { temperature, maxTokens });
    this.#clients.set(key, made);
    return made;
  }

  async #create(
    model: string,
    role: SkillModelCall['role'],
    limits: Pick<SkillModelCall, 'temperature' | 'maxTokens'>,
  ): Promise<ResilientChatModel> {
    // The provider's client takes long to load, and is not needed offline.
    const { chatOpenAi } = await import('./openai-client.js');
    const { models, log, prices, spend, onCall, budgetMs, baseDelayMs } = this.#options;
    const most = models.maxOutputTokens[role === 'review' ? 'review' : 'investigation'];
    const maxTokens = Math.min(limits.maxTokens ?? most, most);
    return new ResilientChatModel({
      role: `skill_${role}`,
      model,
      primary: chatOpenAi(model, models, { ...limits, maxTokens }),
      maxTokens,
      fallback: null,
      retries: models.retries,
      timeoutMs: models.timeoutMs,
      budgetMs: budgetMs ?? 30_000,
      circuit: this.#circuit,
      methods: this.#methods,
      prices,
      spend,
      log,
      onCall: (report) => {
        logModelCall(log, report);
        onCall?.(report);
      },
      ...(baseDelayMs !== undefined && { baseDelayMs }),
    });
  }
}

/** A compatible server that does not know the mode answers 400 or 422, as it does to other faults of a request. */
function mayRefuseJsonMode(error: unknown): boolean {
  if (!(error instanceof HubError) || error.code !== 'model_unavailable') return false;
  const { reason, status } = error.fields;
  return reason === 'rejected' && (status === 400 || status === 422);
}

function givenUp({ reason }: AbortSignal): HubError {
  if (reason instanceof HubError) return reason;
  return new HubError(
    'skill_failed',
    'The run was given up before the model answered',
    {},
    { cause: reason },
  );
}
