import type { SkillStats } from '../core/ports/skills.js';
import type { SkillFigures, SkillGoals } from '../core/workbench.js';
import type { Pack } from './pack/pack.js';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  second: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

/** `20 minutes`, `30 s`, `1.5 hours` in milliseconds; null where it cannot be read. */
export function readDuration(text: string): number | null {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|[a-z]+?)s?$/i.exec(text.trim()) ?? [];
  const size = UNITS[unit.toLowerCase()];
  return number === undefined || size === undefined ? null : Number(number) * size;
}

/** `85%`, `0.85` as a share of 1; null where it cannot be read. */
export function readShare(text: string): number | null {
  const [, number, sign] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text) ?? [];
  const share = number === undefined ? Number.NaN : Number(number) / (sign === '%' ? 100 : 1);
  return share >= 0 && share <= 1 ? share : null;
}

/** What a skill is to reach, as its `metrics` say. */
function goalsOf({ descriptor }: Pack): SkillGoals {
  const {
    target_time: target,
    baseline_time: baseline,
    expected_accuracy: accuracy,
  } = descriptor.metrics ?? {};
  return {
    targetMs: target === undefined ? null : readDuration(target),
    baselineMs: baseline === undefined ? null : readDuration(baseline),
    expectedAccuracy: accuracy === undefined ? null : readShare(accuracy),
  };
}

/** The figures of a skill beside what it is to reach; a pack that is gone has no goals. */
export function withGoals(stats: SkillStats, pack: Pack | undefined): SkillFigures {
  const goals =
    pack === undefined ? { targetMs: null, baselineMs: null, expectedAccuracy: null } : goalsOf(pack);
  const { targetMs, baselineMs, expectedAccuracy } = goals;
  const ran = stats.uses > stats.failed;
  const slow = ran && targetMs !== null && stats.meanDurationMs > targetMs;
  const inexact = stats.accuracy !== null && expectedAccuracy !== null && stats.accuracy < expectedAccuracy;
  return {
    ...stats,
    ...goals,
    savedMs: ran && baselineMs !== null ? baselineMs - stats.meanDurationMs : null,
    below: [...(slow ? (['time'] as const) : []), ...(inexact ? (['accuracy'] as const) : [])],
  };
}
