import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { Command, INTERRUPT, type Interrupt } from '@langchain/langgraph';
import { linkSignals } from '../core/signals.js';
import type { HubGraph } from '../graph/hub-graph.js';
import type { HubStateType, HubUpdate } from '../graph/state.js';
import type { GateAnswer, GateInterrupt } from '../runtime/gate.js';
import { LIVE_MODES, type LiveTurn } from './turn-events.js';
import type { ThreadSnapshot } from './turn-reply.js';

/** Subgraphs count their own steps, so this is a last resort behind the hop limit. */
const RECURSION_LIMIT = 40;

interface RunOptions {
  readonly callbacks: BaseCallbackHandler[] | undefined;
  readonly signal: AbortSignal;
  /** Present where a client listens: the graph is streamed to it. */
  readonly live?: LiveTurn | undefined;
}

/** What `invoke` returns: the state, and the open interrupts if there are any. */
type Outcome = HubStateType & { readonly [INTERRUPT]?: readonly Interrupt<GateInterrupt>[] };

type StreamPiece = readonly [path: readonly string[], mode: (typeof LIVE_MODES)[number], payload: unknown];

/** Runs the graph on one LangGraph thread. All knowledge of LangGraph's run API is here. */
export class GraphRunner {
  readonly #admission = createRunAdmission();

  /**
   * @param durable false where the state dies with the process anyway. Where it is kept, a resumed run, the only kind
   * that does something irreversible, writes every step before the next begins: a full disk stops it in time.
   * A new message writes when it pauses or ends; one that breaks off is answered again from the inbox.
   * @param canWrite throws where no state can be stored, so that no run begins in vain
   */
  constructor(
    private readonly graph: HubGraph,
    private readonly durable: boolean,
    private readonly canWrite: () => Promise<void>,
  ) {}

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

  /** Resumes one interrupt, by its id. */
  resume(
    graphThreadId: string,
    interruptId: string,
    answer: GateAnswer,
    options: RunOptions,
  ): Promise<ThreadSnapshot> {
    return this.run(graphThreadId, new Command({ resume: { [interruptId]: answer } }), options);
  }

  /** Gives the graph a new message, or resumes it after an interrupt. */
  async run(
    graphThreadId: string,
    input: HubUpdate | Command,
    { callbacks, signal, live }: RunOptions,
  ): Promise<ThreadSnapshot> {
    await this.canWrite();
    await this.#admission();
    const link = linkSignals(signal);
    const config = {
      configurable: { thread_id: graphThreadId },
      ...(callbacks ? { callbacks } : {}),
      signal: link.signal,
      recursionLimit: RECURSION_LIMIT,
      durability: this.durable && input instanceof Command ? 'sync' : 'exit',
    } as const;
    try {
      if (live) {
        await this.#stream(graphThreadId, input, live, config);
        return await this.snapshot(graphThreadId);
      }
      const values = (await this.graph.invoke(input as HubUpdate, config)) as Outcome | undefined;
      // A run that was interrupted before it changed any state returns its interrupts only.
      if (!values?.session) return await this.snapshot(graphThreadId);
      const interrupts = values[INTERRUPT] ?? [];
      return { values, interrupts, idle: interrupts.length === 0, exists: true };
    } finally {
      link.release();
    }
  }

  /** The same run as a stream of events; a little slower, so only where a client listens. */
  async #stream(
    graphThreadId: string,
    input: HubUpdate | Command,
    live: LiveTurn,
    config: Parameters<HubGraph['stream']>[1],
  ): Promise<void> {
    // A resumed turn continues with what it knew; a new one is opened by the intake node.
    if (input instanceof Command) live.begin((await this.snapshot(graphThreadId)).values);
    const stream = await this.graph.stream(input as HubUpdate, {
      ...config,
      streamMode: [...LIVE_MODES],
      subgraphs: true,
    });
    // With several modes and subgraphs each piece is a triple, which the library's types do not say.
    for await (const [path, mode, payload] of stream as unknown as AsyncIterable<StreamPiece>) {
      live.take(path, mode, payload);
    }
  }
}

/**
 * Lets runs begin one at a time, each in a round of its own of the event loop. Most of a turn never waits for anything
 * outside the process, so that turns which arrive together would keep every request, answer and timer waiting until all
 * of them were done.
 * @returns resolves when it is the caller's turn to begin
 */
export function createRunAdmission(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const admit = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(admit);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(admit);
    });
}
