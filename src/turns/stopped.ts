import type { TurnReply } from '../core/domain/turn.js';
import { waitFor } from '../runtime/ticket-status.js';
import { ownerOf } from './conversation-view.js';
import type { Turn, TurnDeps } from './turn.js';
import type { TurnRunner } from './turn-runner.js';

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
