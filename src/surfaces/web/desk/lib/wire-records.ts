/* Customers, articles, skills and reports, as /api/desk says them. */

import type { Ticket } from './wire.js';

export interface CustomerSummary {
  readonly customer_id: string;
  readonly name: string;
  readonly email: string;
  readonly blocked: boolean;
}

export interface Reservation {
  readonly reservation_id: string;
  readonly status: string;
  readonly created_at?: string;
  readonly title?: string;
  readonly starts_at?: string;
  readonly location?: string;
  readonly experience?: {
    readonly title: string;
    readonly location?: string;
    readonly starts_at: string;
  } | null;
  readonly paid_cents?: number;
  readonly refund?: { readonly amount_cents: number; readonly status: string } | null;
}

export interface Payment {
  readonly payment_id: string;
  readonly reservation_id: string | null;
  readonly amount_cents: number;
  readonly currency: string;
  readonly status: string;
  readonly created_at: string;
}

export interface CustomerRecord {
  readonly customer: CustomerSummary & { readonly created_at?: string };
  readonly subscription: {
    readonly status: string;
    readonly tier: string;
    readonly monthly_quota: number;
    readonly started_at: string;
    readonly ended_at: string | null;
  } | null;
  readonly quota: {
    readonly monthly_quota: number;
    readonly used: number;
    readonly remaining: number;
    readonly resets_at: string;
  } | null;
  readonly reservations: readonly Reservation[];
  readonly payments: readonly Payment[];
  readonly memory: {
    readonly preferred_language?: string | null;
    readonly preferences: readonly {
      readonly key: string;
      readonly value: string;
      readonly updated_at: string;
    }[];
    readonly resolutions: readonly {
      readonly resolution_id: string;
      readonly resolution_type: string;
      readonly summary: string;
      readonly agent?: string;
      readonly created_at: string;
    }[];
  };
  readonly tickets: readonly Ticket[];
}

export type ArticleState = 'published' | 'draft' | 'changed';

export interface ArticleSummary {
  readonly article_id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly updated_at: string;
  readonly state: ArticleState;
}

/** A version of an article: what is published, or what is being written. */
export interface ArticleText {
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly updated_at?: string;
}

export interface ArticleVersions {
  readonly article_id: string;
  readonly published: ArticleText | null;
  readonly draft: ArticleText | null;
}

export interface SkillEntry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version?: string;
  readonly type?: string;
  readonly owner?: string;
  readonly status?: string;
  readonly tags?: readonly string[];
  readonly effect?: string;
  readonly knowledge?: readonly { readonly id: string; readonly title: string; readonly content?: string }[];
}

export interface ReportRow {
  /** Local date, YYYY-MM-DD. */
  readonly day: string;
  readonly issue_type: string;
  readonly tickets: number;
  /** Never handed to an operator. */
  readonly without_human: number;
  readonly turns: number;
  readonly cost_usd: number;
  readonly negative: number;
}

export interface Report {
  readonly rows: readonly ReportRow[];
  readonly escalation_reasons: readonly { readonly reason: string; readonly count: number }[];
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
}
