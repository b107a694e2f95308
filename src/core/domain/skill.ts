import type { CompositeResult } from './composite-result.js';
import type { JsonObject, JsonValue } from './json.js';
import type { ProviderName } from './taxonomy.js';

/*
 * What skills are called and what they give back. Results are a wire format that packs, programs and models read, so
 * their keys are snake_case.
 */

export const SKILL_TYPES = ['decision_tree', 'composite', 'atomic'] as const;
export type SkillType = (typeof SKILL_TYPES)[number];

export const SKILL_STATUSES = ['poc', 'active', 'deprecated'] as const;
type SkillStatus = (typeof SKILL_STATUSES)[number];

/** What a skill may do to the world outside. */
export type SkillEffect = 'read' | 'write' | 'irreversible';

/**
 * Whose data a skill reads where it runs for a customer. `customer`: what is the customer's own and what anybody may read,
 * whatever its input says. `everybody`: it or a part of it asks an API, a server or a program, which cannot be held to one
 * customer's rows, so whoever chooses the input chooses whose data it is.
 */
export type SkillReach = 'customer' | 'everybody';

/** What everybody may know of a skill; lists, model prompts and agent cards are made from it. */
export interface SkillSummary {
  readonly id: string;
  /** Semantic version. */
  readonly version: string;
  readonly title: string;
  /** The title in other languages, where the pack has it. */
  readonly titles: Readonly<Record<string, string>>;
  /** The description in other languages, where the pack has it. */
  readonly descriptions: Readonly<Record<string, string>>;
  readonly description: string;
  readonly owner: string;
  readonly status: SkillStatus;
  readonly type: SkillType;
  readonly tags: readonly string[];
  readonly effect: SkillEffect;
  readonly reach: SkillReach;
  readonly approval: 'none' | 'customer' | 'operator';
  readonly templateType: 'LLM_JSON_GENERATION' | 'LLM_REVIEW' | null;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
}

/** On whose behalf a skill runs. Verified by the caller; nothing in a skill's input can change it. */
export type SkillCaller =
  | { readonly kind: 'customer'; readonly customerId: string }
  /** Somebody trusted with every customer's data: an operator, a developer at a terminal, a test case. */
  | { readonly kind: 'operator'; readonly operatorId: string };

/** A caller as runs are kept for it. */
export function callerKey(caller: SkillCaller): string {
  return caller.kind === 'customer' ? `customer:${caller.customerId}` : `operator:${caller.operatorId}`;
}

/** For whom what a source or a skill has answered is kept: staff sees the same, no matter who asks. */
export function sharedBy(caller: SkillCaller): string {
  return caller.kind === 'customer' ? callerKey(caller) : caller.kind;
}

/** By language, what a run says in English, and how it is said there. */
export type SkillWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** One thing that was found out, and where. */
export interface Evidence {
  readonly step: string;
  readonly name: string;
  /** The decision that was taken, null where none held or the step failed. */
  readonly decision: string | null;
  readonly finding: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** A cut of the data the decision was taken on. */
  readonly data?: JsonValue;
  /** Set where a model chose, and no condition of the pack did. */
  readonly by?: 'model';
  /** Set where the step could not do its work. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** What an investigation advises to do. The one who carries it out asks whoever must agree. */
export interface RecommendedAction {
  readonly action: string;
  readonly priority?: string;
  readonly human_approval_required?: boolean;
  /** Arguments for the action, filled from what was found. */
  readonly arguments?: JsonObject;
}

export const HANDOFF_TRIGGERS = [
  'low_confidence',
  'contradictory_data',
  'stuck',
  'stuck_after_steps',
  'critical_decision',
  'question',
  'missing_parameter',
  'tie',
] as const;
export type HandoffTrigger = (typeof HANDOFF_TRIGGERS)[number];

/** One way to continue that a person is offered. */
export interface HandoffOption {
  /** `A` accept what was found, `B` continue with the next step, `C` a person takes over; others are named by the skill. */
  readonly id: string;
  readonly label: string;
}

/** A question to a person, with everything on the table. */
export interface SkillHandoff {
  readonly run_id: string;
  readonly skill_id: string;
  /** The step that asks. */
  readonly at: string;
  readonly trigger: HandoffTrigger;
  readonly question: string;
  /** What the pack says a person should do about this trigger. */
  readonly advice: string | null;
  readonly found: readonly Evidence[];
  /** Steps taken so far, in order. */
  readonly tried: readonly string[];
  readonly options: readonly HandoffOption[];
  /** What A would accept. */
  readonly proposal: {
    readonly root_cause: string | null;
    readonly confidence: number;
    readonly recommended_action: RecommendedAction | null;
    readonly explanation?: string | null;
    /** What the customer may be told of it, by language. */
    readonly customer_message?: Readonly<Record<string, string>> | null;
  } | null;
  readonly words?: SkillWords;
  /** Names of inputs that are missing (trigger `missing_parameter`). */
  readonly fields?: readonly string[];
}

/** How a person answered a hand-off. */
export interface HandoffRecord {
  readonly at: string;
  readonly trigger: HandoffTrigger;
  readonly choice: string;
  readonly by: string;
}

/** The answer that resumes a waiting run. */
export interface SkillAnswer {
  /** The id of one of the options, case-insensitive. */
  readonly choice: string;
  /** `operator:<id>` or `customer:<id>`. */
  readonly by: string;
  /** Values for what was missing. */
  readonly input?: JsonObject;
}

export interface InvestigationResult {
  readonly root_cause: string | null;
  /** Why, in the pack's words with the facts filled in; null where nothing was concluded. */
  readonly explanation: string | null;
  readonly impact: string | null;
  /** What a customer may be told, by language (`en`, `pt-BR`), where the pack says it. */
  readonly customer_message: Readonly<Record<string, string>> | null;
  readonly evidence: readonly Evidence[];
  readonly words?: SkillWords;
  /** 0 to 1. */
  readonly confidence_score: number;
  readonly recommended_action: RecommendedAction | null;
  /** Milliseconds, waiting for people not included. */
  readonly time_to_investigate: number;
  readonly steps_completed: number;
  /** Ids of the steps of the main path, in order. */
  readonly path: readonly string[];
  readonly handoffs: readonly HandoffRecord[];
  /** True where a person took over, or a step failed, so that this is not the whole story. */
  readonly partial: boolean;
  readonly skill_id: string;
  readonly skill_version: string;
}

interface GenerationTimings {
  readonly prompt_render: number;
  readonly llm_call: number;
  readonly validation: number;
  readonly total: number;
}

export interface GenerationResult {
  readonly success: boolean;
  readonly data?: JsonObject;
  readonly rawResponse?: string;
  readonly validationErrors?: readonly string[];
  readonly attempts: number;
  readonly timings_ms: GenerationTimings;
  /** Who wrote it: `offline` means the prompt's rule fallback. */
  readonly provider: ProviderName;
  /** Set where it did not succeed. */
  readonly error?: { readonly code: string; readonly message: string };
}

export type CriterionVerdict = 'pass' | 'fail' | 'indeterminate';

export interface CriterionResult {
  readonly criterion_id: string;
  readonly criterion_name: string;
  readonly verdict: CriterionVerdict;
  readonly reasoning: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** The words of the content that decided it. */
  readonly evidence?: readonly string[];
}

export interface ReviewResult {
  readonly pass: boolean;
  /** Criteria that failed, with why. */
  readonly issues: readonly string[];
  readonly suggested_fixes: readonly string[];
  /** Ids of criteria that a judge could not decide, or that had none; never also an issue. */
  readonly indeterminate: readonly string[];
  /** 0 to 1; weighted by the rubric. Null where nothing could be judged. */
  readonly score: number | null;
  readonly criteria_results?: readonly CriterionResult[];
  readonly timings_ms: { readonly evaluation: number; readonly total: number };
  readonly provider: ProviderName;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What came of a run, by kind of skill. `plain` is whatever an implementation returns. */
export type SkillResult =
  | ({ readonly kind: 'investigation' } & { readonly value: InvestigationResult })
  | ({ readonly kind: 'composite' } & { readonly value: CompositeResult })
  | ({ readonly kind: 'generation' } & { readonly value: GenerationResult })
  | ({ readonly kind: 'review' } & { readonly value: ReviewResult })
  | ({ readonly kind: 'plain' } & { readonly value: JsonValue });

/** What a run cost. */
export interface SkillUsage {
  readonly steps: number;
  readonly api_calls: number;
  readonly llm_calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost_usd: number;
  /** How often something that may have been kept was looked for, and found; absent where nothing was. */
  readonly cache_lookups?: number;
  readonly cache_hits?: number;
}

export type SkillRunStatus = 'running' | 'waiting' | 'done' | 'failed';

/** One run of a skill as its caller sees it. */
export interface SkillRun {
  readonly runId: string;
  readonly skillId: string;
  readonly skillVersion: string;
  readonly status: SkillRunStatus;
  readonly result: SkillResult | null;
  /** Set while `waiting`. */
  readonly handoff: SkillHandoff | null;
  /** Set where `failed`. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly usage: SkillUsage;
  /** Milliseconds of work so far. */
  readonly durationMs: number;
}
