import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import {
  type BaseCheckpointSaver,
  Command,
  END,
  type Interrupt,
  START,
  StateGraph,
} from '@langchain/langgraph';
import type { JsonObject } from '../../core/domain/json.js';
import type { InvestigationResult, SkillAnswer, SkillHandoff } from '../../core/domain/skill.js';
import { HubError, toHubError } from '../../core/errors.js';
import { abortReason } from '../../core/signals.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext, SkillExecutor, SkillOutcome } from '../run/run-context.js';
import { concludedFinding, demandOption } from './handoff.js';
import { followersIn, treeOf } from './run-step.js';
import { compileSteps } from './tree-model.js';
import { askNode, BEGAN, type ContextOf, checkNode, concludeNode, stepNode } from './tree-nodes.js';
import { TreeState, type TreeStateType, wordsOf } from './tree-state.js';

const MAIN = 'main_path';
const AGAIN = 'go_on';
const CONCLUDE = 'conclude';
const ASK = 'ask_person';

/** A graph whose nodes are known only when a pack is read. */
type OpenGraph = StateGraph<typeof TreeState.spec, TreeStateType, typeof TreeState.Update, string>;

/**
 * A decision tree as a LangGraph graph: the steps of the main path as a subgraph with an edge for every decision, the
 * parallel checks beside it, and where they meet, the question to a person where one is due.
 * @param checkpointer absent where the server that runs the graph brings its own (Studio)
 */
export function buildTreeGraph(pack: Pack, contextOf: ContextOf, checkpointer?: BaseCheckpointSaver) {
  const tree = treeOf(pack);
  const compiled = compileSteps(pack);
  const path = mainPath(pack, contextOf);
  const checks = tree.parallel_checks.map((id) => `check_${id}`);
  const graph = new StateGraph(TreeState)
    .addNode(MAIN, path)
    .addNode(AGAIN, path)
    .addNode(CONCLUDE, concludeNode(pack, contextOf))
    .addNode(ASK, askNode(pack, contextOf)) as unknown as OpenGraph;
  graph.addEdge(START, MAIN);
  for (const id of tree.parallel_checks) {
    const step = compiled.get(id);
    if (!step) continue;
    graph.addNode(`check_${id}`, checkNode(pack, step, contextOf)).addEdge(START, `check_${id}`);
  }
  graph.addEdge(checks.length === 0 ? MAIN : [MAIN, ...checks], CONCLUDE);
  graph.addConditionalEdges(CONCLUDE, ({ open }) => (open ? ASK : END), [ASK, END]);
  graph.addConditionalEdges(ASK, ({ next }) => (next === null ? CONCLUDE : AGAIN), [CONCLUDE, AGAIN]);
  graph.addEdge(AGAIN, CONCLUDE);
  return graph.compile({ name: pack.id, ...(checkpointer ? { checkpointer } : {}) });
}

/** The steps alone, from the next one on, until one concludes or a person is needed. */
function mainPath(pack: Pack, contextOf: ContextOf) {
  const tree = treeOf(pack);
  const compiled = compileSteps(pack);
  const ids = mainSteps(pack);
  const graph = new StateGraph(TreeState) as unknown as OpenGraph;
  const known = new Set(ids);
  const following = (next: string | null): string => (next !== null && known.has(next) ? nodeOf(next) : END);
  for (const id of ids) {
    const step = compiled.get(id);
    if (!step) continue;
    graph.addNode(nodeOf(id), stepNode(pack, step, contextOf));
    // A model may propose any step that the tree has.
    const targets = pack.prompts.has('generate_hypothesis')
      ? ids
      : Object.values(step.step.decisions).flatMap(({ next_step: next }) => next ?? []);
    graph.addConditionalEdges(nodeOf(id), ({ open, next }) => (open ? END : following(next)), [
      ...new Set([...targets.filter((target) => known.has(target)).map(nodeOf), END]),
    ]);
  }
  graph.addConditionalEdges(START, ({ next }) => following(next ?? tree.entry_point), [
    ...ids.map(nodeOf),
    END,
  ]);
  return graph.compile({ name: MAIN, checkpointer: false });
}

/** A node is called as its step. LangGraph does not let it have the name of a field of the state. */
export function nodeOf(id: string): string {
  return Object.hasOwn(TreeState.spec, id) ? `${id} (step)` : id;
}

/** All steps but the parallel checks that no decision leads to. */
function mainSteps(pack: Pack): readonly string[] {
  const tree = treeOf(pack);
  const led = followersIn(tree).add(tree.entry_point);
  return Object.keys(tree.steps).filter((id) => !tree.parallel_checks.includes(id) || led.has(id));
}

type TreeGraph = ReturnType<typeof buildTreeGraph>;

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
 * Runs a decision tree, or continues with one that waits. Its state is stored when it pauses, under the run's id; a run that
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
    ...wordsOf(pack, state.words),
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
