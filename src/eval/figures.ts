import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { addUsage, NO_USAGE, type Usage } from '../core/domain/turn.js';
import { HubError } from '../core/errors.js';
import { BLAMED_STEPS, type BlamedStep, type PlayedRun } from './run.js';
import type { Scenario } from './scenario.js';

/** A scenario and how often it was played; not at all where it needs a model and there is none. */
export interface PlayedScenario {
  readonly scenario: Scenario;
  readonly runs: readonly PlayedRun[];
}

/** How often a group of scenarios passed. */
export interface PassFigures {
  readonly scenarios: number;
  /** Of one run: how likely it is to pass. */
  readonly passAt1: number;
  /** How likely it is that all of k runs pass. */
  readonly passAllK: number;
}

/** Everything that was counted. */
export interface Figures {
  readonly all: PassFigures;
  readonly byCategory: Readonly<Record<string, PassFigures>>;
  readonly byLanguage: Readonly<Record<string, PassFigures>>;
  /** A conversation counts for each agent that worked in it. */
  readonly byAgent: Readonly<Record<string, PassFigures>>;
  /** Failed runs, by the step that is blamed. */
  readonly blame: Readonly<Partial<Record<BlamedStep, number>>>;
  readonly turns: number;
  readonly turnMs: { readonly median: number; readonly p95: number };
  readonly usage: Usage;
  /** US dollars; null where nothing was solved. */
  readonly costPerSolved: number | null;
}

/** What a scenario came to, in one line: enough to compare with. */
export interface ScenarioScore {
  readonly id: string;
  readonly category: string;
  readonly language: string;
  readonly agents: readonly string[];
  readonly passed: number;
  readonly runs: number;
}

/** Counts what was played; scenarios that were skipped count nowhere. @param k runs a scenario should have */
export function figuresOf(played: readonly PlayedScenario[], k: number): Figures {
  const runs = played.flatMap((one) => one.runs);
  const turns = runs.flatMap((run) => run.turns);
  const scores = played.flatMap((one) => (one.runs.length > 0 ? [scoreOf(one)] : []));
  const usage = runs.reduce((sum, run) => addUsage(sum, run.usage), NO_USAGE);
  const solved = runs.filter(({ passed }) => passed).length;
  const times = turns.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    ...passFigures(scores, k),
    blame: Object.fromEntries(
      BLAMED_STEPS.flatMap((step) => {
        const count = runs.filter(({ blame }) => blame?.step === step).length;
        return count > 0 ? [[step, count]] : [];
      }),
    ),
    turns: turns.length,
    turnMs: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
    usage,
    costPerSolved: solved === 0 ? null : usage.costUsd / solved,
  };
}

/** The figures that a baseline is compared by. */
export function passFigures(
  scores: readonly ScenarioScore[],
  k: number,
): Pick<Figures, 'all' | 'byCategory' | 'byLanguage' | 'byAgent'> {
  return {
    all: passOf(scores, k),
    byCategory: grouped(scores, k, ({ category }) => [category]),
    byLanguage: grouped(scores, k, ({ language }) => [language]),
    byAgent: grouped(scores, k, ({ agents }) => agents),
  };
}

/** What a scenario that was played came to. */
export function scoreOf({ scenario, runs }: PlayedScenario): ScenarioScore {
  const { id, category, language } = scenario;
  const worked = runs.flatMap(({ turns }) => turns.flatMap(({ answer }) => answer?.agents ?? []));
  return {
    ...{ id, category, language },
    agents: [...new Set(worked)].filter((agent) => agent !== 'triage').sort(),
    passed: runs.filter(({ passed }) => passed).length,
    runs: runs.length,
  };
}

function grouped(
  scores: readonly ScenarioScore[],
  k: number,
  groupsOf: (score: ScenarioScore) => readonly string[],
): Readonly<Record<string, PassFigures>> {
  const names = [...new Set(scores.flatMap(groupsOf))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      passOf(
        scores.filter((score) => groupsOf(score).includes(name)),
        k,
      ),
    ]),
  );
}

function passOf(scores: readonly ScenarioScore[], k: number): PassFigures {
  const mean = (of: (score: ScenarioScore) => number): number =>
    scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  return {
    scenarios: scores.length,
    passAt1: mean(({ passed, runs }) => passed / runs),
    passAllK: mean(({ passed, runs }) => allPass(passed, runs, Math.min(k, runs))),
  };
}

/** The share of the choices of k runs out of n in which all c that passed are: the unbiased estimate of pass^k. */
function allPass(passed: number, runs: number, k: number): number {
  let share = 1;
  for (let at = 0; at < k; at += 1) share *= Math.max(0, passed - at) / (runs - at);
  return share;
}

function quantile(sorted: readonly number[], share: number): number {
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 10) / 10;
}

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
type Baseline = z.infer<typeof file>;

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
  // A scenario is in the group that it is in now: its category may have been given another name.
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
