import type { SkillSummary } from '../../../core/domain/skill.js';
import type { RankedSkill } from '../../../core/ports/index.js';
import type { SkillFigures, SkillRoute, SkillTestReport } from '../../../core/workbench.js';
import { toSkillRunJson } from '../../skill-run-json.js';

/** What everybody may know of a skill, on the wire. */
export function toSkillJson(skill: SkillSummary): Record<string, unknown> {
  return {
    id: skill.id,
    version: skill.version,
    title: skill.title,
    description: skill.description,
    owner: skill.owner,
    status: skill.status,
    type: skill.type,
    template_type: skill.templateType,
    tags: skill.tags,
    effect: skill.effect,
    reach: skill.reach,
    approval: skill.approval,
    input_schema: skill.inputSchema,
    output_schema: skill.outputSchema,
  };
}

/** How a test case came out, on the wire. */
export function toTestJson(report: SkillTestReport): Record<string, unknown> {
  return {
    skill_id: report.skillId,
    skill_version: report.version,
    name: report.name,
    file: report.file,
    passed: report.passed,
    differences: report.differences,
    run: report.run === null ? null : toSkillRunJson(report.run),
  };
}

/** Where a request would go, on the wire. */
export function toRouteJson(route: SkillRoute): Record<string, unknown> {
  return {
    kind: route.kind,
    by: route.by,
    reason: route.reason,
    confidence: route.confidence,
    complexity: route.complexity,
    mode: route.mode ?? null,
    skills: (route.skills ?? []).map(toRankedJson),
    question: route.question ?? null,
    options: route.options ?? [],
    ranked: route.ranked.map(toRankedJson),
    duration_ms: Math.round(route.durationMs * 1000) / 1000,
  };
}

/** Figures of a skill and version, on the wire. */
export function toStatsJson(stats: SkillFigures): Record<string, unknown> {
  return {
    skill_id: stats.skillId,
    skill_version: stats.skillVersion,
    uses: stats.uses,
    failed: stats.failed,
    handoffs: stats.handoffs,
    mean_duration_ms: rounded(stats.meanDurationMs),
    mean_steps: rounded(stats.meanSteps),
    api_calls: stats.apiCalls,
    llm_calls: stats.llmCalls,
    tokens: stats.tokens,
    cost_usd: stats.costUsd,
    cache_hit_rate: stats.cacheHitRate,
    accuracy: stats.accuracy,
    false_positives: stats.falsePositives,
    repeat_use: stats.repeatUse,
    satisfaction: stats.satisfaction,
    tests_passed: stats.testsPassed,
    target_ms: stats.targetMs,
    baseline_ms: stats.baselineMs,
    expected_accuracy: stats.expectedAccuracy,
    saved_ms: stats.savedMs === null ? null : rounded(stats.savedMs),
    below: stats.below,
    last_used_at: stats.lastUsedAt,
  };
}

function toRankedJson({ skillId, version, title, score, why }: RankedSkill): Record<string, unknown> {
  return { skill_id: skillId, version, title, score, why };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
