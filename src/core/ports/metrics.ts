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

/** Traces of turns. Never throws, and never delays a turn for the one who collects them. */
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

/**
 * What operations are counted and timed. One method a fact, so that names and labels are chosen in one place. Nothing
 * here throws, and nothing personal is a label.
 */
export interface Metrics {
  /** A turn ended with an answer. Durations in milliseconds; `firstTokenMs` null where nothing was streamed. */
  turn(reply: TurnReply, firstTokenMs: number | null, channel: string): void;
  /** A turn was dropped because a person took over. */
  turnDropped(): void;
  /** An operator's decision, that none came in time, or that the customer took the request back. */
  approval(decision: 'approved' | 'rejected' | 'edited' | 'expired' | 'withdrawn'): void;
  /** One request to a model provider. */
  modelCall(call: {
    readonly role: string;
    readonly model: string;
    readonly outcome: 'ok' | 'error' | 'fallback';
    readonly ms: number;
    /** What the provider billed; absent where nothing is known of it. Cost in US dollars. */
    readonly usage?: {
      readonly promptTokens: number;
      readonly completionTokens: number;
      readonly costUsd: number;
    };
  }): void;
  /** A tool call of an agent. */
  toolCall(agent: string, tool: string, ok: boolean): void;
  /** The spend ceiling held a model call back. */
  ceiling(scope: 'ticket' | 'month'): void;
  /** An error with its code, where it surfaced. */
  error(where: string, code: string): void;
  /** A webhook was called, or the room for what waits was used up. */
  webhook(outcome: 'delivered' | 'retried' | 'failed' | 'gone' | 'refused'): void;
  /** An HTTP request. `route` is the pattern, never the path. */
  request(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly ms: number;
  }): void;
  /** Open event streams, by whom. */
  streams(kind: 'customer' | 'desk' | 'program', open: number): void;
  /** Everything in the Prometheus text format, with its content type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const nothing = (): void => undefined;

/** Counts nothing: for commands that end before anybody could ask. */
export function createNoMetrics(): Metrics {
  return {
    turn: nothing,
    turnDropped: nothing,
    approval: nothing,
    modelCall: nothing,
    toolCall: nothing,
    ceiling: nothing,
    error: nothing,
    webhook: nothing,
    request: nothing,
    streams: nothing,
    render: async () => ({ contentType: 'text/plain; version=0.0.4; charset=utf-8', text: '' }),
  };
}

/* Figures for operations: what waits, and the money spent on models. */
/** What waits for people and for the hub at this moment. */
interface QueueFigures {
  /** Tickets with the operators that nobody has claimed. */
  readonly unassigned: number;
  /** Tickets that an operator has claimed. */
  readonly claimed: number;
  /** Seconds since the oldest unassigned ticket last moved; 0 where there is none. */
  readonly oldestWaitSeconds: number;
  /** Open questions to operators. */
  readonly approvals: number;
  /** Messages of customers that were taken and not answered yet. */
  readonly inbox: number;
  /** Notifications that webhooks have yet to take. */
  readonly webhooksWaiting: number;
  /** Those of the last days that were given up. */
  readonly webhooksFailed: number;
  /** Seconds since the oldest waiting one happened; 0 where none waits. */
  readonly oldestWebhookSeconds: number;
}

/** What operations look at. Throws HubError `database_failed`. */
export interface Operations {
  queue(): Promise<QueueFigures>;
}

/** Money spent on models. Throws HubError `database_failed`. */
export interface Spend {
  /**
   * Which ceiling has been reached, if any: checked before each call of a model. Counts what every process on the same
   * data has spent up to its last answered call.
   */
  reached(ticketId: string | null): Promise<'ticket' | 'month' | null>;
  /** Adds what one call cost, in US dollars. Never throws: the money is spent. */
  add(ticketId: string | null, costUsd: number): void;
}

/** A calendar month of the hub's time zone. */
export interface SpendMonth {
  /** `2026-03`. */
  readonly name: string;
  /** First moment of it and of the next one, ISO 8601 UTC. */
  readonly from: string;
  readonly to: string;
}

/** What was spent, kept at once, so that all processes on the same data see it. Throws HubError `database_failed`. */
export interface SpendLedger {
  /** US dollars of the month. Of one nothing was kept for: what its turns and the runs of skills cost. */
  month(month: SpendMonth): Promise<number>;
  /** US dollars of the ticket, whenever they were spent. */
  ticket(ticketId: string): Promise<number>;
  /** @throws HubError `disk_full` */
  add(month: SpendMonth, ticketId: string | null, costUsd: number): Promise<void>;
}
