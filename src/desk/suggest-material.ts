import type { SearchHit } from '../core/domain/article.js';
import type { Customer } from '../core/domain/customer.js';
import type { Session, ToolTrace } from '../core/domain/session.js';
import type { SkillRun } from '../core/domain/skill.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Classification, Escalation, Ticket, TicketMessage } from '../core/domain/ticket.js';
import { HubError } from '../core/errors.js';
import type { GraphDeps } from '../graph/graph-deps.js';

const MESSAGES = 40;
/** The customer's last messages that are answered together. */
const ASKED = 3;
const QUERY_CHARS = 2_000;
/** Fewer words than this are no question. */
const MIN_WORDS = 2;

/** What a draft of a reply is written from. */
export interface SuggestMaterial {
  readonly ticket: Ticket;
  readonly classification: Classification | null;
  readonly messages: readonly TicketMessage[];
  readonly asked: string;
  /** What there is to look up of it; empty where the customer only asked for a person. */
  readonly question: string;
  readonly language: Language;
  readonly user: Customer | null;
  readonly hits: readonly SearchHit[];
  readonly escalation: Escalation | null;
  readonly runs: readonly SkillRun[];
  /** An operator has to agree to something first. */
  readonly awaitsApproval: boolean;
  /** An operator has agreed to something on this ticket, or refused it. */
  readonly isDecided: boolean;
  /** What succeeded on this ticket, and what was retrieved now: a draft may say nothing else. */
  readonly trace: readonly ToolTrace[];
}

/** Reads all of it. @throws HubError `not_found` */
export async function gatherMaterial(deps: GraphDeps, ticketId: string): Promise<SuggestMaterial> {
  const { tickets, tools } = deps;
  const ticket = await tickets.get(ticketId);
  if (!ticket) throw new HubError('not_found', `There is no ticket ${ticketId}.`);
  const [classification, messages, escalations, turns, runs, approvals, decisions, user] = await Promise.all([
    tickets.getClassification(ticketId),
    tickets.listThreadMessages(ticket.threadId, MESSAGES, 'customer'),
    tickets.listEscalations(ticketId),
    tickets.listTurns(ticketId),
    tools.skills.forTicket(ticketId),
    tools.pending.listOpenApprovals(ticket.threadId),
    tools.pending.listApprovalsOfTicket(ticketId),
    ticket.customerId === null ? null : tools.customers.get(ticket.customerId),
  ]);
  const decided = decisions.flatMap(({ decidedAt }) => decidedAt ?? []).sort();
  const asked = askedIn(messages, decided.at(-1) ?? '');
  const language = classification?.language ?? deps.language.detectLanguage(asked).language;
  const question = questionIn(deps, asked);
  const { hits } =
    question === ''
      ? { hits: [] }
      : await tools.retriever.search(question, { topK: tools.policy.retrieval.top_k, language });
  const done = turns.flatMap((turn) => turn.toolCalls.filter((call) => call.ok));
  return {
    ticket,
    classification,
    messages,
    asked,
    question,
    language,
    user,
    hits,
    escalation: escalations.at(-1) ?? null,
    runs,
    awaitsApproval: approvals.length > 0,
    isDecided: decided.length > 0,
    trace: [searchTrace(hits, asked), ...done.map(({ agent, tool, args }) => traceOf(agent, tool, args, {}))],
  };
}

/** What the customer wrote since an operator last answered or decided; the last message where that is nothing. */
function askedIn(messages: readonly TicketMessage[], decidedAt: string): string {
  const answered = messages.findLastIndex(({ role }) => role === 'operator');
  const written = messages
    .slice(answered + 1)
    .filter(({ role, createdAt }) => role === 'customer' && createdAt > decidedAt);
  const last = messages.findLast(({ role }) => role === 'customer');
  const asked = written.length > 0 ? written.slice(-ASKED) : last ? [last] : [];
  return asked
    .map(({ content }) => content)
    .join('\n')
    .slice(-QUERY_CHARS)
    .trim();
}

/** True where the customer had been told this, by the hub or by an operator, and wrote again. */
export function wasSaid({ messages }: SuggestMaterial, text: string): boolean {
  const words = plain(text);
  const last = messages.findLastIndex(({ role }) => role === 'customer');
  return messages.some(
    ({ role, content }, at) => at < last && role !== 'customer' && plain(content).includes(words),
  );
}

/** True where what the customer was told before they wrote again was found in this article. */
export function wasCited({ messages }: SuggestMaterial, hit: SearchHit | undefined): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'customer');
  return messages.some(
    ({ role, citations }, at) =>
      at < last && role !== 'customer' && citations.some(({ articleId }) => articleId === hit?.articleId),
  );
}

/** Without what layout changes: blanks and lines. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What there is to look up; empty where the customer only asked for a person. */
function questionIn({ language }: GraphDeps, asked: string): string {
  // A person is answering now.
  const rest = language.withoutPersonWish(asked).replace(/^[^\p{L}\p{N}]+/u, '');
  return (rest.match(/\p{L}{2,}/gu) ?? []).length < MIN_WORDS ? '' : rest;
}

function traceOf(agent: string, tool: string, args: ToolTrace['args'], result: unknown): ToolTrace {
  return { callId: '', agent, task: 0, tool, args, ok: true, result, paused: false };
}

function searchTrace(hits: readonly SearchHit[], query: string): ToolTrace {
  const articles = hits.map(({ articleId, title, confidence, content }) => ({
    article_id: articleId,
    title,
    confidence,
    content,
  }));
  return traceOf('knowledge', 'search_knowledge', { query }, { articles });
}

/** Whose conversation it is: whose address may be named, and whose records are meant. */
export function sessionOf({ ticket, user, language, classification }: SuggestMaterial): Session {
  return {
    turnId: '',
    ticketId: ticket.ticketId,
    threadId: ticket.threadId,
    graphThreadId: ticket.threadId,
    channel: ticket.channel,
    identity: user
      ? { kind: 'customer', customerId: user.customerId, email: user.email }
      : { kind: 'anonymous' },
    customerName: user?.name ?? null,
    language: classification?.language ?? language,
    unsupportedLanguage: null,
    memory: null,
    lastReply: null,
    previousMessage: null,
  };
}
