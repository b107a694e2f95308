import type { Interrupt } from '@langchain/langgraph';
import type { HubStateType } from '../graph/state.js';
import type { GateInterrupt } from '../runtime/gate.js';

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
