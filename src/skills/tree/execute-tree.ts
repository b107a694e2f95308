import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { type BaseCheckpointSaver, Command, type Interrupt } from '@langchain/langgraph';
import type { JsonObject } from '../../core/domain/json.js';
import type { InvestigationResult, SkillHandoff } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext, SkillExecutor, SkillOutcome } from '../run/run-context.js';
import { demandOption } from './handoff.js';
import { buildTreeGraph, type TreeGraph } from './tree-graph.js';
import type { ContextOf } from './tree-nodes.js';
import type { TreeStateType } from './tree-state.js';
import { concludedFinding } from './triggers.js';

const KEY = 'skill_run';
/** Each pack's graph, made once for each checkpointer. Graphs hold no data of a run. */
const compiled = new WeakMap<Pack, WeakMap<BaseCheckpointSaver, TreeGraph>>();

const fromConfig: ContextOf = (config) => {
  const context: unknown = config.configurable?.[KEY];
  if (!context) throw new Error('A decision tree was run without its context');
  return context as RunContext;
};

/** The graph of a tree for these services. */
export function compileTree(
  pack: Pack,
  { checkpointer }: Pick<RunContext['services'], 'checkpointer'>,
): TreeGraph {
  const known = compiled.get(pack) ?? new WeakMap<BaseCheckpointSaver, TreeGraph>();
  compiled.set(pack, known);
  const graph = known.get(checkpointer) ?? buildTreeGraph(pack, fromConfig, checkpointer);
  known.set(checkpointer, graph);
  return graph;
}

/**
 * Runs a decision tree, or goes on with one that waits. Its state is stored when it pauses, under the run's id; a run that
 * broke off in between begins anew, which is safe because it only reads.
 * @throws HubError `choice_unknown`, `run_not_waiting`, `skill_timeout`, `database_failed`
 */
export const executeTree: SkillExecutor = (pack, input, context) =>
  // A tree may be run by a tool of an agent: its graph must not take that graph's checkpointer and thread for its own.
  AsyncLocalStorageProviderSingleton.runWithConfig({}, () => execute(pack, input, context), true);

async function execute(pack: Pack, input: JsonObject, context: RunContext): Promise<SkillOutcome> {
  const graph = compileTree(pack, context.services);
  const steps = Object.keys(pack.tree?.steps ?? {}).length;
  const config = {
    configurable: { thread_id: context.runId, [KEY]: context },
    signal: context.signal,
    recursionLimit: 30 + steps * 3,
    durability: 'exit',
  } as const;
  const waiting = await openInterrupt(graph, context.runId);
  if (context.answer === null) {
    if (waiting) return { status: 'waiting', handoff: waiting.value };
    await graph.invoke({ input }, config);
  } else {
    if (!waiting?.id) throw notWaiting(context.runId);
    demandOption(waiting.value, context.answer.choice);
    await graph.invoke(new Command({ resume: { [waiting.id]: context.answer } }), config);
  }
  return outcomeOf(graph, pack, context);
}

async function outcomeOf(graph: TreeGraph, pack: Pack, context: RunContext): Promise<SkillOutcome> {
  const { values } = await graph.getState({ configurable: { thread_id: context.runId } });
  const asked = await openInterrupt(graph, context.runId);
  if (asked) {
    context.emit({ type: 'handoff', step: asked.value.at, details: { trigger: asked.value.trigger } });
    return { status: 'waiting', handoff: asked.value };
  }
  // What was found is in the result; the steps between need not be kept.
  await context.services.checkpointer.deleteThread(context.runId);
  return {
    status: 'done',
    result: { kind: 'investigation', value: toResult(pack, values as TreeStateType) },
  };
}

async function openInterrupt(
  graph: TreeGraph,
  runId: string,
): Promise<{ readonly id: string | undefined; readonly value: SkillHandoff } | null> {
  const state = await graph.getState({ configurable: { thread_id: runId } });
  const interrupts = state.tasks.flatMap((task) => task.interrupts) as Interrupt<SkillHandoff>[];
  const [first] = interrupts;
  return first?.value ? { id: first.id, value: first.value } : null;
}

function toResult(pack: Pack, state: TreeStateType): InvestigationResult {
  const finding = concludedFinding(state);
  const checks = Object.values(state.checks).map((check) => check.evidence);
  const evidence = [...state.evidence, ...checks];
  return {
    root_cause: finding?.rootCause ?? null,
    explanation: finding?.explanation ?? null,
    impact: finding?.impact ?? null,
    customer_message: finding?.customerMessage ?? null,
    evidence,
    confidence_score: finding?.confidence ?? state.partialConfidence,
    recommended_action: finding?.recommendedAction ?? null,
    time_to_investigate: Math.round(state.elapsed * 10) / 10,
    steps_completed: evidence.length,
    path: state.path,
    handoffs: state.handoffs,
    partial: state.takenOver || finding === null || evidence.some(({ error }) => error !== undefined),
    skill_id: pack.id,
    skill_version: pack.version,
  };
}

function notWaiting(runId: string): HubError {
  return new HubError('run_not_waiting', `The run ${runId} waits for no answer.`, { runId });
}
