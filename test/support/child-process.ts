import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILDER = fileURLToPath(new URL('./build-programs.ts', import.meta.url));

let folder: string | undefined;

/** Builds all programs, see build-programs.ts. */
function build(): string {
  const made = mkdtempSync(join(tmpdir(), 'hub-programs-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', BUILDER, made], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the programs of the tests could not be built: ${stderr}`);
  return made;
}

/**
 * What Node starts a command or a program of the tests with: plain JavaScript, which all of them are put into when the
 * first is asked for. A program that is not among them is named in build-programs.ts.
 * @param program absolute path or address of its TypeScript
 */
export function programOf(program: string | URL): string {
  folder ??= build();
  const path = typeof program === 'string' ? program : fileURLToPath(program);
  return join(folder, relative(ROOT, path).replace(/\.ts$/, '.mjs'));
}

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
  const child = spawn(process.execPath, [programOf(program), ...args], {
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
