/**
 * The sentences that the engine says, and what each is filled with. The words stand in `src/company/texts`, one folder
 * a language; a company may say any of them in its own words under the same key. `checkTexts` holds every language
 * against this list.
 */
export const ENGINE_TEXTS = {
  // Conversation
  greeting: ['name', 'returning'],
  came_of: ['type', 'about', 'outcome'],
  identity: [],
  thanks: [],
  goodbye: [],
  acknowledge: [],
  unsupported_language: [],
  clarify: [],
  findings_disagree: ['matters', 'about'],
  clarify_readings: ['list'],
  empty_message: [],
  stopped: ['team'],
  nothing_open: [],
  nothing_more: [],
  safety: [],
  answer_yes_or_no: ['question'],
  postponed: ['question'],
  reminder: ['name'],
  comes_next: ['names', 'after_team'],
  question_expired: [],
  answer_cut: [],
  nothing_changed: [],
  preference_saved: ['key', 'value'],
  asked_by_program: ['protocol', 'what'],
  answered_by_program: ['protocol', 'approved'],
  // What the conversation itself answers
  record_fact: ['entity', 'attribute', 'title', 'value', 'upcoming', 'place', 'page', 'again'],
  which_record: ['list'],
  nothing_done: [],
  it_worked: ['outcome'],
  why_confirm: [],
  why_team: ['status'],
  why_article: ['title'],
  why_else: [],
  here: ['waiting'],
  hurry: ['waiting'],
  with_a_person: ['summary', 'by', 'out_of_hours'],
  no_request: [],
  last_request: ['summary', 'date'],
  past_request: ['summary', 'date'],
  past_requests: ['list', 'signed_in'],
  address_only: [],
  about_you: ['name', 'email', 'preferences', 'requests'],
  what_happened: [],
  misunderstood: [],
  sorry_no_help: [],
  small_talk: ['about', 'name'],
  offer: [],
  life: ['event'],
  life_offer: ['event'],
  life_record: ['request', 'title', 'when'],
  // Requests that wait for the team
  waiting_for_approval: [],
  operators_go_on: [],
  withdrawn: ['unchanged'],
  done_before: ['outcome', 'by_team'],
  closed_before: [],
  still_with_team: ['names', 'if_agreed'],
  withdraw_it: ['name'],
  withdraw_which: ['list'],
  operator_declined: ['reason'],
  operator_changed: ['question'],
  approval_expired: [],
  // Escalation
  next_step: ['by', 'out_of_hours'],
  with_team: ['name', 'back'],
  claim_lapsed: ['name'],
  closed_by: ['name'],
  merged: ['about'],
  returned: [],
  // Agents
  which_one: ['tool', 'entity', 'list'],
  already_so: ['fact'],
  no_such_one: ['entity', 'mentioned', 'list'],
  none_for: ['tool', 'entity'],
  records: ['entity', 'list'],
  record_line: ['entity', 'title', 'when', 'place', 'status'],
  remote_says: ['agent', 'gap', 'text'],
  remote_asks: ['agent', 'gap', 'text'],
  remote_no_answer: ['agent'],
  remote_maybe_done: ['agent'],
  elsewhere: ['other'],
  // Desk
  by_rule: ['why'],
  by_model: ['reason'],
  runs: ['tool', 'customer'],
  cannot_run: ['why'],
  tells_customer: [],
  on_reject: [],
  on_expiry: ['when'],
  draft_hello: ['name'],
  draft_sorry: [],
  draft_close: [],
  draft_ask: [],
  draft_wait: [],
  // Mails
  'sign_in_code.subject': [],
  'sign_in_code.text': ['code', 'minutes'],
  'sign_in_attempts.subject': [],
  'sign_in_attempts.text': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type EngineText = keyof typeof ENGINE_TEXTS;

/**
 * Sentences of one kind, chosen by a code that only the running program knows: `refusal.not_found`. A member without
 * one of its own gets the family's `other`; none of them is filled with anything.
 */
export const TEXT_FAMILIES = [
  'refusal',
  'escalated',
  'joined',
  'aside',
  'cannot',
  'purpose',
  'preference',
  'rule',
  'impossible',
  'status',
  'argument',
  'tool',
  'activity',
] as const;
export type TextFamily = (typeof TEXT_FAMILIES)[number];

/** What every sentence may be filled with without being passed it: of the company and of the language. */
export const STANDING_VALUES: readonly string[] = ['company', 'time_zone_name', 'languages', 'language_name'];
