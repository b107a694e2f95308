import type { EscalationReason } from '../domain/taxonomy.js';
import type { ErrorCode } from '../errors.js';
import type { ApprovalReason } from '../policy/verdict.js';

export interface ReservationLine {
  readonly title: string;
  readonly when: string;
  readonly place: string;
  readonly status: 'reserved' | 'attended' | 'cancelled' | 'refunded';
}

export interface CancelTexts {
  readonly title: string;
  readonly when: string;
  /** Formatted amount, or null where nothing was paid. */
  readonly refund: string | null;
}

/** What happens next, and when. */
export interface NextStep {
  /** The latest time of a person's answer; null where it should have come by now. */
  readonly by: string | null;
  readonly outOfHours: boolean;
}

/**
 * Every sentence the hub itself says to a customer, in one language. Model-written answers are not here.
 * Values that come in are already formatted.
 */
export interface Texts {
  // Questions that hold back an action
  confirmCancel(value: CancelTexts): string;
  confirmCancelApproval(value: CancelTexts & { reason: ApprovalReason; hours: number }): string;
  confirmRefund(value: { title: string; amount: string }): string;
  confirmRefundApproval(value: { title: string; amount: string; reason: ApprovalReason }): string;
  confirmPause(value: { days: number; until: string; upcoming: number }): string;
  confirmResume(): string;
  confirmCancelSubscription(value: { upcoming: number }): string;
  waitingForApproval(): string;
  // What became of it
  cancelled(value: { title: string; refund: string | null }): string;
  refunded(value: { title: string; amount: string }): string;
  paused(value: { until: string; upcoming: number }): string;
  resumed(): string;
  subscriptionCancelled(value: { upcoming: number }): string;
  done(): string;
  nothingChanged(): string;
  /** A yes or no to nothing. */
  nothingOpen(): string;
  // An open request, while operators decide about it
  cancellationOf(value: { title: string; when: string }): string;
  refundOf(value: { title: string }): string;
  subscriptionChange(value: { change: 'pause' | 'resume' | 'cancel' }): string;
  bookingStands(value: { title: string; when: string }): string;
  notRefunded(value: { title: string }): string;
  subscriptionStands(value: { change: 'pause' | 'resume' | 'cancel' }): string;
  /** The customer has taken it back. @param value.unchanged what stands */
  withdrawn(value: { unchanged: string }): string;
  /** It was done before the customer took it back. @param value.byTeam an operator had agreed to it */
  doneBefore(value: { outcome: string; byTeam: boolean }): string;
  /** The team declined it, or it expired, before the customer took it back. */
  closedBefore(): string;
  /** @param value.names of requests, as `cancellationOf` and its like give them */
  stillWithTeam(value: { names: readonly string[]; ifAgreed: string | null }): string;
  refundIfAgreed(value: { refund: string | null }): string;
  /** A yes takes it back. */
  withdrawIt(value: { name: string }): string;
  /** @param value.list numbered */
  withdrawWhich(value: { list: string }): string;
  operatorDeclined(value: { reason: string | null }): string;
  preferenceSaved(value: { key: string; value: string }): string;
  // Asking back
  whichReservation(value: { intent: string; list: string }): string;
  noSuchReservation(value: { mentioned: string; list: string | null }): string;
  noReservationsFor(value: { intent: string }): string;
  /** Something left open that needs a plain yes or no. */
  answerYesOrNo(value: { question: string }): string;
  reminder(value: { question: string }): string;
  questionExpired(): string;
  /** Ends an answer of a model that got too long. */
  answerCut(): string;
  clarify(): string;
  emptyMessage(): string;
  // Account answers
  reservations(value: { upcoming: string | null; past: string | null }): string;
  reservationLine(value: ReservationLine): string;
  subscription(value: {
    status: string;
    tier: string;
    quota: number;
    since: string;
    ended: string | null;
  }): string;
  noSubscription(): string;
  visitsLeft(value: {
    remaining: number;
    quota: number;
    used: number;
    resets: string;
    status: string;
  }): string;
  profile(value: { name: string; email: string; since: string; preferences: string | null }): string;
  payments(value: { list: string | null }): string;
  paymentLine(value: { date: string; amount: string; what: string | null; status: string }): string;
  refunds(value: { list: string | null }): string;
  /** @param value.offer whether the hub may refund it from there */
  refundMissing(value: { title: string; amount: string; offer: boolean }): string;
  blocked(): string;
  seeAlso(value: { titles: string }): string;
  identity(): string;
  refundLine(value: { title: string; amount: string; date: string; status: string }): string;
  // Conversation
  greeting(value: { name: string | null; lastTopic: string | null }): string;
  thanks(): string;
  goodbye(): string;
  acknowledge(): string;
  unsupportedLanguage(): string;
  signIn(): string;
  /** @param value.exact false where the words asked for had to be dropped to find anything */
  experiences(value: { list: string | null; exact: boolean }): string;
  experienceLine(value: {
    title: string;
    when: string;
    place: string;
    price: string | null;
    premium: boolean;
    slots: number;
  }): string;
  // Handing over
  /** Why people go on with it; the beginning of `escalated`. */
  handedOver(value: { reason: EscalationReason }): string;
  escalated(value: { reason: EscalationReason } & NextStep): string;
  /** Handed over again while it waits: it is with the first request now. */
  joined(value: NextStep): string;
  /** @param value.name null while it waits for somebody; `back` null within business hours */
  withColleague(value: { name: string | null; back: string | null }): string;
  /** A person has resolved the request without a word of their own. */
  closedBy(value: { name: string }): string;
  /** Handed back by a person, and nothing the hub could do about it. */
  notAgain(): string;
  approvalExpired(): string;
  /** An operator asks for the customer's yes to something else than was agreed to. */
  operatorChanged(value: { question: string }): string;
  /** What a program says for the customer who uses it. @param value.protocol e.g. `MCP` */
  askedByProgram(value: { protocol: string; what: string }): string;
  answeredByProgram(value: { protocol: string; approved: boolean }): string;
  /** What an action does, after "I would like to". @param name the tool, with its `action` argument where it has one */
  actionName(name: string): string;
  // Refusals and faults
  refusal(code: ErrorCode): string;
}
