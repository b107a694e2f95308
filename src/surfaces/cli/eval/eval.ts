import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEvaluation } from '../../../app/eval.js';
import type { Config } from '../../../config/config.js';
import { HubError } from '../../../core/errors.js';
import { compare, readBaseline } from '../../../eval/baseline.js';
import { figuresOf, scoreOf } from '../../../eval/figures.js';
import { evaluationPage } from '../../../eval/page.js';
import { type Evaluation, toBaselineJson, toReportJson } from '../../../eval/report.js';
import { readSuites, runSuites, suiteFiles, unknownNames } from '../../../eval/run-suites.js';
import { type CliIo, EXIT, type Terminal } from '../../command.js';
import { createProgressLine } from '../../progress.js';
import { formatEvaluation } from './eval-text.js';

/** What the command line of `eval` says. */
export interface EvalOptions {
  readonly k: number;
  readonly concurrency: number;
  readonly baseline?: string;
  readonly out?: string;
  readonly filter?: string;
  readonly json?: boolean;
}

/** Where it happens. */
export interface EvalContext {
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
  const world = await openEvaluation(config);
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
