/** What a guardrail finds wrong with an answer before it is sent; `ungrounded` and `doubtful` stand in what earlier versions stored. */
export const GUARDRAIL_FAULTS = [
  'empty',
  'unknown_source',
  'claimed_action',
  'promise',
  'figure',
  'ungrounded',
  'doubtful',
  'narrates_handoff',
  'foreign_email',
  'asks_secret',
] as const;
export type GuardrailFault = (typeof GUARDRAIL_FAULTS)[number];

/**
 * What came of it: only what the sources say was left (`shortened`, stored by earlier versions), their own words took its place (`quoted`), its agent
 * wrote it again (`rewritten`), the rules answered instead (`rules`), or a person answers (`person`).
 */
export const GUARDRAIL_OUTCOMES = ['shortened', 'quoted', 'rewritten', 'rules', 'person'] as const;
export type GuardrailOutcome = (typeof GUARDRAIL_OUTCOMES)[number];

/** A part of an answer that was not sent as it was written. */
export interface GuardrailHit {
  /** Who wrote it. */
  readonly agent: string;
  readonly fault: GuardrailFault;
  readonly outcome: GuardrailOutcome;
}

/** What may be done to, or be so of, something of a customer's. */
export const DEEDS = [
  'cancel',
  'refund',
  'book',
  'attend',
  'miss',
  'pay',
  'fail',
  'pause',
  'resume',
  'block',
  'unblock',
  'change',
  'send',
  'note',
  'approve',
  'waive',
  'settle',
  'remove',
  'plan',
  'contact',
] as const;

/**
 * A kind of thing that may be done for a customer, or be so. A tool declares which deeds its success allows an answer to
 * claim; the guardrail compares them with what the answer says.
 */
export type Deed = (typeof DEEDS)[number];
