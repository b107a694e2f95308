import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../architecture/cruise.js';
import { inOneFile } from '../support/child-process.js';
import { until } from '../support/until.js';

/** How a command ended. `code` is 128 + n where a signal ended it, as a shell would say. */
export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliOptions {
  readonly dataDir: string;
  /** Whole standard input; undefined: closed at once. */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder of its own for the files and the state of a test. */
export function makeFolder(): { readonly path: string; readonly dataDir: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'uda-cli-'));
  return {
    path,
    dataDir: join(path, 'var'),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Starts a command of `scripts/` as its own process, offline. */
export function startCli(
  script: string,
  args: readonly string[],
  options: CliOptions,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'scripts', `${script}.ts`), ...args], {
    cwd: ROOT,
    env: cliEnvironment(options),
  });
}

/** Nothing of the environment of the test run reaches the hub but the paths of Node. */
export function cliEnvironment({ dataDir, env }: CliOptions): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return {
    PATH,
    HOME,
    TMPDIR,
    HUB_DATA_DIR: dataDir,
    HUB_MODEL_PROVIDER: 'offline',
    HUB_ENV_FILE: 'none',
    ...env,
  };
}

/** Commands that load no TypeScript of skill packs; of the many starts that tests need, each takes half the time. */
const IN_ONE_FILE: readonly string[] = ['desk', 'privacy', 'token', 'triage'];

/** Runs a command to its end. */
export async function runCli(
  script: string,
  args: readonly string[],
  options: CliOptions,
): Promise<Finished> {
  const program = new URL(`../../scripts/${script}.ts`, import.meta.url);
  const child = IN_ONE_FILE.includes(script)
    ? spawn(process.execPath, [await inOneFile(program), ...args], {
        cwd: ROOT,
        env: cliEnvironment(options),
      })
    : startCli(script, args, options);
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  return finished(child);
}

/** Waits for the end of a command and takes what it wrote. */
export async function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code: code ?? 128 + (signal === 'SIGKILL' ? 9 : 15), ...texts };
}

/** Waits until a file has grown to a size. @throws when the command has ended before */
export async function untilFileHas(
  path: string,
  bytes: number,
  child: ChildProcessWithoutNullStreams,
): Promise<void> {
  await until(() => {
    if (existsSync(path) && statSync(path).size >= bytes) return true;
    if (child.exitCode !== null)
      throw new Error(`the command ended (${child.exitCode}) before ${path} had ${bytes} bytes`);
    return false;
  }, `${path} has ${bytes} bytes`);
}

/** A `chat --json` that is talked to line by line. */
export function startChat(args: readonly string[], options: CliOptions) {
  const child = startCli('chat', ['--json', ...args], options);
  const end = finished(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Sends a line and waits for the object it is answered with. */
    async say(line: string): Promise<Record<string, unknown>> {
      child.stdin.write(`${line}\n`);
      const next = await lines.next();
      if (next.done) throw new Error(`the chat ended: ${(await end).err}`);
      return JSON.parse(next.value) as Record<string, unknown>;
    },
    async leave(): Promise<Finished> {
      child.stdin.end();
      return end;
    },
  };
}
