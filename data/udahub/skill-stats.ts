import type { Database } from 'better-sqlite3';
import type { SkillStats } from '../../src/core/ports/skill-run-store.js';

interface Row extends Omit<SkillStats, 'accuracy'> {
  readonly judged: number;
  readonly right: number;
}

/** Figures over all stored runs, by skill and version. */
export function prepareSkillStats(sqlite: Database): () => readonly SkillStats[] {
  const statement = sqlite.prepare<[], Row>(`
    SELECT skill_id AS skillId, skill_version AS skillVersion, count(*) AS uses,
      sum(status = 'failed') AS failed, sum(handoffs) AS handoffs,
      coalesce(avg(CASE WHEN status = 'done' THEN duration_ms END), 0) AS meanDurationMs,
      coalesce(avg(CASE WHEN status = 'done' THEN usage ->> 'steps' END), 0) AS meanSteps,
      sum(usage ->> 'api_calls') AS apiCalls, sum(usage ->> 'llm_calls') AS llmCalls,
      sum((usage ->> 'prompt_tokens') + (usage ->> 'completion_tokens')) AS tokens,
      sum(usage ->> 'cost_usd') AS costUsd,
      sum(correct IS NOT NULL) AS judged, coalesce(sum(correct), 0) AS right, max(updated_at) AS lastUsedAt
    FROM skill_runs GROUP BY skill_id, skill_version ORDER BY skill_id, skill_version`);
  return () =>
    statement
      .all()
      .map(({ judged, right, ...row }) => ({ ...row, accuracy: judged === 0 ? null : right / judged }));
}
