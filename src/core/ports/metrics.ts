import type { TurnReply } from '../domain/turn.js';

/** Figures of one process as plain JSON, in a form that only the implementation reads. */
export type MetricsSnapshot = readonly object[];

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
  /** The same figures as JSON, to be added to those of other processes. */
  snapshot(): Promise<MetricsSnapshot>;
}
