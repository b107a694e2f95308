import type { JsonValue } from './json.js';
import type { ProviderName } from './taxonomy.js';

export interface CompositeStepResult {
  readonly step: string;
  readonly skill_id: string;
  readonly status: 'done' | 'failed' | 'skipped';
  readonly output?: JsonValue;
  readonly error?: { readonly code: string; readonly message: string };
  /** Why it was skipped. */
  readonly reason?: string;
  readonly duration_ms: number;
  /** Tries it took; 0 where it did not run, or its result was shared. */
  readonly attempts: number;
  readonly cached: boolean;
  /** Who wrote it, where a template did: `offline` means by its rules. */
  readonly provider?: ProviderName;
}

/** Which level of the hierarchy decided what, on whose authority, and how long it took. */
export interface CompositeTraceEntry {
  readonly level: 0 | 1 | 2 | 3 | 4;
  readonly decided: string;
  /** `rule`, `model` or `fallback` (a rule in place of a model that cannot be reached). */
  readonly by: 'rule' | 'model' | 'fallback';
  readonly reason: string;
  readonly duration_ms: number;
  /** The part that it is about; within a nested composite with those around it: `respond.draft`. */
  readonly step?: string;
  /** Levels 0 and 1: what was planned. */
  readonly plan?: JsonValue;
  /** Levels 2 and 3: what the part is given. Long values are cut. */
  readonly input?: JsonValue;
  /** Levels 3 and 4: what came of it. Long values are cut. */
  readonly output?: JsonValue;
  /** Of a model's decision, or of what a part found; 0 to 1. */
  readonly confidence?: number;
  /** What models took for it. */
  readonly cost_usd?: number;
}

/** What parts that run side by side say otherwise of the same thing. */
export interface CompositeConflict {
  /** `root_cause`, `recommended_action`, or the field of their outputs. */
  readonly about: string;
  readonly said: readonly { readonly step: string; readonly value: JsonValue }[];
}

export interface CompositeResult {
  readonly summary: string;
  readonly detailed_results: readonly CompositeStepResult[];
  readonly user_message: string;
  readonly next_actions: readonly string[];
  /** 0 to 1: steps that succeeded of those that ran. */
  readonly success_rate: number;
  readonly partial_failures: readonly {
    readonly step: string;
    readonly code: string;
    readonly message: string;
  }[];
  /** Where findings do not agree, so that a person must look at them. */
  readonly conflicts: readonly CompositeConflict[];
  readonly trace: readonly CompositeTraceEntry[];
  /** The last step's output, or the outputs by step where several are last. */
  readonly output: JsonValue;
  readonly skill_id: string;
  readonly skill_version: string;
}
