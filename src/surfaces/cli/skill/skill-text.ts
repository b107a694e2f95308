import { snaked } from '../../../core/domain/json.js';
import type { SkillRun, SkillSummary } from '../../../core/domain/skill.js';
import type { RankedSkill } from '../../../core/ports/index.js';
import type { SkillFault, SkillFigures, SkillRoute, SkillTestReport } from '../../../core/workbench.js';
import { formatTable, oneLine } from '../../printable.js';
import { toSkillRunJson } from '../../reply-json.js';

/** How a test case came out, on the wire. */
export function toTestJson({ version: skillVersion, run, ...report }: SkillTestReport) {
  return { ...snaked({ ...report, skillVersion }), run: run && toSkillRunJson(run) };
}

/** Where a request would go, on the wire. */
export function toRouteJson(route: SkillRoute): Record<string, unknown> {
  const { kind, by, reason, confidence, complexity, mode = null, question = null, options = [] } = route;
  return {
    ...{ kind, by, reason, confidence, complexity, mode },
    skills: (route.skills ?? []).map(toRankedJson),
    ...{ question, options },
    ranked: route.ranked.map(toRankedJson),
    duration_ms: Math.round(route.durationMs * 1000) / 1000,
  };
}

/** Figures of a skill and version, on the wire. */
export function toStatsJson({ meanDurationMs, meanSteps, savedMs, ...stats }: SkillFigures) {
  return {
    ...snaked(stats),
    mean_duration_ms: rounded(meanDurationMs),
    mean_steps: rounded(meanSteps),
    saved_ms: savedMs === null ? null : rounded(savedMs),
  };
}

function toRankedJson({ skillId, version, title, score, why }: RankedSkill): Record<string, unknown> {
  return { skill_id: skillId, version, title, score, why };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

type Width = { readonly width?: number };

/** All skills as a table. */
export function formatSkills(skills: readonly SkillSummary[], width: Width): string {
  if (skills.length === 0) return 'There is no skill.\n';
  const rows = skills.map((skill) => [
    skill.id,
    skill.version,
    skill.status,
    skill.templateType === null ? skill.type : `${skill.type}, ${skill.templateType}`,
    skill.effect,
    skill.reach,
    skill.title,
  ]);
  return `${formatTable(['ID', 'VERSION', 'STATUS', 'TYPE', 'EFFECT', 'REACH', 'TITLE'], rows, width)}\n`;
}

/** One line a fault, in the form editors and terminals open: `file:line code message`. */
export function formatFaults(faults: readonly SkillFault[]): string {
  return faults
    .map(
      ({ file, line, code, message, severity }) =>
        `${oneLine(file)}:${line} ${severity === 'warning' ? 'warning ' : ''}${code} ${oneLine(message)}\n`,
    )
    .join('');
}

/** One line a case, and what differed. */
export function formatTests(reports: readonly SkillTestReport[]): string {
  const lines = reports.flatMap(({ skillId, version, name, file, passed, differences }) => [
    `${passed ? 'ok  ' : 'FAIL'}  ${skillId} ${version}  ${oneLine(name)}  (${oneLine(file)})`,
    ...differences.map((difference) => `      ${oneLine(difference)}`),
  ]);
  const failed = reports.filter(({ passed }) => !passed).length;
  const cases = reports.length === 1 ? '1 case' : `${reports.length} cases`;
  return `${[...lines, `${cases}, ${failed === 0 ? 'all passed' : `${failed} failed`}`].join('\n')}\n`;
}

/** Where a request would go, and why. */
export function formatRoute(route: SkillRoute): string {
  const { kind, skills = [], options = [] } = route;
  const says = {
    run: `${skills.map(({ skillId }) => skillId).join(route.mode === 'parallel' ? ' and ' : ', then ')}`,
    ask: `a question: ${route.question ?? ''}`,
    none: 'no skill',
  }[kind];
  const lines = [
    `Goes to     ${says}`,
    `Decided by  ${route.by}: ${route.reason}`,
    `Confidence  ${route.confidence.toFixed(2)}, complexity ${route.complexity}, ${route.durationMs.toFixed(2)} ms`,
    ...options.map(({ id, label }) => `  ${id}  ${label}`),
    ...(route.ranked.length === 0 ? [] : ['Triggers', ...route.ranked.map(formatRanked)]),
  ];
  return `${lines.map((line) => line.replace(/\s*[\r\n]+\s*/g, ' ')).join('\n')}\n`;
}

function formatRanked({ skillId, version, score, why }: RankedSkill): string {
  return `  ${score.toFixed(2)}  ${skillId} ${version}${why.length === 0 ? '' : `: ${oneLine(why.join('; '))}`}`;
}

/** Figures by skill and version. */
export function formatStats(stats: readonly SkillFigures[], width: Width): string {
  if (stats.length === 0) return 'No skill has run yet.\n';
  const head = ['SKILL', 'VERSION', 'USES', 'FAILED', 'HANDOFFS', 'MEAN MS', 'STEPS', 'CALLS'];
  const rows = stats.map((one) => [
    one.skillId,
    one.skillVersion,
    String(one.uses),
    String(one.failed),
    String(one.handoffs),
    one.meanDurationMs.toFixed(1),
    one.meanSteps.toFixed(1),
    String(one.apiCalls),
    String(one.llmCalls),
    String(one.tokens),
    one.costUsd.toFixed(4),
    percent(one.cacheHitRate),
    percent(one.accuracy),
    String(one.falsePositives),
    percent(one.repeatUse),
    percent(one.satisfaction),
    percent(one.testsPassed),
    goalOf(one),
    `${one.lastUsedAt.slice(0, 16).replace('T', ' ')}`,
  ]);
  const all = [
    ...head,
    'MODEL',
    'TOKENS',
    'USD',
    'CACHED',
    'ACCURACY',
    'WRONG',
    'AGAIN',
    'HELPFUL',
    'TESTS',
    'GOAL',
    'LAST USE (UTC)',
  ];
  return `${formatTable(all, rows, { ...width, right: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] })}\n`;
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(0)} %`;
}

/** `BELOW` where a goal of the pack is missed, with the goal. */
function goalOf({ below, targetMs, expectedAccuracy, uses, failed, accuracy }: SkillFigures): string {
  if (below.length === 0) {
    const measured = (targetMs !== null && uses > failed) || (expectedAccuracy !== null && accuracy !== null);
    return measured ? 'met' : '-';
  }
  const missed = below.map((goal) =>
    goal === 'time' ? `${(targetMs ?? 0) / 1_000} s` : percent(expectedAccuracy),
  );
  return `BELOW ${missed.join(', ')}`;
}

/** Runs that wait for a person. */
export function formatWaiting(runs: readonly SkillRun[], width: Width): string {
  if (runs.length === 0) return 'No run waits for a person.\n';
  const rows = runs.map(({ runId, skillId, skillVersion, handoff }) => [
    runId,
    skillId,
    skillVersion,
    handoff?.trigger ?? '-',
    (handoff?.options ?? []).map(({ id }) => id).join(' '),
    handoff?.question ?? '',
  ]);
  return `${formatTable(['RUN', 'SKILL', 'VERSION', 'TRIGGER', 'OPTIONS', 'QUESTION'], rows, width)}\n`;
}
