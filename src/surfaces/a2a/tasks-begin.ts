import { createHash } from 'node:crypto';
import type { App } from '../../app/app.js';
import { SCOPES, type Scope } from '../../core/domain/customer.js';
import { HubError } from '../../core/errors.js';
import type { A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import { cleanText } from '../../core/text.js';
import { isVisitorKey, sameOwner } from './a2a-auth.js';
import type { ObservedTasks } from './observed-tasks.js';
import { inboxContentOf } from './rpc-params.js';
import { type A2aCaller, type Asked, HUB_AGENT, isOver, shownMessage, type TaskMessage } from './tasks.js';

interface BeginDeps {
  readonly app: Pick<App, 'a2a' | 'capabilities' | 'conversations'>;
  readonly observed: ObservedTasks;
  readonly messageChars: number;
}

const MAX_ID_CHARS = 256;
/** What a message may carry besides its words, and how much longer these are in JSON at most. */
const MAX_CARRIED_CHARS = 65_536;
const MAX_ESCAPED = 6;
/** Nobody reads a task that is longer; every change of it is written whole, and a stream begins with all of it. */
const MAX_TASK_CHARS = 200_000;

/**
 * Keeps a message, with the task it begins or continues. The same message again is the same task. An id that a client
 * uses anew, for other words or another task, gets a suffix; where it is an idempotency key, that is refused.
 * @throws HubError as `TaskService.send`
 */
export async function acceptMessage(
  deps: BeginDeps,
  by: Asked,
  message: TaskMessage,
): Promise<A2aTaskRecord> {
  try {
    return await keepMessage(deps, by, message);
  } catch (error) {
    const isTaken = error instanceof HubError && error.code === 'idempotency_conflict';
    if (!isTaken || message.isKeyed) throw error;
    return keepMessage(deps, by, distinguished(message));
  }
}

/** The message under an id that is the same only for the same words and task. */
function distinguished(message: TaskMessage): TaskMessage {
  const { taskId = null, contextId = null, shown } = message;
  const hash = createHash('sha256').update(JSON.stringify([inboxContentOf(message), taskId, contextId]));
  const messageId = `${message.messageId.slice(0, MAX_ID_CHARS / 2)}~${hash.digest('base64url').slice(0, 22)}`;
  return { ...message, messageId, ...(shown && { shown: { ...shown, messageId } }) };
}

async function keepMessage(deps: BeginDeps, asked: Asked, message: TaskMessage): Promise<A2aTaskRecord> {
  const { observed } = deps;
  const { agent } = asked;
  refuseStaff(asked.caller);
  const converses = conversesOf(deps, agent);
  checkMessage(message, deps.messageChars);
  const { messageId } = message;
  const content = inboxContentOf(message);
  const by = await meantBy(deps, asked, message);
  const { caller } = by;
  const known = await observed.store.find(caller.callerKey, agent, { messageId, content });
  if (known && message.taskId !== undefined && message.taskId !== known.taskId)
    throw new HubError('idempotency_conflict', 'This message id was used on another task.', { messageId });
  // The name of one conversation proves nothing of the others that its owner has.
  if (known && by !== asked && message.taskId === undefined && message.contextId !== known.contextId)
    throw new HubError('idempotency_conflict', 'This message id was used elsewhere.', { messageId });
  if (known) return ownTask(observed, by, known.taskId, 'act');
  if (message.taskId) return continueTask(deps, by, message, message.taskId);
  if (content.kind === 'answer')
    throw invalid('taskId', 'An answer to a question names the task that asks it.');
  const place = converses
    ? await conversationOf(deps, by, message.contextId)
    : { threadId: null, scopes: [], contextId: message.contextId ?? deps.app.a2a.ids.unguessable('ctx') };
  const { identity } = caller.caller;
  const task = {
    ...place,
    agent,
    taskId: deps.app.a2a.ids.unguessable('tsk'),
    owner: caller.callerKey,
    customerId: identity.kind === 'customer' ? identity.customerId : null,
  };
  const history = [shownMessage(message, task)];
  const document = { statusMessage: null, history, artifacts: [] };
  return (await observed.store.begin({ ...task, document }, { messageId, content })).task;
}

/** The caller, for a visitor without a secret under the name of whose task or conversation it continues with. */
async function meantBy(
  { observed }: BeginDeps,
  by: Asked,
  { taskId, contextId }: TaskMessage,
): Promise<Asked> {
  const { newSecret, ...known } = by.caller;
  if (newSecret === undefined) return by;
  if (!taskId) return inConversation(observed, by, contextId);
  const { owner: callerKey } = await ownTask(observed, by, taskId, 'act');
  return { ...by, caller: { ...known, callerKey } };
}

async function continueTask(
  { observed }: BeginDeps,
  by: Asked,
  message: TaskMessage,
  taskId: string,
): Promise<A2aTaskRecord> {
  const task = await ownTask(observed, by, taskId, 'act');
  const { contextId, messageId } = message;
  const content = inboxContentOf(message);
  if (contextId && contextId !== task.contextId)
    throw invalid('contextId', 'The task belongs to another conversation than the message says.');
  if (isOver(task)) {
    const state = `The task is over (${task.state}). Send the message without its id to begin another one.`;
    throw new HubError('wrong_status', state, { taskId });
  }
  if (JSON.stringify(task.document).length > MAX_TASK_CHARS) {
    const message = 'The task has become too long: begin another one in its conversation.';
    throw new HubError('input_too_large', message, { taskId });
  }
  if (content.kind === 'answer') {
    const asks = task.wait?.kind === 'confirmation' ? task.wait.pendingId : null;
    if (asks !== content.pendingId)
      throw invalid('pending_id', 'The task does not wait for an answer to this question.');
  }
  return (await observed.store.say(taskId, { messageId, content }, shownMessage(message, task))).task;
}

/** The conversation that the caller calls so, or a new one, held to what its token allows for good. */
async function conversationOf(
  deps: BeginDeps,
  by: Asked,
  named: string | undefined,
): Promise<{ readonly threadId: string; readonly contextId: string; readonly scopes: readonly Scope[] }> {
  const { app } = deps;
  const { agent } = by;
  const { caller, callerKey } = by.caller;
  const { tasks } = app.a2a;
  const { identity } = caller;
  const known = named ? await tasks.thread(callerKey, agent, named) : null;
  if (named && known !== null) {
    const { limits } = await app.conversations.show(identity, known);
    const scopes = limits.scopes ?? SCOPES;
    needScopes(by.caller, scopes);
    return { threadId: known, contextId: named, scopes };
  }
  const scopes = identity.kind === 'customer' ? caller.scopes : [];
  const limits = { scopes, agent: agent === HUB_AGENT ? null : agent };
  const { threadId } = await app.conversations.create(identity, limits);
  const contextId = named ?? threadId;
  const meant = await tasks.nameThread(callerKey, agent, contextId, threadId);
  if (meant === threadId) return { threadId, contextId, scopes };
  // Another request has named it at this moment, perhaps with a token that allows more.
  return conversationOf(deps, by, contextId);
}

/** @throws HubError `not_found` */
function conversesOf({ app }: BeginDeps, agent: string): boolean {
  if (agent === HUB_AGENT) return true;
  const found = app.capabilities.agents().find(({ name }) => name === agent);
  if (!found) throw new HubError('not_found', `There is no agent "${agent.slice(0, 80)}".`);
  return found.converses;
}

function checkMessage(message: TaskMessage, messageChars: number): void {
  const { messageId, taskId, contextId, content, shown, metadata } = message;
  for (const [field, id] of Object.entries({ messageId, taskId, contextId })) {
    if (id === undefined) continue;
    if (id.length > MAX_ID_CHARS) throw invalid(field, `${field} has at most ${MAX_ID_CHARS} characters.`);
    // The database keeps no half characters: two ids that differ in them would be one.
    if (!id.isWellFormed()) throw invalid(field, `${field} is no text: it has half a character in it.`);
  }
  if (messageId.trim() === '') throw invalid('messageId', 'message.messageId is required.');
  checkText(content, messageChars);
  if (JSON.stringify(shown ?? metadata ?? {}).length > messageChars * MAX_ESCAPED + MAX_CARRIED_CHARS) {
    const text = `A message carries at most ${MAX_CARRIED_CHARS} characters besides its words.`;
    throw new HubError('input_too_large', text, { field: 'metadata' });
  }
}

function checkText(content: TaskMessage['content'], messageChars: number): void {
  if (content.kind !== 'text') return;
  const text = cleanText(content.text);
  if (text === '') throw invalid('text', 'The message says nothing.');
  if (text.length <= messageChars) return;
  const message = `A message has at most ${messageChars} characters.`;
  throw new HubError('input_too_large', message, { field: 'text' });
}

/** The refusal of one input, as A2A names its field. */
export function invalid(field: string, message: string): HubError {
  return new HubError('input_invalid', message, { field, errors: [{ field, message }] });
}

/** What a token needs for looking at a task whose conversation has it. */
const READING: readonly Scope[] = ['account:read'];

/** Staff has its own way in; a task is a customer's or a visitor's. @throws HubError `forbidden` */
export function refuseStaff({ caller }: A2aCaller): void {
  if (caller.operator === undefined) return;
  const message = 'Operators cannot talk to the agents as a customer; they work at the desk.';
  throw new HubError('forbidden', message);
}

/** @throws HubError `scope_missing` where the token lacks one of these */
function needScopes({ caller }: A2aCaller, needed: readonly Scope[]): void {
  const scope = needed.find((one) => !caller.scopes.includes(one));
  if (scope === undefined) return;
  const message = `The token does not allow what the conversation of this task may do: it lacks ${scope}.`;
  throw new HubError('scope_missing', message, { scope });
}

/**
 * Whether an owner's tasks are the caller's. A visitor that shows no secret has what it can name by an id, of which
 * nobody else was told.
 */
function owns({ callerKey, newSecret }: A2aCaller, owner: string): boolean {
  return sameOwner(owner, callerKey) || (newSecret !== undefined && isVisitorKey(owner));
}

/**
 * The caller's task.
 * @param use `read` shows it, `act` continues or ends it
 * @throws HubError `not_found` for one that does not exist and, in the same words, for somebody else's; `scope_missing`
 */
export async function ownTask(
  observed: ObservedTasks,
  { agent, caller }: Asked,
  taskId: string,
  use: 'read' | 'act',
): Promise<A2aTaskRecord> {
  refuseStaff(caller);
  const task = await observed.store.get(taskId);
  if (!task || !owns(caller, task.owner) || task.agent !== agent)
    throw new HubError('not_found', `There is no task "${taskId.slice(0, 80)}".`);
  needScopes(caller, use === 'act' ? task.scopes : task.scopes.filter((scope) => READING.includes(scope)));
  return task;
}

/**
 * The caller, for a visitor that shows no secret under the name of the one who began the conversation that it names: the hub
 * has made up the name, and told it to nobody else.
 */
export async function inConversation(
  observed: ObservedTasks,
  by: Asked,
  contextId: string | undefined,
): Promise<Asked> {
  const { newSecret, ...known } = by.caller;
  if (newSecret === undefined || !contextId) return by;
  const callerKey = await observed.store.visitorOf(by.agent, contextId);
  return callerKey === null ? by : { ...by, caller: { ...known, callerKey } };
}

/** The scopes that tasks may have which this caller is shown. */
export function shownScopes({ caller }: A2aCaller, all: readonly Scope[]): readonly Scope[] {
  return all.filter((scope) => caller.scopes.includes(scope) || !READING.includes(scope));
}
