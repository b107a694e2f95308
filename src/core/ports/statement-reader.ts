import type { Deed } from '../domain/deed.js';

/**
 * What a sentence of an answer does beside explaining, asking and offering: `done` says that the hub did something,
 * `claim` that something was done or is so, `denied` that it was not, `pending` that it is under way, `promise` that it will be.
 */
export type StatementAct = 'done' | 'claim' | 'denied' | 'pending' | 'promise';

/** What one sentence says, as chances of 0 to 1. */
export interface Statement {
  readonly acts: Readonly<Record<StatementAct, number>>;
  /** Of what it is said, where it is said at all; their sum is 1. */
  readonly deeds: Readonly<Record<Deed, number>>;
}

/** Reads what a sentence states, without a model elsewhere: deterministic, a fraction of a millisecond. */
export interface StatementReader {
  /** @param text one sentence or part of one */
  read(text: string): Statement;
}
