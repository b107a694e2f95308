import type { SkillRunRecord, SkillStats } from '../../core/ports/skill-run-store.js';

/** Figures of each skill and version over some runs, by id and version. Test cases count for the accuracy alone. */
export function statsOf(runs: readonly SkillRunRecord[]): readonly SkillStats[] {
  const groups = new Map<string, SkillRunRecord[]>();
  for (const run of runs) {
    const key = JSON.stringify([run.skillId, run.skillVersion]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.keys()].sort().map((key) => figuresOf(groups.get(key) ?? []));
}

function figuresOf(runs: readonly SkillRunRecord[]): SkillStats {
  const used = runs.filter(({ caller }) => caller !== 'test');
  const done = used.filter(({ status }) => status === 'done');
  const judged = runs.filter(({ correct }) => correct !== null);
  const sum = (of: readonly SkillRunRecord[], figure: (run: SkillRunRecord) => number): number =>
    of.reduce((total, run) => total + figure(run), 0);
  const mean = (figure: (run: SkillRunRecord) => number): number =>
    done.length === 0 ? 0 : sum(done, figure) / done.length;
  const times = (used.length > 0 ? used : runs).map(({ updatedAt }) => updatedAt).sort();
  return {
    skillId: runs[0]?.skillId ?? '',
    skillVersion: runs[0]?.skillVersion ?? '',
    uses: used.length,
    failed: used.filter(({ status }) => status === 'failed').length,
    handoffs: sum(used, ({ handoffs }) => handoffs),
    meanDurationMs: mean(({ durationMs }) => durationMs),
    meanSteps: mean(({ usage }) => usage.steps),
    apiCalls: sum(used, ({ usage }) => usage.api_calls),
    llmCalls: sum(used, ({ usage }) => usage.llm_calls),
    tokens: sum(used, ({ usage }) => usage.prompt_tokens + usage.completion_tokens),
    costUsd: sum(used, ({ usage }) => usage.cost_usd),
    accuracy: judged.length === 0 ? null : sum(judged, ({ correct }) => Number(correct)) / judged.length,
    lastUsedAt: times.at(-1) ?? '',
  };
}
