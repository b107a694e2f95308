import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { type BaseCheckpointSaver, Command, type Interrupt } from '@langchain/langgraph';
import type { JsonObject } from '../../core/domain/json.js';
import type { InvestigationResult, SkillAnswer, SkillHandoff } from '../../core/domain/skill.js';
import { HubError, toHubError } from '../../core/errors.js';
import { abortReason } from '../../core/signals.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext, SkillExecutor, SkillOutcome } from '../run/run-context.js';
import { demandOption } from './handoff.js';
import { buildTreeGraph, type TreeGraph } from './tree-graph.js';
import { BEGAN, type ContextOf } from './tree-nodes.js';
import type { TreeStateType } from './tree-state.js';
import { concludedFinding } from './triggers.js';

const KEY = 'skill_run';
const RECURSION_LIMIT = 30;
const KEPT_AFTER: ReadonlySet<string> = new Set([
  'database_failed',
  'database_busy',
  'disk_full',
  'choice_unknown',
  'run_not_waiting',
]);
/** Each pack's graph, made once for each checkpointer. Graphs hold no data of a run. */
const compiled = new WeakMap<Pack, WeakMap<BaseCheckpointSaver, TreeGraph>>();

const fromConfig: ContextOf = (config) => {
  const context: unknown = config.configurable?.[KEY];
  if (!context) throw new Error('A decision tree was run without its context');
  return context as RunContext;
};

/** The graph of a tree for these services. */
function compileTree(pack: Pack, { checkpointer }: Pick<RunContext['services'], 'checkpointer'>): TreeGraph {
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
  const { runId, answer, services } = context;
  const before = await stateOf(graph, runId);
  if (before.asked && (answer === null || !isMeant(before.asked.value, context.question)))
    return waitingFor(before.asked, context);
  // It came to its end the last time, and what it found could not be stored.
  if (answer !== null && before.exists && !before.asked) return doneWith(pack, before.values);
  // Left behind by a run that broke off: what it knew must not mix with what is found now.
  if (answer === null && before.exists) await services.checkpointer.deleteThread(runId);
  try {
    await graph.invoke(answer === null ? { input } : resumed(before, context, answer), {
      configurable: {
        thread_id: runId,
        [KEY]: context,
        [BEGAN]: performance.now() - (before.values.elapsed ?? 0),
      },
      signal: context.signal,
      recursionLimit: RECURSION_LIMIT + Object.keys(pack.tree?.steps ?? {}).length * 3,
      durability: 'exit',
    });
  } catch (error) {
    throw await failure(error, context);
  }
  const after = await stateOf(graph, runId);
  if (after.asked) return waitingFor(after.asked, context);
  // What was found is in the result; the steps between need not be kept. After an answer the engine lets go of them when
  // the result is stored: an answer cannot be asked for again.
  if (answer === null) await services.checkpointer.deleteThread(runId);
  return doneWith(pack, after.values);
}

function doneWith(pack: Pack, state: TreeStateType): SkillOutcome {
  return { status: 'done', result: { kind: 'investigation', value: toResult(pack, state) } };
}

/** False where the answer is to an earlier question: the one that is open by now was never stored, so nobody has seen it. */
function isMeant(open: SkillHandoff, answered: SkillHandoff | null | undefined): boolean {
  if (!answered) return true;
  const key = ({ at, trigger, question, options }: SkillHandoff) =>
    JSON.stringify([at, trigger, question, options]);
  return key(open) === key(answered);
}

/** @throws HubError `run_not_waiting`, `choice_unknown` */
function resumed({ asked }: ThreadState, context: RunContext, answer: SkillAnswer): Command {
  if (!asked?.id)
    throw new HubError('run_not_waiting', `The run ${context.runId} waits for no answer.`, {
      runId: context.runId,
    });
  demandOption(asked.value, answer.choice);
  return new Command({ resume: { [asked.id]: answer } });
}

/** A run that failed is over, so its state goes; where only the storage failed, it can be asked for again. */
async function failure(error: unknown, { runId, signal, services }: RunContext): Promise<unknown> {
  if (signal.aborted) {
    await services.checkpointer.deleteThread(runId);
    return abortReason(signal);
  }
  const known = toHubError(error);
  if (!KEPT_AFTER.has(known.code)) await services.checkpointer.deleteThread(runId);
  return known;
}

function waitingFor({ value }: Asked, context: RunContext): SkillOutcome {
  context.emit({ type: 'handoff', step: value.at, details: { trigger: value.trigger } });
  return { status: 'waiting', handoff: value };
}

interface Asked {
  readonly id: string | undefined;
  readonly value: SkillHandoff;
}

interface ThreadState {
  readonly exists: boolean;
  readonly values: TreeStateType;
  readonly asked: Asked | null;
}

async function stateOf(graph: TreeGraph, runId: string): Promise<ThreadState> {
  const state = await graph.getState({ configurable: { thread_id: runId } });
  const interrupts = state.tasks.flatMap((task) => task.interrupts) as Interrupt<SkillHandoff>[];
  const [first] = interrupts;
  return {
    exists: state.config.configurable?.checkpoint_id !== undefined,
    values: state.values as TreeStateType,
    asked: first?.value ? { id: first.id, value: first.value } : null,
  };
}

/** What a run of a tree that came to its end gives out. */
export function toResult(pack: Pack, state: TreeStateType): InvestigationResult {
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
    // What a model thinks of them is no step.
    steps_completed: evidence.filter(({ by, decision }) => by === undefined || decision !== null).length,
    path: state.path,
    handoffs: state.handoffs,
    partial: state.takenOver || finding === null || evidence.some(({ error }) => error !== undefined),
    skill_id: pack.id,
    skill_version: pack.version,
  };
}
