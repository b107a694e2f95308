import type { Scope } from '../../core/domain/access.js';
import { HubError } from '../../core/errors.js';
import type { A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import { isVisitorKey, sameOwner } from './caller-secret.js';
import type { A2aCaller } from './tasks.js';
import type { TaskBook } from './tasks-book.js';

/** What a token needs for looking at a task whose conversation has it. */
const READING: readonly Scope[] = ['account:read'];

/** Staff has its own way in; a task is a customer's or a visitor's. @throws HubError `forbidden` */
export function refuseStaff({ caller }: A2aCaller): void {
  if (caller.operator === undefined) return;
  const message = 'Operators cannot talk to the agents as a customer; they work at the desk.';
  throw new HubError('forbidden', message);
}

/** @throws HubError `scope_missing` where the token lacks one of these */
export function needScopes({ caller }: A2aCaller, needed: readonly Scope[]): void {
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
  book: TaskBook,
  agent: string,
  caller: A2aCaller,
  taskId: string,
  use: 'read' | 'act',
): Promise<A2aTaskRecord> {
  refuseStaff(caller);
  const task = await book.store.get(taskId);
  if (!task || !owns(caller, task.owner) || task.agent !== agent)
    throw new HubError('not_found', `There is no task "${taskId.slice(0, 80)}".`);
  needScopes(caller, use === 'act' ? task.scopes : task.scopes.filter((scope) => READING.includes(scope)));
  return task;
}

/**
 * The caller, for a visitor that shows no secret under the name of whoever began the conversation that it names: the hub
 * has made up the name, and told it to nobody else.
 */
export async function inConversation(
  book: TaskBook,
  agent: string,
  caller: A2aCaller,
  contextId: string | undefined,
): Promise<A2aCaller> {
  const { newSecret, ...known } = caller;
  if (newSecret === undefined || !contextId) return caller;
  const callerKey = await book.store.visitorOf(agent, contextId);
  return callerKey === null ? caller : { ...known, callerKey };
}

/** The scopes that tasks may have which this caller is shown. */
export function shownScopes({ caller }: A2aCaller, all: readonly Scope[]): readonly Scope[] {
  return all.filter((scope) => caller.scopes.includes(scope) || !READING.includes(scope));
}
