import type { TurnInput } from '../core/app.js';
import { deskNotes } from '../core/desk-notes.js';
import { closedQuestion, type PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import type { RequestAct } from '../core/ports/index.js';
import { anewOf, matterOf, outcomeOf } from '../runtime/release-action.js';
import { isExplicit } from './confirmation-reply.js';
import type { DecidedQuestions } from './decided-questions.js';
import {
  askWhich,
  isOfSameMoney,
  matching,
  noteText,
  type OpenRequest,
  takeBackAnswer,
} from './references.js';
import { askedAfterBare, isSpokenOf, lastAnswer, namedAmong } from './spoken-of.js';
import { storeMessages, type Turn, type TurnDeps } from './turn.js';
import type { TurnRunner } from './turn-runner.js';

const RECENT = 20;

/**
 * What customers say about requests that wait for an operator: they take them back, ask what became of them, and whatever
 * else they say about them belongs to their tickets. Decided by rules in every mode, below any model. The caller of all
 * methods holds the thread.
 */
export class OpenRequests {
  constructor(
    private readonly deps: TurnDeps,
    private readonly runner: Pick<TurnRunner, 'say' | 'start' | 'languageOf' | 'asksBack'>,
    private readonly decided: DecidedQuestions,
    /** Answers in another conversation, which it holds meanwhile. */
    private readonly handle: (input: TurnInput) => Promise<TurnReply>,
  ) {}

  /**
   * Answers a message that takes a request back, asks what became of one, or answers which of them was meant.
   * @param confirmation the customer's own open question, which "no" answers
   * @returns null where the message does none of these
   * @throws HubError with `turn.withdraw` where there is nothing to withdraw: `pending_not_found`, `pending_decided`,
   * `pending_withdrawn`, `pending_expired`
   */
  async reply(turn: Turn, confirmation: PendingAction | null): Promise<TurnReply | null> {
    if (turn.withdraw) return this.#withdrawn(turn, await this.#asked(turn, turn.withdraw.pendingId));
    if (turn.answer || turn.text === '') return null;
    const rows = await this.#rows(turn);
    const act = this.deps.graph.language.readRequestAct(turn.text);
    if (rows.length === 0)
      return confirmation ? null : ((await this.#inOtherThread(turn, act)) ?? this.#tooLate(turn, act));
    const language = await this.runner.languageOf(turn);
    const open = await Promise.all(rows.map((row) => this.#request(row, language)));
    const chosen = await this.#answered(turn, open, language);
    if (chosen || act.kind === 'none') return chosen;
    const named = await namedAmong(this.deps, turn.text, open, confirmation);
    const meant = matching(act, open, named);
    if (confirmation && (act.kind !== 'withdraw' || !isExplicit(act, named, confirmation))) return null;
    const elsewhere = meant.length === 0 && named !== null && act.kind === 'withdraw';
    if (meant.length === 0 && !elsewhere)
      return isOfSameMoney(act, named, open) && !turn.thread.operator ? this.#askWhich(turn, open) : null;
    if (act.kind === 'status' || act.retracts === false) return this.#sayStatus(turn, meant);
    // "No" and "never mind" answer what the hub asked last, and nothing else.
    if (named === null && act.actions.length === 0 && (await this.runner.asksBack(turn))) return null;
    const isMeant = !act.isBare || (await isSpokenOf(this.deps, turn.thread.threadId, meant, language));
    if (act.isBare && turn.text.includes('?'))
      return this.#besideQuestion(turn, isMeant ? meant : [], language);
    if (!isMeant) return null;
    const certain = act.kind === 'withdraw' && !elsewhere && (meant.length === 1 || named !== null);
    if (certain) return this.#takeBack(turn, meant, language);
    return turn.thread.operator ? null : this.#askWhich(turn, elsewhere ? open : meant);
  }

  /** "Never mind. What else do I have?": what it means is taken back, where it means any, and the question answered. */
  async #besideQuestion(turn: Turn, meant: readonly OpenRequest[], language: Language): Promise<TurnReply> {
    const taken = meant.length === 0 ? null : await this.#takeBack(turn, meant, language);
    const text = askedAfterBare(this.deps, turn.text);
    if (turn.thread.operator) return taken ?? this.runner.start(turn);
    const said = { ...turn, text, ...(taken ? { kept: { done: false } } : {}) };
    const next = await this.runner.start({ ...said, ...(await this.ticketOf(said)) });
    return taken === null ? next : { ...next, reply: `${taken.reply}\n\n${next.reply}` };
  }

  /** The ticket of the open request that a message is about; nothing where it is about another subject. */
  async ticketOf(turn: Turn): Promise<Pick<Turn, 'ticketId'>> {
    const rows = await this.#rows(turn);
    if (rows.length === 0) return {};
    const language = await this.runner.languageOf(turn);
    for (const row of rows.toReversed()) {
      const request = await this.#request(row, language);
      if (!(await this.#isAbout(turn.text, request, language))) continue;
      const { ticketId } = row;
      const ticket = await this.deps.graph.tickets.get(ticketId);
      if (ticket && ticket.status !== 'resolved') return { ticketId };
    }
    return {};
  }

  async #isAbout(text: string, request: OpenRequest, language: Language): Promise<boolean> {
    const named = await namedAmong(this.deps, text, [request], null);
    if (named !== null) return named.length > 0;
    const layer = this.deps.graph.language;
    return layer.speaksOf(text, request.kind) || layer.requests(text, language).length === 0;
  }

  async #rows({ thread }: Turn): Promise<readonly PendingAction[]> {
    const rows = await this.deps.pending.listOpenApprovals(thread.threadId);
    return rows.filter((row) => row.customerId === thread.customerId);
  }

  async #request(row: PendingAction, language: Language): Promise<OpenRequest> {
    const tool = this.deps.graph.tools.roster.findAction(row.tool);
    if (!tool) throw new HubError('not_found', `There is no action ${row.tool}.`);
    return { row, ...(await matterOf(tool, this.deps.graph.tools, row, language)) };
  }

  /** @throws HubError `pending_not_found` */
  async #asked({ thread }: Turn, pendingId: string): Promise<PendingAction> {
    const row = await this.deps.pending.get(pendingId);
    if (row?.threadId !== thread.threadId || row.customerId !== thread.customerId) {
      throw new HubError('pending_not_found', 'There is no such question.', { pendingId });
    }
    return row;
  }

  /** A button, or a program: what is meant is certain, and what is closed is refused rather than talked about. */
  async #withdrawn(turn: Turn, row: PendingAction, before?: string): Promise<TurnReply> {
    if (row.status !== 'pending') throw closedQuestion(row);
    const by = `customer:${row.customerId}`;
    const decided =
      row.kind === 'approval'
        ? await this.deps.pending.withdraw(row.pendingId, { by, words: noteText(turn, before) })
        : await this.deps.pending.decide(row.pendingId, { approved: false, by });
    await storeMessages(this.deps, row.ticketId, turn);
    if (decided.status === 'withdrawn') {
      this.deps.metrics.approval('withdrawn');
      await this.deps.graph.tickets.addMessage(row.ticketId, 'system', deskNotes.withdrawn(decided));
    }
    return this.decided.carryOut(turn, decided);
  }

  /** @param before what the customer had said before the hub asked back */
  async #takeBack(
    turn: Turn,
    requests: readonly OpenRequest[],
    language: Language,
    before?: string,
  ): Promise<TurnReply> {
    const replies: TurnReply[] = [];
    for (const { row } of requests) {
      const outcome = await this.#withdrawn(turn, row, before).catch((error: unknown) => toHubError(error));
      if (!(outcome instanceof HubError)) replies.push(outcome);
      else if (/^pending_/.test(outcome.code)) replies.push(await this.#closedBefore(turn, row, language));
      else throw outcome;
    }
    const last = replies.at(-1);
    if (!last) throw new HubError('internal', 'Nothing was taken back.');
    const reply = [...new Set(replies.map(({ reply: text }) => text))].join('\n\n');
    return { ...last, reply };
  }

  /** The request was decided first: the customer learns the outcome. What was approved but not performed yet is performed now. */
  async #closedBefore(turn: Turn, { pendingId }: PendingAction, language: Language): Promise<TurnReply> {
    const row = await this.#asked(turn, pendingId);
    await storeMessages(this.deps, row.ticketId, turn);
    const unreleased = await this.deps.pending.listUnreleased(row.threadId);
    if (unreleased.some((other) => other.pendingId === pendingId)) await this.decided.carryOut(turn, row);
    const done = await this.#outcome(row, language);
    const tool = this.deps.graph.tools.roster.findAction(row.tool);
    const before = { outcome: done, by_team: row.kind === 'approval' };
    return this.runner.say(
      { ...turn, ticketId: row.ticketId },
      (texts) =>
        done === null
          ? texts.say('closed_before')
          : texts.say('done_before', { ...before, how: anewOf(tool, row, texts) }),
      null,
    );
  }

  async #outcome(row: PendingAction, language: Language): Promise<string | null> {
    const { tools } = this.deps.graph;
    const tool = tools.roster.findAction(row.tool);
    return tool && outcomeOf(tool, tools, row, language);
  }

  /**
   * Takes back what waits since another conversation of the customer's, where the message names it or the last answer spoke of that
   * alone: in that conversation, as if it had been said there. Where it is not certain what is meant, that conversation is busy, or
   * this one may not do all that its customer may, the team and the customer are informed.
   * @returns null where nothing is meant
   */
  async #inOtherThread(turn: Turn, act: RequestAct): Promise<TurnReply | null> {
    const { identity, thread, channel, text } = turn;
    const { customerId, scopes, threadId } = thread;
    const mayRead = scopes?.includes('account:read') ?? true;
    if (act.kind !== 'withdraw' || thread.operator || identity.kind !== 'customer' || !mayRead) return null;
    const all = await this.deps.pending.listOpenApprovals();
    const rows = all.filter((row) => row.customerId === customerId && row.threadId !== threadId);
    if (rows.length === 0) return null;
    const language = await this.runner.languageOf(turn);
    const open = await Promise.all(rows.map((row) => this.#request(row, language)));
    const named = await namedAmong(this.deps, text, open, null);
    const { tickets, tools } = this.deps.graph;
    const last = await lastAnswer(tickets, threadId);
    const spoken = named === null ? open.filter(({ name }) => last.includes(name)) : open;
    const meant = matching(act, spoken, named);
    const isCertain = scopes === null && (named !== null || meant.length === 1);
    const texts = tools.texts.for(language);
    const told: string[] = [];
    const left: OpenRequest[] = isCertain ? [] : [...meant];
    for (const request of isCertain ? meant : []) {
      const { pendingId, threadId: there } = request.row;
      const input = { identity, channel, text, threadId: there, withdraw: { pendingId } };
      const reply = await this.handle(input).catch(toHubError);
      if (!(reply instanceof HubError)) told.push(reply.reply);
      else if (/^pending_/.test(reply.code)) told.push(texts.say('closed_before'));
      else if (reply.code === 'thread_busy') left.push(request);
      else throw reply;
    }
    for (const { row } of left)
      await tickets.addMessage(row.ticketId, 'system', deskNotes.said('called_off', text));
    if (left.length > 0)
      told.push(texts.say('left_elsewhere', { names: texts.list(left.map(({ name }) => name)) }));
    return told.length === 0 ? null : this.runner.say(turn, () => [...new Set(told)].join('\n\n'), null);
  }

  /** Nothing is open, but the last thing that was done here is what the customer would take back. */
  async #tooLate(turn: Turn, act: RequestAct): Promise<TurnReply | null> {
    const { threadId } = turn.thread;
    if (act.kind !== 'withdraw' || turn.thread.operator || (await this.runner.asksBack(turn))) return null;
    const row = await this.deps.pending.findLatestAgreed(threadId);
    // What can be put back is offered by the conversation itself.
    const tool = row && this.deps.graph.tools.roster.findAction(row.tool);
    if (!row || tool?.undo?.(tool.input.parse(row.args))) return null;
    const said = await this.deps.graph.tickets.listThreadMessages(threadId, RECENT);
    const since = said.filter(
      ({ role, createdAt }) => role === 'customer' && createdAt > (row.decidedAt ?? ''),
    );
    // The yes itself is stored after it was taken.
    if (since.length > (row.kind === 'confirmation' ? 1 : 0)) return null;
    const language = await this.runner.languageOf(turn);
    const { kind } = await this.#request(row, language);
    if (act.actions.length > 0 && !act.actions.includes(kind)) return null;
    const done = row.status === 'approved' || (await this.#outcome(row, language)) !== null;
    return done ? this.#closedBefore(turn, row, language) : null;
  }

  #sayStatus(turn: Turn, requests: readonly OpenRequest[]): Promise<TurnReply> | null {
    const [first] = requests;
    if (!first || turn.thread.operator) return null;
    const names = requests.map(({ name }) => name);
    const ifAgreed = requests.length === 1 ? first.ifAgreed : null;
    const { ticketId } = first.row;
    return this.runner.say(
      { ...turn, ticketId },
      (texts) => texts.say('still_with_team', { names: texts.list(names), if_agreed: ifAgreed }),
      first.row,
    );
  }

  #askWhich(turn: Turn, requests: readonly OpenRequest[]): Promise<TurnReply> {
    const ticketId = requests.at(-1)?.row.ticketId ?? '';
    return this.runner.say(
      { ...turn, ticketId },
      (texts) => askWhich(requests, texts),
      requests.at(-1)?.row ?? null,
    );
  }

  /** The answer to "which one", or to "shall I take it back", where that is what the hub said last. */
  async #answered(turn: Turn, open: readonly OpenRequest[], language: Language): Promise<TurnReply | null> {
    const texts = this.deps.graph.tools.texts.for(language);
    const said = await this.deps.graph.tickets.listThreadMessages(turn.thread.threadId, RECENT);
    const last = said.findLast(({ audience, role }) => audience === 'customer' && role !== 'system');
    if (last?.role !== 'hub') return null;
    const before = said.findLast(({ role }) => role === 'customer')?.content;
    const single = open.find((request) => last.content === askWhich([request], texts));
    const answer = takeBackAnswer(this.deps.graph, turn.text, language);
    if (single) {
      if (answer === 'yes') return this.#takeBack(turn, [single], language, before);
      return answer === 'no' ? this.#sayStatus(turn, [single]) : null;
    }
    if (open.length < 2 || last.content !== askWhich(open, texts)) return null;
    const listed = open.map(({ row, name, about }) => ({
      id: row.pendingId,
      title: about?.title ?? name,
      startsAt: about?.startsAt ?? row.createdAt,
    }));
    const { language: layer, tools } = this.deps.graph;
    const named = layer.namedAmong(turn.text, listed, tools.clock.now());
    const meant = open.filter(({ row }) => named?.includes(row.pendingId));
    if (meant.length > 0) return this.#takeBack(turn, meant, language, before);
    return answer === 'no' ? this.#sayStatus(turn, open) : null;
  }
}
