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
