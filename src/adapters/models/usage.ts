import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { AIMessage } from '@langchain/core/messages';
import type { LLMResult } from '@langchain/core/outputs';
import type { ProviderName } from '../../core/domain/taxonomy.js';
import type { Usage } from '../../core/domain/turn.js';
import type { Log } from '../../core/ports/system.js';

/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

// List prices of https://openai.com/api/pricing (standard tier) as known in November 2025; the environment overrides them.
const LIST: Readonly<Record<string, Price>> = {
  'gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
  'gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
  'gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, cachedInput: 0.025, output: 0.4 },
  'gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
};

/** Tokens of one or several calls, as the provider reported them. */
interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  /** The part of `prompt` that the provider had cached. */
  readonly cached: number;
}

/** Turns tokens into US dollars. */
export interface Prices {
  /** 0 where the model's price is not known. */
  costUsd(model: string, tokens: Tokens): number;
}

interface PriceOptions {
  /** US dollars per million tokens, for every model; a missing half is taken from the list, or 0. */
  readonly inputPricePerMTok?: number | undefined;
  readonly outputPricePerMTok?: number | undefined;
  readonly log?: Log;
}

/** Prices of the list above, or the override. An unknown model is mentioned in the log once. */
export function createPrices(options: PriceOptions = {}): Prices {
  const known = new Map<string, Price>();
  return {
    costUsd(model, tokens) {
      let price = known.get(model);
      if (price === undefined) {
        price = priceOf(model, options);
        known.set(model, price);
      }
      const fresh = Math.max(0, tokens.prompt - tokens.cached);
      return (
        (fresh * price.input + tokens.cached * price.cachedInput + tokens.completion * price.output) / 1e6
      );
    },
  };
}

function priceOf(model: string, options: PriceOptions): Price {
  const { inputPricePerMTok: input, outputPricePerMTok: output, log } = options;
  // A dated snapshot costs what its model costs.
  const listed = LIST[model.replace(/-\d{4}-\d{2}-\d{2}$/, '')];
  if (listed === undefined && (input === undefined || output === undefined)) {
    log?.debug({ agent: 'models', action: 'model_price_unknown', details: { model } });
  }
  return {
    input: input ?? listed?.input ?? 0,
    cachedInput: input ?? listed?.cachedInput ?? 0,
    output: output ?? listed?.output ?? 0,
  };
}

/** What our models leave in `response_metadata` of every answer. */
export interface AnswerMetadata {
  /** Who wrote the answer. */
  readonly hub_provider: ProviderName;
  /** The provider's model that was asked; absent where none was. */
  readonly hub_model?: string;
  /** Provider calls that were answered, and so billed; more than 1 after a corrected answer. */
  readonly hub_calls?: number;
  /** Why the offline policy had to answer. */
  readonly hub_fallback?: string;
  /** Tokens were shown before the answer began anew: what was streamed must be replaced by this message. */
  readonly hub_restarted?: true;
}

/** Adds up what one turn cost. Attach `handler` to the callbacks of the run's config. */
interface UsageCollector {
  readonly handler: BaseCallbackHandler;
  /** Sums so far. Offline answers count 0 calls; failed attempts count only where the provider answered (billed). */
  usage(): Usage;
  /**
   * Which mode wrote the turn: `offline` as soon as one of its answers came from an offline policy, because then part
   * of the turn was decided by rules; `openai` where all came from the provider; the configured one where no model was asked.
   */
  provider(): ProviderName;
}

/**
 * A collector for one turn. The tokens of an answer are those its message reports in `usage_metadata`; our resilient
 * model reports the sum over all billed attempts there.
 * @param configured what `provider()` says when no model was asked
 */
export function createUsageCollector(prices: Prices, configured: ProviderName = 'offline'): UsageCollector {
  const totals = { calls: 0, prompt: 0, completion: 0, cost: 0 };
  const writers = new Set<ProviderName>();
  const add = (message: AIMessage): void => {
    const meta = message.response_metadata as Partial<AnswerMetadata>;
    const tokens = tokensOf(message);
    if (meta.hub_provider !== undefined) writers.add(meta.hub_provider);
    totals.calls += meta.hub_calls ?? (tokens.prompt > 0 ? 1 : 0);
    totals.prompt += tokens.prompt;
    totals.completion += tokens.completion;
    if (meta.hub_model !== undefined) totals.cost += prices.costUsd(meta.hub_model, tokens);
  };
  return {
    handler: new AnswerListener(add),
    usage: () => ({
      llmCalls: totals.calls,
      promptTokens: totals.prompt,
      completionTokens: totals.completion,
      // Millionths of a cent are noise of floating point.
      costUsd: Math.round(totals.cost * 1e8) / 1e8,
    }),
    provider: () => (writers.has('offline') ? 'offline' : writers.has('openai') ? 'openai' : configured),
  };
}

/** The tokens a message reports, 0 where it does not. */
export function tokensOf(message: AIMessage): Tokens {
  const usage = message.usage_metadata;
  return {
    prompt: usage?.input_tokens ?? 0,
    completion: usage?.output_tokens ?? 0,
    cached: usage?.input_token_details?.cache_read ?? 0,
  };
}

/** Tells of every answer of a chat model in the run, in step with it (background callbacks would come too late to count). */
class AnswerListener extends BaseCallbackHandler {
  override name = 'HubUsageCollector';
  override awaitHandlers = true;
  override ignoreChain = true;
  override ignoreAgent = true;
  override ignoreRetriever = true;
  readonly #onAnswer: (message: AIMessage) => void;

  constructor(onAnswer: (message: AIMessage) => void) {
    super();
    this.#onAnswer = onAnswer;
  }

  override handleLLMEnd(output: LLMResult): void {
    const generation = output.generations[0]?.[0];
    if (generation !== undefined && 'message' in generation && AIMessage.isInstance(generation.message)) {
      this.#onAnswer(generation.message);
    }
  }
}
