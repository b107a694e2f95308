import { Annotation, END, type LangGraphRunnableConfig, START, StateGraph } from '@langchain/langgraph';
import type { InvestigationResult, SkillAnswer } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import type { Catalog, Pack } from '../pack/pack.js';
import type { RunContext } from '../run/run-context.js';
import { checkedInput } from '../run/run-engine.js';
import { buildTreeGraph, nodeOf, toResult } from './execute-tree.js';
import { TreeState, type TreeStateType } from './tree-state.js';

/** What a run in Studio is made for. */
export interface StudioRun {
  /** Named after the thread, so that a run that is resumed finds its parts again. */
  readonly runId: string;
  readonly signal: AbortSignal;
  /** The last answer of a person, for a part that waits. */
  readonly answer: SkillAnswer | null;
}

const StudioState = Annotation.Root({
  ...TreeState.spec,
  /** Which skill runs; the input of the graph, beside `input`. */
  skill_id: Annotation<string>,
  result: Annotation<InvestigationResult | null>({ reducer: (_left, right) => right, default: () => null }),
});
type StudioStateType = typeof StudioState.State;

const BEGIN = 'begin';
const REPORT = 'report';

/**
 * Every decision tree in one graph, for LangGraph Studio: `{ skill_id, input }` runs a skill, a hand-off is an interrupt
 * that is resumed with `{ "choose": "A" }`, and `result` is what was found. Without a checkpointer: the server brings its own.
 * @param makeContext a run's context; called by every node that needs one
 */
export function buildSkillsGraph(catalog: Catalog, makeContext: (pack: Pack, run: StudioRun) => RunContext) {
  const packs = new Map(
    catalog
      .list()
      .filter((pack) => pack.tree !== null)
      .map((pack) => [pack.id, pack]),
  );
  const demand = (id: string | undefined): Pack => {
    const pack = packs.get(id ?? '');
    if (pack) return pack;
    const known = [...packs.keys()].join(', ') || 'none';
    throw new HubError('skill_unknown', `There is no decision tree "${id ?? ''}"; there is: ${known}.`);
  };
  const graph = new StateGraph(StudioState)
    .addNode(BEGIN, ({ skill_id: id, input }) => ({ ...BLANK, input: checkedInput(demand(id), input) }))
    .addNode(REPORT, (state) => ({ result: toResult(demand(state.skill_id), state) }))
    .addEdge(START, BEGIN)
    .addEdge(REPORT, END) as unknown as StateGraph<
    typeof StudioState.spec,
    StudioStateType,
    typeof StudioState.Update,
    string
  >;
  for (const pack of packs.values()) {
    const contextOf = (config: LangGraphRunnableConfig, state: TreeStateType): RunContext =>
      makeContext(pack, {
        runId: `studio_${String(config.configurable?.thread_id ?? 'thread')}`,
        signal: config.signal ?? new AbortController().signal,
        answer: lastAnswer(state),
      });
    graph.addNode(treeNode(pack.id), buildTreeGraph(pack, contextOf)).addEdge(treeNode(pack.id), REPORT);
  }
  graph.addConditionalEdges(
    BEGIN,
    ({ skill_id: id }) => treeNode(demand(id).id),
    [...packs.keys()].map(treeNode),
  );
  return graph.compile({ name: 'skills' });
}

/** A skill may be called like a field of the state or one of the other nodes, which a node must not be. */
function treeNode(id: string): string {
  const taken = [BEGIN, REPORT, 'skill_id', 'result'].includes(id) || nodeOf(id) !== id;
  return taken ? `${id} (skill)` : id;
}

/** A second run on the same thread knows nothing of the first. */
const BLANK: typeof StudioState.Update = {
  input: {},
  steps: {},
  evidence: [],
  path: [],
  next: null,
  sinceAnswer: 0,
  finding: null,
  partialConfidence: 0,
  open: null,
  handoffs: [],
  settled: [],
  answers: {},
  takenOver: false,
  elapsed: 0,
  checks: null,
  result: null,
};

function lastAnswer({ handoffs }: TreeStateType): SkillAnswer | null {
  const last = handoffs.at(-1);
  return last ? { choice: last.choice, by: last.by } : null;
}
