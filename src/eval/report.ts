import { type Comparison, type Figures, type PassFigures, type PlayedScenario, scoreOf } from './figures.js';
import type { PlayedRun } from './run.js';

/** A whole evaluation. */
export interface Evaluation {
  readonly company: string;
  readonly provider: string;
  readonly k: number;
  readonly seconds: number;
  readonly played: readonly PlayedScenario[];
  readonly figures: Figures;
  /** Null where there is nothing to compare with. */
  readonly comparison: (Comparison & { readonly file: string }) | null;
}

/** The scenarios that nobody played: they need a model to simulate their customers. */
export function skippedOf({ played }: Evaluation): readonly PlayedScenario[] {
  return played.filter(({ runs }) => runs.length === 0);
}

/** What another run is compared with: how often each scenario passed. */
export function toBaselineJson({ provider, k, played }: Evaluation): Readonly<Record<string, unknown>> {
  return { provider, k, scenarios: played.filter(({ runs }) => runs.length > 0).map(scoreOf) };
}

/** The report for programs: figures, and of each scenario what came of it; what was said only where it failed. */
export function toReportJson(evaluation: Evaluation): Readonly<Record<string, unknown>> {
  const { company, seconds, figures, comparison, played } = evaluation;
  const { usage, turnMs, costPerSolved } = figures;
  return {
    company,
    ...toBaselineJson(evaluation),
    seconds: Math.round(seconds * 10) / 10,
    figures: {
      all: toPassJson(figures.all),
      by_category: mapValues(figures.byCategory, toPassJson),
      by_language: mapValues(figures.byLanguage, toPassJson),
      by_agent: mapValues(figures.byAgent, toPassJson),
      blame: figures.blame,
      turns: figures.turns,
      turn_ms: turnMs,
      llm_calls: usage.llmCalls,
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      cost_usd: usage.costUsd,
      cost_per_solved_usd: costPerSolved,
    },
    skipped: skippedOf(evaluation).map(({ scenario }) => scenario.id),
    baseline: comparison && {
      file: comparison.file,
      compared: comparison.compared,
      undercut: comparison.undercut,
      worse: comparison.worse,
      better: comparison.better,
    },
    failed: played.flatMap(({ scenario, runs }) =>
      runs
        .filter(({ passed }) => !passed)
        .map((run) => ({ id: scenario.id, suite: scenario.suite, ...toRunJson(run) })),
    ),
  };
}

function toPassJson({ scenarios, passAt1, passAllK }: PassFigures) {
  return { scenarios, pass_at_1: rounded(passAt1), pass_all_k: rounded(passAllK) };
}

function toRunJson({ turns, failures, blame }: PlayedRun) {
  return {
    blame: blame && { ...blame, turn: blame.turn + 1 },
    failures: [...turns.flatMap((turn) => turn.failures), ...failures].map(({ message }) => message),
    turns: turns.map(({ said, answer, ms }) => ({
      said,
      reply: answer?.reply ?? null,
      citations: answer?.citations.map(({ articleId }) => articleId) ?? [],
      tools: answer?.toolCalls.map(({ tool, ok }) => ({ tool, ok })) ?? [],
      pending: answer?.pending?.kind ?? null,
      escalation: answer?.escalation?.reason ?? null,
      ms: Math.round(ms),
    })),
  };
}

function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  map: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
