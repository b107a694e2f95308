/*
 * What /api/desk says, as far as the desk shows it. Names are the wire's. What an older or newer server may leave out
 * is optional.
 */

export type View = 'unassigned' | 'mine' | 'waiting' | 'resolved';
export type TicketStatus = 'open' | 'waiting_customer' | 'waiting_operator' | 'resolved';

export interface Classification {
  readonly issue_type: string;
  readonly priority: string;
  readonly sentiment: string;
  readonly requires_human: boolean;
  readonly summary: string;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface Escalation {
  readonly reason: string;
  readonly summary: string;
  readonly found: readonly string[];
  readonly tried: readonly string[];
  readonly options: readonly string[];
  readonly status?: string;
  readonly created_at?: string;
}

export interface ServiceClock {
  /** Business minutes. */
  readonly waited_minutes: number;
  readonly target_minutes: number;
  readonly due_at: string;
  /** False out of hours. */
  readonly running: boolean;
  readonly breached: boolean;
  /** When business hours begin again, where the clock stands still. */
  readonly resumes_at?: string | null;
}

export interface OperatorRef {
  readonly id: string;
  readonly name: string;
}

export interface Ticket {
  readonly ticket_id: string;
  readonly customer_id: string | null;
  readonly thread_id: string;
  readonly channel: string;
  readonly status: TicketStatus;
  readonly owner: 'hub' | 'operator';
  readonly created_at: string;
  readonly updated_at: string;
  readonly operator?: OperatorRef | null;
}

export interface Entry extends Ticket {
  readonly operator: OperatorRef | null;
  readonly customer_name: string | null;
  readonly classification: Classification | null;
  readonly escalation: Escalation | null;
  readonly clock: ServiceClock | null;
  readonly last_message: {
    readonly role: string;
    readonly content: string;
    readonly created_at: string;
  } | null;
  /** Open approvals of the ticket. */
  readonly approvals: number;
  /** When the customer took back the newest one; null where that is not what became of it. */
  readonly withdrawn_at: string | null;
}

export type Counts = Readonly<Record<View, number>>;

export interface Citation {
  readonly article_id: string;
  readonly title: string;
  readonly confidence: number;
}

export interface Message {
  readonly message_id: string;
  readonly ticket_id?: string;
  readonly role: 'customer' | 'hub' | 'operator' | 'system';
  readonly content: string;
  /** `desk`: operators only. */
  readonly audience?: 'customer' | 'desk';
  readonly author?: string | null;
  readonly citations?: readonly Citation[];
  readonly created_at: string;
}

export interface ToolCall {
  readonly agent: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  readonly code?: string;
  readonly result?: unknown;
}

export interface Usage {
  readonly llm_calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost_usd: number;
}

export interface Turn {
  readonly turn_id: string;
  readonly provider: string;
  readonly route: readonly { readonly to: string; readonly by: string; readonly why?: string }[];
  readonly tool_calls: readonly ToolCall[];
  readonly usage: Usage;
  readonly total_ms: number;
  readonly created_at: string;
}

export interface Evidence {
  readonly step: string;
  readonly name: string;
  readonly decision: string | null;
  readonly finding: string;
  readonly confidence: number;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface RecommendedAction {
  readonly action: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export interface Handoff {
  readonly question: string;
  readonly advice: string | null;
  readonly found: readonly Evidence[];
  readonly tried: readonly string[];
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly proposal: {
    readonly root_cause: string | null;
    readonly confidence: number;
    readonly recommended_action: RecommendedAction | null;
    readonly explanation?: string | null;
  } | null;
}

export interface InvestigationResult {
  readonly root_cause?: string | null;
  readonly explanation?: string | null;
  readonly impact?: string | null;
  readonly evidence?: readonly Evidence[];
  readonly confidence_score?: number;
  readonly recommended_action?: RecommendedAction | null;
  readonly handoffs?: readonly { readonly choice: string; readonly by: string }[];
  readonly summary?: string;
}

export interface Investigation {
  readonly run_id: string;
  readonly skill_id: string;
  readonly skill_version: string;
  readonly status: 'running' | 'waiting' | 'done' | 'failed';
  readonly kind: string | null;
  readonly result: InvestigationResult | null;
  readonly handoff: Handoff | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly duration_ms: number;
}

export interface AuditEntry {
  readonly audit_key: string;
  readonly actor: string;
  readonly action: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly details: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

export interface Approval {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly ticket_id: string;
  readonly thread_id: string;
  readonly customer_id: string;
  readonly customer_name?: string | null;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly question: string;
  readonly consequences?: readonly string[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly decided_at?: string | null;
  readonly reason?: string | null;
}

export interface TicketView extends Entry {
  readonly messages: readonly Message[];
  readonly turns: readonly Turn[];
  readonly escalations: readonly Escalation[];
  readonly investigations: readonly Investigation[];
  readonly audit: readonly AuditEntry[];
  readonly approvals_open: readonly Approval[];
  readonly approval_history: readonly Approval[];
}

export interface Suggestion {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly provider: string;
}
