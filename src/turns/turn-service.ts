import type { TurnInput } from '../core/app.js';
import { ANONYMOUS, type Identity } from '../core/domain/customer.js';
import { closedQuestion, type PendingAction } from '../core/domain/pending.js';
import type { TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import { withRememberedReads } from '../core/turn-reads.js';
import { askedBesideYes } from '../graph/declined-offer.js';
import { readOperatorMessages } from '../graph/operator-messages.js';
import { isStopped } from '../graph/ownership.js';
import { focusOn, saysAnotherNumber } from '../graph/reply-text.js';
import { reopenUnreleased, withdrawDropped } from '../runtime/decided-action.js';
import {
  answerOf,
  asksAgain,
  becameOf,
  dropsAll,
  isAskedNext,
  isCorrected,
  isRequest,
  meansAnother,
  nameOf,
  questionIn,
  unchangedBy,
} from './confirmation-reply.js';
import { askedTogether, DecidedQuestions } from './decided-questions.js';
import { OpenRequests } from './open-requests.js';
import { aboutOf, askedInstead, namingOnly } from './references.js';
import { hasContent, storeMessages, type Turn, type TurnDeps } from './turn.js';
import { LiveTurn, watchFirstToken } from './turn-events.js';
import { cannedReply, pendingView, unseenOn, withUnseen } from './turn-reply.js';
import { TurnRunner } from './turn-runner.js';
import { acknowledge, giveFilesToTeam, sayStopped, sayUnread } from './without-graph.js';

/** Runs the turns of customers' messages, one turn per thread at a time. */
export class TurnService {
  readonly #runner: TurnRunner;
  readonly #decided: DecidedQuestions;
  readonly #requests: OpenRequests;

  constructor(private readonly deps: TurnDeps) {
    this.#runner = new TurnRunner(deps);
    this.#decided = new DecidedQuestions(deps, this.#runner);
    this.#requests = new OpenRequests(deps, this.#runner, this.#decided, (input) => this.handle(input));
  }

  /** See `App.handle`. */
  handle(input: TurnInput): Promise<TurnReply> {
    const threadId = input.threadId ?? this.deps.graph.ids.unguessable('thr');
    const { locks, limits } = this.deps;
    return locks.withThread(threadId, limits.waitMs, () => this.handleHeld({ ...input, threadId }));
  }

  /** As `handle`, for a caller that holds the thread's lease: one trace, counted by how it ended. */
  async handleHeld(input: TurnInput & { readonly threadId: string }): Promise<TurnReply> {
    const { metrics, tracing, graph } = this.deps;
    const { identity, channel, threadId } = input;
    const started = performance.now();
    const text = cleanText(input.text);
    const { onEvent, firstTokenMs } = watchFirstToken(input.onEvent, started);
    const live = onEvent && new LiveTurn(onEvent, graph, text);
    try {
      const thread = await this.#thread(threadId, identity);
      const turn: Turn = { ...input, onEvent, live, text, thread, started, kept: { done: false } };
      const answered = (): Promise<TurnReply> =>
        withRememberedReads(() => this.#reply(turn)).catch((error: unknown) => this.#dropped(turn, error));
      const reply = await (tracing
        ? tracing.turn({ identity, channel, threadId, text: input.text }, answered)
        : answered());
      await input.onStored?.(reply);
      live?.finish(reply);
      metrics.turn(reply, firstTokenMs(), channel);
      return reply;
    } catch (error) {
      const { code } = toHubError(error);
      if (code === 'taken_over') metrics.turnDropped();
      else metrics.error('turn', code);
      throw error;
    }
  }

  async #reply(turn: Turn): Promise<TurnReply> {
    const { thread, text } = turn;
    const tooLong = text.length > this.deps.limits.messageChars;
    const unseen = turn.showsThread ? null : await unseenOn(this.deps.graph, thread.threadId);
    if (thread.operator) return withUnseen(unseen, await this.#whileClaimed(turn, tooLong));
    if (text === '') return withUnseen(unseen, await sayUnread(this.deps, this.#runner, turn));
    if (tooLong) return this.#runner.say(turn, (texts) => texts.sayOf('refusal', 'input_too_large'), null);
    await reopenUnreleased(this.deps.graph, thread.threadId);
    if (unseen !== null) turn.live?.say(unseen);
    const confirmation = await this.#openQuestion(turn);
    const settled = await this.#requests.reply(turn, confirmation);
    if (settled) return withUnseen(unseen, settled);
    // Asked while the customer was away: this message was written before the question could be read.
    const unread = confirmation !== null && unseen?.includes(confirmation.question) === true;
    const given = confirmation ? null : await giveFilesToTeam(this.deps, this.#runner, turn);
    if (given) return withUnseen(unseen, given);
    const reply = confirmation
      ? this.#whileAsked(turn, confirmation, unread)
      : this.#runner.start({ ...turn, ...(await this.#requests.ticketOf(turn)) });
    return withUnseen(unseen, await reply);
  }

  /** @throws HubError where the customer answers a question that is not open any more */
  async #openQuestion({ answer, thread }: Turn): Promise<PendingAction | null> {
    const confirmation = await this.deps.pending.findOpenConfirmation(thread.threadId);
    if (!answer || answer.pendingId === confirmation?.pendingId) return confirmation;
    const { pendingId } = answer;
    const asked = await this.deps.pending.get(pendingId);
    if (asked?.threadId !== thread.threadId || asked.kind !== 'confirmation') {
      throw new HubError('pending_not_found', 'There is no such question.', { pendingId });
    }
    throw closedQuestion(asked);
  }

  async #whileClaimed(turn: Turn, tooLong: boolean): Promise<TurnReply> {
    const settled = await this.#requests.reply(turn, await this.#openQuestion(turn));
    if (settled) return settled;
    const language = await this.#runner.languageOf(turn);
    if (!tooLong && hasContent(turn)) return acknowledge(this.deps, turn, turn.thread, language);
    // Nothing that an operator could read: only the sender gets this answer.
    const texts = this.deps.graph.tools.texts.for(language);
    const text = tooLong ? texts.sayOf('refusal', 'input_too_large') : texts.say('empty_message');
    const { threadId } = turn.thread;
    const ticketId = (await this.deps.graph.tickets.findLatestByThread(threadId))?.ticketId ?? '';
    const totalMs = performance.now() - turn.started;
    return cannedReply({ threadId, ticketId, messageId: null, text, language, pending: null, totalMs });
  }

  /** An operator claimed the ticket during the turn: its answer is dropped, and the customer learns who has the ticket. */
  async #dropped(turn: Turn, error: unknown): Promise<TurnReply> {
    const known = toHubError(error);
    if (known.code !== 'taken_over') throw error;
    this.deps.metrics.turnDropped();
    const { threadId } = turn.thread;
    const thread = (await this.deps.threads.get(threadId)) ?? turn.thread;
    if (isStopped(known) && !thread.operator) return sayStopped(this.deps, this.#runner, { ...turn, thread });
    const reply = await acknowledge(this.deps, turn, thread, await this.#runner.languageOf(turn));
    await withdrawDropped(this.deps.graph, threadId);
    return reply;
  }

  /**
   * After a return to the hub: answers what the customer wrote to operators who did not answer it.
   * @returns null where there is nothing to answer
   * @throws HubError as `handle`
   */
  async answerHandedBack(threadId: string): Promise<TurnReply | null> {
    const { graph, locks, limits, threads } = this.deps;
    return locks.withThread(threadId, limits.waitMs, async () => {
      const thread = await threads.get(threadId);
      if (!thread?.unheardSince || thread.operator) return null;
      const { unanswered } = await readOperatorMessages(graph, threadId);
      const identity = await this.#identityOf(thread);
      if (unanswered.length === 0 || identity === null) return null;
      const { channel } = (await graph.tickets.findLatestByThread(threadId)) ?? { channel: 'chat' as const };
      const started = performance.now();
      const turn: Turn = { identity, channel, text: '', thread, started, kept: { done: true } };
      return this.#runner.start(turn).catch((error: unknown) => this.#dropped(turn, error));
    });
  }

  /** The sender was verified when the messages came. Null where the customer no longer exists. */
  async #identityOf({ customerId }: ThreadRecord): Promise<Identity | null> {
    if (customerId === null) return ANONYMOUS;
    const user = await this.deps.graph.tools.customers.get(customerId);
    return user && { kind: 'customer', customerId, email: user.email };
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
    if (known) return this.#inHand(known);
    // The graph's side threads have such names, and may belong to another customer.
    if (threadId.includes('~'))
      throw new HubError('not_owner', 'There is no such conversation.', { threadId });
    await this.deps.threads.put({ threadId, customerId, graphThreadId: threadId });
    const record = await this.deps.threads.get(threadId);
    if (!record) throw new HubError('internal', 'A conversation was stored and is not there.', { threadId });
    return record;
  }

  /** Returns a thread to the hub that a crash left with an operator who has resolved all its tickets. */
  async #inHand(thread: ThreadRecord): Promise<ThreadRecord> {
    if (!thread.operator) return thread;
    if (await this.deps.graph.tickets.findOpenByThread(thread.threadId)) return thread;
    return this.deps.threads.release(thread.threadId, thread.operator, 'hub');
  }

  /** A question is open: the text may answer it, or be about something else. */
  async #whileAsked(turn: Turn, confirmation: PendingAction, unread: boolean): Promise<TurnReply> {
    const language = await this.#runner.languageOf(turn);
    const answer = await answerOf(this.deps, turn, confirmation, language);
    // Said before it was asked.
    const early = turn.receivedAt !== undefined && turn.receivedAt < confirmation.createdAt;
    const corrects = answer.kind === 'unclear' && saysAnotherNumber(answer.rest, confirmation.question);
    const asksElse =
      answer.kind === 'other' ||
      corrects ||
      (answer.kind === 'unclear' && isRequest(this.deps.graph, turn.text, confirmation.question, language));
    const together = () => askedTogether(this.deps, confirmation, language);
    // "Yes please. And what about December?": the question is answered first, since the yes may hang on it.
    const left = answer.kind === 'unclear' && !asksElse ? questionIn(answer.rest) : null;
    const doubt = answer.first ?? askedBesideYes(this.deps.graph, answer) ?? left;
    if (asksElse || doubt !== null) {
      const about = await aboutOf(this.deps, confirmation, language);
      const text = doubt ?? (corrects ? answer.rest : turn.text);
      const asked = { ...turn, text, focus: focusOn(confirmation), about, together: await together() };
      return this.#remind(await this.#runner.start(asked), confirmation);
    }
    if (answer.kind === 'postpone') {
      const name = await nameOf(this.deps, confirmation, language);
      return this.#runner.say(turn, (texts) => texts.say('postponed', { name }), confirmation);
    }
    const another = await meansAnother(this.deps, turn, confirmation, language, answer);
    const otherThing = answer.kind === 'yes' && another;
    if (answer.kind === 'unclear' || otherThing || ((unread || early) && !turn.answer)) {
      return this.#runner.say(
        turn,
        (texts) => texts.say('answer_yes_or_no', { question: confirmation.question }),
        confirmation,
      );
    }
    const decision = { approved: answer.kind === 'yes', by: `customer:${confirmation.customerId}` };
    const decided = await this.deps.pending.decide(confirmation.pendingId, decision);
    await storeMessages(this.deps, confirmation.ticketId, turn);
    const reply = await this.#decided.carryOut(turn, decided);
    if (answer.kind === 'yes' && reply.pending?.kind === 'confirmation') {
      const became = await becameOf(this.deps, decided, reply);
      // A change asked for beside it would put the next question aside.
      const question = answer.more?.includes('?') ? answer.more : null;
      const open = question === null ? null : await this.deps.pending.get(reply.pending.id);
      const answered = question === null ? null : await this.#goOn(turn, { text: question });
      const next = open && answered ? await this.#remind(answered, open) : reply;
      return { ...next, reply: `${became} ${next.reply}` };
    }
    const more = answer.more ?? (another ? await namingOnly(this.deps, turn.text, confirmation) : null);
    if (more === null || (answer.kind === 'no' && (await isAskedNext(this.deps, more, reply))))
      return answer.kind === 'no' ? this.#afterNo(turn, decided, reply) : reply;
    // "No, the Friday one" is about the same wish; "yes, and when is the next?" about another.
    const isSame = answer.kind === 'no' && !answer.isApart;
    const said = { ...answer, more, together: await together() };
    const same = isSame ? await askedInstead(this.deps, said, confirmation, language) : {};
    const next = await this.#goOn(turn, { text: more, together: said.together, ...same });
    // What was just declined is not asked about once more.
    const asked = next.pending && (await this.deps.pending.get(next.pending.id));
    if (asked?.argsHash === confirmation.argsHash && !asksAgain(this.deps.graph, more, language)) {
      await this.deps.pending.supersede(asked.pendingId);
      return reply;
    }
    // "Keep the other, just cancel this one" asks for the same once more, and alone.
    if (asked?.argsHash === confirmation.argsHash || next.reply.includes(reply.reply)) return next;
    // What was done may be all that is asked besides.
    const both = reply.reply.includes(next.reply) ? reply.reply : `${reply.reply}\n\n${next.reply}`;
    return { ...next, reply: both };
  }

  /** What stands beside an answer, as a message of its own. */
  #goOn({ parts: _parts, ...turn }: Turn, more: Partial<Turn> & Pick<Turn, 'text'>): Promise<TurnReply> {
    // Where the stored messages are the only record, what follows the no stands between the two answers.
    const kept = turn.showsThread ? turn.kept : { done: false };
    return this.#runner.start({ ...turn, ...more, kept });
  }

  /** Of several changes the next is asked about, unless all are turned down at once: "no, forget it". */
  async #afterNo(turn: Turn, declined: PendingAction, reply: TurnReply): Promise<TurnReply> {
    if (reply.pending?.kind !== 'confirmation') return reply;
    const { graph, pending } = this.deps;
    const texts = graph.tools.texts.for(reply.language);
    if (dropsAll(graph, turn.text, reply.language)) {
      await pending.supersede(reply.pending.id);
      return { ...reply, reply: texts.say('nothing_changed'), pending: null };
    }
    return { ...reply, reply: `${await unchangedBy(this.deps, declined, reply.language)} ${reply.reply}` };
  }

  async #remind(reply: TurnReply, confirmation: PendingAction): Promise<TurnReply> {
    const still = await this.deps.pending.get(confirmation.pendingId);
    if (reply.pending || still?.status !== 'pending') return reply;
    // A customer who asked for a person or is upset is not pressed for an answer; nor for what they have corrected.
    const isUpset = reply.escalation && reply.escalation.reason !== 'low_confidence';
    if (isUpset || isCorrected(this.deps, reply, confirmation)) {
      await this.deps.pending.supersede(confirmation.pendingId);
      return reply;
    }
    if (reply.reply.includes(still.question)) return { ...reply, pending: pendingView(still) };
    const name = await nameOf(this.deps, still, reply.language);
    const reminder = this.deps.graph.tools.texts.for(reply.language).say('reminder', { name });
    return { ...reply, reply: `${reply.reply}\n\n${reminder}`, pending: pendingView(still) };
  }
}
