/* Made by `npm run generate:api` from /openapi.json, which the zod schemas of the routes make. */

export type Pending = {
  readonly id: string;
  readonly kind: 'confirmation' | 'approval';
  readonly tool: string;
  readonly args: { readonly [key: string]: unknown };
  readonly question: string;
  readonly answers: { readonly yes: string; readonly no: string } | null;
};
export type Classification = {
  readonly issue_type: string;
  readonly priority: 'low' | 'medium' | 'high' | 'urgent';
  readonly sentiment: 'positive' | 'neutral' | 'negative' | 'frustrated';
  readonly requires_human: boolean;
  readonly summary: string;
  readonly confidence: number;
};
export type Escalation = {
  readonly reason: 'requires_human' | 'low_confidence' | 'customer_request' | 'sentiment_priority' | 'legal' | 'fault' | 'hop_limit';
  readonly summary: string;
  readonly found: readonly string[];
  readonly tried: readonly string[];
  readonly options: readonly string[];
};
export type Citation = { readonly article_id: string; readonly title: string; readonly confidence: number };
export type Reply = {
  readonly thread_id: string;
  readonly ticket_id: string;
  readonly message_id: string | null;
  readonly reply: string;
  readonly language: string;
  readonly provider: 'openai' | 'offline';
  readonly classification: Classification | null;
  readonly agents: readonly string[];
  readonly route: readonly RouteStep[];
  readonly tool_calls: readonly ToolCall[];
  readonly citations: readonly Citation[];
  readonly pending: Pending | null;
  readonly needs_sign_in: boolean;
  readonly escalated: boolean;
  readonly escalation: Escalation | null;
  readonly usage: Usage;
  readonly timings_ms: { readonly [key: string]: number };
};
export type RouteStep = { readonly to: string; readonly by: string };
export type ToolCall = {
  readonly agent: string;
  readonly tool: string;
  readonly args: { readonly [key: string]: unknown };
  readonly ok: boolean;
  readonly code?: string;
};
export type Usage = {
  readonly llm_calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost_usd: number;
};
export type Thread = {
  readonly thread_id: string;
  readonly ticket_id: string | null;
  readonly number: string | null;
  readonly owner: 'hub' | 'operator';
  readonly operator: { readonly name: string } | null;
  readonly pending: Pending | null;
  readonly messages: readonly Message[];
  readonly read_by_operator: ReadMark | null;
  readonly asks_rating: { readonly ticket_id: string; readonly operator: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
};
export type Message = {
  readonly id: string;
  readonly role: 'customer' | 'hub' | 'operator' | 'system';
  readonly content: string;
  readonly created_at: string;
  readonly citations: readonly Citation[];
  readonly author: string | null;
  readonly client_message_id: string | null;
  readonly files: readonly AttachedFile[];
};
export type AttachedFile = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly picture: boolean;
};
export type ReadMark = { readonly message_id: string; readonly at: string };
export type OpenedSession = {
  readonly token: string;
  readonly role: 'customer' | 'operator' | 'visitor';
  readonly expires_at: string;
};
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly instance?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly operator?: string;
  readonly decision?: 'approved' | 'rejected';
};
export type SignIn = { readonly email: string; readonly code: string; readonly challenge?: string } | {
  /** @enum {boolean} */
  readonly operator: true;
  readonly name?: string;
} | {
  /** @enum {boolean} */
  readonly visitor: true;
} | { readonly email: string };
export type CodeSent = {
  /** @enum {boolean} */
  readonly sent: true;
  readonly challenge: string;
};
export type CodeRequest = { readonly email: string };
export type Session = {
  readonly role: 'customer' | 'operator' | 'visitor';
  readonly email?: string;
  readonly operator_id?: string;
  readonly name: string;
  readonly scopes?: readonly ('account:read' | 'action:write' | 'skill:run')[];
  readonly expires_at?: string;
  readonly demo: boolean;
};
export type ProgramToken = {
  readonly token: string;
  readonly token_id: string;
  readonly role: 'customer' | 'operator' | 'visitor';
  readonly scopes: readonly ('account:read' | 'action:write' | 'skill:run')[];
  readonly expires_at: string;
};
export type TokenRequest = {
  readonly scopes: readonly ('account:read' | 'action:write' | 'skill:run')[];
  readonly minutes?: number;
};
export type ProgramTokens = {
  readonly tokens: readonly {
    readonly token_id: string;
    readonly scopes: readonly ('account:read' | 'action:write' | 'skill:run')[];
    readonly created_at: string;
    readonly expires_at: string;
    readonly last_used_at: string | null;
    readonly revoked_at: string | null;
  }[];
};
export type NewThread = { readonly time_zone?: string };
export type ThreadSummary = {
  readonly thread_id: string;
  readonly ticket_id: string | null;
  readonly owner: 'hub' | 'operator';
  readonly operator: { readonly name: string } | null;
  readonly title: string | null;
  readonly unread: number;
  readonly created_at: string;
  readonly updated_at: string;
};
export type NewMessage = {
  /** @default  */
  readonly text: string;
  readonly files?: readonly string[];
  readonly client_message_id?: string;
};
export type PushChoice = { readonly endpoint: string; readonly on: boolean };
export type ThreadAdoption = { readonly visitor_token: string };
export type PendingAnswer = { readonly answer: 'yes' | 'no' };
export type Withdrawal = { readonly reason?: string };
export type Rating = { readonly helpful: boolean; readonly comment?: string; readonly ticket_id?: string };
export type TicketEntry = Ticket & {
  readonly classification: Classification | null;
  readonly escalation: EscalationRecord | null;
  readonly customer_name: string | null;
  readonly clock: ServiceClock | null;
  readonly last_message: {
    readonly role: string;
    readonly content: string;
    readonly created_at: string;
  } | null;
  readonly customer_message: { readonly content: string; readonly created_at: string } | null;
  readonly unread: number;
  readonly tags: readonly string[];
  readonly team: string | null;
  readonly merged_into: string | null;
  readonly snoozed_until: string | null;
  readonly approvals: number;
  readonly withdrawn_at: string | null;
};
export type EscalationRecord = Escalation & {
  readonly escalation_id: string;
  readonly status: 'open' | 'resolved';
  readonly created_at: string;
};
export type ServiceClock = {
  readonly waited_minutes: number;
  readonly target_minutes: number;
  readonly due_at: string;
  readonly running: boolean;
  readonly resumes_at: string | null;
  readonly breached: boolean;
};
export type Ticket = {
  readonly ticket_id: string;
  readonly number: string;
  readonly customer_id: string | null;
  readonly thread_id: string;
  readonly channel: 'chat' | 'batch' | 'http' | 'studio' | 'mcp' | 'a2a' | 'email';
  readonly status: 'open' | 'waiting_customer' | 'waiting_operator' | 'resolved';
  readonly owner: 'hub' | 'operator';
  readonly operator: { readonly id: string; readonly name: string } | null;
  readonly claimed_at: string | null;
  readonly resolved_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};
export type TicketCounts = {
  readonly unassigned: number;
  readonly mine: number;
  readonly waiting: number;
  readonly resolved: number;
  readonly hub: number;
  readonly team: number;
  readonly customer: number;
  readonly approvals: number;
  readonly snoozed: number;
  readonly mentioned: number;
  readonly unread: number;
};
export type TicketFacets = {
  readonly status: readonly TicketFacet[];
  readonly channel: readonly TicketFacet[];
  readonly operator: readonly TicketFacet[];
  readonly language: readonly TicketFacet[];
  readonly opened: readonly { readonly days: number; readonly count: number }[];
};
export type TicketFacet = { readonly value: string; readonly count: number };
export type TicketView = TicketEntry & {
  readonly customer_flags: readonly {
    readonly kind: 'blocked' | 'record';
    readonly label: string;
    readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  }[];
  readonly record_names: { readonly [key: string]: string };
  readonly messages: readonly DeskMessage[];
  readonly has_earlier: boolean;
  readonly earlier_turns: number;
  readonly customer_time_zone: string | null;
  readonly read_by: { readonly customer: ReadMark | null; readonly operator: ReadMark | null };
  readonly turns: readonly Turn[];
  readonly escalations: readonly EscalationRecord[];
  readonly investigations: readonly Investigation[];
  readonly audit: readonly AuditEntry[];
  readonly ratings: readonly {
    readonly about: 'answer' | 'resolution';
    readonly helpful: boolean;
    readonly comment: string | null;
    readonly created_at: string;
  }[];
  readonly approvals_open: readonly Approval[];
  readonly approval_history: readonly ApprovalRecord[];
};
export type DeskMessage = {
  readonly message_id: string;
  readonly ticket_id: string;
  readonly role: 'customer' | 'hub' | 'operator' | 'system';
  readonly content: string;
  readonly note: DeskNote | null;
  readonly audience: 'customer' | 'desk';
  readonly author: string | null;
  readonly citations: readonly Citation[];
  readonly client_message_id: string | null;
  readonly files: readonly AttachedFile[];
  readonly created_at: string;
};
export type DeskNote = {
  readonly kind: 'took_over' | 'put_back' | 'lapsed' | 'shift_ended' | 'handed_back' | 'merged' | 'snoozed' | 'woken' | 'resolved' | 'chose' | 'withdrawn' | 'stopped' | 'agreed_unknown' | 'agreed_open' | 'agreed_undone' | 'declined' | 'done' | 'done_again' | 'left_to_do' | 'asked_again' | 'unanswered' | 'called_off' | 'mail_bounced' | 'mail_not_proven' | 'mail_left' | 'mail_cut';
  readonly name: string | null;
  readonly text: string | null;
  readonly choice: string | null;
  readonly tool: string | null;
};
export type Turn = {
  readonly turn_id: string;
  readonly message_id: string | null;
  readonly provider: string;
  readonly route: readonly (RouteStep & { readonly why: string; readonly at: string | null })[];
  readonly tool_calls: readonly (ToolCall & { readonly at: string | null; readonly ms: number | null })[];
  readonly guardrails: readonly {
    readonly agent: string;
    readonly fault: 'empty' | 'unknown_source' | 'claimed_action' | 'promise' | 'figure' | 'ungrounded' | 'doubtful' | 'narrates_handoff' | 'foreign_email' | 'asks_secret';
    readonly outcome: 'shortened' | 'quoted' | 'rewritten' | 'rules' | 'person';
  }[];
  readonly usage: Usage;
  readonly total_ms: number;
  readonly created_at: string;
};
export type Investigation = {
  readonly run_id: string;
  readonly skill_id: string;
  readonly skill_version: string;
  readonly status: 'running' | 'waiting' | 'done' | 'failed';
  readonly kind: string | null;
  readonly result?: unknown;
  readonly handoff?: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly usage: { readonly [key: string]: unknown };
  readonly duration_ms: number;
};
export type AuditEntry = {
  readonly audit_key: string;
  readonly customer_id: string | null;
  readonly actor: string;
  readonly action: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly details: { readonly [key: string]: unknown };
  readonly created_at: string;
};
export type Approval = ApprovalRecord & {
  readonly customer_name: string | null;
  readonly consequences: readonly string[];
  readonly record_names: { readonly [key: string]: string };
};
export type ApprovalRecord = {
  readonly id: string;
  readonly kind: 'confirmation' | 'approval';
  readonly status: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'superseded' | 'released';
  readonly ticket_id: string;
  readonly thread_id: string;
  readonly customer_id: string;
  readonly tool: string;
  readonly args: { readonly [key: string]: unknown };
  readonly question: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  readonly reason: string | null;
};
export type Suggestion = {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly provider: 'openai' | 'offline';
  readonly unanswered: boolean;
};
export type OfferedAction = {
  readonly tool: string;
  readonly refused: string | null;
  readonly fields: readonly {
    readonly name: string;
    readonly type: 'text' | 'number' | 'date';
    readonly required: boolean;
    readonly minimum: number | null;
    readonly maximum: number | null;
    readonly options: readonly string[] | null;
    readonly records: readonly {
      readonly id: string;
      readonly title: string;
      readonly starts_at: string | null;
      readonly amount_cents: number | null;
      readonly currency: string | null;
    }[] | null;
    readonly refused: { readonly [key: string]: string };
  }[];
};
export type Presence = {
  readonly id: string;
  readonly name: string;
  readonly ticket_id: string | null;
  readonly typing: boolean;
  readonly shift_ends_at: string | null;
  readonly seen_at: string;
};
export type ChoiceOutcome = {
  readonly ticket: Ticket;
  readonly investigation: Investigation;
  readonly reply: string | null;
  readonly pending: ApprovalRecord | null;
};
export type Macro = MacroInput & {
  readonly tags: readonly string[];
  readonly resolves: boolean;
  readonly macro_id: string;
  readonly updated_by: string;
  readonly updated_at: string;
};
export type MacroInput = {
  readonly name: string;
  readonly text: string;
  /** @default [] */
  readonly tags: readonly string[];
  /** @default false */
  readonly resolves: boolean;
};
export type SavedView = {
  readonly name: string;
  readonly choice: { readonly [key: string]: string };
};
export type FilledMacro = Macro & { readonly filled: string };
export type BulkResult = {
  readonly ticket_id: string;
  readonly problem: { readonly code: string; readonly detail: string } | null;
};
export type TimelineEvent = {
  readonly kind: 'opened' | 'escalated' | 'answered' | 'resolved' | 'merged' | 'done' | 'refused' | 'rated';
  readonly ticket_id: string | null;
  readonly number: string | null;
  readonly at: string;
  readonly about: string;
  readonly by: string | null;
  readonly args: { readonly [key: string]: unknown } | null;
};
export type KnowledgeGap = {
  readonly ticket_id: string;
  readonly question: string;
  readonly language: string;
  readonly asked_at: string;
  readonly times: number;
  readonly answer: string;
};
export type ArticleDraft = DeskArticle & { readonly updated_by: string };
export type DeskArticle = {
  readonly article_id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly updated_at: string;
};
export type ApprovalOutcome = {
  readonly approval: {
    readonly id: string;
    readonly status: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'superseded' | 'released';
    readonly reply: string | null;
  };
};
export type Decision = { readonly decision: 'approve'; readonly reason?: string } | {
  readonly decision: 'reject';
  readonly reason?: string;
} | {
  readonly decision: 'edit';
  readonly args: { readonly [key: string]: unknown };
  readonly reason?: string;
};
export type Customer = {
  readonly customer_id: string;
  readonly name: string;
  readonly email: string;
  readonly blocked: boolean;
  readonly created_at: string;
};
export type CustomerRecord = {
  readonly customer: Customer;
  readonly sections: readonly RecordSection[];
  readonly memory: {
    readonly preferred_language: string | null;
    readonly preferences: readonly {
      readonly key: string;
      readonly value: string;
      readonly updated_at: string;
    }[];
    readonly resolutions: readonly {
      readonly resolution_id: string;
      readonly ticket_id: string;
      readonly resolution_type: string;
      readonly summary: string;
      readonly agent: string;
      readonly created_at: string;
    }[];
  };
  readonly tickets: readonly CustomerTicket[];
};
export type RecordSection = {
  readonly id: string;
  readonly label: string;
  readonly kind: 'facts' | 'list';
  readonly empty: string;
  readonly rows: readonly RecordRow[];
};
export type RecordRow = {
  readonly id: string;
  readonly title: string;
  readonly status: {
    readonly value: string;
    readonly label: string;
    readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  } | null;
  readonly facts: readonly RecordFact[];
};
export type RecordFact = { readonly label: string | null; readonly type: 'text'; readonly value: string } | {
  readonly label: string | null;
  readonly type: 'time';
  readonly value: string;
} | { readonly label: string | null; readonly type: 'number'; readonly value: number } | {
  readonly label: string | null;
  readonly type: 'money';
  readonly value: number;
  readonly currency: string;
};
export type CustomerTicket = Ticket & {
  readonly issue_type: string;
  readonly summary: string | null;
  readonly approvals: number;
};
export type ArticleEntry = {
  readonly article_id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly updated_at: string;
  readonly state: 'published' | 'draft' | 'changed';
};
export type ArticleVersions = {
  readonly article_id: string;
  readonly published: DeskArticle | null;
  readonly draft: ArticleDraft | null;
};
export type ArticleVersion = {
  readonly article_id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly version: number;
  readonly published_by: string | null;
  readonly published_at: string;
};
export type ArticleInput = {
  readonly article_id?: string;
  readonly title: string;
  readonly content: string;
  readonly tags?: readonly string[];
  readonly language?: string;
};
export type Published = Indexed & { readonly article: DeskArticle };
export type Indexed = { readonly indexed: boolean; readonly reason: string | null; readonly took_ms: number };
export type CompanyFiles = {
  /** @enum {string|null} */
  readonly locked: 'others_may_sign_in' | 'read_only' | null;
  readonly reloads: boolean;
  readonly outdated: boolean;
  readonly files: readonly string[];
  readonly changes: readonly CompanyChangeEntry[];
};
export type CompanyChangeEntry = {
  readonly change_id: string;
  readonly path: string;
  readonly note: string;
  readonly author_id: string;
  readonly author: string;
  readonly created_at: string;
  readonly status: 'open' | 'approved' | 'declined' | 'withdrawn';
  readonly decider: string | null;
  readonly decided_at: string | null;
};
export type CompanyFile = { readonly path: string; readonly text: string };
export type CompanyChange = CompanyChangeEntry & {
  readonly before: string;
  readonly after: string;
  readonly check: {
    readonly at: string;
    readonly standing: string;
    readonly findings: readonly CompanyFinding[];
    readonly failed: string | null;
  } | null;
  readonly evaluation: {
    readonly at: string;
    readonly figures: readonly TrialFigure[];
    readonly worse: readonly string[];
    readonly better: readonly string[];
    readonly failed: string | null;
  } | null;
  /** @enum {string|null} */
  readonly running: 'check' | 'evaluation' | null;
  /** @enum {string|null} */
  readonly hindrance: 'file_changed' | 'not_checked' | 'fault' | 'others_changed' | null;
};
export type CompanyFinding = {
  readonly severity: 'fault' | 'warning';
  readonly file: string;
  readonly line: number | null;
  readonly problem: string;
  readonly remedy: string;
};
export type TrialFigure = {
  readonly group: string;
  readonly scenarios: number;
  readonly passed: number;
  readonly standing: number | null;
};
export type Report = {
  readonly from: string;
  readonly to: string;
  readonly totals: {
    readonly opened: number;
    readonly opened_resolved: number;
    readonly deflected: number;
    readonly resolved: number;
    readonly reopened: number;
    readonly first_answer_minutes: number | null;
    readonly resolution_minutes: number | null;
    readonly hub_helpful: number;
    readonly hub_unhelpful: number;
  };
  readonly operators: readonly {
    readonly operator: string;
    readonly answered: number;
    readonly first_answered: number;
    readonly first_answer_minutes: number | null;
    readonly resolved: number;
    readonly resolution_minutes: number | null;
    readonly reopened: number;
    readonly helpful: number;
    readonly unhelpful: number;
  }[];
  readonly rows: readonly {
    readonly day: string;
    readonly issue_type: string;
    readonly tickets: number;
    readonly without_human: number;
    readonly turns: number;
    readonly cost_usd: number;
    readonly negative: number;
  }[];
  readonly escalation_reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly escalations: readonly { readonly day: string; readonly reason: string; readonly count: number }[];
  readonly sentiments: readonly {
    readonly day: string;
    readonly sentiment: string;
    readonly count: number;
  }[];
  readonly response_times: readonly {
    readonly day: string;
    readonly hub_median_ms: number | null;
    readonly hub_p95_ms: number | null;
    readonly operator_median_minutes: number | null;
  }[];
  readonly ratings: readonly { readonly day: string; readonly helpful: number; readonly unhelpful: number }[];
};
export type Deed = {
  readonly kind: 'escalated' | 'answered' | 'noted' | 'took_over' | 'given' | 'taken' | 'put_back' | 'lapsed' | 'shift_ended' | 'handed_back' | 'resolved' | 'merged' | 'snoozed' | 'woken' | 'done' | 'refused' | 'failed';
  readonly at: string;
  readonly by: 'operator' | 'customer' | 'hub';
  readonly person: string | null;
  readonly ticket_id: string | null;
  readonly number: string | null;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly about: string | null;
  readonly article: string | null;
  readonly args: { readonly [key: string]: unknown } | null;
};
export type Away = {
  readonly since: string;
  readonly moved: readonly {
    readonly ticket_id: string;
    readonly customer_name: string | null;
    readonly kind: 'taken' | 'given' | 'lapsed' | 'ended';
    readonly name: string | null;
    readonly note: string | null;
    readonly at: string;
    readonly now: 'queue' | 'claimed' | 'resolved';
    readonly holder: string | null;
  }[];
  readonly escalated: number;
  readonly resolved: number;
  readonly unassigned: number;
  readonly unread: number;
};
export type Skill = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly descriptions: { readonly [key: string]: string };
  readonly version: string;
  readonly type: string;
  readonly owner: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly effect: string;
  readonly knowledge: readonly { readonly id: string; readonly title: string; readonly content: string }[];
  readonly figures: {
    readonly uses: number;
    readonly failed: number;
    readonly mean_duration_ms: number;
    readonly accuracy: number | null;
    readonly false_positives: number;
    readonly repeat_use: number | null;
    readonly satisfaction: number | null;
    readonly target_ms: number | null;
    readonly baseline_ms: number | null;
    readonly expected_accuracy: number | null;
    readonly below: readonly ('time' | 'accuracy')[];
  } | null;
};
export type Health = { readonly ready: boolean; readonly parts: readonly HealthPart[] };
export type HealthPart = {
  readonly name: string;
  readonly status: 'ok' | 'degraded' | 'failed';
  readonly detail: string | null;
  readonly ms: number;
};
export type PublicConfig = {
  readonly demo: boolean;
  readonly visitors: boolean;
  readonly locale: string;
  readonly demo_customers: readonly {
    readonly email: string;
    readonly name: string;
    readonly blocked: boolean;
    readonly notes: readonly string[];
  }[];
  readonly max_message_chars: number;
  readonly files: {
    readonly max_bytes: number;
    readonly per_message: number;
    readonly types: readonly string[];
  };
  readonly link_hosts: readonly string[];
  readonly studio: boolean;
  readonly push_key: string;
  readonly support_hours: {
    readonly opens: string;
    readonly closes: string;
    readonly weekdays: readonly number[];
    readonly time_zone: string;
  };
};
export type Article = {
  readonly article_id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly updated_at: string;
};
export type Task = {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string } & {
    readonly [key: string]: unknown;
  };
  readonly reply: string | null;
  readonly pending: { readonly [key: string]: unknown } | null;
} & { readonly [key: string]: unknown };
export type TaskRequest = {
  readonly message?: string | { readonly [key: string]: unknown };
  readonly message_id?: string;
  readonly context_id?: string;
  readonly task_id?: string;
  readonly pending_id?: string;
  readonly answer?: 'yes' | 'no';
  readonly blocking?: boolean;
};
export type Webhook = {
  readonly webhook_id: string;
  readonly config_id: string;
  readonly status: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly next_at: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly settled_at: string | null;
};
