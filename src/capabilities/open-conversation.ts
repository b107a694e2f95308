import type { OutsideCaller } from '../core/capabilities.js';
import type { IssueType, Language, Route } from '../core/domain/taxonomy.js';
import type { CapabilityDeps } from './caller-session.js';

const RECENT = 50;

/** What is put to people on behalf of a program. */
interface Asked {
  readonly caller: OutsideCaller;
  readonly customerId: string;
  readonly language: Language;
  readonly callId: string;
  /** In the customer's language, as the tool's `request` says it. */
  readonly what: string;
  /** The agent it belongs to; the conversation talks to no other. */
  readonly agent: string;
  readonly issueType: IssueType;
  readonly route: Route;
}

/** The conversation of a call. */
interface OpenedConversation {
  readonly threadId: string;
  readonly ticketId: string;
}

/** The conversation that belongs to a call, whether or not it was begun. */
export function threadOf(callId: string): string {
  return callId.replace(/^cal_/, 'thr_');
}

/** The call that a conversation belongs to, where it was begun by one. */
export function callOf(threadId: string): string {
  return threadId.replace(/^thr_/, 'cal_');
}

/**
 * Begins a conversation with a ticket, where the customer finds what their program has asked for, and operators find it
 * like any other. A call that is made again finds its own.
 */
export async function openConversation(
  { threads, tickets, tools }: Pick<CapabilityDeps, 'threads' | 'tickets' | 'tools'>,
  asked: Asked,
): Promise<OpenedConversation> {
  const { caller, customerId, language, callId, what, agent, issueType, route } = asked;
  const { channel, scopes } = caller;
  const threadId = threadOf(callId);
  await threads.put({ threadId, customerId, graphThreadId: threadId, scopes, agent });
  const known = await tickets.findLatestByThread(threadId);
  const { ticketId } = known ?? (await tickets.create({ customerId, threadId, channel }));
  const words = tools.texts.for(language).say('asked_by_program', { protocol: channel.toUpperCase(), what });
  if (!(await tickets.getClassification(ticketId))) {
    await tickets.saveClassification(ticketId, {
      issueType,
      priority: 'medium',
      sentiment: 'neutral',
      requiresHuman: false,
      summary: words,
      confidence: 1,
      language,
      route,
      humanReason: null,
      requests: [],
    });
  }
  await tickets.addMessage(ticketId, 'customer', words, { clientMessageId: callId });
  return { threadId, ticketId };
}

/** Says something to the customer on that conversation, once. */
export async function tell(
  { tickets }: Pick<CapabilityDeps, 'tickets'>,
  ticketId: string,
  text: string,
): Promise<void> {
  const said = await tickets.listMessages(ticketId, RECENT);
  if (said.some(({ role, content }) => role === 'hub' && content === text)) return;
  await tickets.addMessage(ticketId, 'hub', text);
}
