import type { TurnReply, Usage } from '../core/domain/turn.js';
import type { Failure } from './checks.js';
import type { TurnExpectation } from './scenario.js';
import type { TraceStep } from './trace.js';

/** The steps of a turn at which it can go wrong first; `fault`: the hub broke, `simulator`: the customer's model did. */
export const BLAMED_STEPS = [
  'triage',
  'route',
  'reference',
  'retrieval',
  'passage',
  'policy',
  'gate',
  'guardrail',
  'wording',
  'simulator',
  'fault',
] as const;
export type BlamedStep = (typeof BLAMED_STEPS)[number];

/** The first step that went wrong. */
export interface Blame {
  readonly step: BlamedStep;
  /** Index of the turn. */
  readonly turn: number;
  readonly why: string;
}

/** What was said and done in one turn. */
export interface PlayedTurn {
  readonly said: string;
  /** What must hold of the answer. */
  readonly expect?: TurnExpectation | undefined;
  /** Null where the hub broke. */
  readonly answer: TurnReply | null;
  readonly ms: number;
  readonly trace: readonly TraceStep[];
  readonly failures: readonly Failure[];
}

/** One conversation that was held, and what came of it. */
export interface PlayedRun {
  readonly turns: readonly PlayedTurn[];
  /** What does not hold of the end. */
  readonly failures: readonly Failure[];
  readonly passed: boolean;
  /** Null where it passed. */
  readonly blame: Blame | null;
  readonly usage: Usage;
}

/** What a customer says next, or what keeps them from it. */
export type Line =
  | { readonly say: string; readonly expect?: TurnExpectation | undefined }
  | { readonly failure: Failure };

/** Says what the customer says next; null where nothing is left to say. */
export type Customer = (turns: readonly PlayedTurn[]) => Promise<Line | null>;
