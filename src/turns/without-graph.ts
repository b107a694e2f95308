import type { TurnReply } from '../core/domain/turn.js';
import type { Sentences } from '../core/i18n/index.js';
import { waitFor } from '../runtime/ticket-status.js';
import { ownerOf } from './conversation-view.js';
import { saysFilesOnly, type Turn, type TurnDeps } from './turn.js';
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
