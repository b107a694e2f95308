import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { HubError } from '../../core/errors.js';
import { abortReason } from '../sources/until-aborted.js';

export interface Command {
  /** What the pack calls it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly args: readonly string[];
  /** What it reads; null gives it nothing. */
  readonly stdin: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Bytes, of standard output and of standard error each. */
const MAX_OUTPUT = 1_000_000;
const MAX_TOLD = 500;
/** A program that went away from its group may hold the pipes open; nobody waits for it. */
const GRACE_MS = 200;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs a program without a shell, in an empty folder of its own, without our environment, and gives what it writes to
 * standard output. It ends with everything it started.
 * @throws HubError `command_failed` (cannot be started, exit code, a signal, too much output), `skill_timeout`, and the
 * signal's reason
 */
export async function runCommand(command: Command): Promise<string> {
  if (command.signal.aborted) throw abortReason(command.signal);
  const cwd = await mkdtemp(join(tmpdir(), 'skill-command-'));
  try {
    return await runIn(cwd, command);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function runIn(cwd: string, { name, path, args, stdin, timeoutMs, signal }: Command): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [...args], {
      cwd,
      env: { PATH },
      shell: false,
      // A group of its own, so that what it starts can be ended with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stopped: HubError | null = null;
    const stop = (reason: HubError): void => {
      stopped ??= reason;
      killGroup(child);
    };
    const abort = (): void => stop(abortReason(signal));
    const timer = setTimeout(() => stop(tooSlow(name, timeoutMs)), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    const output = collect(child.stdout, () => stop(tooMuch(name)));
    const errors = collect(child.stderr, () => stop(tooMuch(name)));
    const settle = (result: string | HubError): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      killGroup(child);
      if (result instanceof HubError) reject(result);
      else resolve(result);
    };
    child.once('error', (error) => settle(stopped ?? failed(name, `cannot be started: ${error.message}`)));
    child.once('exit', () => {
      killGroup(child);
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS).unref();
    });
    child.once('close', (code, killedBy) => {
      if (stopped !== null) settle(stopped);
      else if (code === 0) settle(output());
      else settle(failed(name, endOf(code, killedBy, errors())));
    });
    // A program that does not read its input closes it; that is its business.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin ?? '');
  });
}

function collect(stream: NodeJS.ReadableStream, overflow: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_OUTPUT) overflow();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

function endOf(code: number | null, killedBy: string | null, errors: string): string {
  const how = code === null ? `was ended by ${killedBy}` : `ended with exit code ${code}`;
  const said = errors.trim().slice(-MAX_TOLD);
  return said === '' ? how : `${how}: ${said}`;
}

function failed(name: string, why: string): HubError {
  return new HubError('command_failed', `The program ${name} ${why}.`, { command: name });
}

function tooSlow(name: string, ms: number): HubError {
  return new HubError(
    'skill_timeout',
    `The program ${name} ran longer than ${ms / 1_000} s, and was stopped.`,
    {
      command: name,
      limit_ms: ms,
    },
  );
}

function tooMuch(name: string): HubError {
  return failed(name, `wrote more than ${MAX_OUTPUT} bytes, and was stopped`);
}
