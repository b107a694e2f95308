import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { unlessUnreachable } from '../core/signals.js';
import { focusOn } from '../graph/reply-text.js';
import { carryOutDecision, hasTakenEffect, reopenDecision } from '../runtime/decided-action.js';
import { dropsAll } from './confirmation-reply.js';
import { STORAGE_ERRORS, type Turn, type TurnDeps } from './turn.js';
import { cannedReply, pendingView } from './turn-reply.js';
import type { TurnRunner } from './turn-runner.js';

/** Messages that are looked through for the one that asked. */
const RECENT = 20;

/** One of several changes that a message asks for; `id` where it names the record and no words of its own. */
interface Asked {
  readonly text: string;
  readonly id?: string;
}

/**
 * What was asked for after the change that was decided, in the same message: the graph that knew it may be gone with its
 * process, and the stored message is enough.
 * @returns null where nothing follows
 */
async function queuedAfter(
  { graph }: Pick<TurnDeps, 'graph'>,
  decided: PendingAction,
  language: Language,
): Promise<Pick<Turn, 'text' | 'focus' | 'about'> | null> {
  const { asked, at } = await askedWith(graph, decided, language, (all, place) => place < all.length - 1);
  const [next, ...later] = asked.slice(at + 1);
  if (!next) return null;
  if (next.id === undefined) return { text: [next, ...later].map(({ text }) => text).join('. ') };
  const input = graph.tools.roster.findAction(decided.tool)?.target?.input;
  const args = { ...decided.args, ...(input === undefined ? {} : { [input]: next.id }) };
  return { text: next.text, about: next.id, focus: { ...focusOn(decided), args, offered: true } };
}

/** Ids of the records that one message asked the same change for, in its order: "only the first one" is said of these. */
export async function askedTogether(
  { graph }: Pick<TurnDeps, 'graph'>,
  pending: PendingAction,
  language: Language,
): Promise<readonly string[]> {
  const { asked } = await askedWith(graph, pending, language, (all) => all.length > 1);
  return asked.flatMap(({ id }) => id ?? []);
}

/** The changes that the latest message asks for which asks for this one and is the right one, and the place of this one. */
async function askedWith(
  graph: TurnDeps['graph'],
  pending: PendingAction,
  language: Language,
  isRight: (asked: readonly Asked[], at: number) => boolean,
): Promise<{ readonly asked: readonly Asked[]; readonly at: number }> {
  const { tickets, tools, models } = graph;
  const none = { asked: [], at: -1 };
  const tool = tools.roster.findAction(pending.tool);
  if (!tool || models.provider !== 'offline') return none;
  const target = tool.target && String(pending.args[tool.target.input]);
  const messages = await tickets.listThreadMessages(pending.threadId, RECENT);
  const before = messages.filter(
    ({ role, createdAt }) => role === 'customer' && createdAt <= pending.createdAt,
  );
  for (const { content } of before.toReversed()) {
    const asked = await changesIn(graph, pending, content, language);
    const at = asked.findLastIndex(({ text, id }) =>
      id === undefined ? !graph.language.hardlyAsksFor(text, language, pending.tool) : id === target,
    );
    if (at >= 0 && isRight(asked, at)) return { asked, at };
  }
  return none;
}

/** The changes that a message asks for, in its order: each record that it names of one, and each other. */
async function changesIn(
  { language, dialogue, tools, agents }: TurnDeps['graph'],
  { tool: name, args, customerId }: PendingAction,
  text: string,
  spoken: Language,
): Promise<readonly Asked[]> {
  const target = tools.roster.findAction(name)?.target;
  const changes = language
    .requests(text, spoken)
    .filter(({ route }) => route !== null && agents.changes(route));
  const records = target ? await unlessUnreachable(tools.records.list(customerId, target.entity), []) : [];
  const among = records.filter(({ id, upcoming }) => upcoming || id === args[target?.input ?? '']);
  return changes.flatMap((change): readonly Asked[] => {
    if (!target || language.hardlyAsksFor(change.text, spoken, name)) return [change];
    const { ids } = dialogue.several(change.text, among, { now: tools.clock.now(), language: spoken });
    const named = ids.flatMap((id) => among.find((one) => one.id === id) ?? []);
    return named.length === 0 ? [change] : named.map(({ id, title }) => ({ id, text: title }));
  });
}

/** Continues after a decision: by resuming the graph that asked, or from the stored row. The caller holds the thread's lease. */
export class DecidedQuestions {
  constructor(
    private readonly deps: TurnDeps,
    private readonly runner: Pick<TurnRunner, 'resume' | 'start' | 'languageOf'>,
  ) {}

  /**
   * Where the graph breaks off (a model that hangs), the stored row is enough too. While people have the conversation the
   * graph is left alone.
   * @throws HubError `taken_over`, and faults of the storage
   */
  async carryOut(turn: Turn, decided: PendingAction): Promise<TurnReply> {
    const { log } = this.deps.graph.tools;
    const details = { pendingId: decided.pendingId, tool: decided.tool };
    if (turn.thread.operator) return this.#fromRow(turn, decided);
    try {
      return (await this.runner.resume(decided, turn)) ?? (await this.#fromRow(turn, decided));
    } catch (error) {
      const known = toHubError(error);
      if (known.code === 'taken_over') throw known;
      log.error({ agent: 'hub', action: 'resume_failed', ticketId: decided.ticketId, details }, error);
      if (!STORAGE_ERRORS.has(known.code)) return this.#fromRow(turn, decided);
      try {
        // Where only the graph's own state could not be stored, the customer learns the outcome nevertheless.
        if (await hasTakenEffect(this.deps.graph, decided)) return await this.#fromRow(turn, decided);
        await reopenDecision(this.deps.graph, decided);
      } catch (failure) {
        log.error({ agent: 'hub', action: 'reopen_failed', ticketId: decided.ticketId, details }, failure);
      }
      throw known;
    }
  }

  /** The state of the graph that asked is lost (memory checkpointer, restart): the stored row is enough. */
  async #fromRow(turn: Turn, decided: PendingAction): Promise<TurnReply> {
    await this.#stillOurs(turn.thread);
    const { text, messageId } = await carryOutDecision(this.deps.graph, decided);
    const language = await this.runner.languageOf(turn);
    const next = await this.#afterRow(turn, decided, language);
    // What became of the last is said before the next question, see TurnService.
    if (next)
      return next.pending?.kind === 'confirmation' ? next : { ...next, reply: `${text}\n\n${next.reply}` };
    const approvals = await this.deps.pending.listOpenApprovals(decided.threadId);
    const approval = approvals.find(({ argsHash }) => argsHash === decided.argsHash);
    return cannedReply({
      threadId: decided.threadId,
      ticketId: decided.ticketId,
      messageId,
      text,
      language,
      pending: approval ? pendingView(approval) : null,
      totalMs: performance.now() - turn.started,
    });
  }

  /** What the message that asked for it asks for after it; null where nothing follows, or all of it was turned down. */
  async #afterRow(turn: Turn, decided: PendingAction, language: Language): Promise<TurnReply | null> {
    const { kind, status } = decided;
    const isAnswered = kind === 'confirmation' && (status === 'approved' || status === 'rejected');
    if (!isAnswered || turn.thread.operator) return null;
    if (status === 'rejected' && dropsAll(this.deps.graph, turn.text, language)) return null;
    const { parts: _parts, answer: _answer, ...rest } = turn;
    const queued = await queuedAfter(this.deps, decided, language);
    // As the words that follow a no: they stand between the two answers where the stored messages are the only record.
    const kept = turn.showsThread ? turn.kept : { done: false };
    return queued && this.runner.start({ ...rest, ...queued, kept });
  }

  /** @throws HubError `taken_over` */
  async #stillOurs({ threadId, claim }: ThreadRecord): Promise<void> {
    const now = await this.deps.threads.get(threadId);
    if (now && now.claim !== claim) {
      throw new HubError('taken_over', 'A person has taken this conversation over.', { threadId });
    }
  }
}
