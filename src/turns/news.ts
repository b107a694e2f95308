import type { TurnReply } from '../core/domain/turn.js';
import { STOPPED } from '../graph/desk-notes.js';
import type { GraphDeps } from '../graph/graph-deps.js';

const RECENT = 20;

/**
 * What was said on the thread since the customer's last turn: what came of an approval, or an operator's words. Whoever
 * decided it may have been in another process, so the stored messages are asked.
 * @returns null where there is nothing new
 */
export async function newsOf({ tickets }: GraphDeps, threadId: string): Promise<string | null> {
  const stored = await tickets.listThreadMessages(threadId, RECENT);
  const messages = stored.filter(({ audience, content }) => audience === 'customer' || content === STOPPED);
  const last = messages.findLastIndex(({ role }) => role === 'customer');
  if (last === -1) return null;
  const [first, ...later] = messages.slice(last + 1);
  // The hub's first words are the answer to that turn, which the customer has seen.
  const unseen = first?.role === 'hub' ? later : [first, ...later];
  const news = unseen.flatMap((message) => (message && message.role !== 'system' ? [message.content] : []));
  return news.length === 0 ? null : news.join('\n\n');
}

/** The reply with the news in front of it. */
export function withNews(news: string | null, reply: TurnReply): TurnReply {
  return news === null ? reply : { ...reply, reply: `${news}\n\n${reply.reply}` };
}
