import { interrupt, type LangGraphRunnableConfig } from '@langchain/langgraph';
import type { SkillAnswer } from '../../core/domain/skill.js';
import type { Scope } from '../expressions/condition.js';
import { fillText } from '../expressions/placeholders.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext } from '../run/run-context.js';
import type { CompiledStep } from './decisions.js';
import { applyAnswer, optionOf, toHandoff } from './handoff.js';
import { runStep, type StepOutcome, treeOf } from './run-step.js';
import type { OpenHandoff, TreeStateType, TreeUpdate } from './tree-state.js';
import { concludedFinding, reasonToAsk } from './triggers.js';

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
    const update = afterStep(pack, { ...state, path }, id, outcome);
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
      const finding = 'A part of this check waits for a person; it is left out.';
      const evidence = { step: id, name: step.name, decision: null, finding, confidence: 0 };
      return { checks: { [id]: { evidence, finding: null, result: {} } } };
    }
    const finding = outcome.kind === 'decided' ? outcome.finding : null;
    return { checks: { [id]: { evidence: outcome.evidence, finding, result: outcome.result ?? {} } } };
  };
}

/** Where main path and checks meet: whether a person is asked before the finding is given out. */
export function concludeNode(pack: Pack, contextOf: ContextOf) {
  return (state: TreeStateType, config: LangGraphRunnableConfig): TreeUpdate => {
    const elapsed = elapsedIn(config) ?? state.elapsed;
    // A question has its own meaning of A; so has the hand-off of a part.
    const stuck = state.open?.trigger === 'stuck' || state.open?.trigger === 'stuck_after_steps';
    const finding = stuck && !state.open?.part ? concludedFinding(state) : null;
    // Where the main path is stuck, a check may have found the cause all the same.
    if (state.open) return { elapsed, open: { ...state.open, finding: state.open.finding ?? finding } };
    const { gatedActions } = contextOf(config, state);
    return { elapsed, open: reasonToAsk({ pack, state, gatedActions }) };
  };
}

/** Puts the open question and waits. Nothing runs before the pause, because the node starts again after it. */
export function askNode(pack: Pack, contextOf: ContextOf) {
  return (state: TreeStateType, config: LangGraphRunnableConfig): TreeUpdate => {
    const { open } = state;
    if (!open) return {};
    const handoff = toHandoff(pack, contextOf(config, state).runId, state, open);
    let answer = toAnswer(interrupt(handoff));
    // Only a developer in Studio gets here with a wrong choice; a run is checked before it goes on.
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
  const common: TreeUpdate = { evidence, steps, sinceAnswer, open: null, finding: null };
  if (outcome.kind === 'stuck') {
    const { name } = treeOf(pack).steps[id] ?? { name: id };
    return {
      ...common,
      next: null,
      open: openQuestion(pack, state, id, 'stuck', `"${name}" leads no further: ${outcome.why}`),
    };
  }
  const { finding, nextStep } = outcome;
  const partialConfidence = finding ? state.partialConfidence : outcome.evidence.confidence;
  if (finding) return { ...common, next: null, finding };
  if (nextStep === null) {
    const open = openQuestion(pack, state, id, 'stuck', 'The path ends here without a cause.');
    return { ...common, next: null, partialConfidence, open };
  }
  const limit = pack.descriptor.human_handoff?.triggers.stuck_after_steps?.max_steps;
  if (limit !== undefined && sinceAnswer >= limit) {
    const text = `${sinceAnswer} steps have led to no cause.`;
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
function nextInOrder(pack: Pack, { path }: TreeStateType): string | null {
  const tree = treeOf(pack);
  const checks = new Set(tree.parallel_checks);
  return Object.keys(tree.steps).find((id) => !path.includes(id) && !checks.has(id)) ?? null;
}

/** What conditions and placeholders may name. A field of the input never hides what the engine itself says. */
function scopeOf(state: TreeStateType, { services }: RunContext): Scope {
  return { ...state.input, input: state.input, steps: state.steps, now: services.clock.now() };
}
