import type { Database } from 'better-sqlite3';
import type { SkillStats } from '../../src/core/ports/skill-run-store.js';

interface Row extends Omit<SkillStats, 'accuracy'> {
  readonly judged: number;
  readonly right: number;
}

/** Figures over all stored runs, by skill and version. */
export function prepareSkillStats(sqlite: Database): () => readonly SkillStats[] {
  const statement = sqlite.prepare<[], Row>(`
    SELECT skill_id AS skillId, skill_version AS skillVersion, count(*) FILTER (WHERE used) AS uses,
      count(*) FILTER (WHERE used AND status = 'failed') AS failed,
      coalesce(sum(handoffs) FILTER (WHERE used), 0) AS handoffs,
      coalesce(avg(duration_ms) FILTER (WHERE used AND status = 'done'), 0) AS meanDurationMs,
      coalesce(avg(usage ->> 'steps') FILTER (WHERE used AND status = 'done'), 0) AS meanSteps,
      coalesce(sum(usage ->> 'api_calls') FILTER (WHERE used), 0) AS apiCalls,
      coalesce(sum(usage ->> 'llm_calls') FILTER (WHERE used), 0) AS llmCalls,
      coalesce(sum((usage ->> 'prompt_tokens') + (usage ->> 'completion_tokens')) FILTER (WHERE used), 0) AS tokens,
      coalesce(sum(usage ->> 'cost_usd') FILTER (WHERE used), 0) AS costUsd,
      count(correct) AS judged, coalesce(sum(correct), 0) AS right,
      coalesce(max(updated_at) FILTER (WHERE used), max(updated_at)) AS lastUsedAt
    FROM (SELECT *, caller <> 'test' AS used FROM skill_runs)
    GROUP BY skill_id, skill_version ORDER BY skill_id, skill_version`);
  return () =>
    statement
      .all()
      .map(({ judged, right, ...row }) => ({ ...row, accuracy: judged === 0 ? null : right / judged }));
}
