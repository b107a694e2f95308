import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Command, CommanderError } from 'commander';
import type { App, AppOverrides } from '../app/app.js';
import type { Config } from '../config/config.js';
import { type ErrorCode, HubError, toHubError } from '../core/errors.js';
import type { SkillPacks } from '../core/workbench.js';
import { oneLine } from './printable.js';
import type { Terminal } from './progress-line.js';

/** The three streams of a command; tests give their own. Results go to `out`, everything else to `err`. */
export interface CliIo {
  readonly in: Readable & { readonly isTTY?: boolean };
  readonly out: Terminal;
  readonly err: Terminal;
}

/** What a command runs in: the process, or what a test has in its place. */
export interface CommandHost extends Pick<NodeJS.Process, 'on' | 'off'> {
  /** Read by `parseConfig` alone. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: CliIo['in'];
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  exitCode?: NodeJS.Process['exitCode'];
  exit(code?: number): void;
  /** What the App is given beside what the command prefers. */
  overrides?(config: Config): Promise<AppOverrides>;
}

/** Why the work was stopped. Streams and models take it for an ordinary abort. */
export class Stopped extends Error {
  override readonly name = 'AbortError';

  /** @param quiet true where there is nothing to tell the person: the output was closed */
  constructor(readonly quiet: boolean) {
    super('stopped');
  }
}

/** What a command works with. */
export interface CommandContext {
  readonly app: App;
  readonly config: Config;
  readonly io: CliIo;
  /** Aborted by SIGINT, SIGTERM and a reader of standard output that went away; its reason is a {@link Stopped}. */
  readonly stop: AbortSignal;
}

/** Exit codes of the contract. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

const USAGE_CODES: readonly ErrorCode[] = ['config_invalid', 'usage', 'customer_unknown', 'input_invalid'];
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
/** How long a stopped command may take to put its things away. */
const GRACE_MS = 5_000;

/**
 * Runs a command and ends the process with the right code: usage errors are 2, failures 1, signals 128 + number.
 * An error is one line on standard error; its stack is in the log.
 */
export async function runCommand(command: Command, argv: readonly string[]): Promise<void> {
  await performCommand(command, argv, process);
  await new Promise((resolve) => process.stdout.write('', resolve));
  // Nothing should be left open; where a library keeps a handle, the command ends all the same.
  setTimeout(() => process.exit(), 1_000).unref();
}

/** Runs a command and gives the host its exit code. Never throws. */
export async function performCommand(
  command: Command,
  argv: readonly string[],
  host: CommandHost,
): Promise<void> {
  prepare(command, host);
  // What stops standard output also stops the work, see listenForStop; without a listener Node would print a stack.
  for (const stream of [host.stdout, host.stderr]) stream.on('error', () => {});
  try {
    await command.parseAsync([...argv]);
  } catch (error) {
    host.exitCode = report(error, host);
  }
}

/** True where Node was started with this module: its command is to run. @param address of the module */
export function isProgram(address: string): boolean {
  return process.argv[1] === fileURLToPath(address);
}

/**
 * The configuration of a command.
 * @param set said on the command line; wins over the environment
 * @throws HubError `config_invalid`
 */
export async function readConfig(
  { env }: Pick<CommandHost, 'env'>,
  set: Readonly<Record<string, string>> = {},
): Promise<Config> {
  const { loadEnvFile, parseConfig } = await import('../config/config.js');
  loadEnvFile();
  return parseConfig({ ...env, ...set });
}

/** What a command works with that needs no application, or opens one of its own. */
export type ConfigContext = Omit<CommandContext, 'app'>;

/**
 * The frame of a command: configuration, work, and what stops it. The exit code is what the work returns; where it
 * returns none, it was stopped (128 + the signal) or has simply ended (0).
 * @param how `set` is said on the command line and wins over the environment; `graceMs` is how long the command may take
 * to end when it is stopped, in milliseconds
 */
export async function withConfig(
  host: CommandHost,
  work: (context: ConfigContext) => Promise<number | undefined>,
  how: {
    readonly set?: Readonly<Record<string, string>>;
    readonly graceMs?: ((config: Config) => number) | undefined;
  } = {},
): Promise<void> {
  const config = await readConfig(host, how.set);
  const stopper = listenForStop(host, how.graceMs?.(config) ?? GRACE_MS);
  try {
    const code = await work({ config, io: ioOf(host), stop: stopper.signal });
    host.exitCode = code ?? stopper.code() ?? EXIT.done;
  } catch (error) {
    host.exitCode = stopper.code();
    // An error that the stop itself causes is not worth a message.
    if (!stopper.signal.aborted) throw error;
  } finally {
    stopper.close();
  }
}

/**
 * The frame of most commands: as `withConfig`, with the application opened and put away again.
 * @param overrides what this command prefers where the environment says nothing
 */
export function withApp(
  host: CommandHost,
  work: (context: CommandContext) => Promise<number | undefined>,
  overrides: Pick<
    AppOverrides,
    'asksIndex' | 'checkpointer' | 'history' | 'indexWaitMs' | 'measure' | 'onIndexing'
  > & { readonly graceMs?: (config: Config) => number; readonly set?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const { graceMs, set = {}, ...preferred } = overrides;
  const withinApp = async (context: ConfigContext): Promise<number | undefined> => {
    const { createApp } = await import('../app/app.js');
    const app = await createApp(context.config, {
      ...preferred,
      ...(await host.overrides?.(context.config)),
      onProgress: (text) => host.stderr.write(`${text}\n`),
    });
    try {
      return await work({ ...context, app });
    } catch (error) {
      app.log.error({ agent: 'cli', action: 'command_failed', details: { command: process.argv[1] } }, error);
      throw explain(error, context.config);
    } finally {
      await app.close();
    }
  };
  return withConfig(host, withinApp, { graceMs, set });
}

/**
 * The frame of commands that need only a part of the application: no index, no model. The exit code is what the work returns.
 * @param open opens that part; it is closed when the work has ended
 */
export async function withPart<Part>(
  host: CommandHost,
  open: (config: Config) => Promise<Part & { close?(): unknown }>,
  work: (part: Part, io: CliIo) => Promise<number>,
): Promise<void> {
  const part = await open(await readConfig(host));
  try {
    host.exitCode = await work(part, ioOf(host));
  } finally {
    await part.close?.();
  }
}

/** What a command that works on the files of skills needs: no database, no index, no model. */
export interface PacksContext {
  readonly packs: SkillPacks;
  readonly io: CliIo;
}

/** The frame of commands that need nothing but packs. */
export function withPacks(
  host: CommandHost,
  work: (context: PacksContext) => Promise<number>,
): Promise<void> {
  return withPart(
    host,
    async (config) => ({ packs: await (await import('../app/skill-packs.js')).openSkillPacks(config) }),
    ({ packs }, io) => work({ packs, io }),
  );
}

function ioOf({ stdin, stdout, stderr }: CommandHost): CliIo {
  return { in: stdin, out: stdout, err: stderr };
}

/** The exit code an error stands for. */
function exitCodeOf(error: HubError): number {
  return USAGE_CODES.includes(error.code) ? EXIT.usage : EXIT.failed;
}

/** Parses a whole number of a command line. @throws HubError `usage` */
export function wholeNumber(name: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new HubError(
      'usage',
      `${name} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(text)}`,
    );
  };
}

function prepare(command: Command, host: CommandHost): void {
  command.exitOverride().showHelpAfterError('(--help lists what is allowed)');
  command.configureOutput({
    writeOut: (text) => void host.stdout.write(text),
    writeErr: (text) => void host.stderr.write(text),
  });
  for (const child of command.commands) prepare(child as Command, host);
}

function report(error: unknown, host: CommandHost): number {
  // Help that was asked for is 0; commander has already written what is wrong with the usage.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const hubError = toHubError(error);
  host.stderr.write(`error: ${oneLine(hubError.message)}\n`);
  return exitCodeOf(hubError);
}

function explain(error: unknown, config: Config): unknown {
  if (error instanceof HubError) return error;
  const { message } = toHubError(error);
  return new HubError(
    'internal',
    `unexpected: ${message.split('\n', 1)[0]} (details are in ${config.log.file})`,
  );
}

interface Stopper {
  readonly signal: AbortSignal;
  /** The exit code of what stopped it, or undefined. */
  code(): number | undefined;
  close(): void;
}

function listenForStop(host: CommandHost, graceMs: number): Stopper {
  const controller = new AbortController();
  let code: number | undefined;
  const stop = (exitCode: number, quiet: boolean) => {
    // Asked twice, or too slow to end: at once.
    if (controller.signal.aborted) host.exit(exitCode);
    code = exitCode;
    setTimeout(() => host.exit(exitCode), graceMs).unref();
    controller.abort(new Stopped(quiet));
  };
  const handlers = Object.entries(SIGNALS).map(
    ([name, exitCode]) => [name, () => stop(exitCode, false)] as const,
  );
  for (const [name, handler] of handlers) host.on(name, handler);
  const onOutput = (error: NodeJS.ErrnoException) => {
    if (controller.signal.aborted) return;
    // A reader that went away (`| head`) has all it wanted.
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return stop(EXIT.done, true);
    const reason = error.code === 'ENOSPC' ? 'the disk is full' : error.code;
    host.stderr.write(`error: standard output could not be written: ${reason}\n`);
    stop(EXIT.failed, true);
  };
  host.stdout.on('error', onOutput);
  return {
    signal: controller.signal,
    code: () => code,
    close() {
      for (const [name, handler] of handlers) host.off(name, handler);
      host.stdout.off('error', onOutput);
    },
  };
}
