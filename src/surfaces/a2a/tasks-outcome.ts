import type { App } from '../../app/app.js';
import type { Capability, OutsideCaller } from '../../core/capabilities.js';
import type { ThreadView } from '../../core/domain/conversation.js';
import { ANONYMOUS, type Identity } from '../../core/domain/customer.js';
import type { JsonObject } from '../../core/domain/json.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { TicketMessage } from '../../core/domain/ticket.js';
import type { PendingView, TurnReply } from '../../core/domain/turn.js';
import { HubError } from '../../core/errors.js';
import type { Texts } from '../../core/i18n/index.js';
import type { A2aTaskChange, A2aTaskRecord, A2aTaskState, A2aWait } from '../../core/ports/a2a-tasks.js';
import type { InboxContent } from '../../core/ports/inbox.js';
import { agentMessage, artifactOf, languageOf, type Said, withStatus } from './tasks-document.js';

/** What became of a task, or what it waits for now. */
export interface Outcome {
  readonly state: A2aTaskState;
  readonly wait: A2aWait | null;
  readonly said: Said;
  /** Messages of the conversation that say it. */
  readonly told: readonly string[];
}

/** A turn that answers elsewhere may take as long before its words are there. */
const WORDS_MS = 120_000;

/** What the answer of a turn makes of its task. */
export function outcomeOf(reply: TurnReply): Outcome {
  const told = reply.messageId ? [reply.messageId] : [];
  const { language, pending } = reply;
  const text = reply.reply;
  if (pending) {
    const wait = { kind: pending.kind, pendingId: pending.id };
    return { state: 'input_required', wait, told, said: { text, data: questionData(pending), language } };
  }
  const people = reply.escalated || reply.route.at(-1)?.to === 'operator';
  const said = { text, data: answerData(reply), language };
  if (people) return { state: 'input_required', wait: { kind: 'operator' }, told, said };
  if (reply.asksBack) return { state: 'input_required', wait: { kind: 'words' }, told, said };
  return { state: 'completed', wait: null, told, said };
}

/** An open question, so that a program can show it and answer it. */
function questionData({ id, kind, tool, args, question }: PendingView): JsonObject {
  const answer = kind === 'confirmation' ? { answer: ['yes', 'no'] } : {};
  return { pending_id: id, kind, tool, args: args as JsonObject, question, ...answer };
}

function answerData(reply: TurnReply): JsonObject {
  const { language, provider, agents, citations, escalated, escalation, ticketId, usage } = reply;
  const sources = citations.map(({ articleId, title, confidence }) => ({
    ...{ article_id: articleId, title, confidence },
  }));
  const { llmCalls, promptTokens, completionTokens, costUsd } = usage;
  const cost = {
    llm_calls: llmCalls,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cost_usd: costUsd,
  };
  return {
    ...{ reply: reply.reply, language, provider, agents, ticket: ticketId, escalated },
    ...(escalation && { reason: escalation.reason }),
    ...(sources.length > 0 && { citations: sources }),
    ...(llmCalls > 0 && { usage: cost }),
  };
}

/**
 * What people, or a turn elsewhere, have made of a task that waits; null where it still does.
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
  const news = newsOf(task, view.messages, anchor);
  const open = view.pending;
  if (wait.kind === 'operator') return byPeople(task, view, news);
  // Answered elsewhere on the conversation; as long as it is not, it is the caller's turn.
  if (wait.kind === 'words') return news.length === 0 ? null : byWords(task, view, news);
  if (open?.id === wait.pendingId) return null;
  // Only one of several open questions is shown, the customer's own first.
  if (wait.kind === 'approval' && open?.kind === 'confirmation') return null;
  if (open) return asked(task, open, news);
  if (news.length === 0) return now - Date.parse(task.changedAt) > WORDS_MS ? expired(task, texts) : null;
  const people = view.owner.kind === 'operator' && !news.some(({ role }) => role === 'operator');
  return people ? withPeople(task, news) : completed(task, news);
}

function byPeople(task: A2aTaskRecord, view: ThreadView, news: readonly TicketMessage[]): Outcome | null {
  const answered = news.some(({ role }) => role === 'operator');
  if (view.pending && (answered || view.owner.kind === 'hub')) return asked(task, view.pending, news);
  return answered || view.owner.kind === 'hub' ? completed(task, news) : null;
}

function byWords(task: A2aTaskRecord, view: ThreadView, news: readonly TicketMessage[]): Outcome {
  if (view.pending) return asked(task, view.pending, news);
  return view.owner.kind === 'operator' && news.every(({ role }) => role === 'hub')
    ? withPeople(task, news)
    : completed(task, news);
}

/** What the hub and people have said since, that the task has not told; people's words where there are any. */
function newsOf(
  task: A2aTaskRecord,
  messages: readonly TicketMessage[],
  anchor: ReadonlySet<string>,
): readonly TicketMessage[] {
  const own = messages.findLastIndex(({ clientMessageId }) => anchor.has(clientMessageId ?? ''));
  const later =
    own < 0 ? messages.filter(({ createdAt }) => createdAt > task.changedAt) : messages.slice(own + 1);
  const said = later.filter(
    ({ role, messageId }) => (role === 'hub' || role === 'operator') && !task.told.includes(messageId),
  );
  const people = said.filter(({ role }) => role === 'operator');
  return people.length > 0 ? people : said;
}

function asked(task: A2aTaskRecord, open: PendingView, news: readonly TicketMessage[]): Outcome {
  const text = wordsOf(news) ?? open.question;
  const said = { text, data: questionData(open), language: languageOf(task) };
  return { state: 'input_required', wait: { kind: open.kind, pendingId: open.id }, said, told: idsOf(news) };
}

function completed(task: A2aTaskRecord, news: readonly TicketMessage[]): Outcome {
  const author = news.find(({ role }) => role === 'operator')?.author;
  const text = wordsOf(news);
  const data = text === null ? null : { reply: text, ...(author && { operator: author }) };
  const said = { text, data, language: languageOf(task) };
  return { state: 'completed', wait: null, said, told: idsOf(news) };
}

function withPeople(task: A2aTaskRecord, news: readonly TicketMessage[]): Outcome {
  const said = { text: wordsOf(news), data: null, language: languageOf(task) };
  return { state: 'input_required', wait: { kind: 'operator' }, said, told: idsOf(news) };
}

/** Nobody answered the question in time. */
function expired(task: A2aTaskRecord, texts: Texts): Outcome {
  const language = languageOf(task);
  const text = texts.for(language ?? 'en').say('question_expired');
  return { state: 'canceled', wait: null, said: { text, data: null, language }, told: [] };
}

function wordsOf(news: readonly TicketMessage[]): string | null {
  return news.length === 0 ? null : news.map(({ content }) => content).join('\n\n');
}

function idsOf(news: readonly TicketMessage[]): readonly string[] {
  return news.map(({ messageId }) => messageId);
}

/** The change that gives a task its outcome. */
export function changeTo(task: A2aTaskRecord, { state, wait, said, told }: Outcome): A2aTaskChange {
  const { taskId, contextId, document } = task;
  const number = document.history.length + 1;
  // Data that stands in the artifact need not stand beside the words of the status.
  const status = state === 'completed' ? { ...said, data: null } : said;
  const message = isEmpty(status) ? null : agentMessage(`${taskId}-${number}`, status, { taskId, contextId });
  const artifact =
    state === 'completed' && !isEmpty(said) ? [artifactOf(`${taskId}-answer-${number}`, 'answer', said)] : [];
  const artifacts = [...document.artifacts, ...artifact];
  return {
    state,
    wait,
    told: [...task.told, ...told],
    cancelAsked: false,
    document: withStatus({ ...document, artifacts }, message),
  };
}

function isEmpty({ text, data }: Said): boolean {
  return text === null && data === null;
}

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

/**
 * Answers a message to an agent that holds no conversations: it is given to the agent's one tool as it is.
 * @throws HubError `input_invalid` where the agent has none that takes a text
 */
export async function answerAlone(
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
  // The tool needs nobody signed in, and is given nobody.
  const caller: OutsideCaller = { identity: ANONYMOUS, scopes: [], channel: 'a2a' };
  const input = { [found.field]: content.text };
  const key = `a2a:${task.owner}:${messageId}`;
  const outcome = await capabilities.call({ caller, name: found.name, input, idempotencyKey: key });
  if (outcome.kind !== 'done')
    throw new HubError('internal', 'The agent has not answered.', { kind: outcome.kind });
  const { data } = outcome;
  return { state: 'completed', wait: null, said: { text: summaryOf(data), data }, told: [] };
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
