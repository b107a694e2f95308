import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { chatCommand } from '../../scripts/chat.js';
import { deskCommand } from '../../scripts/desk.js';
import { kbCommand } from '../../scripts/kb.js';
import { privacyCommand } from '../../scripts/privacy.js';
import { skillCommand } from '../../scripts/skill.js';
import { tokenCommand } from '../../scripts/token.js';
import { triageCommand } from '../../scripts/triage.js';
import { type CommandHost, performCommand } from '../../src/surfaces/command.js';
import { ROOT } from '../architecture/cruise.js';
import { programOf, SHORT_LIVED } from '../support/child-process.js';
import { sharedResources } from '../support/company.js';
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
  /** True where standard error is a terminal; of `runHere` alone. */
  readonly terminal?: boolean;
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

/** What Node is given to start a command of `scripts/`; Studio runs tools that look for its source, as `npm` does. */
export function commandLine(script: string): readonly string[] {
  const path = join(ROOT, 'scripts', `${script}.ts`);
  return script === 'studio' ? ['--import', 'tsx', path] : [programOf(path)];
}

/** Starts a command of `scripts/` as its own process, offline. */
export function startCli(
  script: string,
  args: readonly string[],
  options: CliOptions,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...SHORT_LIVED, ...commandLine(script), ...args], {
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

/** Runs a command to its end. */
export function runCli(script: string, args: readonly string[], options: CliOptions): Promise<Finished> {
  const child = startCli(script, args, options);
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  return finished(child);
}

const HERE = {
  ...{ chat: chatCommand, desk: deskCommand, kb: kbCommand, privacy: privacyCommand },
  ...{ skill: skillCommand, token: tokenCommand, triage: triageCommand },
};

/**
 * Runs a command to its end in this process, on streams of its own: it is the command itself that is tried, not how
 * Node starts it. The App is opened on files that were read before.
 */
export async function runHere(
  script: keyof typeof HERE,
  args: readonly string[],
  options: CliOptions,
): Promise<Finished> {
  const texts = { out: '', err: '' };
  const into = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk);
        done();
      },
    });
  const host: CommandHost = {
    env: cliEnvironment(options),
    stdin: Readable.from([Buffer.from(options.input ?? '')], { objectMode: false }),
    ...{ stdout: into('out'), stderr: Object.assign(into('err'), { isTTY: options.terminal === true }) },
    ...{ on: () => process, off: () => process },
    exit(code) {
      throw new Error(`the command ended the process with code ${code}`);
    },
    overrides: sharedResources,
  };
  await performCommand(HERE[script](host), ['node', script, ...args], host);
  return { code: Number(host.exitCode ?? 0), ...texts };
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

/** Waits until a file holds what is wanted. @throws when the command has ended before */
export async function untilFileHas(
  path: string,
  wanted: (text: string) => boolean,
  child: ChildProcessWithoutNullStreams,
): Promise<void> {
  await until(() => {
    if (existsSync(path) && wanted(readFileSync(path, 'utf8'))) return true;
    if (child.exitCode !== null)
      throw new Error(`the command ended (${child.exitCode}) before it wrote ${path}`);
    return false;
  }, `${path} has what is wanted`);
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

/** A server in a process of its own. */
export interface Serving {
  readonly url: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly end: Promise<Finished>;
}

/** Waits until a server says where it is. @throws where it ends before */
export async function serving(child: ChildProcessWithoutNullStreams): Promise<Serving> {
  const end = finished(child);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (piece: string) => {
      text += piece;
      const found = /chat (http:\S+)\//.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.on('close', () => reject(new Error(`it ended: ${text}`)));
  });
  return { url, child, end };
}

/** Asks a server; with a body it is a POST. */
export async function call(
  url: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}
