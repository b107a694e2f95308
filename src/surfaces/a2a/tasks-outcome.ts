import type { App } from '../../app/app.js';
import type { Capability, OutsideCaller } from '../../core/capabilities.js';
import type { ThreadView } from '../../core/domain/conversation.js';
import { ANONYMOUS, type Identity } from '../../core/domain/customer.js';
import { type JsonObject, snaked } from '../../core/domain/json.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { TicketMessage } from '../../core/domain/ticket.js';
import type { PendingView, TurnReply } from '../../core/domain/turn.js';
import { HubError } from '../../core/errors.js';
import type { Texts } from '../../core/i18n/index.js';
import type { A2aTaskChange, A2aTaskRecord, A2aTaskState, A2aWait } from '../../core/ports/a2a-tasks.js';
import type { InboxContent } from '../../core/ports/inbox.js';
import { agentMessage, artifactOf, languageOf, type TaskOutput, withStatus } from './tasks.js';

/** How a task ended, or what it waits for now. */
export interface Outcome {
  readonly state: A2aTaskState;
  readonly wait: A2aWait | null;
  readonly said: TaskOutput;
  /** Ids of the stored messages that it reports. */
  readonly messageIds: readonly string[];
}

/** How long a turn on another surface may take until its reply is stored, in milliseconds. */
const REPLY_GRACE_MS = 120_000;

/** The outcome of a task whose turn ended with this reply. */
export function outcomeOf(reply: TurnReply): Outcome {
  const messageIds = reply.messageId ? [reply.messageId] : [];
  const { language, pending } = reply;
  const text = reply.reply;
  if (pending) {
    const wait = { kind: pending.kind, pendingId: pending.id };
    return {
      state: 'input_required',
      wait,
      messageIds,
      said: { text, data: questionData(pending), language },
    };
  }
  const isEscalated = reply.escalated || reply.route.at(-1)?.to === 'operator';
  const said = { text, data: answerData(reply), language };
  if (isEscalated) return { state: 'input_required', wait: { kind: 'operator' }, messageIds, said };
  if (reply.asksBack) return { state: 'input_required', wait: { kind: 'words' }, messageIds, said };
  return { state: 'completed', wait: null, messageIds, said };
}

/** An open question, so that a program can show it and answer it. */
function questionData({ id, kind, tool, args, question }: PendingView): JsonObject {
  const answer = kind === 'confirmation' ? { answer: ['yes', 'no'] } : {};
  return { pending_id: id, kind, tool, args: args as JsonObject, question, ...answer };
}

function answerData(reply: TurnReply): JsonObject {
  const { language, provider, agents, citations, escalated, escalation, ticketId, usage } = reply;
  return {
    ...{ reply: reply.reply, language, provider, agents, ticket: ticketId, escalated },
    ...(escalation && { reason: escalation.reason }),
    ...(citations.length > 0 && { citations: citations.map(snaked) }),
    ...(usage.llmCalls > 0 && { usage: snaked(usage) }),
  };
}

/**
 * The outcome of a task that waits, after operators or a turn on another surface have acted; null where it still waits.
 * @param anchor client ids of the messages of the task, as the conversation keeps them
 * @param now milliseconds
 */
export function settledBy(
  task: A2aTaskRecord,
  view: ThreadView,
  anchor: ReadonlySet<string>,
  now: number,
  texts: Texts,
): Outcome | null {
  const { wait } = task;
  if (wait === null) return null;
  const replies = repliesSince(task, view.messages, anchor);
  const open = view.pending;
  if (wait.kind === 'operator') return afterOperator(task, view, replies);
  // Answered elsewhere on the conversation; as long as it is not, it is the caller's turn.
  if (wait.kind === 'words') return replies.length === 0 ? null : afterReply(task, view, replies);
  if (open?.id === wait.pendingId) return null;
  // Only one of several open questions is shown, the customer's own first.
  if (wait.kind === 'approval' && open?.kind === 'confirmation') return null;
  if (open) return inputRequired(task, open, replies);
  if (replies.length === 0)
    return now - Date.parse(task.changedAt) > REPLY_GRACE_MS ? expired(task, texts) : null;
  const isClaimed = view.owner.kind === 'operator' && !replies.some(({ role }) => role === 'operator');
  return isClaimed ? withOperator(task, replies) : completed(task, replies);
}

function afterOperator(
  task: A2aTaskRecord,
  view: ThreadView,
  replies: readonly TicketMessage[],
): Outcome | null {
  const answered = replies.some(({ role }) => role === 'operator');
  if (view.pending && (answered || view.owner.kind === 'hub'))
    return inputRequired(task, view.pending, replies);
  return answered || view.owner.kind === 'hub' ? completed(task, replies) : null;
}

function afterReply(task: A2aTaskRecord, view: ThreadView, replies: readonly TicketMessage[]): Outcome {
  if (view.pending) return inputRequired(task, view.pending, replies);
  return view.owner.kind === 'operator' && replies.every(({ role }) => role === 'hub')
    ? withOperator(task, replies)
    : completed(task, replies);
}

/** Replies stored since that the task has not reported yet; only those of operators where there are any. */
function repliesSince(
  task: A2aTaskRecord,
  messages: readonly TicketMessage[],
  anchor: ReadonlySet<string>,
): readonly TicketMessage[] {
  const own = messages.findLastIndex(({ clientMessageId }) => anchor.has(clientMessageId ?? ''));
  const later =
    own < 0 ? messages.filter(({ createdAt }) => createdAt > task.changedAt) : messages.slice(own + 1);
  const said = later.filter(
    ({ role, messageId }) => (role === 'hub' || role === 'operator') && !task.messageIds.includes(messageId),
  );
  const byOperators = said.filter(({ role }) => role === 'operator');
  return byOperators.length > 0 ? byOperators : said;
}

function inputRequired(task: A2aTaskRecord, open: PendingView, replies: readonly TicketMessage[]): Outcome {
  const text = textOf(replies) ?? open.question;
  const said = { text, data: questionData(open), language: languageOf(task) };
  return {
    state: 'input_required',
    wait: { kind: open.kind, pendingId: open.id },
    said,
    messageIds: idsOf(replies),
  };
}

function completed(task: A2aTaskRecord, replies: readonly TicketMessage[]): Outcome {
  const author = replies.find(({ role }) => role === 'operator')?.author;
  const text = textOf(replies);
  const data = text === null ? null : { reply: text, ...(author && { operator: author }) };
  const said = { text, data, language: languageOf(task) };
  return { state: 'completed', wait: null, said, messageIds: idsOf(replies) };
}

function withOperator(task: A2aTaskRecord, replies: readonly TicketMessage[]): Outcome {
  const said = { text: textOf(replies), data: null, language: languageOf(task) };
  return { state: 'input_required', wait: { kind: 'operator' }, said, messageIds: idsOf(replies) };
}

/** The question has expired without an answer. */
function expired(task: A2aTaskRecord, texts: Texts): Outcome {
  const language = languageOf(task);
  const text = texts.for(language ?? 'en').say('question_expired');
  return { state: 'canceled', wait: null, said: { text, data: null, language }, messageIds: [] };
}

function textOf(replies: readonly TicketMessage[]): string | null {
  return replies.length === 0 ? null : replies.map(({ content }) => content).join('\n\n');
}

function idsOf(replies: readonly TicketMessage[]): readonly string[] {
  return replies.map(({ messageId }) => messageId);
}

/** The change that gives a task its outcome. */
export function changeTo(task: A2aTaskRecord, { state, wait, said, messageIds }: Outcome): A2aTaskChange {
  const { taskId, contextId, document } = task;
  const number = document.history.length + 1;
  // Data that is in the artifact is not repeated in the status message.
  const status = state === 'completed' ? { ...said, data: null } : said;
  const message = isEmpty(status) ? null : agentMessage(`${taskId}-${number}`, status, { taskId, contextId });
  const artifact =
    state === 'completed' && !isEmpty(said) ? [artifactOf(`${taskId}-answer-${number}`, 'answer', said)] : [];
  const artifacts = [...document.artifacts, ...artifact];
  return {
    state,
    wait,
    messageIds: [...task.messageIds, ...messageIds],
    cancelAsked: false,
    document: withStatus({ ...document, artifacts }, message),
  };
}

function isEmpty({ text, data }: TaskOutput): boolean {
  return text === null && data === null;
}

/** The tool by which an agent elsewhere is asked. */
const ASKED_ELSEWHERE = 'ask_remote_agent';

interface WithdrawalDeps {
  readonly app: Pick<App, 'capabilities' | 'conversations' | 'texts'>;
}

/** The outcome of a task that its caller has cancelled. */
export function canceled(text: string | null, language: Language, texts: Texts): Outcome {
  const message = text ?? texts.for(language).say('nothing_changed');
  return { state: 'canceled', wait: null, said: { text: message, data: null, language }, messageIds: [] };
}

/**
 * The outcome of a task that was cancelled while its turn ran: a question it ended with is declined, and what it has
 * changed stays and is reported.
 */
export async function withdrawn(
  deps: WithdrawalDeps,
  task: A2aTaskRecord,
  identity: Identity,
  reply: TurnReply,
): Promise<Outcome> {
  if (reply.pending) return decline(deps, task, identity, reply.pending);
  if (hadEffect(deps, reply)) return outcomeOf(reply);
  return canceled(null, reply.language, deps.app.texts);
}

/**
 * Declines the confirmation a task waits for, or withdraws the request that waits for an operator.
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
  const said = canceled(reply.reply, reply.language, app.texts);
  return { ...said, messageIds: reply.messageId ? [reply.messageId] : [] };
}

/** True where a tool has changed something, here or at an agent elsewhere, of which the hub cannot be sure. */
function hadEffect({ app }: WithdrawalDeps, { toolCalls }: TurnReply): boolean {
  const changing = new Set(
    app.capabilities.list().flatMap(({ name, effect }) => (effect === 'read' ? [] : [name])),
  );
  return toolCalls.some(({ tool, ok }) => ok && (changing.has(tool) || tool === ASKED_ELSEWHERE));
}

/**
 * Answers a message to an agent that holds no conversations: it is given to the agent's one tool as it is.
 * @throws HubError `input_invalid` where the agent has none that takes a text
 */
export async function answerByTool(
  { capabilities }: Pick<App, 'capabilities'>,
  task: A2aTaskRecord,
  messageId: string,
  content: InboxContent,
): Promise<Outcome> {
  const agent = capabilities.agents().find(({ name }) => name === task.agent);
  const found = agent?.capabilities.flatMap((capability) => {
    const field = textField(capability);
    return field === null ? [] : [{ name: capability.name, field }];
  })[0];
  if (!found || content.kind !== 'text')
    throw new HubError('input_invalid', 'This agent takes one message in words.', { agent: task.agent });
  // The tool needs no signed-in customer, and is given none.
  const caller: OutsideCaller = { identity: ANONYMOUS, scopes: [], channel: 'a2a' };
  const input = { [found.field]: content.text };
  const key = `a2a:${task.owner}:${messageId}`;
  const outcome = await capabilities.call({ caller, name: found.name, input, idempotencyKey: key });
  if (outcome.kind !== 'done')
    throw new HubError('internal', 'The agent has not answered.', { kind: outcome.kind });
  const { data } = outcome;
  return { state: 'completed', wait: null, said: { text: summaryOf(data), data }, messageIds: [] };
}

/** The name of the one text that a capability takes. */
function textField({ inputSchema, access }: Capability): string | null {
  const { properties } = inputSchema as { readonly properties?: Readonly<Record<string, JsonObject>> };
  const [only, ...more] = Object.entries(properties ?? {});
  return access === 'anyone' && only?.[1].type === 'string' && more.length === 0 ? only[0] : null;
}

function summaryOf({ summary }: JsonObject): string | null {
  return typeof summary === 'string' && summary !== '' ? summary : null;
}
