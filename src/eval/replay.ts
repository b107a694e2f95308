import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { CapabilityOutcome, OutsideCaller } from '../core/capabilities.js';
import { SCOPES } from '../core/domain/customer.js';
import { isObject, type JsonValue, parseObject } from '../core/domain/json.js';
import { HubError } from '../core/errors.js';
import { checkRows } from './checks.js';
import { type EvalHub, type EvalWorld, type RowExpectation, rowExpectation } from './scenario.js';
import { createTraceRecorder } from './trace.js';

const object = z.record(z.string(), z.json());
const callSchema = z.strictObject({
  as: z.string().min(1),
  action: z.string().min(1),
  input: object.default({}),
  approve: z.literal(true).optional(),
  expect: z
    .union([
      z.literal('done'),
      z.literal('awaiting_operator'),
      z.strictObject({ refused: z.string().min(1) }),
      z.strictObject({ data: object }),
    ])
    .default('done'),
});
type Call = z.output<typeof callSchema>;

interface Step {
  readonly line: number;
  readonly task: unknown;
  readonly does: { readonly call: Call } | { readonly rows: RowExpectation };
}

/** What became of a line of a replay. */
interface Replayed {
  /** From 1 on. */
  readonly line: number;
  /** The tool that was called, or the table that was looked at. */
  readonly name: string;
  /** What was expected and what there was, in a sentence; null where they are the same. */
  readonly problem: string | null;
}

const OPERATOR = { operatorId: 'replay', name: 'Replay' };

/**
 * Calls the tools that the lines of a JSONL file name, through the gate as a program does, with a yes to each question, and holds
 * what comes of each, and the tables, against what the file expects. A line with another `task` than the one before begins on
 * fresh data.
 * @throws HubError `usage` with the line that is none
 */
export async function replay(
  world: EvalWorld,
  file: string,
  report: (one: Replayed) => void,
): Promise<readonly Replayed[]> {
  const steps = readSteps(file);
  const replayed: Replayed[] = [];
  let hub: EvalHub | null = null;
  let current: unknown;
  try {
    for (const { line, task, does } of steps) {
      if (hub === null || task !== current) {
        await hub?.close();
        hub = await world.open(createTraceRecorder());
        current = task;
      }
      const one =
        'call' in does
          ? { line, name: does.call.action, problem: await called(hub, does.call) }
          : { line, name: does.rows.table, problem: await looked(hub, does.rows) };
      report(one);
      replayed.push(one);
    }
  } finally {
    await hub?.close();
  }
  return replayed;
}

function readSteps(file: string): readonly Step[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, at) => (text.trim() === '' ? [] : [readStep(file, at + 1, text)]));
}

function readStep(file: string, line: number, text: string): Step {
  const where = `${file}:${line}`;
  const given = parseObject(text);
  if (!given) throw new HubError('usage', `${where}: one JSON object a line is expected`);
  const { task, ...rest } = given;
  const wrong = ({ issues: [issue] }: z.ZodError) =>
    new HubError('usage', `${where}: ${issue?.path.join('.') || 'the line'}: ${issue?.message}`);
  if ('table' in rest) {
    const { data: rows, error } = rowExpectation.safeParse(rest);
    if (error) throw wrong(error);
    return { line, task, does: { rows } };
  }
  const { data: call, error } = callSchema.safeParse(rest);
  if (error) throw wrong(error);
  return { line, task, does: { call } };
}

async function called(
  { app }: EvalHub,
  { as, action: name, input, approve, expect }: Call,
): Promise<string | null> {
  const outcome = await outcomeOf(async () => {
    const identity = await app.signIn(as);
    const caller: OutsideCaller = { identity, scopes: SCOPES, channel: 'mcp', program: 'npm run company' };
    const first = await app.capabilities.call({ caller, name, input });
    const agreed =
      first.kind === 'confirmation'
        ? await app.capabilities.confirm({ caller, token: first.token, approved: true })
        : first;
    if (agreed.kind !== 'awaiting_operator' || !approve) return agreed;
    await app.desk.approve(agreed.pendingId, OPERATOR);
    return app.capabilities.status(caller, agreed.pendingId);
  });
  const found = outcome.kind === 'refused' ? { refused: outcome.error.code } : outcome.kind;
  const said = outcome.kind === 'refused' ? ` ${outcome.error.said ?? outcome.error.message}` : '';
  if (typeof expect === 'object' && 'data' in expect)
    return outcome.kind === 'done' && holds(outcome.data, expect.data)
      ? null
      : differs(expect, outcome.kind === 'done' ? { data: outcome.data } : found, said);
  return JSON.stringify(found) === JSON.stringify(expect) ? null : differs(expect, found, said);
}

/** What is wrong with the call itself is a refusal as well. */
async function outcomeOf(work: () => Promise<CapabilityOutcome>): Promise<CapabilityOutcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return { kind: 'refused', error: { code: error.code, message: error.message } };
  }
}

async function looked({ app, tables }: EvalHub, rows: RowExpectation): Promise<string | null> {
  const customerId = async (email: string) => {
    const identity = await app.signIn(email);
    return identity.kind === 'customer' ? identity.customerId : null;
  };
  const [failure] = await checkRows(rows, { tables, customerId });
  return failure?.message ?? null;
}

/** True where all that is wanted is there, in lists in the same order. */
function holds(found: JsonValue | undefined, wanted: JsonValue): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((one: JsonValue, at) => holds(found[at], one))
    );
  if (isObject(wanted))
    return isObject(found) && Object.keys(wanted).every((key) => holds(found[key], wanted[key] ?? null));
  return found === wanted;
}

function differs(expected: unknown, found: unknown, said: string): string {
  return `${JSON.stringify(expected)} was expected, and it is ${JSON.stringify(found)}.${said}`;
}
