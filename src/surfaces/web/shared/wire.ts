/** The shapes of the HTTP API that the pages read; `/openapi.json` describes them all. Times are ISO 8601 UTC. */

export type Role = 'customer' | 'hub' | 'operator' | 'system';

export interface Citation {
  readonly article_id: string;
  readonly title: string;
  readonly confidence: number;
}

export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly content: string;
  readonly created_at: string;
  readonly citations: readonly Citation[];
  /** Name of the operator who wrote it. */
  readonly author: string | null;
  readonly client_message_id: string | null;
}

/** What the customer is asked (`confirmation`), or waits for (`approval`). */
export interface Pending {
  readonly id: string;
  readonly kind: 'confirmation' | 'approval';
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly question: string;
}

export type Owner = 'hub' | 'operator';

export interface OperatorName {
  readonly name: string;
}

export interface Thread {
  readonly thread_id: string;
  readonly ticket_id: string | null;
  readonly owner: Owner;
  /** Null while the conversation is the hub's or waits for somebody. */
  readonly operator: OperatorName | null;
  readonly pending: Pending | null;
  readonly messages: readonly Message[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ThreadSummary {
  readonly thread_id: string;
  readonly ticket_id: string | null;
  readonly owner: Owner;
  readonly operator: OperatorName | null;
  readonly title: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The part of an answer that the chat shows. */
export interface Reply {
  readonly thread_id: string;
  readonly ticket_id: string;
  readonly reply: string;
  readonly language: string;
  readonly provider: string;
  readonly citations: readonly Citation[];
  readonly pending: Pending | null;
  readonly escalated: boolean;
  /** Null for a mere acknowledgement, which is not stored. */
  readonly message_id: string | null;
}

export interface SessionToken {
  readonly token: string;
  readonly role: 'customer' | 'operator';
  readonly expires_at: string;
}

export interface SessionInfo {
  readonly role: 'customer' | 'operator';
  readonly email?: string | null;
  readonly name: string;
  readonly expires_at?: string | null;
  readonly demo: boolean;
}

/** When people of the team answer. */
export interface SupportHours {
  /** `09:00` */
  readonly opens: string;
  readonly closes: string;
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  readonly time_zone: string;
}

export interface PublicConfig {
  readonly demo: boolean;
  readonly locale: string;
  readonly demo_customers?: readonly { readonly email: string; readonly name: string }[];
  readonly max_message_chars: number;
  /** Hosts that links and images of articles may lead to. */
  readonly link_hosts: readonly string[];
  readonly support_hours: SupportHours;
}

export interface Article {
  readonly article_id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly language: string | null;
  readonly updated_at: string;
}

/** RFC 9457, as every error of the API is told. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}
