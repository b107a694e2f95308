import type { Database } from 'better-sqlite3';
import type { SkillStats } from '../../src/core/ports/skill-run-store.js';

/** Figures over all stored runs, by skill and version. A share of nothing is null. */
export function prepareSkillStats(sqlite: Database): () => readonly SkillStats[] {
  const statement = sqlite.prepare<[], SkillStats>(`
    WITH callers AS (
      SELECT skill_id, skill_version, avg(runs > 1) AS again FROM (
        SELECT skill_id, skill_version, count(*) AS runs FROM skill_runs WHERE caller <> 'test'
        GROUP BY skill_id, skill_version, caller) GROUP BY skill_id, skill_version),
    rated AS (
      SELECT skill_id, skill_version, avg(helpful) AS helpful FROM (
        SELECT DISTINCT skill_id, skill_version, ticket_id FROM skill_runs WHERE caller <> 'test')
      JOIN ratings USING (ticket_id) GROUP BY skill_id, skill_version)
    SELECT skill_id AS skillId, skill_version AS skillVersion, count(*) FILTER (WHERE used) AS uses,
      count(*) FILTER (WHERE used AND status = 'failed') AS failed,
      coalesce(sum(handoffs) FILTER (WHERE used), 0) AS handoffs,
      coalesce(avg(duration_ms) FILTER (WHERE used AND status = 'done'), 0) AS meanDurationMs,
      coalesce(avg(usage ->> 'steps') FILTER (WHERE used AND status = 'done'), 0) AS meanSteps,
      coalesce(sum(usage ->> 'api_calls') FILTER (WHERE used), 0) AS apiCalls,
      coalesce(sum(usage ->> 'llm_calls') FILTER (WHERE used), 0) AS llmCalls,
      coalesce(sum((usage ->> 'prompt_tokens') + (usage ->> 'completion_tokens')) FILTER (WHERE used), 0) AS tokens,
      coalesce(sum(usage ->> 'cost_usd') FILTER (WHERE used), 0) AS costUsd,
      avg(correct) FILTER (WHERE used) AS accuracy, count(*) FILTER (WHERE used AND correct = 0) AS falsePositives,
      sum(usage ->> 'cache_hits') FILTER (WHERE used) * 1.0
        / sum(usage ->> 'cache_lookups') FILTER (WHERE used) AS cacheHitRate,
      max(again) AS repeatUse, max(helpful) AS satisfaction,
      avg(correct) FILTER (WHERE NOT used) AS testsPassed,
      coalesce(max(updated_at) FILTER (WHERE used), max(updated_at)) AS lastUsedAt
    FROM (SELECT *, caller <> 'test' AS used FROM skill_runs)
      LEFT JOIN callers USING (skill_id, skill_version) LEFT JOIN rated USING (skill_id, skill_version)
    GROUP BY skill_id, skill_version ORDER BY skill_id, skill_version`);
  return () => statement.all();
}
