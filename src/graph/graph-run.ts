import { Command, type Interrupt } from '@langchain/langgraph';
import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { GateAnswer, GateInterrupt } from '../../agents/index.js';
import type { TurnEvent } from '../core/domain/turn.js';
import type { HubGraph } from './hub-graph.js';
import type { HubStateType, HubUpdate } from './state.js';

/** Subgraphs count their own steps, so this is a last resort behind the hop limit. */
const RECURSION_LIMIT = 40;

export interface RunOptions {
  readonly callbacks: BaseCallbackHandler[];
  readonly signal: AbortSignal;
  readonly onEvent?: ((event: TurnEvent) => void) | undefined;
}

/** How a LangGraph thread stands. */
export interface ThreadSnapshot {
  readonly values: HubStateType;
  /** Questions the graph waits for. */
  readonly interrupts: readonly Interrupt<GateInterrupt>[];
  /** True where a new message may be given to it: nothing is paused and nothing broke off. */
  readonly idle: boolean;
  /** False for a thread that the checkpointer does not know. */
  readonly exists: boolean;
}

/** Runs the graph on one LangGraph thread. All knowledge of LangGraph's run API is here. */
export class GraphRunner {
  constructor(private readonly graph: HubGraph) {}

  async snapshot(graphThreadId: string): Promise<ThreadSnapshot> {
    const state = await this.graph.getState({ configurable: { thread_id: graphThreadId } });
    const interrupts = state.tasks.flatMap((task) => task.interrupts) as Interrupt<GateInterrupt>[];
    return {
      values: state.values as HubStateType,
      interrupts,
      idle: state.next.length === 0,
      exists: state.config.configurable?.checkpoint_id !== undefined,
    };
  }

  /** Gives the graph a new message. */
  async start(graphThreadId: string, input: HubUpdate, options: RunOptions): Promise<ThreadSnapshot> {
    return this.#run(graphThreadId, input, options);
  }

  /** Answers one pause, by its id. */
  async resume(
    graphThreadId: string,
    interruptId: string,
    answer: GateAnswer,
    options: RunOptions,
  ): Promise<ThreadSnapshot> {
    return this.#run(graphThreadId, new Command({ resume: { [interruptId]: answer } }), options);
  }

  async #run(graphThreadId: string, input: HubUpdate | Command, options: RunOptions): Promise<ThreadSnapshot> {
    await this.graph.invoke(input as HubUpdate, {
      configurable: { thread_id: graphThreadId },
      callbacks: options.callbacks,
      signal: options.signal,
      recursionLimit: RECURSION_LIMIT,
      durability: 'sync',
    });
    return this.snapshot(graphThreadId);
  }
}
