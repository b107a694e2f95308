import type { SkillRun } from '../core/domain/skill.js';

/** A run of a skill on the wire. */
export function toSkillRunJson(run: SkillRun): Record<string, unknown> {
  return {
    run_id: run.runId,
    skill_id: run.skillId,
    skill_version: run.skillVersion,
    status: run.status,
    kind: run.result?.kind ?? null,
    result: run.result?.value ?? null,
    handoff: run.handoff,
    error: run.error,
    usage: run.usage,
    duration_ms: Math.round(run.durationMs * 10) / 10,
  };
}
