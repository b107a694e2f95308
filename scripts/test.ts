import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** Outcome of one part of the run, added up in the last line. */
interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of vitest's JSON report that is counted. */
const reportSchema = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

const [command = process.execPath] = process.argv;

const heading = (text: string): void => {
  process.stdout.write(`\n== ${text}\n`);
};

/** Runs a tool of this project with our streams; true where it ended well. */
function run(tool: string, args: readonly string[]): boolean {
  const path = join('node_modules', tool);
  if (!existsSync(path)) {
    process.stdout.write(`${path} is missing: run npm ci first\n`);
    return false;
  }
  const { status, signal, error } = spawnSync(command, [path, ...args], { stdio: 'inherit' });
  if (signal !== null || error) process.stdout.write(`${path} was stopped: ${error?.message ?? signal}\n`);
  return status === 0;
}

function check(name: string, tool: string, args: readonly string[]): Tally {
  heading(name);
  const ok = run(tool, args);
  process.stdout.write(`${ok ? 'passed' : 'FAILED'}: ${name}\n`);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/** All vitest tests, or those that `args` pick. A run that crashes or runs nothing has failed. */
function tests(args: readonly string[]): Tally {
  heading('tests');
  const folder = mkdtempSync(join(tmpdir(), 'uda-test-'));
  try {
    const file = join(folder, 'report.json');
    const ended = run('vitest/vitest.mjs', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ]);
    return count(existsSync(file) ? readFileSync(file, 'utf8') : null, ended);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function count(json: string | null, ended: boolean): Tally {
  const crashed = { passed: 0, failed: 1, skipped: 0 };
  if (json === null) return crashed;
  const report = reportSchema.parse(JSON.parse(json));
  // A file that could not be loaded failed without having a failed test.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + broken;
  const skipped = report.numPendingTests + report.numTodoTests;
  const unexplained = failed === 0 && (!ended || !report.success || passed === 0);
  if (unexplained) process.stdout.write('vitest failed without a failed test, or ran none\n');
  return { passed, failed: unexplained ? 1 : failed, skipped };
}

const started = performance.now();
const parts = [
  check('types (tsc)', 'typescript/bin/tsc', ['--noEmit']),
  check('lint and format (biome)', '@biomejs/biome/bin/biome', ['check', '--max-diagnostics=40']),
  tests(process.argv.slice(2)),
];
const sum = (key: keyof Tally): number => parts.reduce((total, part) => total + part[key], 0);

heading(`summary, after ${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
const skipped = sum('skipped');
process.stdout.write(
  `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
);
