import type { TurnInput } from '../core/app.js';
import { cleanText } from '../core/clean-text.js';
import type { Identity } from '../core/domain/customer.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TurnReply } from '../core/domain/turn.js';
import { type ErrorCode, HubError, toHubError } from '../core/errors.js';
import { textsFor } from '../core/i18n/index.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { finishAlone } from './finish-alone.js';
import { newsOf, withNews } from './news.js';
import { namesSomethingElse } from './spoken.js';
import { STORAGE_ERRORS, type Turn, type TurnDeps, type WatchedInput } from './turn.js';
import { LiveTurn } from './turn-events.js';
import { cannedReply, pendingView } from './turn-reply.js';
import { TurnRunner } from './turn-runner.js';
import { reopen, reopenUnfinished } from './unfinished.js';

const REQUEST_WORDS = 4;

/** Takes a customer's messages through the graph, one at a time a thread. */
export class TurnService {
  readonly #runner: TurnRunner;

  constructor(private readonly deps: TurnDeps) {
    this.#runner = new TurnRunner(deps);
  }

  /** See `App.handle`. */
  async handle(input: TurnInput): Promise<TurnReply> {
    const live = input.onEvent && new LiveTurn(input.onEvent, this.deps.graph.models.provider === 'openai');
    const reply = await this.#handle({ ...input, live });
    live?.finish(reply);
    return reply;
  }

  async #handle(input: WatchedInput): Promise<TurnReply> {
    const started = performance.now();
    const threadId = input.threadId ?? this.deps.graph.ids.next('thr');
    return this.deps.locks.withThread(threadId, this.deps.limits.waitMs, async () => {
      const thread = await this.#thread(threadId, input.identity);
      const text = cleanText(input.text);
      const turn = { ...input, text, thread, started };
      const { messageChars } = this.deps.limits;
      if (text === '') return this.#runner.say(turn, (texts) => texts.emptyMessage(), null);
      if (text.length > messageChars)
        return this.#runner.say(turn, (texts) => texts.refusal('input_too_large'), null);
      await reopenUnfinished(this.deps.graph, this.deps.pending, threadId);
      const news = await newsOf(this.deps.graph, threadId);
      if (news !== null) turn.live?.say(news);
      const confirmation = await this.deps.pending.findOpenConfirmation(threadId);
      // Put while the customer was away: whatever is said now was written before it could be read.
      const unread = confirmation !== null && news?.includes(confirmation.question) === true;
      const reply = confirmation ? this.#whileAsked(turn, confirmation, unread) : this.#runner.start(turn);
      return withNews(news, await reply);
    });
  }

  /** See `TurnRunner.resume`. The caller holds the thread. */
  resume(pending: PendingAction): Promise<TurnReply | null> {
    return this.#runner.resume(pending);
  }

  async #thread(threadId: string, identity: Identity): Promise<ThreadRecord> {
    const customerId = identity.kind === 'customer' ? identity.customerId : null;
    const known = await this.deps.threads.get(threadId);
    if (known && known.customerId !== customerId) {
      throw new HubError('not_owner', 'There is no such conversation.', { threadId });
    }
    if (known) return known;
    // Such names are given to side threads of the graph, which may be somebody else's.
    if (threadId.includes('~'))
      throw new HubError('not_owner', 'There is no such conversation.', { threadId });
    const record = { threadId, customerId, graphThreadId: threadId };
    await this.deps.threads.put(record);
    return record;
  }

  /** A question is open: the text may answer it, or be about something else. */
  async #whileAsked(turn: Turn, confirmation: PendingAction, unread: boolean): Promise<TurnReply> {
    const language = await this.#runner.languageOf(turn);
    const answer = this.deps.graph.language.readYesNo(turn.text, language);
    const asksElse =
      answer.kind === 'other' ||
      (answer.kind === 'unclear' && this.#isRequest(turn.text, confirmation.question, language));
    if (asksElse) {
      const focus = { agent: 'action', intent: confirmation.tool, choices: [], attempts: 0 };
      return this.#remind(await this.#runner.start({ ...turn, focus }), confirmation);
    }
    const otherThing = answer.kind === 'yes' && namesSomethingElse(answer.rest, confirmation.question);
    if (answer.kind === 'unclear' || otherThing || unread) {
      return this.#runner.say(
        turn,
        (texts) => texts.answerYesOrNo({ question: confirmation.question }),
        confirmation,
      );
    }
    const by = `customer:${confirmation.customerId}`;
    const decided = await this.deps.pending.decide(confirmation.pendingId, {
      approved: answer.kind === 'yes',
      by,
    });
    await this.deps.graph.tickets.addMessage(confirmation.ticketId, 'customer', turn.text);
    const reply = await this.#carryOut(turn, decided);
    if (answer.kind === 'yes' && reply.pending?.kind === 'confirmation') {
      return { ...reply, reply: `${await this.#becameOf(decided, reply)} ${reply.reply}` };
    }
    const words = answer.rest.split(/\s+/).filter(Boolean).length;
    const asks = words >= 2 && this.deps.graph.language.requests(answer.rest, language).length > 0;
    if (answer.kind === 'yes' || !asks) return reply;
    // "No, the Friday one" is about the same wish.
    const focus = { agent: 'action', intent: confirmation.tool, choices: [], attempts: 0 };
    const next = await this.#runner.start({ ...turn, text: answer.rest, focus });
    return { ...next, reply: `${reply.reply}\n\n${next.reply}` };
  }

  /** Of several changes the next is asked about: what became of the last one must not go unsaid. */
  async #becameOf(decided: PendingAction, reply: TurnReply): Promise<string> {
    const texts = textsFor(reply.language);
    const effect = await this.deps.graph.tools.customerWrites.findOutcome(decided.pendingId);
    if (effect) return texts.done();
    const made = reply.toolCalls.find((call) => call.tool === decided.tool);
    return texts.refusal((made?.code ?? 'internal') as ErrorCode);
  }

  /** "Cancel it" may be a yes in other words; "cancel the one on Friday" is a request of its own. */
  #isRequest(text: string, question: string, language: Language): boolean {
    if (text.split(/\s+/).length < REQUEST_WORDS) return false;
    const requests = this.deps.graph.language.requests(text, language);
    return requests.length > 1 || (requests.length === 1 && namesSomethingElse(text, question));
  }

  /** Where the graph breaks off (a model that hangs), the stored row is enough too. */
  async #carryOut(turn: Turn, decided: PendingAction): Promise<TurnReply> {
    const { log } = this.deps.graph.tools;
    const details = { pendingId: decided.pendingId, tool: decided.tool };
    try {
      return (await this.#runner.resume(decided, turn)) ?? (await this.#finishAlone(turn, decided));
    } catch (error) {
      const known = toHubError(error);
      log.error({ agent: 'hub', action: 'resume_failed', ticketId: decided.ticketId, details }, error);
      if (!STORAGE_ERRORS.has(known.code)) return this.#finishAlone(turn, decided);
      await reopen(this.deps.graph, decided).catch((failure: unknown) => {
        log.error({ agent: 'hub', action: 'reopen_failed', ticketId: decided.ticketId, details }, failure);
      });
      throw known;
    }
  }

  /** The graph that asked is gone (memory checkpointer, restarted): the stored row is enough. */
  async #finishAlone(turn: Turn, decided: PendingAction): Promise<TurnReply> {
    const text = await finishAlone(this.deps.graph, decided);
    const approvals = await this.deps.pending.listOpenApprovals(decided.threadId);
    const approval = approvals.find(({ argsHash }) => argsHash === decided.argsHash);
    return cannedReply({
      threadId: decided.threadId,
      ticketId: decided.ticketId,
      text,
      language: await this.#runner.languageOf(turn),
      pending: approval ? pendingView(approval) : null,
      totalMs: performance.now() - turn.started,
    });
  }

  async #remind(reply: TurnReply, confirmation: PendingAction): Promise<TurnReply> {
    const still = await this.deps.pending.get(confirmation.pendingId);
    if (reply.pending || still?.status !== 'pending') return reply;
    // Somebody who asked for a person, or is upset, is not pressed for an answer.
    if (reply.escalation && reply.escalation.reason !== 'low_confidence') {
      await this.deps.pending.supersede(confirmation.pendingId);
      return reply;
    }
    const reminder = textsFor(reply.language).reminder({ question: still.question });
    return { ...reply, reply: `${reply.reply}\n\n${reminder}`, pending: pendingView(still) };
  }
}
