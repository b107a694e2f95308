import { z } from 'zod';

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
    /** What the customer may be told, in the customer's language, where the skill says it. */
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
    /** For the operator: what was done, and the ways to go on. */
    tried: z.array(z.string()),
    options: z.array(z.object({ id: z.string(), label: z.string() })),
  }),
  /** No skill is certain: one of these may be named in a second call. */
  z.object({ status: z.literal('undecided'), candidates: z.array(candidateShape) }),
]);

export type Investigation = z.infer<typeof investigationShape>;
/** What a run came to; a call that ran nothing is `undecided`. */
export type Finding = Exclude<Investigation, { status: 'undecided' }>;
export type InvestigationProposal = z.infer<typeof proposalShape>;
