import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEvaluation } from '../../../app/eval.js';
import type { Config } from '../../../config/config.js';
import { HubError } from '../../../core/errors.js';
import { compare, figuresOf, type PassFigures, readBaseline, scoreOf } from '../../../eval/figures.js';
import {
  type Evaluation,
  evaluationPage,
  skippedOf,
  toBaselineJson,
  toReportJson,
} from '../../../eval/page.js';
import { readSuites, runSuites, suiteFiles, unknownNames } from '../../../eval/run-suites.js';
import { type CliIo, EXIT } from '../../command.js';
import { formatTable } from '../../printable.js';
import { createProgressLine, type Terminal } from '../../progress-line.js';

/** The report on a terminal. */
function formatEvaluation(evaluation: Evaluation): string {
  const { figures, comparison, k, provider, seconds } = evaluation;
  const { before } = comparison ?? {};
  const rows = [
    row('all', '', figures.all, before?.all),
    ...group('category', figures.byCategory, before?.byCategory),
    ...group('language', figures.byLanguage, before?.byLanguage),
    ...group('agent', figures.byAgent, before?.byAgent),
  ];
  const skipped = skippedOf(evaluation);
  const { usage, turnMs, turns, costPerSolved } = figures;
  const blame = Object.entries(figures.blame).sort(([, a], [, b]) => b - a);
  const failed = evaluation.played.filter(({ runs }) => runs.some(({ passed }) => !passed));
  const lines = [
    formatTable(['by', '', 'scenarios', 'pass@1', `pass^${k}`, 'baseline', 'change'], rows, {
      right: [2, 3, 4, 5, 6],
    }),
    '',
    ...(failed.length === 0
      ? []
      : [
          formatTable(
            ['failed', 'step', 'turn', 'why'],
            failed.map(({ scenario, runs }) => {
              const blamed = runs.find(({ passed }) => !passed)?.blame;
              return [scenario.id, blamed?.step ?? '', String((blamed?.turn ?? 0) + 1), blamed?.why ?? ''];
            }),
            { right: [2] },
          ),
          '',
        ]),
    ...(skipped.length === 0
      ? []
      : [
          `skipped      ${skipped.length}: a simulated customer needs a model (--provider openai): ${skipped.map(({ scenario }) => scenario.id).join(', ')}`,
        ]),
    `first fault  ${blame.map(([step, count]) => `${step} ${count}`).join(', ') || 'none'}`,
    `provider     ${provider}`,
    `turns        ${turns} (median ${turnMs.median} ms, 95 % within ${turnMs.p95} ms)`,
    `model calls  ${usage.llmCalls}; tokens ${usage.promptTokens} in, ${usage.completionTokens} out; cost US$ ${usage.costUsd.toFixed(4)}, ${costPerSolved === null ? 'nothing solved' : `US$ ${costPerSolved.toFixed(4)} a solved ticket`}`,
    `time         ${seconds.toFixed(1)} s`,
    ...comparedLines(evaluation),
  ];
  return `${lines.join('\n')}\n`;
}

function comparedLines({ comparison }: Evaluation): readonly string[] {
  if (comparison === null) return ['baseline     none'];
  const { file, compared, undercut, worse, better } = comparison;
  return [
    `baseline     ${file}, ${compared} scenarios in both: ${undercut.length > 0 ? `UNDERCUT in ${undercut.join(', ')}` : 'not undercut'}`,
    ...(worse.length > 0 ? [`worse        ${worse.join(', ')}`] : []),
    ...(better.length > 0 ? [`better       ${better.join(', ')}`] : []),
  ];
}

function group(
  title: string,
  now: Readonly<Record<string, PassFigures>>,
  was: Readonly<Record<string, PassFigures>> | undefined,
): readonly (readonly string[])[] {
  return Object.entries(now).map(([name, pass], at) => row(at === 0 ? title : '', name, pass, was?.[name]));
}

function row(title: string, name: string, now: PassFigures, was: PassFigures | undefined): readonly string[] {
  const known = was !== undefined && was.scenarios > 0;
  const change = known ? 100 * (now.passAt1 - was.passAt1) : 0;
  return [
    title,
    name,
    String(now.scenarios),
    percent(now.passAt1),
    percent(now.passAllK),
    known ? percent(was.passAt1) : '-',
    known ? `${change > 0 ? '+' : ''}${change.toFixed(1)}` : '-',
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** What the command line of `eval` says. */
export interface EvalOptions {
  readonly k: number;
  readonly concurrency: number;
  readonly baseline?: string;
  readonly out?: string;
  readonly filter?: string;
  readonly json?: boolean;
  /** True where systems that nothing stands in for may be changed. */
  readonly realSources?: boolean;
}

/** Where it happens. */
interface EvalContext {
  readonly config: Config;
  readonly io: CliIo;
  readonly stop: AbortSignal;
}

/**
 * Plays the scenarios of the company and reports.
 * @param now milliseconds of a clock that only goes forward
 * @returns the exit code, 1 where the baseline is undercut; none where it was stopped
 * @throws HubError `usage` where a file of scenarios or the baseline is wrong
 */
export async function evaluate(
  { config, io, stop }: EvalContext,
  suites: readonly string[],
  options: EvalOptions,
  now: () => number,
): Promise<number | undefined> {
  const folder = join(config.company.folder, 'eval');
  const files = suiteFiles(folder, suites);
  const { scenarios, problems } = readSuites(files, options.filter);
  refuse(io.err, problems);
  if (scenarios.length === 0) {
    const kept = options.filter === undefined ? '' : ` with "${options.filter}" in id, category or sentence`;
    throw new HubError('usage', `There is no scenario${kept} in ${files.join(', ') || folder}`);
  }
  const compared = baselineOf(folder, config, options);
  const world = await openEvaluation(config, undefined, options.realSources);
  try {
    refuse(io.err, unknownNames(scenarios, world.facts));
    const total = options.k * scenarios.length;
    const counted = scenarios.length === 1 ? '1 scenario' : `${scenarios.length} scenarios`;
    io.err.write(`${counted} of ${world.facts.company}, ${world.facts.provider}\n`);
    const progress = createProgressLine(io.err, now);
    const begun = now();
    const played = await runSuites(scenarios, world, {
      ...options,
      signal: stop,
      onProgress: (done, failed) =>
        progress.update(done / total, `${done} of ${total} conversations, ${failed} failed`),
    }).finally(progress.done);
    if (stop.aborted) return undefined;
    const scores = played.filter(({ runs }) => runs.length > 0).map(scoreOf);
    const evaluation: Evaluation = {
      ...world.facts,
      k: options.k,
      seconds: (now() - begun) / 1000,
      played,
      figures: figuresOf(played, options.k),
      comparison: compared && { ...compare(compared.baseline, scores, options.k), file: compared.file },
    };
    if (options.out !== undefined) writeReports(options.out, evaluation, io.err);
    io.out.write(
      options.json ? `${JSON.stringify(toReportJson(evaluation))}\n` : formatEvaluation(evaluation),
    );
    return evaluation.comparison && evaluation.comparison.undercut.length > 0 ? EXIT.failed : EXIT.done;
  } finally {
    await world.close();
  }
}

/** The company's own baseline is one of the mode without a model. */
function baselineOf(folder: string, { models }: Config, { baseline }: EvalOptions) {
  const own = join(folder, 'baseline.json');
  const file = baseline ?? (models.provider === 'offline' && existsSync(own) ? own : undefined);
  return file === undefined ? null : { file, baseline: readBaseline(file) };
}

function refuse(err: Terminal, problems: readonly string[]): void {
  if (problems.length === 0) return;
  for (const problem of problems) err.write(`${problem}\n`);
  throw new HubError(
    'usage',
    `The scenarios cannot be played: correct what the lines above say (${problems.length})`,
  );
}

function writeReports(out: string, evaluation: Evaluation, err: Terminal): void {
  mkdirSync(out, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(out, name), text);
  write('report.json', `${JSON.stringify(toReportJson(evaluation), null, 1)}\n`);
  write('baseline.json', `${JSON.stringify(toBaselineJson(evaluation), null, 1)}\n`);
  write('report.html', evaluationPage(evaluation));
  err.write(`${join(out, 'report.html')}, report.json and baseline.json are written\n`);
}
