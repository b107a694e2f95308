import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { GraphDeps } from '../graph/graph-deps.js';

/** Messages that are looked through for what was said last. */
const RECENT = 4;

/**
 * True where the hub's last message asks once more what it had asked before.
 * @param name what the confirmation is about, as its customer speaks of it
 */
export async function isAskedAgain(
  { tickets, tools }: Pick<GraphDeps, 'tickets' | 'tools'>,
  { threadId, question }: PendingAction,
  name: string,
  language: Language,
): Promise<boolean> {
  const texts = tools.texts.for(language);
  const messages = await tickets.listThreadMessages(threadId, RECENT);
  const last = messages.findLast(({ role }) => role === 'hub')?.content ?? '';
  const asked = [texts.say('answer_yes_or_no', { question }), texts.say('reminder', { name })];
  return asked.some((text) => last.endsWith(text));
}
