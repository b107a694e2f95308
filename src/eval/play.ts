import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { ANONYMOUS, type Identity } from '../core/domain/customer.js';
import { addUsage, NO_USAGE } from '../core/domain/turn.js';
import { messageOf, toHubError } from '../core/errors.js';
import { blameFor } from './blame.js';
import { checkEnd, checkTurn, type Failure, isAsked } from './checks.js';
import type { Customer, Line, PlayedRun, PlayedTurn } from './run.js';
import type {
  CustomerModel,
  EvalHub,
  EvalWorld,
  Row,
  Scenario,
  ScenarioLine,
  ScenarioTurn,
} from './scenario.js';
import { createTraceRecorder, type TraceStep } from './trace.js';

const INSTRUCTION = new URL('customer.md', import.meta.url);
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });
/** What the customer says when there is nothing left to say. */
const END = '[end]';

/** A customer whom a model plays, with a goal and a persona; talks until the goal is reached or the turns are used up. */
function simulatedCustomer(scenario: Scenario, model: CustomerModel): Customer {
  const { goal = '', persona = '', language, max_turns } = scenario;
  const facts: Readonly<Record<string, string>> = {
    goal,
    persona,
    language: LANGUAGE_NAMES.of(language) ?? language,
  };
  const instruction = readFileSync(INSTRUCTION, 'utf8').replace(
    /\{(\w+)\}/g,
    (_, name: string) => facts[name] ?? '',
  );
  return async (turns) => {
    if (turns.length >= max_turns) return null;
    const lines = turns.flatMap(({ said, answer }): ScenarioLine[] => [
      { by: 'customer', text: said },
      { by: 'hub', text: answer?.reply ?? '' },
    ]);
    try {
      const said = (await model(instruction, lines)).trim();
      if (said.toLowerCase().includes(END)) return turns.length === 0 ? silent() : null;
      return said === '' ? silent() : { say: said };
    } catch (error) {
      return failed(messageOf(error));
    }
  };
}

function silent() {
  return failed('it said nothing');
}

function failed(reason: string) {
  const message = `The simulated customer could not go on: ${reason}.`;
  return { failure: { kind: 'simulator', message, wanted: [] } } as const;
}

/** Holds the conversation of a scenario once, on data of its own. A hub that breaks fails the scenario, not the run. */
export async function playScenario(scenario: Scenario, world: EvalWorld): Promise<PlayedRun> {
  const recorder = createTraceRecorder();
  const hub = await world.open(recorder);
  try {
    const identity = scenario.customer === undefined ? ANONYMOUS : await hub.app.signIn(scenario.customer);
    const before = rowsBefore(scenario, hub, world);
    const { threadId } = await hub.app.conversations.create(identity);
    recorder.take();
    const turns: PlayedTurn[] = [];
    const customer = customerOf(scenario, world);
    for (let line = await customer(turns); line !== null; line = await customer(turns)) {
      if ('failure' in line) return finished(scenario, world, turns, [line.failure]);
      const turn = await playTurn(hub, identity, threadId, line, () => recorder.take());
      turns.push(turn);
      if (turn.answer === null) return finished(scenario, world, turns, []);
    }
    return finished(
      scenario,
      world,
      turns,
      await failuresAtEnd(scenario, hub, { identity, threadId, turns, before }),
    );
  } finally {
    await hub.close();
  }
}

function finished(
  scenario: Scenario,
  { facts }: EvalWorld,
  turns: readonly PlayedTurn[],
  failures: readonly Failure[],
): PlayedRun {
  const passed = failures.length === 0 && turns.every((turn) => turn.failures.length === 0);
  const usage = turns.reduce((sum, { answer }) => addUsage(sum, answer?.usage ?? NO_USAGE), NO_USAGE);
  return {
    turns,
    failures,
    passed,
    usage,
    blame: passed ? null : blameFor(scenario, { turns, failures }, facts),
  };
}

function customerOf(scenario: Scenario, { customerModel }: EvalWorld): Customer {
  const { turns } = scenario;
  if (turns) return scriptedCustomer(turns);
  if (customerModel === null) throw new Error(`${scenario.id} needs a model to simulate its customer`);
  return simulatedCustomer(scenario, customerModel);
}

/** Says the lines of a scenario in their order; a reaction only where the hub asks for it. */
function scriptedCustomer(lines: readonly ScenarioTurn[]): Customer {
  let next = 0;
  return async (turns) => {
    for (;;) {
      const line = lines[next];
      next += 1;
      if (line === undefined) return null;
      const { when_asked: wanted, or_skip: skip, say, expect } = line;
      if (wanted === undefined || isAsked(wanted, turns.at(-1)?.answer ?? null)) return { say, expect };
      if (skip) continue;
      const message = `The customer waits to be asked (${wanted}) before saying "${say}", and is not.`;
      return { failure: { kind: 'not_asked', message, wanted: [wanted] } };
    }
  };
}

async function playTurn(
  { app }: EvalHub,
  identity: Identity,
  threadId: string,
  { say, expect }: Extract<Line, { say: string }>,
  trace: () => readonly TraceStep[],
): Promise<PlayedTurn> {
  const began = performance.now();
  try {
    const answer = await app.conversations.send({ identity, threadId, text: say, channel: 'chat' });
    const ms = performance.now() - began;
    return {
      said: say,
      expect,
      answer,
      ms,
      trace: trace(),
      failures: expect ? checkTurn(expect, answer) : [],
    };
  } catch (error) {
    const { code, message } = toHubError(error);
    const failure = { kind: 'fault', message: `The hub broke: ${code}: ${message}`, wanted: [] } as const;
    return {
      said: say,
      expect,
      answer: null,
      ms: performance.now() - began,
      trace: trace(),
      failures: [failure],
    };
  }
}

function rowsBefore(
  { expect }: Scenario,
  { tables }: EvalHub,
  { facts }: EvalWorld,
): Record<string, readonly Row[]> {
  const { unchanged = [] } = expect ?? {};
  const names = unchanged.includes('all') ? Object.keys(facts.columns) : unchanged;
  return Object.fromEntries(names.map((name) => [name, tables.rows(name)]));
}

interface Ended {
  readonly identity: Identity;
  readonly threadId: string;
  readonly turns: readonly PlayedTurn[];
  readonly before: Readonly<Record<string, readonly Row[]>>;
}

async function failuresAtEnd(
  { expect }: Scenario,
  { app, tables }: EvalHub,
  { identity, threadId, turns, before }: Ended,
): Promise<readonly Failure[]> {
  if (expect === undefined) return [];
  const { pending } = await app.conversations.show(identity, threadId);
  return checkEnd(expect, {
    answers: turns.flatMap(({ answer }) => answer ?? []),
    tables,
    before,
    open: pending?.kind ?? 'nothing',
    customerId: async (email) => {
      const known = await app.signIn(email).catch(() => null);
      return known?.kind === 'customer' ? known.customerId : null;
    },
  });
}
