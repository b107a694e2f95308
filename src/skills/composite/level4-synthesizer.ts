import { contradictionsAmong, differs, whatIsSaid } from '../../core/contradictions.js';
import type {
  CompositeConflict,
  CompositeResult,
  CompositeStepResult,
} from '../../core/domain/composite-result.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { englishNameOf } from '../../core/domain/language.js';
import type { InvestigationResult, SkillResult } from '../../core/domain/skill.js';
import type { SkillExecutor } from '../run/run-context.js';
import { askLevel, type CompositeEnv, choosesAmongAll, partsOf, startTrace } from './composite-env.js';
import { routeParts } from './level0-intent-router.js';
import { decompose } from './level1-decomposer.js';
import { type Executed, Execution } from './level3-executor.js';
import { type Settled, waitsFor } from './plan-order.js';
import { Progress } from './progress.js';
import {
  type Intent,
  type Plan,
  type StepRecord,
  type SynthesisAnswer,
  synthesisAnswerSchema,
  toStepResult,
} from './schemas.js';
import { failuresIn, nextActions, type Outcome, wordByRules, wordingOf } from './synthesis-rules.js';

/**
 * Runs a composite skill through its five levels: which parts (0), in what order (1), with which inputs (2), the running
 * itself (3), and what came of it (4). A part's fault is a failed step of the result. What was decided and done is in the
 * journal, so that a run which waited for a person continues where it was.
 * @throws what the journal throws (`database_failed`, `disk_full`)
 */
export const executeComposite: SkillExecutor = async (pack, input, context) => {
  const all: CompositeEnv = { pack, input, context, parts: partsOf(pack, context.services.catalog) };
  const progress = new Progress(context.journal);
  const known = progress.plan();
  const intent = known?.intent ?? (await routeParts(all));
  const env = choosesAmongAll(pack) ? { ...all, parts: chosenParts(all, intent) } : all;
  const plan = known?.plan ?? (await makePlan(env, intent, progress));
  const { waiting, ...executed } = await new Execution(env, intent, plan, progress).run();
  if (waiting !== null) return { status: 'waiting', handoff: waiting };
  const value = await synthesize(env, intent, plan, executed);
  return { status: 'done', result: { kind: 'composite', value } };
};

/** Of all skills those that the request needs, in the order in which they are to run. */
function chosenParts({ parts }: CompositeEnv, intent: Intent): CompositeEnv['parts'] {
  return intent.parts.flatMap((name) => parts.find((part) => part.name === name) ?? []);
}

async function makePlan(env: CompositeEnv, intent: Intent, progress: Progress): Promise<Plan> {
  const plan = await decompose(env, intent);
  await progress.savePlan(intent, plan);
  return plan;
}

type Said = CompositeConflict['said'][number];

/**
 * Where parts that do not build on each other contradict each other: causes of one problem, actions on one record, and, of
 * skills chosen for a request, values of one field.
 */
function conflictsIn(
  env: CompositeEnv,
  { rivals = [] }: Pick<Intent, 'rivals'>,
  { plan, records }: { readonly plan: Plan; readonly records: Settled },
): readonly CompositeConflict[] {
  const done = plan.steps.flatMap(({ part }) => {
    const record = records.get(part);
    return record?.status === 'done' ? [record] : [];
  });
  const found = done.flatMap(({ part, result }) =>
    result?.kind === 'investigation' ? [findingOf(part, result.value)] : [],
  );
  const contradictions = contradictionsAmong(
    found,
    rivals.map((group) => found.filter(({ step }) => group.includes(step))),
    ({ step: one }, { step: other }) => waitsFor(plan, one, other) || waitsFor(plan, other, one),
  );
  return [...contradictions.map(whatIsSaid), ...(choosesAmongAll(env.pack) ? fieldsIn(done) : [])];
}

function findingOf(step: string, { root_cause: cause, recommended_action: advice }: InvestigationResult) {
  return { step, cause, action: advice && { action: advice.action, arguments: advice.arguments ?? {} } };
}

/** Single values of one name that skills chosen for one request give differently. */
function fieldsIn(done: readonly StepRecord[]): readonly CompositeConflict[] {
  const byField = new Map<string, Said[]>();
  for (const { part, result, output } of done) {
    if (result?.kind !== 'plain' && result?.kind !== 'generation') continue;
    for (const [field, value] of Object.entries(isObject(output) ? output : {})) {
      if (value === undefined || value === null || typeof value === 'object') continue;
      if (typeof value === 'string' && value.length > MAX_VALUE) continue;
      byField.set(field, [...(byField.get(field) ?? []), { step: part, value }]);
    }
  }
  return [...byField].flatMap(([about, said]) =>
    differs(said.map(({ value }) => value)) ? [{ about, said }] : [],
  );
}

/** A longer text is a text of its own and no value to agree on. */
const MAX_VALUE = 80;

type Trace = CompositeResult['trace'][number];

const MAX_ACTIONS = 10;

/**
 * Level 4: what came of it. Results, success rate, failures and output are computed; only the words (summary, message to the
 * person, next actions) may be a model's, and only where no single text says it all already.
 */
async function synthesize(
  env: CompositeEnv,
  intent: Intent,
  plan: Plan,
  { records, trace }: Pick<Executed, 'records' | 'trace'>,
): Promise<CompositeResult> {
  const steps = env.parts.map(({ name, sub, pack }) => {
    const id = pack?.id ?? sub.skill ?? name;
    const unreached = intent.parts.includes(name) ? 'It was not reached.' : `Not chosen. ${intent.reason}`;
    return toStepResult(name, id, records.get(name), unreached);
  });
  const conflicts = conflictsIn(env, intent, { plan, records });
  const outcome: Outcome = { plan, records, steps, conflicts };
  const { words, entry } = await wordOutcome(env, outcome);
  const ran = steps.filter((step) => step.status !== 'skipped');
  const done = ran.filter((step) => step.status === 'done');
  return {
    summary: words.summary,
    detailed_results: steps,
    user_message: words.user_message,
    next_actions: words.next_actions,
    success_rate: ran.length === 0 ? 0 : Math.round((done.length / ran.length) * 1000) / 1000,
    partial_failures: steps.flatMap(({ step, status, error }) =>
      status === 'failed'
        ? [{ step, code: error?.code ?? 'internal', message: error?.message ?? '' }]
        : failuresWithin(step, records.get(step)?.result ?? null),
    ),
    conflicts,
    trace:
      env.pack.descriptor.observability?.trace === false
        ? []
        : [...intent.trace, ...plan.trace, ...withNested(trace, records), entry],
    output: outputOf(env, plan, records),
    skill_id: env.pack.id,
    skill_version: env.pack.version,
  };
}

/** After each run of a part that is a composite, what its own levels decided. */
function withNested(trace: readonly Trace[], records: Executed['records']): readonly Trace[] {
  return trace.flatMap((entry) => {
    const { step, level } = entry;
    const result = level === 3 && step !== undefined ? records.get(step)?.result : undefined;
    if (result?.kind !== 'composite') return [entry];
    const inner = result.value.trace.map((one) => ({
      ...one,
      step: one.step === undefined ? `${step}` : `${step}.${one.step}`,
    }));
    return [entry, ...inner];
  });
}

/** What failed inside a part that came to a result all the same: `responder.draft`. */
function failuresWithin(step: string, result: SkillResult | null): CompositeResult['partial_failures'] {
  if (result?.kind !== 'composite') return [];
  return result.value.partial_failures.map((failure) => ({ ...failure, step: `${step}.${failure.step}` }));
}

async function wordOutcome(
  env: CompositeEnv,
  outcome: Outcome,
): Promise<{ words: SynthesisAnswer; entry: Trace }> {
  const trace = startTrace(env, 4);
  const { certain, reason, ...byRule } = wordByRules(env, outcome);
  if (certain)
    return { words: byRule, entry: trace('rule', 'summary and message by rule', reason, { output: byRule }) };
  const asked = await askLevel(env, {
    prompt: 'synthesize',
    view: { language: englishNameOf(wordingOf(env.input).language) },
    data: { input: env.input, results: outcome.steps.map(shown) },
    schema: synthesisAnswerSchema,
  });
  if (!asked.ok) {
    const why = `${reason} ${capital(asked.reason)}.`;
    return {
      words: byRule,
      entry: trace('fallback', 'summary and message by rule', why, { output: byRule }),
    };
  }
  const { answer } = asked;
  const failures = failuresIn(outcome.steps);
  const words = {
    // What failed is said by us, whatever the model makes of it.
    summary: failures === '' ? answer.summary : `${answer.summary} ${failures}`,
    user_message: answer.user_message,
    next_actions: [...new Set([...nextActions(outcome), ...answer.next_actions])].slice(0, MAX_ACTIONS),
  };
  return {
    words,
    entry: trace('model', 'summary and message by the model', 'Several results are reported as one.', {
      output: words,
      cost_usd: asked.cost_usd,
    }),
  };
}

function shown({ step, skill_id, status, output, error, reason }: CompositeStepResult): JsonObject {
  return {
    step,
    skill_id,
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/**
 * The output of the last step that was done: of a sequential skill the last in order, else the one that no other waits for;
 * by name where several are last. Null where nothing was done.
 */
function outputOf({ pack }: CompositeEnv, plan: Plan, records: Settled): JsonValue {
  const done = plan.steps.filter(({ part }) => records.get(part)?.status === 'done');
  const strategy = pack.descriptor.routing?.strategy ?? 'sequential';
  const last =
    strategy === 'sequential'
      ? done.slice(-1)
      : done.filter(
          ({ part }) => !done.some((other) => [...other.depends_on, ...other.after].includes(part)),
        );
  const [only, ...others] = last;
  if (only === undefined) return null;
  if (others.length === 0) return records.get(only.part)?.output ?? null;
  return Object.fromEntries(last.map(({ part }) => [part, records.get(part)?.output ?? null]));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
