/**
 * A kind of thing that may be done for a customer. A tool declares which deeds its success allows an answer to claim;
 * the guardrail compares them with what the answer says.
 */
export type Deed =
  | 'cancel'
  | 'refund'
  | 'pause'
  | 'resume'
  | 'block'
  | 'unblock'
  | 'change'
  | 'send'
  | 'open'
  | 'note'
  | 'forward'
  | 'book'
  | 'waive'
  | 'remove'
  | 'approve'
  | 'settle';
