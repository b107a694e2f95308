import { markerOf } from '../core/desk-notes.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Classification, Ticket } from '../core/domain/ticket.js';
import type { TurnReply } from '../core/domain/turn.js';
import type { Sentences } from '../core/i18n/index.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { saveTriage } from '../graph/escalate-ticket.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { backAt } from '../graph/next-step.js';
import { waitFor } from '../runtime/plan-action.js';
import { ownerOf } from './conversation-view.js';
import { keepWords, saysFilesOnly, type Turn, type TurnDeps } from './turn.js';
import { cannedReply } from './turn-reply.js';
import type { TurnRunner } from './turn-runner.js';

/* Turns that are answered without the graph: stopped, empty, or written to a conversation that an operator has claimed. */

const RECENT = 80;
const MINUTE_MS = 60_000;

/**
 * A person has the conversation: what the customer writes is kept for them, and acknowledged. The acknowledgement is kept
 * once a stretch, and not after the person has written. The caller holds the thread.
 */
export async function acknowledge(
  deps: TurnDeps,
  turn: Turn,
  thread: ThreadRecord,
  language: Language,
): Promise<TurnReply> {
  const { tickets } = deps.graph;
  const { threadId, customerId } = thread;
  const open =
    (await tickets.findOpenByThread(threadId)) ??
    (await tickets.create({ customerId, threadId, channel: turn.channel }));
  const { ticketId } = open;
  await keepWords(deps, ticketId, turn);
  if (thread.operator) await tickets.setStatus(ticketId, 'waiting_operator', 'operator');
  if (!saysFilesOnly(turn)) await classify(deps, turn, ticketId, language);
  const back = isAtWork(deps.graph, open) ? null : backAt(deps.graph, language);
  const text = deps.graph.tools.texts
    .for(language)
    .say('with_team', { name: thread.operator?.name ?? null, back });
  const said = await wasAnswered(deps.graph, threadId);
  const messageId = said ? null : (await tickets.addMessage(ticketId, 'hub', text)).messageId;
  const totalMs = performance.now() - turn.started;
  const reply = cannedReply({ threadId, ticketId, messageId, text, language, pending: null, totalMs });
  return { ...reply, route: [{ to: 'operator', by: 'rule:claimed' }] };
}

/** The subject is the operator's by now; how pressing it is may still rise. */
async function classify(deps: TurnDeps, turn: Turn, ticketId: string, language: Language): Promise<void> {
  const { classification } = await deps.triage.classify(turn.text, { language, ticketId });
  // One word in another language is no reason to close the conversation in it.
  const spoken = (await deps.graph.tickets.getClassification(ticketId))?.language ?? language;
  const added = { ...pressed(deps.graph, turn.text, classification), language: spoken };
  await saveTriage(deps.graph, ticketId, added, true);
}

/** True where a person took it a moment ago: nobody says that the support is closed while they work. */
function isAtWork({ tools }: GraphDeps, { claimedAt }: Ticket): boolean {
  const moment = tools.policy.support.claim_lapse_minutes * MINUTE_MS;
  return claimedAt !== null && tools.clock.now().getTime() - Date.parse(claimedAt) < moment;
}

/** Haste presses what is claimed already, whatever the message asks for by itself. */
function pressed({ language }: GraphDeps, text: string, classification: Classification): Classification {
  const isCalm = classification.priority === 'low' || classification.priority === 'medium';
  return isCalm && language.speaksOfHaste(text) ? { ...classification, priority: 'high' } : classification;
}

/** True where the customer has heard of a person since one took over. */
async function wasAnswered({ tickets }: GraphDeps, threadId: string): Promise<boolean> {
  const messages = await tickets.listThreadMessages(threadId, RECENT);
  const start = messages.findLastIndex((message) => markerOf(message) !== null);
  const marker = messages[start];
  // Taken over a moment ago, which is not written down yet.
  if (!marker || markerOf(marker)?.kind !== 'took_over') return false;
  return messages
    .slice(start + 1)
    .some(({ audience, role }) => audience === 'customer' && (role === 'operator' || role === 'hub'));
}

/**
 * The customer stopped the answer: what it was about to ask is not asked, and what was passed on to the team by then is said
 * to be theirs. The caller holds the thread.
 */
export async function sayStopped(
  { graph, pending, threads }: TurnDeps,
  runner: Pick<TurnRunner, 'say'>,
  turn: Turn,
): Promise<TurnReply> {
  const { threadId } = turn.thread;
  const open = await pending.findOpenConfirmation(threadId);
  if (open && open.createdAt >= (turn.receivedAt ?? open.createdAt)) await pending.supersede(open.pendingId);
  const { kind } = await ownerOf({ tickets: graph.tickets, threads }, threadId);
  const reply = await runner.say(turn, (texts) => texts.say('stopped', { team: kind === 'operator' }), null);
  await waitFor(graph, reply.ticketId, 'waiting_customer');
  return reply;
}

/**
 * To a message without words. Nobody here looks into a file: that is said where files are all there is, and a question that
 * is open stays so.
 */
export async function sayUnread(
  { graph, pending, threads }: TurnDeps,
  runner: Pick<TurnRunner, 'say'>,
  turn: Turn,
): Promise<TurnReply> {
  const { threadId } = turn.thread;
  if (!saysFilesOnly(turn)) return runner.say(turn, (texts) => texts.say('empty_message'), null);
  const open = await pending.findOpenConfirmation(threadId);
  const { kind } = await ownerOf({ tickets: graph.tickets, threads }, threadId);
  const count = turn.parts?.flatMap(({ files = [] }) => files).length ?? 0;
  const said = (texts: Sentences): string => texts.say('files_only', { count, team: kind === 'operator' });
  return runner.say(turn, (texts) => (open ? `${said(texts)}\n\n${open.question}` : said(texts)), open);
}
