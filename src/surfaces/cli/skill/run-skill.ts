import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ANONYMOUS, type Identity } from '../../../core/domain/customer.js';
import { isObject, type JsonObject, type JsonValue } from '../../../core/domain/json.js';
import { callerKey, type SkillCaller, type SkillRun } from '../../../core/domain/skill.js';
import { HubError, messageOf } from '../../../core/errors.js';
import { withReason } from '../../../core/signals.js';
import { type CommandContext, EXIT, Stopped } from '../../command.js';
import { toSkillRunJson } from '../../reply-json.js';
import { TERMINAL_OPERATOR } from '../chat/chat-session.js';
import { formatResume, formatRun } from './run-text.js';

/** More than any skill takes; what is larger is a mistake. */
const MOST_BYTES = 8 * 2 ** 20;

/**
 * The input of a skill as it is given on the command line: JSON, `@FILE`, or `-` for standard input.
 * @throws HubError `usage` where it cannot be read or is no JSON object
 */
export async function readSkillInput(given: string, stdin: Readable): Promise<JsonObject> {
  const text = await textOf(given, stdin);
  const from = given === '-' ? 'standard input' : given.startsWith('@') ? given.slice(1) : '--input';
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new HubError('usage', `${from} is no JSON: ${messageOf(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new HubError('usage', `${from} must be a JSON object such as {"order_id": "A-1001"}`);
}

async function textOf(given: string, stdin: Readable): Promise<string> {
  if (given === '-') return readAll(stdin);
  if (!given.startsWith('@')) return given;
  const path = given.slice(1);
  try {
    const bytes = await readFile(path);
    if (bytes.length > MOST_BYTES) throw tooLarge(path);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof HubError) throw error;
    throw new HubError('usage', `${path} cannot be read: ${messageOf(error)}`);
  }
}

async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const piece = Buffer.from(chunk as Uint8Array | string);
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw tooLarge('standard input');
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(from: string): HubError {
  return new HubError('usage', `${from} is larger than ${MOST_BYTES / 2 ** 20} MB`);
}

/** Options of `skill run`. */
export interface RunOptions {
  /** JSON, `@FILE`, or `-`. */
  readonly input?: string;
  readonly version?: string;
  readonly json?: boolean;
  /** E-mail address of the customer on whose behalf it runs; an operator where absent. */
  readonly as?: string;
  readonly resume?: string;
  readonly choose?: string;
  /** A request in plain words: the skills that it needs are chosen. */
  readonly text?: string;
  /** `NAME=VALUE`, what is known of it. */
  readonly fact?: readonly string[];
}

/** What `skill run` was asked for, read and found to make sense. */
interface RunRequest {
  readonly options: RunOptions;
  readonly skillId: string | undefined;
  readonly input: JsonObject | undefined;
}

/** Reads what was asked for, before anything is opened for it. @throws HubError `usage` */
export async function readRun(
  skillId: string | undefined,
  options: RunOptions,
  stdin: Readable,
): Promise<RunRequest> {
  demandSense(skillId, options);
  const { text, fact = [] } = options;
  const given = options.input === undefined ? undefined : await readSkillInput(options.input, stdin);
  if (text === undefined) return { options, skillId, input: given };
  const facts = { ...given, ...readFacts(fact) };
  const input = { text, ...(Object.keys(facts).length > 0 ? { facts } : {}) };
  return { options, skillId: HANDLES_REQUESTS, input };
}

/** The skill that chooses among all others. */
const HANDLES_REQUESTS = 'handle_request';

/** `load.mode=OCEAN` as `{ load: { mode: 'OCEAN' } }`. @throws HubError `usage` */
export function readFacts(facts: readonly string[]): JsonObject {
  const root: Record<string, JsonValue> = Object.create(null);
  for (const fact of facts) {
    const at = fact.indexOf('=');
    const path = fact.slice(0, at).split('.');
    const last = path.pop() ?? '';
    if (at < 1 || [...path, last].some((name) => !/^[A-Za-z]\w*$/.test(name)))
      throw new HubError(
        'usage',
        `--fact takes NAME=VALUE such as load.mode=OCEAN, not ${fact.slice(0, 80)}`,
      );
    let into = root;
    for (const name of path) {
      const next = into[name];
      into[name] = isObject(next) ? { ...next } : {};
      into = into[name] as Record<string, JsonValue>;
    }
    into[last] = factValue(fact.slice(at + 1));
  }
  return { ...root };
}

/** Numbers and true, false, null as such; anything else is text. */
function factValue(text: string): JsonValue {
  return /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(text) ? JSON.parse(text) : text;
}

/**
 * Runs a skill, or answers the question of a run that waits. A run that waits is no failure.
 * @throws HubError `usage`, and as {@link Skills} does
 */
export async function runSkill(
  context: CommandContext,
  { skillId, options, input }: RunRequest,
): Promise<number | undefined> {
  const { io } = context;
  const identity = await identityFor(context, options.as);
  const caller = callerOf(identity);
  const run = await (options.resume === undefined
    ? begin(context, skillId ?? '', options, identity, input ?? {})
    : resume(context, options.resume, skillId, options, caller, input));
  if (options.json) io.out.write(`${JSON.stringify(toSkillRunJson(run), null, 2)}\n`);
  else {
    io.out.write(formatRun(run));
    if (run.status === 'waiting') io.out.write(`\n${formatResume(run)}`);
  }
  // A run that was stopped has failed for that reason alone: the exit code is the signal's.
  if (context.stop.aborted) return undefined;
  return run.status === 'failed' ? EXIT.failed : EXIT.done;
}

/** One run as it stands. @throws HubError `run_unknown` */
export async function showRun(
  { app, io }: CommandContext,
  runId: string,
  options: { readonly json?: boolean },
): Promise<number> {
  const run = await app.skills.show(runId, { kind: 'operator', operatorId: TERMINAL_OPERATOR.operatorId });
  if (!run) throw new HubError('run_unknown', `There is no run ${runId}.`);
  io.out.write(options.json ? `${JSON.stringify(toSkillRunJson(run), null, 2)}\n` : formatRun(run));
  if (!options.json && run.status === 'waiting') io.out.write(`\n${formatResume(run)}`);
  return EXIT.done;
}

function demandSense(skillId: string | undefined, { resume, choose, version, text, fact }: RunOptions): void {
  if (fact !== undefined && text === undefined)
    throw new HubError('usage', '--fact needs --text, a request in plain words');
  if (text !== undefined && (skillId !== undefined || resume !== undefined))
    throw new HubError('usage', '--text chooses the skills itself; leave the ID and --resume out');
  if (resume === undefined) {
    if (skillId === undefined && text === undefined)
      throw new HubError(
        'usage',
        'run needs the ID of a skill, --text with a request, or --resume with the id of a run',
      );
    if (choose !== undefined) throw new HubError('usage', '--choose needs --resume with the id of a run');
    return;
  }
  if (choose === undefined)
    throw new HubError('usage', '--resume needs --choose with one of the options of the run');
  if (version !== undefined)
    throw new HubError('usage', 'a run continues with the version it began with; leave --version out');
}

async function identityFor({ app }: CommandContext, email: string | undefined): Promise<Identity> {
  if (email === undefined) return ANONYMOUS;
  const identity = await app.signIn(email);
  if (identity.kind === 'customer') return identity;
  throw new HubError('customer_unknown', `There is no customer with the address ${email}.`);
}

/** Whoever is nobody's customer is at the terminal, and so an operator. */
function callerOf(identity: Identity): SkillCaller {
  if (identity.kind === 'customer') return { kind: 'customer', customerId: identity.customerId };
  return { kind: 'operator', operatorId: TERMINAL_OPERATOR.operatorId };
}

async function begin(
  { app, stop }: CommandContext,
  skillId: string,
  { version }: RunOptions,
  identity: Identity,
  given: JsonObject,
): Promise<SkillRun> {
  const { signal, release } = stoppable(stop);
  const skill = { skillId, ...(version === undefined ? {} : { version }) };
  try {
    return await app.skills.run({
      skillId,
      // Who the customer is comes from who signed in, as in a chat, and never from what was typed.
      input: await app.capabilities.skillInput({ identity }, skill, given),
      caller: callerOf(identity),
      // Whoever has the terminal may be anybody; `--as` is to see what a customer's chat would.
      reach: 'everybody',
      signal,
      ...(version === undefined ? {} : { version }),
    });
  } finally {
    release();
  }
}

async function resume(
  { app, stop }: CommandContext,
  runId: string,
  skillId: string | undefined,
  { choose = '' }: RunOptions,
  caller: SkillCaller,
  input: JsonObject | undefined,
): Promise<SkillRun> {
  const known = await app.skills.show(runId, caller);
  if (!known) throw new HubError('run_unknown', `There is no run ${runId}.`);
  if (skillId !== undefined && known.skillId !== skillId)
    throw new HubError('usage', `${runId} is a run of ${known.skillId}, not of ${skillId}`);
  const { signal, release } = stoppable(stop);
  try {
    return await app.skills.resume(
      runId,
      { choice: choose, by: callerKey(caller), ...(input === undefined ? {} : { input }) },
      { caller, signal },
    );
  } finally {
    release();
  }
}

/** The run ends with a sentence about who stopped it. */
function stoppable(stop: AbortSignal) {
  return withReason(stop, () => {
    const cause = stop.reason instanceof Stopped ? stop.reason : undefined;
    return new HubError('skill_failed', 'The run was stopped by its caller.', {}, { cause });
  });
}
