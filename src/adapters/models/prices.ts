import type { Log } from '../../core/ports/log.js';

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
export interface Tokens {
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

export interface PriceOptions {
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
