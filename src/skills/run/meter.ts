import type { SkillUsage } from '../../core/domain/skill.js';
import type { RunMeter } from './run-context.js';

export const NOTHING_USED: SkillUsage = {
  steps: 0,
  api_calls: 0,
  llm_calls: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cost_usd: 0,
};

/** Counts what a run costs; a part's meter passes everything on to the run it belongs to. */
export class Meter implements RunMeter {
  #usage: SkillUsage;

  /** @param before what the run had used when it paused */
  constructor(
    before: SkillUsage = NOTHING_USED,
    private readonly parent?: RunMeter,
  ) {
    this.#usage = before;
  }

  usage(): SkillUsage {
    return this.#usage;
  }

  step(): void {
    this.#usage = { ...this.#usage, steps: this.#usage.steps + 1 };
    this.parent?.step();
  }

  apiCall(): void {
    this.#usage = { ...this.#usage, api_calls: this.#usage.api_calls + 1 };
    this.parent?.apiCall();
  }

  lookup(found: boolean): void {
    const { cache_lookups = 0, cache_hits = 0 } = this.#usage;
    this.#usage = {
      ...this.#usage,
      cache_lookups: cache_lookups + 1,
      cache_hits: cache_hits + (found ? 1 : 0),
    };
    this.parent?.lookup(found);
  }

  modelCall(call: Parameters<RunMeter['modelCall']>[0]): void {
    const used = this.#usage;
    this.#usage = {
      ...used,
      llm_calls: used.llm_calls + 1,
      prompt_tokens: used.prompt_tokens + call.promptTokens,
      completion_tokens: used.completion_tokens + call.completionTokens,
      cost_usd: used.cost_usd + call.costUsd,
    };
    this.parent?.modelCall(call);
  }
}
