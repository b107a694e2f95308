import { deskSays } from '../../core/desk-notes.js';
import { isObject, type JsonObject } from '../../core/domain/json.js';
import type { HandoffOption, SkillAnswer, SkillHandoff, SkillResult } from '../../core/domain/skill.js';
import { requiredOf } from '../pack/checks/json-schema-at.js';
import type { Pack } from '../pack/pack.js';
import { type CallCache, type Called, type CallOutcome, callPart } from './call-part.js';
import { type CompositeEnv, millisecondsSince, startTrace, type TraceEntry } from './composite-env.js';
import {
  faultsOfProperty,
  type Guess,
  type ParameterSources,
  propertyOf,
  resolveParameters,
} from './level2-parameter-resolver.js';
import { runName } from './progress.js';
import { failureOf, outputOf, recordOf, type StepRecord } from './schemas.js';

/**
 * The question to a person about inputs of a part that nothing gives.
 * @param refused what was wrong with the values of the last answer
 */
function askMissing(
  env: CompositeEnv,
  part: string,
  pack: Pack,
  missing: readonly string[],
  guesses: Readonly<Record<string, Pick<Guess, 'value' | 'confidence'>>>,
  refused: readonly string[] = [],
  tried: readonly string[] = [],
): SkillHandoff {
  const fields = missing.map((field) => describeField(pack, field, guesses[field]));
  const question = `${refused.length > 0 ? `That does not fit: ${refused.join('; ')}. ` : ''}${deskSays('needs', `${part} (${pack.summary.title})`, fields.join(', '))}`;
  return {
    run_id: env.context.runId,
    skill_id: env.pack.id,
    at: part,
    trigger: 'missing_parameter',
    question,
    advice: null,
    found: [],
    tried,
    options: optionsFor(missing, guesses),
    proposal: null,
    fields: missing,
  };
}

function optionsFor(missing: readonly string[], guesses: Readonly<Record<string, unknown>>): HandoffOption[] {
  const guessed = missing.filter((field) => Object.hasOwn(guesses, field));
  const label = guessed.length > 0 ? deskSays('go_on_guesses', guessed.join(', ')) : deskSays('go_on_given');
  return [
    { id: 'A', label },
    { id: 'C', label: deskSays('person') },
  ];
}

function describeField(
  pack: Pack,
  field: string,
  guess: Pick<Guess, 'value' | 'confidence'> | undefined,
): string {
  const property = propertyOf(pack.descriptor.input_schema, field);
  const description =
    isObject(property) && typeof property.description === 'string' ? ` (${property.description})` : '';
  if (guess === undefined) return `${field}${description}`;
  return `${field}${description}, perhaps ${JSON.stringify(guess.value).slice(0, 200)} (confidence ${guess.confidence})`;
}

/** What an answer makes of a step that asked. */
type Answered =
  | { readonly kind: 'go_on'; readonly input: JsonObject }
  | { readonly kind: 'left_out'; readonly message: string }
  | { readonly kind: 'wrong'; readonly refused: readonly string[] };

/**
 * Reads the answer to {@link askMissing}: of what is given the fields asked for count, then what was guessed. A value that does not fit is asked
 * for again; a step that nobody gives a required value for is left out, so that the run comes to an end.
 */
function readAnswer(
  pack: Pack,
  asked: { readonly known: JsonObject; readonly guessed: JsonObject; readonly missing: readonly string[] },
  answer: SkillAnswer,
): Answered {
  const schema = pack.descriptor.input_schema;
  const given = asked.missing.flatMap((field) => {
    const value = answer.input?.[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  const refused = given.flatMap(([field, value]) =>
    faultsOfProperty(schema, field, value).map((fault) => `${field} ${fault}`),
  );
  if (refused.length > 0) return { kind: 'wrong', refused };
  const input = { ...asked.known, ...asked.guessed, ...Object.fromEntries(given) };
  const without = requiredOf(schema).filter((field) => input[field] === undefined);
  if (without.length === 0) return { kind: 'go_on', input };
  return { kind: 'left_out', message: `It needs ${without.join(', ')}, and nobody gave it.` };
}

/** One run of a step that is about to begin, or to continue after its question. */
interface StepRun {
  readonly iteration: number;
  readonly sources: ParameterSources;
  /** How it stood when it asked, null on a first run. */
  readonly before: StepRecord | null;
  /** The answer to its question. */
  readonly answer: SkillAnswer | null;
  /** Parts that have run, for the one who is asked. */
  readonly tried: readonly string[];
}

/**
 * Runs one step: its parameters (level 2), then the part. Gives a record of how it ended or why it waits; null where an
 * identical call waits for a person, so that this one waits for that one.
 */
export async function runStep(env: CompositeEnv, cache: CallCache, run: StepRun): Promise<StepRecord | null> {
  const { step, pack } = run.sources;
  const { before, answer } = run;
  if (before?.status === 'waiting') return callAndRecord(env, cache, run, before.known, before.trace);
  if (before?.status === 'asking' && answer !== null)
    return resumeWithAnswer(env, cache, run, before, answer);
  const found = await resolveParameters(env, run.sources);
  if (found.missing.length === 0) return callAndRecord(env, cache, run, found.input, found.trace);
  return recordOf(step.part, run.iteration, {
    status: 'asking',
    known: found.input as StepRecord['known'],
    guessed: Object.fromEntries(Object.entries(found.guesses).map(([field, guess]) => [field, guess.value])),
    handoff: askMissing(env, step.part, pack, found.missing, found.guesses, [], run.tried),
    trace: [...found.trace],
  });
}

/** After the answer to a question for missing inputs. */
async function resumeWithAnswer(
  env: CompositeEnv,
  cache: CallCache,
  run: StepRun,
  before: StepRecord,
  answer: SkillAnswer,
): Promise<StepRecord | null> {
  const { step, pack } = run.sources;
  const trace = startTrace(env, 2);
  const missing = before.handoff?.fields ?? [];
  const answered = readAnswer(pack, { known: before.known, guessed: before.guessed, missing }, answer);
  if (answered.kind === 'wrong') {
    const guesses = Object.fromEntries(
      Object.entries(before.guessed).map(([field, value]) => [field, { value, confidence: 0 }]),
    );
    const handoff = askMissing(env, step.part, pack, missing, guesses, answered.refused, run.tried);
    return { ...before, handoff };
  }
  if (answered.kind === 'left_out') {
    return recordOf(step.part, run.iteration, {
      status: 'failed',
      error: { code: 'input_invalid', message: answered.message },
      trace: [
        ...before.trace,
        trace('rule', `${step.part}: left out`, `${answer.by} went on without values.`),
      ],
    });
  }
  const decided = `${step.part}: ${missing.join(', ')} given or agreed to by a person`;
  return callAndRecord(env, cache, run, answered.input, [
    ...before.trace,
    trace('rule', decided, `${answer.by} answered.`),
  ]);
}

async function callAndRecord(
  env: CompositeEnv,
  cache: CallCache,
  run: StepRun,
  input: JsonObject,
  trace: readonly TraceEntry[],
): Promise<StepRecord | null> {
  const { step, pack } = run.sources;
  const name = runName(step.part, run.iteration);
  const level3 = startTrace(env, 3);
  const began = performance.now();
  // A loop goes back to have the work done anew, so what it repeats is not taken from the shelf.
  const key = run.iteration === 1 ? cache.keyOf(pack, input) : null;
  const shared = key === null || run.before !== null ? undefined : cache.find(key);
  if (shared !== undefined && key !== null) {
    const outcome = await shared;
    if (outcome.status === 'waiting') return null;
    return finish({ outcome, attempts: 0 }, true);
  }
  env.context.emit({ type: 'step_started', step: name, details: { skill: pack.id, version: pack.version } });
  const call = callPart(env, name, pack, input, run.before?.status === 'waiting' ? run.before.attempts : 1);
  if (key !== null) cache.share(key, outcomeOf(call));
  const called = await call;
  if (key !== null && isWhole(called.outcome)) cache.keep(key, called.outcome.result);
  return finish(called, false);

  function finish({ outcome, attempts }: Called, cached: boolean): StepRecord {
    const duration_ms = millisecondsSince(began);
    const record = { ...recordFor(outcome, step.part, run.iteration), attempts, cached, key, duration_ms };
    const how = cached ? 'an identical call was made before' : attempts === 1 ? '1 try' : `${attempts} tries`;
    const why = record.error === null ? how : `${record.error.code}: ${record.error.message} (${how})`;
    const entry = level3('rule', `${name}: ${record.status}`, why, {
      step: step.part,
      input,
      output: record.output ?? undefined,
      confidence: confidenceOf(record.result),
      cost_usd: outcome.status === 'done' ? outcome.usage?.cost_usd : undefined,
    });
    const known = outcome.status === 'waiting' ? (input as StepRecord['known']) : {};
    if (!cached) {
      env.context.emit({
        type: 'step_finished',
        step: name,
        details: { status: record.status, duration_ms },
      });
    }
    return { ...record, known, trace: outcome.status === 'waiting' ? [...trace] : [...trace, entry] };
  }
}

/** For those who share the call: what it throws reaches the one who made it. */
function outcomeOf(call: Promise<Called>): Promise<CallOutcome> {
  return call.then(
    ({ outcome }) => outcome,
    () => ({ status: 'failed', error: { code: 'internal', message: 'An identical call was broken off.' } }),
  );
}

/** A result that is worth keeping: no failure, and nothing left out. */
function isWhole(outcome: CallOutcome): outcome is { status: 'done'; result: SkillResult } {
  if (outcome.status !== 'done' || failureOf(outcome.result) !== null) return false;
  const { result } = outcome;
  if (result.kind === 'investigation') return !result.value.partial;
  return result.kind !== 'composite' || result.value.partial_failures.length === 0;
}

function recordFor(outcome: CallOutcome, part: string, iteration: number): StepRecord {
  if (outcome.status === 'failed')
    return recordOf(part, iteration, { status: 'failed', error: outcome.error });
  if (outcome.status === 'waiting')
    return recordOf(part, iteration, { status: 'waiting', handoff: outcome.handoff });
  const result = asJson(outcome.result);
  if (result === null) {
    const error = { code: 'skill_failed', message: `The result of ${part} is no JSON.` };
    return recordOf(part, iteration, { status: 'failed', error });
  }
  const error = failureOf(result);
  return recordOf(part, iteration, {
    status: error === null ? 'done' : 'failed',
    result,
    output: outputOf(result),
    error,
  });
}

/** How sure a part is of what it found; undefined where it does not say. */
function confidenceOf(result: SkillResult | null): number | undefined {
  return result?.kind === 'investigation' ? result.value.confidence_score : undefined;
}

/** What is left of a result where it is written down and read again; null where it cannot be. */
function asJson(result: SkillResult): SkillResult | null {
  try {
    return JSON.parse(JSON.stringify(result)) as SkillResult;
  } catch {
    return null;
  }
}
