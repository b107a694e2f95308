import { setTimeout as pause } from 'node:timers/promises';
import { Message } from '@a2a-js/sdk';
import type { App } from '../../app/app.js';
import { ANONYMOUS, type Identity } from '../../core/domain/customer.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { TurnReply } from '../../core/domain/turn.js';
import { type ErrorCode, HubError, toHubError } from '../../core/errors.js';
import { type A2aTaskChange, type A2aTaskRecord, clientMessageIdOf } from '../../core/ports/a2a-tasks.js';
import type { InboxContent } from '../../core/ports/inbox.js';
import type { ObservedTasks } from './observed-tasks.js';
import { inboxContentOf, readMessage } from './rpc-params.js';
import { isOver, languageOf } from './tasks.js';
import { changeTo, type Outcome, outcomeOf, settledBy, withdrawn } from './tasks-outcome.js';

/** Calls back later. A parameter, so that a test decides when that is. */
export interface Timers {
  /** Milliseconds that only go forward. */
  now(): number;
  /** @returns what calls it off */
  after(ms: number, call: () => void): () => void;
}

/** Timers of the machine, which keep no process alive. */
export const SYSTEM_TIMERS: Timers = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface RunnerDeps {
  readonly app: Pick<App, 'a2a' | 'capabilities' | 'conversations' | 'log' | 'texts'>;
  readonly observed: ObservedTasks;
  /** Language of the hub's own words where the customer's is unknown. */
  readonly locale: Language;
  /** Answers a message to an agent that holds no conversations. */
  readonly answerAlone: (task: A2aTaskRecord, messageId: string, content: InboxContent) => Promise<Outcome>;
  readonly timers: Timers;
}

/** How often what may pass is tried again, and how long after the first time; each time twice as long. */
const MAX_TRIES = 6;
const RETRY_MS = 500;
/** So long a client that keeps writing keeps its task from being begun. */
const MAX_HELD_MS = 5_000;
/** The same may work in a moment. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'thread_busy',
  'database_failed',
  'database_busy',
  'disk_full',
  'outcome_unknown',
  'taken_over',
]);
/** The question was answered elsewhere, or in another way: the conversation says how. */
const ANSWERED: ReadonlySet<ErrorCode> = new Set([
  'pending_not_found',
  'pending_decided',
  'pending_withdrawn',
  'pending_expired',
]);

/** Has messages answered by the hub, each task by one run at a time in this process. */
export class TaskRunner {
  /** Tasks that are run, and whether something came in since. */
  readonly #runs = new Map<string, { again: boolean }>();
  readonly #timers = new Map<string, { readonly callOff: () => void; readonly since: number }>();

  constructor(private readonly deps: RunnerDeps) {
    const { closing } = deps.app.a2a;
    closing.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /**
   * Begins to answer after a while; each call begins the while anew, but not for ever.
   * @param open how many messages of the task are not answered yet
   */
  soon(taskId: string, ms: number, open: number): void {
    const before = this.#timers.get(taskId);
    const { timers } = this.deps;
    const since = before?.since ?? timers.now();
    if (this.deps.app.a2a.closing.aborted || timers.now() - since > MAX_HELD_MS) return;
    before?.callOff();
    const begin = (): void => void this.deps.app.a2a.track(this.#quiet(taskId, ms, open));
    this.#timers.set(taskId, { callOff: timers.after(ms, begin), since });
  }

  /** Begins, unless another process has heard more meanwhile: then the while begins anew here as well. */
  async #quiet(taskId: string, ms: number, open: number): Promise<void> {
    const waiting = this.#timers.get(taskId);
    const task = await this.deps.observed.store.get(taskId).catch(() => null);
    if (waiting === undefined || this.#timers.get(taskId) !== waiting) return;
    const late = this.deps.timers.now() - waiting.since > MAX_HELD_MS;
    if (task && task.open.length > open && !late) this.soon(taskId, ms, task.open.length);
    else this.now(taskId);
  }

  /** Begins to answer what nobody has answered. */
  now(taskId: string): void {
    this.#timers.get(taskId)?.callOff();
    this.#timers.delete(taskId);
    const running = this.#runs.get(taskId);
    if (running) running.again = true;
    else if (!this.deps.app.a2a.closing.aborted) void this.deps.app.a2a.track(this.#run(taskId));
  }

  /** The change that shows a task at work; null where it is over or shown so already. */
  working(task: A2aTaskRecord): A2aTaskChange | null {
    return begun(task);
  }

  #stop(): void {
    for (const { callOff } of this.#timers.values()) callOff();
    this.#timers.clear();
  }

  async #run(taskId: string): Promise<void> {
    const run = { again: true };
    this.#runs.set(taskId, run);
    try {
      for (let tries = 1; run.again; tries += 1) {
        run.again = false;
        const passing = await this.#round(taskId);
        if (passing === null) tries = 0;
        else if (tries < MAX_TRIES && (await this.#pause(RETRY_MS * 2 ** (tries - 1)))) run.again = true;
        else if (!this.deps.app.a2a.closing.aborted) await this.#fail(taskId, passing);
      }
    } catch (error) {
      // What could not be stored is taken up again by the one who starts next.
      this.deps.app.log.error({ agent: 'a2a', action: 'task_failed', details: { taskId } }, error);
    } finally {
      this.#runs.delete(taskId);
    }
  }

  /** Answers what is open now. @returns what may pass, where that is why nothing was answered */
  async #round(taskId: string): Promise<HubError | null> {
    const { observed } = this.deps;
    let ids: readonly string[] = [];
    try {
      const task = await observed.change(taskId, begun);
      ids = task.open.map(({ messageId }) => messageId);
      if (isOver(task) || ids.length === 0) return null;
      const outcome = await this.#answered(task, ids);
      await observed.change(taskId, (now) => settle(now, outcome, ids), ids);
      return null;
    } catch (error) {
      const known = toHubError(error);
      if (PASSING.has(known.code)) return known;
      if (ANSWERED.has(known.code) && (await this.#answeredElsewhere(taskId, ids))) return null;
      await this.#fail(taskId, known);
      return null;
    }
  }

  async #answered(task: A2aTaskRecord, ids: readonly string[]): Promise<Outcome> {
    const last = ids.at(-1) ?? '';
    if (task.threadId === null) return this.deps.answerAlone(task, last, contentIn(task, last));
    const identity = await this.identityOf(task);
    // At once, so that the conversation answers them together.
    const replies = await Promise.all(ids.map((messageId) => this.#send(task, identity, messageId)));
    const reply = replies.at(-1);
    if (!reply) throw new Error('There is no answer.');
    // Asked for meanwhile; who did waits for it.
    const { cancelAsked } = await this.deps.observed.get(task.taskId);
    return cancelAsked ? withdrawn(this.deps, task, identity, reply) : outcomeOf(reply);
  }

  /** Waits for the answer to a message that is in the inbox; one whose turn has failed is put there again. */
  #send(task: A2aTaskRecord, identity: Identity, messageId: string): Promise<TurnReply> {
    const { conversations } = this.deps.app;
    const threadId = task.threadId ?? '';
    const clientMessageId = clientMessageIdOf(task, messageId);
    const shared = { identity, threadId, clientMessageId, channel: 'a2a' } as const;
    const content = contentIn(task, messageId);
    return content.kind === 'text'
      ? conversations.send({ ...shared, text: content.text, hops: content.hops })
      : conversations.answer({ ...shared, pendingId: content.pendingId, answer: content.answer });
  }

  /** Whose conversation a task is on. @throws HubError `customer_erased` */
  async identityOf({ customerId }: A2aTaskRecord): Promise<Identity> {
    if (customerId === null) return ANONYMOUS;
    const identity = await this.deps.app.a2a.customer(customerId);
    if (!identity)
      throw new HubError('customer_erased', 'This customer is not known any more.', { customerId });
    return identity;
  }

  /** Looks what the conversation has made of a task that waits. @returns the task as it is then */
  async look(task: A2aTaskRecord): Promise<A2aTaskRecord> {
    if (task.state !== 'input_required' || task.threadId === null) return task;
    const { a2a, conversations } = this.deps.app;
    const view = await conversations.show(await this.identityOf(task), task.threadId);
    const now = a2a.clock.now().getTime();
    return this.deps.observed.change(task.taskId, (current) => {
      if (current.state !== 'input_required' || current.open.length > 0) return null;
      const outcome = settledBy(current, view, anchorsOf(current), now, this.deps.app.texts);
      return outcome && changeTo(current, outcome);
    });
  }

  /** @returns true where the task waits again, continues with what was said since, or is over */
  async #answeredElsewhere(taskId: string, answered: readonly string[]): Promise<boolean> {
    const task = await this.deps.observed.change(taskId, (now) => asBefore(now, answered), answered);
    if (task.wait === null) return isOver(task) || task.open.length > 0;
    await this.look(task);
    return true;
  }

  async #fail(taskId: string, error: HubError): Promise<void> {
    this.deps.app.log.error(
      { agent: 'a2a', action: 'task_failed', details: { taskId, code: error.code } },
      error,
    );
    await this.deps.observed.change(taskId, (task) => {
      if (isOver(task)) return null;
      const language = languageOf(task) ?? this.deps.locale;
      const text = this.deps.app.texts.for(language).sayOf('refusal', error.code);
      const said = { text, data: { error: { code: error.code } }, language };
      return changeTo(task, { state: 'failed', wait: null, said, messageIds: [] });
    });
  }

  /** @returns false where the App closes */
  #pause(ms: number): Promise<boolean> {
    const { closing: signal } = this.deps.app.a2a;
    return pause(ms, true, { signal }).catch(() => false);
  }
}

/** The agent is at work; whom it waited for is kept until that is known anew. */
function begun(task: A2aTaskRecord): A2aTaskChange | null {
  if (isOver(task) || task.state === 'working') return null;
  return { ...task, state: 'working', document: { ...task.document, statusMessage: null } };
}

/** The task as it was before an answer that came too late: what it has reported by then still counts. */
function asBefore(task: A2aTaskRecord, answered: readonly string[]): A2aTaskChange | null {
  if (isOver(task)) return null;
  if (task.wait) return { ...task, state: 'input_required' };
  if (task.messageIds.length === 0) return null;
  return { ...task, state: hasMore(task, answered) ? 'working' : 'completed' };
}

/** Nothing where another process has answered it; more was said meanwhile: the agent continues. */
function settle(task: A2aTaskRecord, outcome: Outcome, answered: readonly string[]): A2aTaskChange | null {
  if (isOver(task) || !task.open.some(({ messageId }) => answered.includes(messageId))) return null;
  const change = changeTo(task, outcome);
  return hasMore(task, answered) ? { ...change, state: 'working', wait: outcome.wait } : change;
}

function hasMore({ open }: A2aTaskRecord, answered: readonly string[]): boolean {
  return open.some(({ messageId }) => !answered.includes(messageId));
}

/** What a message of the task says, as its history shows it. */
function contentIn({ taskId, document }: A2aTaskRecord, messageId: string): InboxContent {
  const shown = document.history.find((message) => message.messageId === messageId);
  if (!shown) throw new HubError('internal', 'The task does not know its message.', { taskId, messageId });
  return inboxContentOf(readMessage(Message.fromJSON(shown)));
}

/** What the conversation calls the messages of a task. */
function anchorsOf(task: A2aTaskRecord): ReadonlySet<string> {
  const own = task.document.history.filter(({ role }) => role === 'ROLE_USER');
  return new Set(own.map(({ messageId }) => clientMessageIdOf(task, String(messageId))));
}
