/* Customers, articles, skills and reports, as /api/desk says them. */

import type { Ticket } from './wire.js';

export interface CustomerSummary {
  readonly customer_id: string;
  readonly name: string;
  readonly email: string;
  readonly blocked: boolean;
}

export interface RecordFact {
  /** Null where the value says it by itself. */
  readonly label: string | null;
  readonly type: 'text' | 'time' | 'number' | 'money';
  readonly value: string | number;
  readonly currency?: string;
}

export interface RecordRow {
  readonly id: string;
  readonly title: string;
  readonly status: {
    readonly value: string;
    readonly label: string;
    readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  } | null;
  readonly facts: readonly RecordFact[];
}

export interface RecordSection {
  readonly id: string;
  readonly label: string;
  readonly kind: 'facts' | 'list';
  readonly empty: string;
  readonly rows: readonly RecordRow[];
}

export interface CustomerRecord {
  readonly customer: CustomerSummary & { readonly created_at?: string };
  readonly sections: readonly RecordSection[];
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
