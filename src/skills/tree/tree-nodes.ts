import { interrupt, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { deskSays } from '../../core/desk-notes.js';
import type { Evidence, SkillAnswer } from '../../core/domain/skill.js';
import type { Scope } from '../expressions/expression.js';
import { fillText } from '../expressions/placeholders.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext } from '../run/run-context.js';
import { applyAnswer, concludedFinding, optionOf, reasonToAsk, toHandoff } from './handoff.js';
import { runStep, type StepOutcome, treeOf } from './run-step.js';
import {
  analyseResults,
  type CompiledStep,
  generateHypothesis,
  modelReason,
  toBeApproved,
} from './tree-model.js';
import type { OpenHandoff, TreeStateType, TreeUpdate } from './tree-state.js';

/** Finds the run a node works for; request data never lives in the graph itself. */
export type ContextOf = (config: LangGraphRunnableConfig, state: TreeStateType) => RunContext;

/** A step of the main path. */
export function stepNode(pack: Pack, compiled: CompiledStep, contextOf: ContextOf) {
  const { id, step } = compiled;
  return async (state: TreeStateType, config: LangGraphRunnableConfig): Promise<TreeUpdate> => {
    const context = contextOf(config, state);
    const began = performance.now();
    const scope = scopeOf(state, context);
    const path = state.path.at(-1) === id ? state.path : [...state.path, id];
    const answered = state.answers[id];
    if (step.action.type === 'ask' && !answered) {
      const question = fillText(step.action.question, scope, { language: 'en' });
      const open = openQuestion(pack, { ...state, path }, id, 'question', question);
      return { path, next: null, open, elapsed: state.elapsed + performance.now() - began };
    }
    const outcome = await runStep(pack, compiled, scope, context, answered);
    const after = { ...state, path };
    const update = await onward(pack, after, afterStep(pack, after, id, outcome), context);
    // An answer is used once: a path that comes by again asks again.
    const { [id]: _used, ...answers } = state.answers;
    return { path, answers, ...update, elapsed: state.elapsed + performance.now() - began };
  };
}

/** A check beside the main path. What goes wrong in it is noted and changes nothing else. */
export function checkNode(pack: Pack, compiled: CompiledStep, contextOf: ContextOf) {
  return async (state: TreeStateType, config: LangGraphRunnableConfig): Promise<TreeUpdate> => {
    const context = contextOf(config, state);
    const outcome = await runStep(pack, compiled, scopeOf(state, context), context);
    const { id, step } = compiled;
    if (outcome.kind === 'waiting') {
      const finding = deskSays('part_waits');
      const evidence = { step: id, name: step.name, decision: null, finding, confidence: 0 };
      return { checks: { [id]: { evidence, finding: null, result: {} } } };
    }
    const finding = outcome.kind === 'decided' ? outcome.finding : null;
    const checks = { [id]: { evidence: outcome.evidence, finding, result: outcome.result ?? {} } };
    return { words: outcome.words, checks };
  };
}

/** Where main path and checks meet: whether a person is asked before the finding is given out. */
export function concludeNode(pack: Pack, contextOf: ContextOf) {
  return async (state: TreeStateType, config: LangGraphRunnableConfig): Promise<TreeUpdate> => {
    const elapsed = elapsedIn(config) ?? state.elapsed;
    // A question has its own meaning of A; so has the hand-off of a part.
    const stuck = state.open?.trigger === 'stuck' || state.open?.trigger === 'stuck_after_steps';
    const finding = stuck && !state.open?.part ? concludedFinding(state) : null;
    // Where the main path is stuck, a check may have found the cause all the same.
    if (state.open) return { elapsed, open: { ...state.open, finding: state.open.finding ?? finding } };
    const context = contextOf(config, state);
    const { gatedActions } = context;
    const open = reasonToAsk({ pack, state, gatedActions });
    const weighed = await weigh(pack, state, open, context);
    if (weighed === null) return { elapsed, open };
    // What is critical is a question of its own, which a model cannot answer.
    return {
      elapsed,
      ...weighed,
      open: reasonToAsk({ pack, state: { ...state, ...weighed }, gatedActions }),
    };
  };
}

/** A doubt that a model clears by what experts know; null where it is a person's to clear. */
async function weigh(
  pack: Pack,
  state: TreeStateType,
  open: OpenHandoff | null,
  context: RunContext,
): Promise<TreeUpdate | null> {
  if (open?.trigger !== 'low_confidence' && open?.trigger !== 'contradictory_data') return null;
  const others = Object.values(state.checks).flatMap((check) => check.finding ?? []);
  const findings = [...(state.finding ? [state.finding] : []), ...others];
  const checks = Object.values(state.checks).map((check) => check.evidence);
  const word = await analyseResults(pack, findings, [...state.evidence, ...checks], state.input, context);
  const found = findings.find(({ rootCause }) => rootCause === word?.choice);
  const needed = pack.descriptor.human_handoff?.triggers.low_confidence?.threshold ?? 0;
  if (word === null || found === undefined || word.confidence < needed) return null;
  const evidence: Evidence = {
    step: found.step,
    name: deskSays('weighed'),
    decision: null,
    finding: deskSays('holds', found.rootCause, modelReason(word)),
    confidence: word.confidence,
    by: 'model',
  };
  return {
    finding: toBeApproved({ ...found, confidence: word.confidence }),
    evidence: [...state.evidence, evidence],
    settled: [...state.settled, `${open.trigger}:${found.step}`],
  };
}

/** Where the path ends without a cause, the step that a model would look at next, if it is one that has not run. */
async function onward(
  pack: Pack,
  state: TreeStateType,
  update: TreeUpdate,
  context: RunContext,
): Promise<TreeUpdate> {
  const { open } = update;
  if (open?.trigger !== 'stuck' || open.part) return update;
  const left = stepsLeft(pack, state);
  const evidence = update.evidence ?? state.evidence;
  const word = await generateHypothesis(pack, left, evidence, state.input, context);
  if (word === null) return update;
  const limit = pack.descriptor.human_handoff?.triggers.stuck_after_steps?.max_steps;
  if (limit !== undefined && (update.sinceAnswer ?? state.sinceAnswer) >= limit) return update;
  const hypothesis: Evidence = {
    step: open.at,
    name: deskSays('hypothesis'),
    decision: null,
    finding: deskSays('next_look', word.choice, modelReason(word)),
    confidence: word.confidence,
    by: 'model',
  };
  return { ...update, open: null, next: word.choice, evidence: [...evidence, hypothesis] };
}

/** Puts the open question and waits. Nothing runs before the pause, because the node starts again after it. */
export function askNode(pack: Pack, contextOf: ContextOf) {
  return (state: TreeStateType, config: LangGraphRunnableConfig): TreeUpdate => {
    const { open } = state;
    if (!open) return {};
    const handoff = toHandoff(pack, contextOf(config, state).runId, state, open);
    let answer = toAnswer(interrupt(handoff));
    // Only a developer in Studio gets here with a wrong choice; a run is checked before it continues.
    while (!optionOf(handoff, answer.choice)) {
      const question = `There is no option "${answer.choice.slice(0, 40)}". ${handoff.question}`;
      answer = toAnswer(interrupt({ ...handoff, question }));
    }
    return applyAnswer(pack, state, open, answer);
  };
}

/** In Studio the developer types `{"choose": "A"}`, or just the letter. */
function toAnswer(answer: unknown): SkillAnswer {
  const given: { choice?: unknown; choose?: unknown } =
    typeof answer === 'object' && answer !== null ? answer : { choose: answer };
  if (typeof given.choice === 'string') return answer as SkillAnswer;
  return { choice: String(given.choose ?? ''), by: 'operator:studio' };
}

/** Configurable key: when the work of this run would have begun, had it been done in one go (`performance.now()`). */
export const BEGAN = 'skill_began';

function elapsedIn(config: LangGraphRunnableConfig): number | null {
  const began: unknown = config.configurable?.[BEGAN];
  return typeof began === 'number' ? performance.now() - began : null;
}

function afterStep(pack: Pack, state: TreeStateType, id: string, outcome: StepOutcome): TreeUpdate {
  if (outcome.kind === 'waiting') {
    const { handoff } = outcome;
    const open: OpenHandoff = {
      at: id,
      trigger: handoff.trigger,
      question: handoff.question,
      advice: handoff.advice,
      finding: null,
      nextStep: null,
      part: handoff,
    };
    return { next: null, open };
  }
  const evidence = [...state.evidence.filter(({ step }) => step !== id), outcome.evidence];
  const steps = outcome.result ? { ...state.steps, [id]: outcome.result } : state.steps;
  const sinceAnswer = state.sinceAnswer + 1;
  const common: TreeUpdate = {
    evidence,
    steps,
    words: outcome.words,
    sinceAnswer,
    open: null,
    finding: null,
  };
  if (outcome.kind === 'stuck') {
    const { name } = treeOf(pack).steps[id] ?? { name: id };
    return {
      ...common,
      next: null,
      open: openQuestion(pack, state, id, 'stuck', deskSays('stuck', name, outcome.why)),
    };
  }
  const { finding, nextStep } = outcome;
  const partialConfidence = finding ? state.partialConfidence : outcome.evidence.confidence;
  if (finding) return { ...common, next: null, finding };
  if (nextStep === null) {
    const open = openQuestion(pack, state, id, 'stuck', deskSays('dead_end'));
    return { ...common, next: null, partialConfidence, open };
  }
  const limit = pack.descriptor.human_handoff?.triggers.stuck_after_steps?.max_steps;
  if (limit !== undefined && sinceAnswer >= limit) {
    const text = deskSays('many_steps', String(sinceAnswer));
    const open = { ...openQuestion(pack, state, id, 'stuck_after_steps', text), nextStep };
    return { ...common, next: null, partialConfidence, open };
  }
  return { ...common, partialConfidence, next: nextStep };
}

function openQuestion(
  pack: Pack,
  state: TreeStateType,
  at: string,
  trigger: 'question' | 'stuck' | 'stuck_after_steps',
  question: string,
): OpenHandoff {
  const triggers = pack.descriptor.human_handoff?.triggers;
  const advice = trigger === 'question' ? null : (triggers?.stuck_after_steps?.action ?? null);
  return { at, trigger, question, advice, finding: null, nextStep: nextInOrder(pack, state), part: null };
}

/** The first step in the tree's order that has not run yet. */
function nextInOrder(pack: Pack, state: TreeStateType): string | null {
  return stepsLeft(pack, state)[0] ?? null;
}

/** The steps of the main path that have not run yet, in the tree's order. */
function stepsLeft(pack: Pack, { path }: TreeStateType): readonly string[] {
  const tree = treeOf(pack);
  const checks = new Set(tree.parallel_checks);
  return Object.keys(tree.steps).filter((id) => !path.includes(id) && !checks.has(id));
}

/** What conditions and placeholders may name. A field of the input never hides what the engine itself says. */
function scopeOf(state: TreeStateType, { services }: RunContext): Scope {
  return { ...state.input, input: state.input, steps: state.steps, now: services.clock.now() };
}
