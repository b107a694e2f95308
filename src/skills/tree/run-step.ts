import { deskSays } from '../../core/desk-notes.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import type { Evidence, SkillHandoff, SkillResult, SkillWords } from '../../core/domain/skill.js';
import { HubError, toHubError } from '../../core/errors.js';
import { untilAborted } from '../../core/signals.js';
import type { Scope } from '../expressions/expression.js';
import { fillValue } from '../expressions/placeholders.js';
import type { DecisionTree, TreeDecision, TreeStep } from '../pack/file-schemas.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext } from '../run/run-context.js';
import { callSource } from '../sources/call-source.js';
import {
  type CompiledStep,
  classify,
  decide,
  type ModelWord,
  modelReason,
  toBeApproved,
  unmetPreCondition,
} from './tree-model.js';
import { type Finding, findingText, findingWords, toFinding } from './tree-state.js';

/** What a step's action came to. */
type ActionOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'waiting'; readonly handoff: SkillHandoff };

/** Carries out the action of a step. @throws HubError of the source or the part */
async function performAction(
  pack: Pack,
  id: string,
  step: TreeStep,
  scope: Scope,
  context: RunContext,
): Promise<ActionOutcome> {
  const { action } = step;
  switch (action.type) {
    case 'query':
    case 'api':
      return { kind: 'result', result: await callSource(pack, action, jsonScope(scope), context) };
    case 'skill': {
      const part = context.services.catalog.get(action.skill, action.version);
      const given = action.input === undefined ? jsonScope(scope).input : fillValue(action.input, scope);
      const outcome = await context.runPart(id, part, (given ?? {}) as JsonObject, context.signal);
      if (outcome.status === 'waiting') return { kind: 'waiting', handoff: outcome.handoff };
      return { kind: 'result', result: resultVariable(outcome.result) };
    }
    default:
      throw new HubError('internal', `Step ${id} of ${pack.id} asks a person and has no action.`);
  }
}

/** Dates of a scope as the text that sources take. */
function jsonScope(scope: Scope): JsonObject {
  return Object.fromEntries(
    Object.entries(scope).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : (value as JsonValue),
    ]),
  );
}

/** A part's result as conditions look at it: the data of a generation, the fields of anything else. */
function resultVariable(result: SkillResult): JsonObject {
  const { value } = result;
  const shown = result.kind === 'generation' ? (result.value.data ?? { success: false }) : value;
  const plain = JSON.parse(JSON.stringify(shown ?? null)) as JsonValue;
  if (Array.isArray(plain)) return { count: plain.length, rows: plain };
  return typeof plain === 'object' && plain !== null
    ? { count: 1, ...(plain as JsonObject) }
    : { count: 1, value: plain };
}

/** Rows that are kept with the run; conditions have seen all of them by then. */
const KEPT_ROWS = 50;
/** Characters of JSON that a step's result may take in a checkpoint. */
const KEPT_CHARS = 32_000;
const KEPT_FIELD_CHARS = 1_000;
const SHOWN_ROWS = 3;
const SHOWN_CHARS = 2_000;

/**
 * What is kept of a result for later steps and for a checkpoint: the first rows, and where they are still too much fewer of
 * them, then the short fields alone. `count` and `truncated` always say how much there was.
 */
function keptOf(result: JsonObject): JsonObject {
  const { rows } = result;
  if (!Array.isArray(rows)) return withinLimit(result) ? result : shortFields(result);
  const { body: _body, ...fields } = result;
  for (let count = Math.min(rows.length, KEPT_ROWS); count > 0; count = Math.floor(count / 2)) {
    const kept = count === rows.length ? result : { ...fields, rows: rows.slice(0, count) };
    if (withinLimit(kept)) return kept;
  }
  return { ...shortFields(fields), rows: [] };
}

/** What a person is shown of the data. */
function excerptOf(result: JsonObject): JsonValue {
  const { rows, body: _body, truncated: _truncated, ...fields } = result;
  const shown: JsonObject =
    Array.isArray(rows) && rows.length > 1 ? { ...fields, rows: rows.slice(0, SHOWN_ROWS) } : fields;
  const text = JSON.stringify(shown);
  return text.length <= SHOWN_CHARS ? shown : `${text.slice(0, SHOWN_CHARS)}…`;
}

function withinLimit(value: JsonValue): boolean {
  return JSON.stringify(value).length <= KEPT_CHARS;
}

function shortFields(result: JsonObject): JsonObject {
  const fields = Object.entries(result).filter(
    ([, value]) => value !== undefined && JSON.stringify(value).length <= KEPT_FIELD_CHARS,
  );
  const short = Object.fromEntries(fields);
  return withinLimit(short) ? short : { count: result.count ?? null };
}

/** Nothing can be stored, or the hub itself is wrong: no step of the run could do better. */
const FATAL: ReadonlySet<string> = new Set(['database_failed', 'database_busy', 'disk_full', 'internal']);

/** What became of a step. */
export type StepOutcome =
  | {
      readonly kind: 'decided';
      readonly evidence: Evidence;
      readonly result: JsonObject;
      readonly words: SkillWords;
      readonly finding: Finding | null;
      readonly nextStep: string | null;
    }
  /** No decision held, the action failed, or the step may not run: a person is asked. */
  | {
      readonly kind: 'stuck';
      readonly evidence: Evidence;
      readonly words: SkillWords;
      readonly result: JsonObject | null;
      readonly why: string;
    }
  /** A part of it waits for a person. */
  | { readonly kind: 'waiting'; readonly handoff: SkillHandoff };

/**
 * Runs one step: pre-conditions, action, decision. A fault of its action is an outcome, not an error.
 * @param answered what a person answered, in place of the action of a step that asks
 */
export async function runStep(
  pack: Pack,
  compiled: CompiledStep,
  scope: Scope,
  context: RunContext,
  answered?: JsonObject,
): Promise<StepOutcome> {
  const { id, step } = compiled;
  context.signal.throwIfAborted();
  context.emit({ type: 'step_started', step: id });
  const outcome = await attempt(pack, compiled, scope, context, answered);
  if (outcome.kind !== 'waiting') {
    context.meter.step();
    const { decision, finding, confidence } = outcome.evidence;
    context.emit({
      type: 'step_finished',
      step: id,
      details: { name: step.name, decision, finding, confidence },
    });
  }
  return outcome;
}

async function attempt(
  pack: Pack,
  compiled: CompiledStep,
  scope: Scope,
  context: RunContext,
  answered: JsonObject | undefined,
): Promise<StepOutcome> {
  const { id, step } = compiled;
  const unmet = unmetPreCondition(compiled, scope);
  if (unmet !== null) {
    const why = deskSays('unmet', unmet);
    return { kind: 'stuck', evidence: plainEvidence(compiled, why), words: {}, result: null, why };
  }
  let result: JsonObject;
  if (answered) result = answered;
  else
    try {
      const signal = context.stepSignal ?? context.signal;
      const done = await untilAborted(performAction(pack, id, step, scope, { ...context, signal }), signal);
      if (done.kind === 'waiting') return done;
      result = done.result;
    } catch (error) {
      return failed(pack, compiled, context, error);
    }
  const seen = { ...scope, result };
  const decided = decide(compiled, seen);
  const kept = keptOf(result);
  if (decided.kind === 'none') {
    const word = await classify(pack, compiled, { input: inputOf(scope), result: excerptOf(kept) }, context);
    const chosen = compiled.decisions.find(({ name }) => name === word?.choice);
    if (word !== null && chosen !== undefined)
      return taken(pack, compiled, chosen, seen, kept, context, word);
    const why = deskSays('no_decision');
    const notes = decided.notes.length > 0 ? ` ${decided.notes.join('; ')}` : '';
    const evidence = { ...plainEvidence(compiled, why), data: excerptOf(kept) };
    context.services.log.debug({
      agent: 'skills',
      action: 'tree_stuck',
      details: { skill: pack.id, step: id, notes },
    });
    return { kind: 'stuck', evidence, words: {}, result: kept, why };
  }
  return taken(pack, compiled, decided, seen, kept, context);
}

/** @param word set where a model chose the decision: it is as certain as the less certain of the two */
function taken(
  pack: Pack,
  { id, step }: CompiledStep,
  { name, decision }: { readonly name: string; readonly decision: TreeDecision },
  scope: Scope,
  kept: JsonObject,
  { services }: RunContext,
  word?: ModelWord,
): StepOutcome {
  const nextStep = decision.next_step ?? null;
  const confidence =
    word === undefined ? decision.confidence : Math.min(decision.confidence, word.confidence);
  const found = toFinding(id, decision.conclusion, confidence, scope, services);
  const finding = found === null || word === undefined ? found : toBeApproved(found);
  const said = findingText(decision.conclusion, name, scope, services);
  return {
    kind: 'decided',
    result: kept,
    words: findingWords(pack, [id, name], said, scope, services),
    finding: finding && { ...finding, nextStep },
    nextStep,
    evidence: {
      step: id,
      name: step.name,
      decision: name,
      finding: word === undefined ? said : `${said} (${modelReason(word)})`,
      confidence,
      data: excerptOf(kept),
      ...(word === undefined ? {} : { by: 'model' as const }),
    },
  };
}

function inputOf({ input }: Scope): JsonObject {
  return isObject(input as JsonValue) ? (input as JsonObject) : {};
}

/** @throws HubError where the whole run is to end, not only this step */
function failed(pack: Pack, compiled: CompiledStep, context: RunContext, error: unknown): StepOutcome {
  context.signal.throwIfAborted();
  const known = toHubError(error);
  if (FATAL.has(known.code)) throw known;
  context.services.log.warn({
    agent: 'skills',
    action: 'step_failed',
    details: { skill: pack.id, step: compiled.id, code: known.code, message: known.message },
  });
  const evidence = {
    ...plainEvidence(compiled, known.message),
    error: { code: known.code, message: known.message },
  };
  return { kind: 'stuck', evidence, words: {}, result: null, why: known.message };
}

function plainEvidence({ id, step }: CompiledStep, finding: string): Evidence {
  return { step: id, name: step.name, decision: null, finding, confidence: 0 };
}

/** All steps that another step of the tree may lead to. */
export function followersIn({ steps }: DecisionTree): Set<string> {
  const ways = Object.values(steps).flatMap(({ decisions, options }) => [
    ...Object.values(decisions),
    ...options,
  ]);
  return new Set(ways.flatMap(({ next_step: next }) => next ?? []));
}

/** Asserts that a pack is a tree. @throws HubError `skill_invalid` */
export function treeOf(pack: Pack) {
  if (pack.tree) return pack.tree;
  throw new HubError('skill_invalid', `${pack.id} has no decision tree.`, { skill: pack.id });
}
