import { markerOf } from '../core/desk-notes.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Classification, Ticket } from '../core/domain/ticket.js';
import type { TurnReply } from '../core/domain/turn.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { saveTriage } from '../graph/escalate-ticket.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { backAt } from '../graph/next-step.js';
import { keepWords, saysFilesOnly, type Turn, type TurnDeps } from './turn.js';
import { cannedReply } from './turn-reply.js';

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

/** Haste presses what is in hand already, whatever the message asks for by itself. */
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
