import type { App } from '../../app/app.js';
import type { Identity } from '../../core/domain/customer.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { PendingView, TurnReply } from '../../core/domain/turn.js';
import type { Texts } from '../../core/i18n/index.js';
import type { A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import { type Outcome, outcomeOf } from './tasks-outcome.js';

/** The tool by which an agent elsewhere is asked. */
const ASKED_ELSEWHERE = 'ask_remote_agent';

export interface WithdrawalDeps {
  readonly app: Pick<App, 'capabilities' | 'conversations' | 'texts'>;
}

/** What a task comes to that its caller took back. */
export function taken(text: string | null, language: Language, texts: Texts): Outcome {
  const words = text ?? texts.for(language).say('nothing_changed');
  return { state: 'canceled', wait: null, said: { text: words, data: null, language }, told: [] };
}

/**
 * What becomes of a task that was taken back while its turn ran: a question it ended with is declined, and what it has
 * changed stays and is told.
 */
export async function withdrawn(
  deps: WithdrawalDeps,
  task: A2aTaskRecord,
  identity: Identity,
  reply: TurnReply,
): Promise<Outcome> {
  if (reply.pending) return decline(deps, task, identity, reply.pending);
  if (hadEffect(deps, reply)) return outcomeOf(reply);
  return taken(null, reply.language, deps.app.texts);
}

/**
 * Says no to the question a task waits with, or takes back what an operator is to decide.
 * @throws HubError `pending_decided`, `pending_withdrawn`, `pending_expired`, `pending_not_found`
 */
export async function decline(
  { app }: WithdrawalDeps,
  { taskId, threadId }: A2aTaskRecord,
  identity: Identity,
  { id: pendingId, kind }: Pick<PendingView, 'id' | 'kind'>,
): Promise<Outcome> {
  const reply = await app.conversations.answer({
    ...{ identity, threadId: threadId ?? '', pendingId, channel: 'a2a' },
    answer: kind === 'approval' ? 'withdraw' : 'no',
    clientMessageId: `a2a-cancel-${taskId}-${pendingId}`,
  });
  const said = taken(reply.reply, reply.language, app.texts);
  return { ...said, told: reply.messageId ? [reply.messageId] : [] };
}

/** True where a tool has changed something, here or at an agent elsewhere, of which nobody here can be sure. */
function hadEffect({ app }: WithdrawalDeps, { toolCalls }: TurnReply): boolean {
  const changing = new Set(
    app.capabilities.list().flatMap(({ name, effect }) => (effect === 'read' ? [] : [name])),
  );
  return toolCalls.some(({ tool, ok }) => ok && (changing.has(tool) || tool === ASKED_ELSEWHERE));
}
