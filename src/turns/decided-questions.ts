import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { carryOutDecision, hasTakenEffect, reopenDecision } from '../runtime/decided-action.js';
import { dropsAll } from './confirmed.js';
import { queuedAfter } from './queued-changes.js';
import { STORAGE_ERRORS, type Turn, type TurnDeps } from './turn.js';
import { cannedReply, pendingView } from './turn-reply.js';
import type { TurnRunner } from './turn-runner.js';

/** Lets a turn go on with what was decided: through the graph that asked, or from the stored row. The caller holds the thread. */
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
        // Where only the graph's own state could not be kept, what was done is told all the same.
        if (await hasTakenEffect(this.deps.graph, decided)) return await this.#fromRow(turn, decided);
        await reopenDecision(this.deps.graph, decided);
      } catch (failure) {
        log.error({ agent: 'hub', action: 'reopen_failed', ticketId: decided.ticketId, details }, failure);
      }
      throw known;
    }
  }

  /** The graph that asked is gone (memory checkpointer, restarted): the stored row is enough. */
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
