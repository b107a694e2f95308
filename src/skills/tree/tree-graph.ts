import { type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph';
import type { Pack } from '../pack/pack.js';
import { treeOf } from './run-step.js';
import { compileSteps } from './tree-model.js';
import { askNode, type ContextOf, checkNode, concludeNode, stepNode } from './tree-nodes.js';
import { TreeState, type TreeStateType } from './tree-state.js';

const MAIN = 'main_path';
const AGAIN = 'go_on';
const CONCLUDE = 'conclude';
const ASK = 'ask_person';

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
    .addNode(ASK, askNode(pack, contextOf)) as unknown as StateGraph<
    typeof TreeState.spec,
    TreeStateType,
    typeof TreeState.Update,
    string
  >;
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
  const graph = new StateGraph(TreeState) as unknown as StateGraph<
    typeof TreeState.spec,
    TreeStateType,
    typeof TreeState.Update,
    string
  >;
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
  const led = new Set([
    tree.entry_point,
    ...Object.values(tree.steps).flatMap(({ decisions, options }) =>
      [...Object.values(decisions), ...options].flatMap(({ next_step: next }) => next ?? []),
    ),
  ]);
  return Object.keys(tree.steps).filter((id) => !tree.parallel_checks.includes(id) || led.has(id));
}

export type TreeGraph = ReturnType<typeof buildTreeGraph>;
