import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../architecture/cruise.js';

/* What starts the commands, over a project of a few files. */

const run = promisify(execFile);
let project: string;
let written = 1_700_000_000;

const write = (path: string, text: string): void => {
  mkdirSync(join(project, path, '..'), { recursive: true });
  writeFileSync(join(project, path), text);
  // As if it had been written a while ago, and each change some seconds after the one before.
  written += 5;
  utimesSync(join(project, path), written, written);
};
const builds = (): readonly string[] =>
  readdirSync(join(project, 'dist/programs')).filter((name) => !name.endsWith('.json'));

/** What `scripts/greet.ts` says, started as npm starts it. */
async function greet(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await run(process.execPath, ['scripts/run.mjs', 'greet', ...args], {
    cwd: project,
    env: { PATH: process.env.PATH, HUB_ENV_FILE: 'none', ...env },
  });
  return stdout.trim();
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'uda-programs-'));
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  for (const file of ['run.mjs', 'build-programs.mjs'])
    cpSync(join(ROOT, 'scripts', file), join(project, 'scripts', file), { preserveTimestamps: true });
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', '{}');
  write('src/app/classifier-process.ts', 'export {};');
  write('companies/of_ours/company.ts', "export const company: string = 'ours';");
  write(
    'src/load.ts',
    `import { pathToFileURL } from 'node:url';
     export const load = async (file: string): Promise<string> => (await import(pathToFileURL(file).href)).company;`,
  );
  write('src/words.ts', "export const words: string = 'good day';");
  write(
    'scripts/greet.ts',
    `import { words } from '../src/words.js';
     import { load } from '../src/load.js';
     const [, started, file] = process.argv;
     if (file === 'fail') throw new Error('on purpose');
     console.log(started?.endsWith('.ts') ? 'by tsx:' : 'built:', words, file ? await load(file) : '');`,
  );
});

afterEach(() => rmSync(project, { recursive: true, force: true, maxRetries: 5 }));

test('[PERF-09] a command is built once, and again where a source has changed', async () => {
  expect(await greet()).toBe('built: good day');
  const [first] = builds();
  expect(await greet()).toBe('built: good day');
  expect(builds()).toEqual([first]);
  write('src/words.ts', "export const words: string = 'good evening';");
  expect(await greet()).toBe('built: good evening');
  expect(builds()).toHaveLength(2);
  // Nobody has used it for long.
  utimesSync(join(project, 'dist/programs', first ?? ''), 1, 1);
  write('src/words.ts', "export const words: string = 'good night';");
  expect(await greet()).toBe('built: good night');
  expect(builds()).not.toContain(first);
});

test('[PERF-09] commands that start at once build at once, and both run', async () => {
  expect(await Promise.all([greet(), greet(), greet()])).toEqual(Array(3).fill('built: good day'));
});

test("[PERF-09] a company's code is built with the rest, one that is added too, and from elsewhere it runs as TypeScript", async () => {
  const ours = join(project, 'companies/of_ours/company.ts');
  expect(await greet([ours])).toBe('built: good day ours');
  const added = join(project, 'companies/added/company.ts');
  write('companies/added/company.ts', "export const company: string = 'added';");
  expect(await greet([added])).toBe('built: good day added');
  const folder = mkdtempSync(join(tmpdir(), 'uda-elsewhere-'));
  writeFileSync(join(folder, 'company.ts'), "export const company: string = 'elsewhere';");
  expect(await greet([join(folder, 'company.ts')], { HUB_COMPANY: folder })).toBe(
    'by tsx: good day elsewhere',
  );
  expect(existsSync(join(folder, 'dist'))).toBe(false);
  // A copy of one of these, such as a change is tried on, shares its code.
  rmSync(join(folder, 'company.ts'));
  symlinkSync(ours, join(folder, 'company.ts'));
  expect(await greet([ours], { HUB_COMPANY: folder })).toBe('built: good day ours');
  rmSync(folder, { recursive: true });
});

test('[PERF-09] where nothing can be built it runs as TypeScript, and an error names its source', async () => {
  writeFileSync(join(project, 'dist'), 'a file where the folder should be');
  expect(await greet()).toBe('by tsx: good day');
  rmSync(join(project, 'dist'));
  await expect(greet(['fail'])).rejects.toThrow(/scripts\/greet\.ts:4/);
});
