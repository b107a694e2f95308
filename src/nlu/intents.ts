import type { IssueType, Route } from '../core/domain/taxonomy.js';

/** What the hub knows about an intent before it has looked at anything else. */
export interface IntentInfo {
  readonly group: IntentGroup;
  /** Issue type where the text itself says nothing more exact. */
  readonly issueType: IssueType;
  readonly route: Route;
  /** True where answering needs a verified customer. */
  readonly needsSignIn: boolean;
}

/** Families of intents; one family is served by one agent. */
export type IntentGroup =
  | 'smalltalk'
  | 'knowledge'
  | 'account'
  | 'action'
  | 'symptom'
  | 'people'
  | 'out_of_scope';

function info(group: IntentGroup, issueType: IssueType, route: Route, needsSignIn = false): IntentInfo {
  return { group, issueType, route, needsSignIn };
}

/** Every intent the offline layer can tell apart, with its defaults. */
export const INTENT_INFO = {
  greeting: info('smalltalk', 'general', 'knowledge'),
  thanks: info('smalltalk', 'general', 'knowledge'),
  goodbye: info('smalltalk', 'general', 'knowledge'),
  affirm: info('smalltalk', 'general', 'knowledge'),
  deny: info('smalltalk', 'general', 'knowledge'),

  ask_plans_prices: info('knowledge', 'subscription', 'knowledge'),
  ask_how_to_book: info('knowledge', 'reservation', 'knowledge'),
  ask_cancellation_policy: info('knowledge', 'reservation', 'knowledge'),
  ask_refund_policy: info('knowledge', 'refund', 'knowledge'),
  ask_catalog: info('knowledge', 'experience', 'knowledge'),
  ask_login_help: info('knowledge', 'account_access', 'knowledge'),
  ask_payment_methods: info('knowledge', 'billing', 'knowledge'),
  ask_technical_help: info('knowledge', 'technical', 'knowledge'),
  ask_privacy: info('knowledge', 'legal', 'knowledge'),
  ask_general: info('knowledge', 'general', 'knowledge'),

  show_reservations: info('account', 'reservation', 'account', true),
  show_subscription: info('account', 'subscription', 'account', true),
  remaining_visits: info('account', 'subscription', 'account', true),
  show_profile: info('account', 'account_access', 'account', true),
  show_payments: info('account', 'billing', 'account', true),
  refund_status: info('account', 'refund', 'account', true),

  cancel_reservation: info('action', 'reservation', 'action', true),
  request_refund: info('action', 'refund', 'action', true),
  pause_subscription: info('action', 'subscription', 'action', true),
  resume_subscription: info('action', 'subscription', 'action', true),
  cancel_subscription: info('action', 'subscription', 'action', true),
  set_preference: info('action', 'general', 'action', true),
  change_account_details: info('action', 'account_access', 'action', true),
  // No tool changes a plan, makes or moves a reservation: the articles say how the customer does it.
  change_plan: info('action', 'subscription', 'knowledge'),
  make_reservation: info('action', 'reservation', 'knowledge'),
  change_reservation: info('action', 'reservation', 'knowledge'),

  entry_denied: info('symptom', 'reservation', 'investigation', true),
  double_charge: info('symptom', 'billing', 'investigation', true),
  missing_refund: info('symptom', 'refund', 'investigation', true),
  cannot_reserve: info('symptom', 'reservation', 'investigation', true),
  subscription_not_active: info('symptom', 'subscription', 'investigation', true),
  payment_failed: info('symptom', 'billing', 'investigation', true),
  cannot_log_in: info('symptom', 'account_access', 'investigation'),
  app_broken: info('symptom', 'technical', 'investigation'),

  talk_to_human: info('people', 'general', 'escalation'),
  legal_threat: info('people', 'legal', 'escalation'),
  discrimination: info('people', 'legal', 'escalation'),
  privacy_request: info('people', 'legal', 'escalation'),
  security_incident: info('people', 'account_access', 'escalation'),
  complaint: info('people', 'feedback', 'knowledge'),
  praise: info('people', 'feedback', 'knowledge'),
  suggestion: info('people', 'feedback', 'knowledge'),

  out_of_scope: info('out_of_scope', 'general', 'knowledge'),
} as const satisfies Record<string, IntentInfo>;

/** One of the things a customer may want. */
export type Intent = keyof typeof INTENT_INFO;

/** All intents, in the order in which model files and reports list them. */
export const INTENTS = Object.keys(INTENT_INFO) as readonly Intent[];

/** Tells whether a string is an intent of this table. */
export function isIntent(value: string): value is Intent {
  return Object.hasOwn(INTENT_INFO, value);
}
