import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countReport, summaryLine, type Tally } from './test-report.js';

const [command = process.execPath, , ...given] = process.argv;
/**
 * What `--fast` runs: the parts by themselves, the rules of the house, conversations from door to reply, and what is
 * checked of a company's folder. Companies that are learnt anew for a test take too long for it.
 */
const FAST = [
  'test/unit',
  'test/architecture',
  'test/integration/conversations/',
  'test/integration/company/company-check',
];
const args = given[0] === '--fast' ? [...FAST, ...given.slice(1)] : given;
/** Characters that a check may write. */
const MAX_OUTPUT = 32 * 2 ** 20;

const heading = (text: string): void => {
  process.stdout.write(`\n== ${text}\n`);
};

/** Runs a tool of this project with our streams; true where it ended well. */
async function run(tool: string, args: readonly string[]): Promise<boolean> {
  const path = join('node_modules', tool);
  if (!existsSync(path)) {
    process.stdout.write(`${path} is missing: run npm ci first\n`);
    return false;
  }
  const child = spawn(command, [path, ...args], { stdio: 'inherit' });
  const [status, signal] = await once(child, 'exit').catch((error: Error) => [null, error.message]);
  if (signal !== null) process.stdout.write(`${path} was stopped: ${signal}\n`);
  return status === 0;
}

/** Runs a tool beside the others. @returns what shows what it said, and counts it */
async function check(name: string, tool: string, args: readonly string[]): Promise<() => Tally> {
  const path = join('node_modules', tool);
  const { ok, said } = await new Promise<{ readonly ok: boolean; readonly said: string }>((resolve) => {
    execFile(command, [path, ...args], { maxBuffer: MAX_OUTPUT }, (error, out, err) =>
      resolve({
        ok: error === null,
        said: out + err + (error?.signal ? `${path} was stopped: ${error.signal}\n` : ''),
      }),
    );
  });
  return () => {
    heading(name);
    process.stdout.write(`${said}${ok ? 'passed' : 'FAILED'}: ${name}\n`);
    return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  };
}

/** All vitest tests, or those that `args` pick. A run that crashes or runs nothing has failed. */
async function tests(args: readonly string[]): Promise<Tally> {
  heading('tests');
  const folder = mkdtempSync(join(tmpdir(), 'uda-test-'));
  try {
    const file = join(folder, 'report.json');
    const ended = await run('vitest/vitest.mjs', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ]);
    const tally = countReport(existsSync(file) ? readFileSync(file, 'utf8') : null, ended);
    if (!ended && tally.passed + tally.failed === 1) process.stdout.write('vitest crashed, or ran no test\n');
    return tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What was checked before is not checked again where nothing has changed. */
function typesOf(project: string, name: string): readonly string[] {
  const kept = join('node_modules', '.cache', 'tsc', `${name}.tsbuildinfo`);
  return ['--noEmit', '--incremental', '--tsBuildInfoFile', kept, '-p', project];
}

const started = performance.now();
// Both cores have work from the beginning to the end; what the checks say stands below the tests.
const checks = Promise.all([
  check('types (tsc)', 'typescript-7/bin/tsc', typesOf('.', 'hub')),
  check('types of the pages (tsc)', 'typescript-7/bin/tsc', typesOf('src/surfaces/web', 'web')),
  check('lint and format (biome)', '@biomejs/biome/bin/biome', [
    'check',
    '--max-diagnostics=40',
    '--diagnostic-level=warn',
  ]),
]);
const tested = await tests(args);
const parts = [...(await checks).map((show) => show()), tested];
const line = summaryLine(parts);

heading(`summary, after ${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = parts.some(({ failed }) => failed > 0) ? 1 : 0;
process.stdout.write(`${line}\n`);
