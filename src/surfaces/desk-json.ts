import type { ApprovalOutcome, ChoiceOutcome, OfferedAction, TicketView } from '../core/app.js';
import { noteOf } from '../core/desk-notes.js';
import type {
  ApprovalDetails,
  CustomerRecord,
  DeskEntry,
  DeskTicket,
  Report,
  ServiceClock,
  Suggestion,
} from '../core/desk-reads.js';
import type { ArticleVersions } from '../core/desk-work.js';
import type { Customer } from '../core/domain/customer.js';
import { snaked } from '../core/domain/json.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { SkillWords } from '../core/domain/skill.js';
import {
  type EscalationRecord,
  requestNumber,
  type Ticket,
  type TicketMessage,
} from '../core/domain/ticket.js';
import type { TimelineEvent } from '../core/ports/desk-queries.js';
import type { Presence, QueueEntry, TurnRecord } from '../core/ports/ticket-store.js';
import {
  toClassificationJson,
  toEscalationJson,
  toFileJson,
  toSkillRunJson,
  toToolCallJson,
} from './reply-json.js';

// What operators see, on the wire: the same shapes in the terminal and over HTTP. What differs from the record by its
// names alone is written by `snaked` where it is sent.

/** A ticket. */
export function toTicketJson({ operatorId, operatorName, ...ticket }: Ticket) {
  const operator = operatorId === null ? null : { id: operatorId, name: operatorName ?? operatorId };
  return { ...snaked(ticket), operator, number: requestNumber(ticket.ticketId) };
}

/** A ticket of the queue. */
export function toQueueJson({ ticket, classification, escalation }: QueueEntry) {
  return {
    ...toTicketJson(ticket),
    classification: classification && toClassificationJson(classification),
    escalation: escalation && toEscalationRecordJson(escalation),
  };
}

/** A ticket of the desk's list. */
export function toEntryJson(entry: DeskEntry) {
  const { customerName, clock, lastMessage, customerMessage, unread, tags, team } = entry;
  const { approvals, mergedInto, snoozedUntil, withdrawnAt } = entry;
  return {
    ...toQueueJson(entry),
    ...snaked({ customerName, unread, tags, team, mergedInto, snoozedUntil, approvals, withdrawnAt }),
    clock: clock && toClockJson(clock),
    last_message: lastMessage && { role: lastMessage.role, ...toTextJson(lastMessage) },
    customer_message: customerMessage && toTextJson(customerMessage),
  };
}

/** An action that an operator may do. */
export function toOfferedActionJson({ tool, refused, fields }: OfferedAction) {
  return {
    ...{ tool, refused },
    fields: fields.map(({ records, ...field }) => ({
      ...field,
      records:
        records?.map(({ id, title, startsAt, amount }) => ({
          ...{ id, title, starts_at: startsAt },
          amount_cents: amount?.minorUnits ?? null,
          currency: amount?.currency ?? null,
        })) ?? null,
    })),
  };
}

/** Something that happened with a customer, or was done; of an action, what it was given. */
export function toTimelineJson<Event extends Pick<TimelineEvent, 'details' | 'ticketId'>>({
  details,
  ...event
}: Event) {
  const { args } = details === null ? {} : (JSON.parse(details) as { readonly args?: unknown });
  const number = event.ticketId === null ? null : requestNumber(event.ticketId);
  return { ...snaked(event), number, args: typeof args === 'object' ? args : null };
}

/** An operator at the desk. */
export function toPresenceJson({ operatorId, ...presence }: Presence) {
  return { id: operatorId, ...snaked(presence) };
}

/** All an operator sees of a ticket. */
export function toTicketViewJson(view: TicketView) {
  return {
    ...toTicketJson(view.ticket),
    classification: view.classification && toClassificationJson(view.classification),
    messages: view.messages.map(toDeskMessageJson),
    turns: view.turns.map((turn) => toTurnJson(turn)),
    escalations: view.escalations.map(toEscalationRecordJson),
    investigations: view.investigations.map(toSkillRunJson),
    approval_history: view.approvals.map(toApprovalJson),
    audit: view.audit.map(({ ticketId: _ticketId, ...entry }) => snaked(entry)),
    ratings: view.ratings.map(({ about, helpful, comment, createdAt }) =>
      snaked({ about, helpful, comment, createdAt }),
    ),
  };
}

/**
 * The same with what the desk's page shows besides.
 * @param say.why says in words on whose authority a step of the graph was taken
 * @param say.worded puts what the investigation engine says into the operator's language
 */
export function toDeskTicketJson(
  view: TicketView,
  desk: DeskTicket,
  {
    why,
    worded,
  }: { readonly why: (by: string) => string; readonly worded: (text: string, words?: SkillWords) => string },
) {
  const runs = view.investigations.map(toSkillRunJson);
  const words = wordsIn(runs);
  // A line may join two of them: a step and what it found, an action and why.
  const said = (text: string): string => {
    const [, left = '', sign = '', right = ''] = /^(.+?)(: |\. )(.+)$/s.exec(text) ?? [];
    const known = left === '' ? left : worded(left, words);
    return known === left ? worded(text, words) : known + sign + worded(right, words);
  };
  // What made an answer goes with it: that of earlier ones is left off with them.
  const [oldest] = desk.hasEarlier ? desk.messages : [];
  const turns = view.turns.filter(({ createdAt }) => oldest === undefined || createdAt >= oldest.createdAt);
  return {
    ...toTicketViewJson({ ...view, messages: [], turns: [] }),
    ...toEntryJson(desk),
    messages: desk.messages
      .map(toDeskMessageJson)
      .map((one) => ({ ...one, note: withTexts(one.note, said) })),
    has_earlier: desk.hasEarlier,
    earlier_turns: view.turns.length - turns.length,
    customer_time_zone: desk.customerTimeZone,
    read_by: {
      customer: desk.readBy.customer && snaked(desk.readBy.customer),
      operator: desk.readBy.operator && snaked(desk.readBy.operator),
    },
    turns: turns.map((turn) => toTurnJson(turn, why)),
    escalations: withTexts(view.escalations.map(toEscalationRecordJson), said),
    investigations: withTexts(runs, said),
    customer_flags: desk.customerFlags,
    record_names: desk.recordNames,
    approvals_open: desk.approvalsOpen.map(toApprovalDetailsJson),
  };
}

/** What a run and its parts say in other languages. */
function wordsIn(value: unknown): SkillWords {
  if (typeof value !== 'object' || value === null) return {};
  const { words = {}, ...parts } = value as { readonly words?: SkillWords };
  const all = [words, ...Object.values(parts).map(wordsIn)];
  const languages = [...new Set(all.flatMap((one) => Object.keys(one)))];
  return Object.fromEntries(
    languages.map((one) => [one, Object.assign({}, ...all.map((part) => part[one]))]),
  );
}

/** The same with every text put into words. */
function withTexts(value: unknown, worded: (text: string) => string): unknown {
  if (typeof value === 'string') return worded(value);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, worded));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (key === 'words' ? [] : [[key, withTexts(one, worded)]])),
  );
}

/** A message as operators see it, notes too. */
export function toDeskMessageJson({ citations, files = [], countsAs: _countsAs, ...message }: TicketMessage) {
  return {
    ...snaked(message),
    note: noteOf(message),
    citations: citations.map(snaked),
    files: files.map(toFileJson),
  };
}

/** An action that waits for an operator. */
export function toApprovalJson(pending: PendingAction) {
  const { pendingId, graphThreadId, argsHash, answers, needsOperator, ...shown } = pending;
  return { id: pendingId, ...snaked(shown) };
}

/** The same with what a decision means. */
export function toApprovalDetailsJson({ pending, ...details }: ApprovalDetails) {
  return { ...toApprovalJson(pending), ...snaked(details) };
}

/** What a decision led to. */
export function toOutcomeJson({ pending, reply }: ApprovalOutcome) {
  return { approval: { id: pending.pendingId, status: pending.status, reply } };
}

/** What a choice led to. */
export function toChoiceJson({ run, reply, pending }: ChoiceOutcome) {
  return { investigation: toSkillRunJson(run), reply, pending: pending && toApprovalJson(pending) };
}

/** A reply to accept or edit. */
export function toSuggestionJson({ citations, ...suggestion }: Suggestion) {
  return { ...suggestion, citations: citations.map(snaked) };
}

/** A customer in a list. */
export function toCustomerJson({ isBlocked, ...customer }: Customer) {
  return { ...snaked(customer), blocked: isBlocked };
}

/** All an operator sees of a customer. */
export function toCustomerRecordJson({ user, sections, memory, tickets }: CustomerRecord) {
  return {
    customer: toCustomerJson(user),
    sections,
    memory: {
      preferred_language: memory.preferredLanguage,
      preferences: memory.preferences.map(({ customerId: _customerId, ...one }) => snaked(one)),
      resolutions: memory.resolutions.map(({ customerId: _customerId, ...one }) => snaked(one)),
    },
    tickets: tickets.map(({ issueType, ...ticket }) => ({ ...toTicketJson(ticket), issue_type: issueType })),
  };
}

/** What the dashboard plots. */
export function toReportJson({ rows, responseTimes, totals, operators, ...report }: Report) {
  return {
    ...snaked(report),
    rows: rows.map(snaked),
    response_times: responseTimes.map(snaked),
    totals: snaked(totals),
    operators: operators.map(snaked),
  };
}

/** Both versions of an article. */
export function toArticleVersionsJson({ articleId, published, draft }: ArticleVersions) {
  return { article_id: articleId, published: published && snaked(published), draft: draft && snaked(draft) };
}

function toTextJson({ content, createdAt }: Pick<TicketMessage, 'content' | 'createdAt'>) {
  return { content, created_at: createdAt };
}

function toTurnJson(turn: TurnRecord, why?: (by: string) => string) {
  const { ticketId: _ticketId, route, toolCalls, guardrails, usage, ...record } = turn;
  return {
    ...snaked(record),
    route: route.map(({ to, by, at = null }) => ({ to, by, at, ...(why ? { why: why(by) } : {}) })),
    tool_calls: toolCalls.map((call) => ({
      ...toToolCallJson(call),
      at: call.at ?? null,
      ms: call.ms ?? null,
    })),
    guardrails: guardrails.map(({ agent, fault, outcome }) => ({ agent, fault, outcome })),
    usage: snaked(usage),
  };
}

function toClockJson(clock: ServiceClock) {
  return { ...snaked(clock), waited_minutes: Math.floor(clock.waitedMinutes) };
}

function toEscalationRecordJson(escalation: EscalationRecord) {
  const { escalationId, status, createdAt } = escalation;
  return { ...snaked({ escalationId, status, createdAt }), ...toEscalationJson(escalation) };
}
