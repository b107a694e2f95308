import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILDER = join(ROOT, 'scripts/build-programs.mjs');
/** Programs of the tests, beside the commands. */
const PROGRAMS = [
  ...readdirSync(join(ROOT, 'test/integration/data/children')).map(
    (name) => `test/integration/data/children/${name}`,
  ),
  'test/integration/rag/chroma-child.ts',
  'test/integration/safety/children/turn-and-die.ts',
  'test/support/a2a-process.ts',
  'test/support/capability-process.ts',
  'test/support/log-writer.ts',
  'test/support/turn-process.ts',
  'test/unit/skills/tree/killed-run.ts',
];

/** How long another process may take to build them; a machine under load takes minutes. */
const NET_MS = 280_000;
const POLL_MS = 20;

let folder: string | undefined;

/** Builds all programs with the packages in them: once a run, whichever of its processes asks first. */
function build(): string {
  const { UDA_TEST_PROGRAMS: shared } = process.env;
  if (shared === undefined) throw new Error('the folder for programs is made by memory-folder.ts');
  const [begun, made, built] = ['begun', 'made', 'built'].map((name) => join(shared, name)) as [
    string,
    string,
    string,
  ];
  try {
    mkdirSync(begun);
  } catch {
    return builtByAnother(built);
  }
  mkdirSync(made);
  symlinkSync(join(ROOT, 'node_modules'), join(made, 'node_modules'));
  // Some are started as another user.
  chmodSync(made, 0o755);
  const { status, stderr } = spawnSync(process.execPath, [BUILDER, made, ...PROGRAMS], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the programs of the tests could not be built: ${stderr}`);
  renameSync(made, built);
  return built;
}

function builtByAnother(built: string): string {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !existsSync(built); waited += POLL_MS) {
    if (waited > NET_MS) throw new Error('the programs of the tests were not built by who began it');
    Atomics.wait(nobody, 0, 0, POLL_MS);
  }
  return built;
}

/**
 * What Node starts a command or a program of the tests with: plain JavaScript, which all of them are put into when the
 * first is asked for. A program that is not among them is named above.
 * @param program absolute path or address of its TypeScript
 */
export function programOf(program: string | URL): string {
  folder ??= build();
  const path = typeof program === 'string' ? program : fileURLToPath(program);
  return join(folder, relative(ROOT, path).replace(/\.ts$/, '.mjs'));
}

/**
 * For programs that end before it pays to make their code fast, which takes a tenth of what they need. It is made fast
 * later than usual, not never: one that fits a language model takes seven times as long without. Room for what is new from the
 * beginning spares a twenty-fifth, and patterns that are not made twice, see run.mjs, a fifth.
 */
export const SHORT_LIVED: readonly string[] = [
  '--interrupt-budget=4000000',
  '--min-semi-space-size=16',
  '--no-regexp-tier-up',
];

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the tests in a process of its own, to its end, see {@link programOf}. */
export async function runChild(
  program: URL,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...SHORT_LIVED, programOf(program), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, by) => resolve(by)),
  );
  return { signal, stdout: out.join(''), stderr: err.join('') };
}
