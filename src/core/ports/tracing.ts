import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Identity } from '../domain/customer.js';
import type { TurnReply } from '../domain/turn.js';

/** What is known of a turn when it begins. */
export interface TracedTurn {
  readonly identity: Identity;
  readonly channel: string;
  readonly threadId: string | null;
  readonly text: string;
}

/** A call from other software, which belongs to no turn. */
export interface TracedCall extends Pick<TracedTurn, 'identity' | 'channel'> {
  /** Of the tool or skill. */
  readonly name: string;
}

/** A part of a turn that the trace shows by itself. */
export interface TracedPart {
  readonly kind: 'tool' | 'retrieval';
  readonly name: string;
  /** Facts without content: names, counts, codes. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
  /** What went in, shown only where contents may be. */
  readonly input?: unknown;
}

/** Measures the parts of a turn. */
export interface Spans {
  /** Runs the work as a part of the turn it belongs to; outside of a turn it just runs. */
  part<T>(part: TracedPart, work: () => Promise<T>): Promise<T>;
}

/** Traces of turns. Never throws, and never delays a turn for whoever collects them. */
export interface Tracing extends Spans {
  /** Runs a turn as one trace. */
  turn(turn: TracedTurn, work: () => Promise<TurnReply>): Promise<TurnReply>;
  /** Runs a call as one trace, with the kind of its outcome. */
  call<T extends { readonly kind: string }>(call: TracedCall, work: () => Promise<T>): Promise<T>;
  /** To be attached to the graph's run, so that agents and model calls appear in the trace of the current turn. */
  callbacks(): readonly BaseCallbackHandler[];
  /** A model call that was made outside of the graph, told when it has ended. */
  modelCall(call: {
    readonly role: string;
    readonly model: string;
    readonly ms: number;
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly outcome: string;
  }): void;
  /** Sends what is left, a few seconds at most. */
  close(): Promise<void>;
}
