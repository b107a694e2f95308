import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HubError } from '../core/errors.js';
import { type Figures, passFigures, type ScenarioScore } from './figures.js';

const file = z.object({
  provider: z.string(),
  k: z.number().int().min(1),
  scenarios: z.array(
    z.object({
      id: z.string(),
      category: z.string(),
      language: z.string(),
      agents: z.array(z.string()),
      passed: z.number().int().min(0),
      runs: z.number().int().min(1),
    }),
  ),
});

/** What was reached before. */
export type Baseline = z.infer<typeof file>;

/** A run beside what was reached before, over the scenarios that both have. */
export interface Comparison {
  /** How many both have. */
  readonly compared: number;
  /** The figures of before. */
  readonly before: Pick<Figures, 'all' | 'byCategory' | 'byLanguage' | 'byAgent'>;
  /** The groups that are worse than before: `all`, `category withdrawal`, `language en`. */
  readonly undercut: readonly string[];
  /** Scenarios that pass less often than before, and more often. */
  readonly worse: readonly string[];
  readonly better: readonly string[];
}

const SMALLEST = 1e-9;

/** @throws HubError `usage` where it is no such file */
export function readBaseline(path: string): Baseline {
  try {
    return file.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : String(error);
    throw new HubError('usage', `${path} is no baseline: ${reason}; the report.json of a run is one`, {
      path,
    });
  }
}

/** Groups of agents are shown and do not count: a better route moves conversations from one to another. */
export function compare(baseline: Baseline, scores: readonly ScenarioScore[], k: number): Comparison {
  const then = new Map(baseline.scenarios.map((score) => [score.id, score]));
  const now = scores.filter(({ id }) => then.has(id));
  const known = new Set(now.map(({ id }) => id));
  // A scenario stands in the group that it is in now: its category may have been given another name.
  const before = now.map((score): ScenarioScore => ({ ...score, ...pick(then.get(score.id)) }));
  const [was, is] = [passFigures(before, baseline.k), passFigures(now, k)];
  const fell = (name: string, old: number | undefined, fresh: number | undefined): readonly string[] =>
    (fresh ?? 0) < (old ?? 0) - SMALLEST ? [name] : [];
  const groups = (name: string, by: 'byCategory' | 'byLanguage'): readonly string[] =>
    Object.keys(was[by]).flatMap((one) =>
      fell(`${name} ${one}`, was[by][one]?.passAt1, is[by][one]?.passAt1),
    );
  const rate = ({ passed, runs }: Pick<ScenarioScore, 'passed' | 'runs'>): number => passed / runs;
  const changed = (sign: 1 | -1): readonly string[] =>
    now.flatMap((score) => {
      const old = then.get(score.id);
      return old && sign * (rate(score) - rate(old)) > SMALLEST ? [score.id] : [];
    });
  return {
    compared: known.size,
    before: was,
    undercut: [
      ...fell('all', was.all.passAt1, is.all.passAt1),
      ...groups('category', 'byCategory'),
      ...groups('language', 'byLanguage'),
    ],
    worse: changed(-1),
    better: changed(1),
  };
}

function pick(score: ScenarioScore | undefined): Partial<ScenarioScore> {
  return score ? { passed: score.passed, runs: score.runs, agents: score.agents } : {};
}
