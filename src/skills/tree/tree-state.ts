import { Annotation } from '@langchain/langgraph';
import type { JsonObject } from '../../core/domain/json.js';
import type {
  Evidence,
  HandoffRecord,
  HandoffTrigger,
  RecommendedAction,
  SkillHandoff,
} from '../../core/domain/skill.js';

/** What a step concluded, with the facts filled in. */
export interface Finding {
  readonly step: string;
  readonly rootCause: string;
  readonly explanation: string | null;
  readonly impact: string | null;
  readonly customerMessage: Readonly<Record<string, string>> | null;
  readonly recommendedAction: RecommendedAction | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** Where its decision leads all the same; most end here. */
  readonly nextStep: string | null;
}

/** A question to a person that has not been put yet, and where each answer leads. */
export interface OpenHandoff {
  readonly at: string;
  readonly trigger: HandoffTrigger;
  readonly question: string;
  readonly advice: string | null;
  /** What A would accept. */
  readonly finding: Finding | null;
  /** Where B leads. */
  readonly nextStep: string | null;
  /** The hand-off of a part that waits; answered, the step runs again and hands the answer on. */
  readonly part: SkillHandoff | null;
}

/** What one parallel check found out. */
export interface CheckFinding {
  readonly evidence: Evidence;
  readonly finding: Finding | null;
  readonly result: JsonObject;
}

function latest<T>(initial: T) {
  return Annotation<T>({ reducer: (_left, right) => right, default: () => initial });
}

/**
 * The state of a decision tree: plain JSON, so that any checkpointer keeps it and another process goes on with it. The main
 * path alone writes everything but `checks`, which each parallel check adds itself to.
 */
export const TreeState = Annotation.Root({
  input: latest<JsonObject>({}),
  /** Results of the steps that ran, by step. */
  steps: latest<Readonly<Record<string, JsonObject>>>({}),
  evidence: latest<readonly Evidence[]>([]),
  path: latest<readonly string[]>([]),
  /** The step that runs next; null begins at the entry point or is the end. */
  next: latest<string | null>(null),
  /** Steps since the beginning or the last answer of a person. */
  sinceAnswer: latest<number>(0),
  finding: latest<Finding | null>(null),
  /** The confidence of the last partial finding. */
  partialConfidence: latest<number>(0),
  open: latest<OpenHandoff | null>(null),
  handoffs: latest<readonly HandoffRecord[]>([]),
  /** Triggers a person has answered, so that the same question is not put twice. */
  settled: latest<readonly string[]>([]),
  /** What people answered to steps that ask and go on by their decisions. */
  answers: latest<Readonly<Record<string, JsonObject>>>({}),
  takenOver: latest<boolean>(false),
  /** Milliseconds of work; waiting for people is none. */
  elapsed: latest<number>(0),
  checks: Annotation<Readonly<Record<string, CheckFinding>>, Readonly<Record<string, CheckFinding>> | null>({
    // Null begins anew.
    reducer: (left, right) => (right === null ? {} : { ...left, ...right }),
    default: () => ({}),
  }),
});

export type TreeStateType = typeof TreeState.State;
export type TreeUpdate = Partial<TreeStateType>;
