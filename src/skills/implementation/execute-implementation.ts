import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type JsonObject, type JsonValue, parseJson } from '../../core/domain/json.js';
import { HubError, messageOf } from '../../core/errors.js';
import { abortReason, linkWithin, untilAborted } from '../../core/signals.js';
import { fillValue } from '../expressions/placeholders.js';
import { HANDLERS, handlerOf } from '../handlers/index.js';
import { compileJsonSchema } from '../json-schema.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext, SkillExecutor } from '../run/run-context.js';
import { callSource } from '../sources/call-source.js';

interface Command {
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
const MAX_REPORTED = 500;
/** A program that went away from its group may hold the pipes open; nobody waits for it. */
const GRACE_MS = 200;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs a program without a shell, in an empty folder of its own, without our environment, and gives what it writes to
 * standard output. It ends with everything it started.
 * @throws HubError `command_failed` (cannot be started, exit code, a signal, too much output), `skill_timeout`, and the
 * signal's reason
 */
async function runCommand(command: Command): Promise<string> {
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
    const limit = linkWithin(timeoutMs, () => tooSlow(name, timeoutMs), signal);
    limit.signal.addEventListener('abort', () => stop(abortReason(limit.signal)), { once: true });
    const output = collect(child.stdout, () => stop(tooMuch(name)));
    const errors = collect(child.stderr, () => stop(tooMuch(name)));
    const settle = (result: string | HubError): void => {
      limit.release();
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
  const said = errors.trim().slice(-MAX_REPORTED);
  return said === '' ? how : `${how}: ${said}`;
}

function failed(name: string, why: string): HubError {
  return new HubError('command_failed', `The program ${name} ${why}.`, { command: name });
}

function tooSlow(name: string, ms: number): HubError {
  return new HubError(
    'skill_timeout',
    `The program ${name} ran longer than ${ms / 1_000} s, and was stopped.`,
    { command: name, limit_ms: ms },
  );
}

function tooMuch(name: string): HubError {
  return failed(name, `wrote more than ${MAX_OUTPUT} bytes, and was stopped`);
}

/**
 * The arguments of a program: each entry of `args` is one argument, whatever its values hold.
 * @throws HubError `input_invalid` where a value is missing, or would become an option of the program
 */
function commandArguments(skill: string, args: readonly string[], input: JsonObject): readonly string[] {
  return args.map((template, at) => {
    const value = fillValue(template, { ...input, input });
    const refuse = (why: string): HubError =>
      new HubError('input_invalid', `implementation.args[${at}] (${template}) of ${skill} ${why}.`, {
        skill,
        argument: at,
      });
    if (value === null || value === undefined) throw refuse('has no value in the input');
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (text.includes('\0')) throw refuse('has a value with a NUL character, which no argument can hold');
    // `{name}` with "-rf" would be read as an option and not as a name.
    if (text.startsWith('-') && !template.startsWith('-')) {
      throw refuse('has a value that begins with "-", which the program would take for an option');
    }
    return text;
  });
}

/**
 * Runs an atomic skill by its `implementation`: a function of ours, a request that the pack describes, or an allowed program.
 * @throws HubError `skill_invalid`, `input_invalid`, `skill_failed` (the output breaks `output_schema`), `skill_timeout`,
 * `command_not_allowed`, `command_failed`, and the faults of sources
 */
export const executeImplementation: SkillExecutor = async (pack, input, context) => {
  const { implementation } = pack.descriptor;
  if (implementation === undefined) {
    throw new HubError('skill_invalid', `skill.yaml of ${pack.id} has no implementation.`, {
      skill: pack.id,
    });
  }
  const run = { ts_function: callHandler, http_call: callHttp, cli_command: callCommand }[
    implementation.type
  ];
  context.meter.step();
  const value = await run(pack, implementation.handler, input, context);
  checkOutput(pack, value);
  return { status: 'done', result: { kind: 'plain', value } };
};

async function callHandler(
  pack: Pack,
  name: string,
  input: JsonObject,
  { signal, services }: RunContext,
): Promise<JsonValue> {
  const handler = handlerOf(name);
  if (handler === undefined) {
    throw new HubError(
      'skill_invalid',
      `skill.yaml of ${pack.id} names the ts_function ${name}, which src/skills/handlers does not have; it has: ${Object.keys(HANDLERS).join(', ')}.`,
      { skill: pack.id, handler: name },
    );
  }
  const { clock, log } = services;
  try {
    return await untilAborted(handler(input, { signal, clock, log, currency: services.currency }), signal);
  } catch (error) {
    if (error instanceof HubError) throw error;
    throw new HubError(
      'skill_failed',
      `The ts_function ${name} of ${pack.id} failed: ${messageOf(error)}.`,
      { skill: pack.id, handler: name },
      { cause: error },
    );
  }
}

/** The body of the answer. A tree can decide on a 404; a skill that is one request has failed with it. */
async function callHttp(
  pack: Pack,
  mapping: string,
  input: JsonObject,
  context: RunContext,
): Promise<JsonValue> {
  const scope = { ...input, input, now: context.services.clock.now().toISOString() };
  const { status, body } = await callSource(pack, { type: 'api', mapping }, scope, context);
  if (typeof status !== 'number') {
    throw new HubError(
      'skill_invalid',
      `The http_call of ${pack.id} needs a mapping of an http source; ${mapping} (api_mappings.yaml) is none.`,
      { skill: pack.id, mapping },
    );
  }
  if (status >= 300) {
    throw new HubError(
      'source_rejected',
      `The request ${mapping} (api_mappings.yaml of ${pack.id}) was answered with HTTP ${status}.`,
      { skill: pack.id, mapping, status },
    );
  }
  return body ?? null;
}

async function callCommand(
  pack: Pack,
  name: string,
  input: JsonObject,
  { signal, services }: RunContext,
): Promise<JsonValue> {
  const { commands } = services;
  const path = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (path === undefined) {
    const known = Object.keys(commands).join(', ') || 'none';
    throw new HubError(
      'command_not_allowed',
      `The skill ${pack.id} may not run ${name}. Programs that are allowed: ${known}.`,
      { skill: pack.id, command: name },
    );
  }
  const { implementation, execution } = pack.descriptor;
  const stdin = implementation?.stdin === true ? JSON.stringify(input) : null;
  const output = await runCommand({
    name,
    path,
    args: commandArguments(pack.id, implementation?.args ?? [], input),
    stdin,
    timeoutMs: execution.timeout_per_skill * 1_000,
    signal,
  });
  // JSON where it can be read as such, else text without the last line's end.
  return parseJson(output, output.replace(/\r?\n$/, ''));
}

function checkOutput(pack: Pack, value: JsonValue): void {
  const faults = compileJsonSchema(pack.descriptor.output_schema)(value);
  if (faults.length === 0) return;
  throw new HubError(
    'skill_failed',
    `The output of ${pack.id} does not fit output_schema of its skill.yaml: ${faults.slice(0, 3).join('; ')}.`,
    { skill: pack.id, faults: faults.slice(0, 10) },
  );
}
