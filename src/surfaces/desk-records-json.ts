import type { ArticleEntry, ArticleVersions } from '../core/article-desk.js';
import type { CustomerRecord, Report } from '../core/desk-reads.js';
import type { FilledMacro, KnowledgeGap } from '../core/desk-work.js';
import type { Article } from '../core/domain/article.js';
import type { Customer } from '../core/domain/customer.js';
import type { TimelineEvent } from '../core/ports/desk-queries.js';
import type { Macro } from '../core/ports/desk-stores.js';
import type { StoredDraft } from '../core/ports/knowledge-store.js';
import { toTicketJson } from './desk-json.js';

/** A customer in a list. */
export function toCustomerJson(user: Customer): Record<string, unknown> {
  return {
    customer_id: user.customerId,
    name: user.name,
    email: user.email,
    blocked: user.isBlocked,
    created_at: user.createdAt,
  };
}

/** All an operator sees of a customer. */
export function toCustomerRecordJson(record: CustomerRecord): Record<string, unknown> {
  const { user, sections, memory, tickets } = record;
  return {
    customer: toCustomerJson(user),
    sections,
    memory: {
      preferred_language: memory.preferredLanguage,
      preferences: memory.preferences.map(({ key, value, updatedAt }) => ({
        key,
        value,
        updated_at: updatedAt,
      })),
      resolutions: memory.resolutions.map((resolution) => ({
        resolution_id: resolution.resolutionId,
        ticket_id: resolution.ticketId,
        resolution_type: resolution.resolutionType,
        summary: resolution.summary,
        agent: resolution.agent,
        created_at: resolution.createdAt,
      })),
    },
    tickets: tickets.map(toTicketJson),
  };
}

/** What the dashboard plots. */
export function toReportJson(report: Report): Record<string, unknown> {
  return {
    rows: report.rows.map((row) => ({
      day: row.day,
      issue_type: row.issueType,
      tickets: row.tickets,
      without_human: row.withoutHuman,
      turns: row.turns,
      cost_usd: row.costUsd,
      negative: row.negative,
    })),
    escalation_reasons: report.escalationReasons,
    escalations: report.escalations,
    sentiments: report.sentiments,
    response_times: report.responseTimes.map((day) => ({
      day: day.day,
      hub_median_ms: day.hubMedianMs,
      hub_p95_ms: day.hubP95Ms,
      operator_median_minutes: day.operatorMedianMinutes,
    })),
    ratings: report.ratings,
  };
}

/** A published article. */
export function toArticleJson(article: Article): Record<string, unknown> {
  return {
    article_id: article.articleId,
    title: article.title,
    content: article.content,
    tags: [...article.tags],
    language: article.language,
    updated_at: article.updatedAt,
  };
}

/** An article that is being written. */
export function toDraftJson(draft: StoredDraft): Record<string, unknown> {
  return { ...toArticleJson(draft), updated_by: draft.updatedBy };
}

/** An article in the operators' list. */
export function toArticleEntryJson(entry: ArticleEntry): Record<string, unknown> {
  return {
    article_id: entry.articleId,
    title: entry.title,
    tags: [...entry.tags],
    language: entry.language,
    updated_at: entry.updatedAt,
    state: entry.state,
  };
}

/** Both versions of an article. */
export function toArticleVersionsJson({ articleId, published, draft }: ArticleVersions) {
  return {
    article_id: articleId,
    published: published && toArticleJson(published),
    draft: draft && toDraftJson(draft),
  };
}

/** A macro. */
export function toMacroJson(macro: Macro): Record<string, unknown> {
  const { macroId, name, text, tags, resolves, updatedBy, updatedAt } = macro;
  return {
    macro_id: macroId,
    name,
    text,
    tags: [...tags],
    resolves,
    updated_by: updatedBy,
    updated_at: updatedAt,
  };
}

/** A macro with its variables filled in. */
export function toFilledMacroJson(macro: FilledMacro): Record<string, unknown> {
  return { ...toMacroJson(macro), filled: macro.filled };
}

/** One thing that happened with a customer. */
export function toTimelineJson({ kind, ticketId, at, about, by }: TimelineEvent): Record<string, unknown> {
  return { kind, ticket_id: ticketId, at, about, by };
}

/** A question that no article answered. */
export function toGapJson({ ticketId, askedAt, ...gap }: KnowledgeGap): Record<string, unknown> {
  return { ...gap, ticket_id: ticketId, asked_at: askedAt };
}
