import { z } from 'zod';
import { onlyIn } from '../core/domain/language.js';
import type { Evidence, RecommendedAction, SkillRun } from '../core/domain/skill.js';
import type { Language } from '../core/domain/taxonomy.js';
import { type ErrorCode, HubError } from '../core/errors.js';
import type { ActionTool } from './define-tool.js';

const candidateShape = z.object({ skill_id: z.string(), title: z.string(), description: z.string() });

/** One exact call of an action tool that the investigation advises. */
const proposalShape = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  needs_operator: z.boolean(),
});

/** What a finding advises to do, with the figures it is advised with. */
const adviceShape = z.object({ action: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** What `investigate` returns. */
export const investigationShape = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('concluded'),
    run_id: z.string(),
    skill_id: z.string(),
    skill_version: z.string(),
    root_cause: z.string(),
    explanation: z.string().nullable(),
    /** The message for the customer, in the customer's language, where the skill has one. */
    customer_message: z.string().nullable(),
    confidence: z.number(),
    checks: z.array(z.object({ check: z.string(), finding: z.string() })),
    recommended_action: z.string().nullable(),
    advice: adviceShape.nullable().default(null),
    proposal: proposalShape.nullable(),
  }),
  z.object({
    status: z.literal('needs_person'),
    run_id: z.string(),
    skill_id: z.string(),
    skill_version: z.string(),
    root_cause: z.string().nullable(),
    explanation: z.string().nullable(),
    customer_message: z.string().nullable(),
    confidence: z.number(),
    checks: z.array(z.object({ check: z.string(), finding: z.string() })),
    advice: adviceShape.nullable().default(null),
    question: z.string(),
    /** For the operator: what was done, and the ways to continue. */
    tried: z.array(z.string()),
    options: z.array(z.object({ id: z.string(), label: z.string() })),
  }),
  /** No skill is certain: one of these may be named in a second call. */
  z.object({ status: z.literal('undecided'), candidates: z.array(candidateShape) }),
]);

export type Investigation = z.infer<typeof investigationShape>;
/** What a run came to; a call that ran nothing is `undecided`. */
export type Finding = Exclude<Investigation, { status: 'undecided' }>;
type InvestigationProposal = z.infer<typeof proposalShape>;

const SHOWN_CHECKS = 12;
/** A list that a pack fills in without a limit must not become the customer's to read. */
const MESSAGE_CHARS = 2_000;

/**
 * What a run of a decision tree came to, as the tool returns it.
 * @param actions the tools a recommended action may name
 * @throws HubError where the run failed, with its code
 */
export function readRun(run: SkillRun, language: Language, actions: readonly ActionTool[]): Finding {
  const { runId, skillId, skillVersion, handoff, result } = run;
  const about = { run_id: runId, skill_id: skillId, skill_version: skillVersion };
  if (run.status === 'waiting' && handoff) {
    const { proposal } = handoff;
    return {
      status: 'needs_person',
      ...about,
      root_cause: proposal?.root_cause ?? null,
      explanation: proposal?.explanation ?? null,
      customer_message: inLanguage(proposal?.customer_message ?? null, language),
      confidence: proposal?.confidence ?? 0,
      checks: checksOf(handoff.found),
      advice: adviceOf(proposal?.recommended_action ?? null),
      question: handoff.question,
      tried: [...handoff.tried],
      options: handoff.options.map(({ id, label }) => ({ id, label })),
    };
  }
  if (run.status !== 'done' || result?.kind !== 'investigation') {
    const code = (run.error?.code ?? 'skill_failed') as ErrorCode;
    throw new HubError(code, run.error?.message ?? `${skillId} gave no finding.`, { runId, skillId });
  }
  const { value } = result;
  const message = inLanguage(value.customer_message, language);
  if (value.root_cause === null) {
    return {
      status: 'needs_person',
      ...about,
      root_cause: null,
      explanation: value.explanation,
      customer_message: message,
      confidence: value.confidence_score,
      checks: checksOf(value.evidence),
      advice: null,
      question: 'The investigation ended without a cause.',
      tried: [...value.path],
      options: [],
    };
  }
  return {
    status: 'concluded',
    ...about,
    root_cause: value.root_cause,
    explanation: value.explanation,
    customer_message: message,
    confidence: value.confidence_score,
    checks: checksOf(value.evidence),
    recommended_action: value.recommended_action?.action ?? null,
    advice: adviceOf(value.recommended_action),
    proposal: proposalOf(value.recommended_action, actions),
  };
}

/** True where a run waits with a question that its skill asks the customer, and no operator. */
export function asksCustomer({ handoff }: SkillRun, language: Language): boolean {
  const message = onlyIn(handoff?.proposal?.customer_message ?? {}, language)?.trim() ?? '';
  return handoff?.trigger === 'low_confidence' && message.endsWith('?');
}

/** The recommended action as a call, where it names a tool of the hub and its arguments fit. */
function proposalOf(
  recommended: RecommendedAction | null,
  actions: readonly ActionTool[],
): InvestigationProposal | null {
  const tool = actions.find((candidate) => candidate.name === recommended?.action);
  if (!recommended || !tool) return null;
  const parsed = tool.input.safeParse(recommended.arguments ?? {});
  if (!parsed.success) return null;
  return { tool: tool.name, args: parsed.data, needs_operator: recommended.human_approval_required === true };
}

function adviceOf(recommended: RecommendedAction | null) {
  return recommended && { action: recommended.action, arguments: { ...recommended.arguments } };
}

function inLanguage(messages: Readonly<Record<string, string>> | null, language: Language): string | null {
  return (onlyIn(messages ?? {}, language) ?? messages?.en)?.slice(0, MESSAGE_CHARS) ?? null;
}

function checksOf(evidence: readonly Evidence[]): { check: string; finding: string }[] {
  return evidence.slice(0, SHOWN_CHECKS).map(({ name, finding, error }) => ({
    check: name,
    finding: error ? `could not be checked (${error.code})` : finding,
  }));
}
