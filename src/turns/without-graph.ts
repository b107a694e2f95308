import { markerOf } from '../core/desk-notes.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Classification, Ticket, TicketMessage } from '../core/domain/ticket.js';
import type { TurnReply } from '../core/domain/turn.js';
import type { Sentences } from '../core/i18n/index.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { saveTriage } from '../graph/escalate-ticket.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { backAt } from '../graph/next-step.js';
import { escalatedIn } from '../graph/operator-messages.js';
import { waitFor } from '../runtime/plan-action.js';
import { ownerOf } from './conversation-view.js';
import { saysFilesOnly, storeMessages, type Turn, type TurnDeps } from './turn.js';
import { cannedReply } from './turn-reply.js';
import type { TurnRunner } from './turn-runner.js';

/* Turns that are answered without the graph: stopped, empty, or written to a conversation that an operator has claimed. */

const RECENT = 80;
const MINUTE_MS = 60_000;

/**
 * An operator has the conversation: what the customer writes is stored for them and acknowledged, once until the operator
 * writes. The caller holds the thread's lease.
 */
export async function acknowledge(
  deps: TurnDeps,
  turn: Turn,
  thread: ThreadRecord,
  language: Language,
): Promise<TurnReply> {
  const { tickets } = deps.graph;
  const { threadId, customerId } = thread;
  // What the hub answered beside it is not what the operator has it for.
  const open =
    (await escalatedIn(deps.graph, threadId)) ??
    (await tickets.findOpenByThread(threadId)) ??
    (await tickets.create({ customerId, threadId, channel: turn.channel }));
  const { ticketId } = open;
  await storeMessages(deps, ticketId, turn);
  const messages = await tickets.listThreadMessages(threadId, RECENT);
  // Who only thanks waits for nothing, and says nothing of how pressing it is.
  const asks = messages.findLast(({ role }) => role === 'customer')?.countsAs !== 'nothing';
  if (thread.operator && asks) await tickets.setStatus(ticketId, 'waiting_operator', 'operator');
  if (asks && !saysFilesOnly(turn)) await classify(deps, turn, ticketId, language);
  const back = isAtWork(deps.graph, open, messages) ? null : backAt(deps.graph, language);
  const text = deps.graph.tools.texts
    .for(language)
    .say('with_team', { name: thread.operator?.name ?? null, back });
  const messageId = wasAnswered(messages)
    ? null
    : (await tickets.addMessage(ticketId, 'hub', text)).messageId;
  const totalMs = performance.now() - turn.started;
  const reply = cannedReply({ threadId, ticketId, messageId, text, language, pending: null, totalMs });
  return { ...reply, route: [{ to: 'operator', by: 'rule:claimed' }] };
}

/** The operator decides on the subject; its priority may still rise. */
async function classify(deps: TurnDeps, turn: Turn, ticketId: string, language: Language): Promise<void> {
  const read = async (text: string) =>
    (await deps.triage.classify(text, { language, ticketId })).classification;
  const known = await deps.graph.tickets.getClassification(ticketId);
  const classification = await read(turn.text);
  // "It is urgent" presses as much as it would in the same message as what it is about.
  const isPressing = deps.graph.language.speaksOfHaste(turn.text);
  const whole = isPressing && known ? await read(`${known.summary}\n${turn.text}`) : classification;
  const priority = isPressing ? pressed(whole) : classification.priority;
  // One word in another language is no reason to close the conversation in it.
  const added = { ...classification, priority, language: known?.language ?? language };
  await saveTriage(deps.graph, ticketId, added, true);
}

/** True where an operator claimed it or wrote a moment ago: the customer is not told that support is closed while they work. */
function isAtWork({ tools }: GraphDeps, { claimedAt }: Ticket, messages: readonly TicketMessage[]): boolean {
  const from = tools.clock.now().getTime() - tools.policy.support.claim_lapse_minutes * MINUTE_MS;
  const wrote = messages.findLast(({ role }) => role === 'operator')?.createdAt ?? null;
  return [claimedAt, wrote].some((at) => at !== null && Date.parse(at) > from);
}

/** An urgent message raises the priority of the claimed ticket, whatever it asks for. */
function pressed({ priority }: Classification): Classification['priority'] {
  return priority === 'low' || priority === 'medium' ? 'high' : priority;
}

/** True where the customer was informed of an operator since the ticket was claimed. */
function wasAnswered(messages: readonly TicketMessage[]): boolean {
  const start = messages.findLastIndex((message) => markerOf(message) !== null);
  const marker = messages[start];
  // Claimed a moment ago, which is not stored yet.
  if (!marker || markerOf(marker)?.kind !== 'took_over') return false;
  return messages
    .slice(start + 1)
    .some(({ audience, role }) => audience === 'customer' && (role === 'operator' || role === 'hub'));
}

/**
 * The customer stopped the answer: its question is not asked, and the customer learns what was escalated by then. The caller
 * holds the thread's lease.
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
 * Answers a message without text. The hub does not open files, and says so where there are only files; an open question
 * stays open.
 */
export async function sayUnread(
  deps: TurnDeps,
  runner: Pick<TurnRunner, 'say'>,
  turn: Turn,
): Promise<TurnReply> {
  const { graph, pending, threads } = deps;
  const { threadId } = turn.thread;
  if (!saysFilesOnly(turn)) return runner.say(turn, (texts) => texts.say('empty_message'), null);
  const open = await pending.findOpenConfirmation(threadId);
  const { kind } = await ownerOf({ tickets: graph.tickets, threads }, threadId);
  const said = (texts: Sentences): string =>
    texts.say('files_only', { count: filesIn(turn), team: kind === 'operator' });
  const words = (texts: Sentences): string => (open ? `${said(texts)}\n\n${open.question}` : said(texts));
  const waiting = await escalatedIn(graph, threadId);
  return runner.say(waiting ? { ...turn, ticketId: waiting.ticketId } : turn, words, open);
}

/**
 * Gives what is written beside files to the request of the conversation that waits for the team: the hub cannot see what they
 * show, and would only say again what they are sent against.
 * @returns null where there are no files, none waits, or the words are for the hub to hear at once
 */
export async function giveFilesToTeam(
  deps: TurnDeps,
  runner: Pick<TurnRunner, 'say' | 'languageOf'>,
  turn: Turn,
): Promise<TurnReply | null> {
  const { graph } = deps;
  const count = filesIn(turn);
  if (count === 0 || graph.language.callsOffTeam(turn.text) || graph.language.dangerIn(turn.text) !== null)
    return null;
  const waiting = await escalatedIn(graph, turn.thread.threadId);
  if (!waiting) return null;
  const { ticketId } = waiting;
  await classify(deps, turn, ticketId, await runner.languageOf(turn));
  return runner.say({ ...turn, ticketId }, (texts) => texts.say('files_only', { count, team: true }), null);
}

function filesIn({ parts = [] }: Turn): number {
  return parts.flatMap(({ files = [] }) => files).length;
}
