import type { AttachmentStore } from '../core/attachments.js';
import type {
  AnswerInput,
  Conversations,
  FollowInput,
  RatingInput,
  SendInput,
} from '../core/conversations.js';
import type { ThreadView } from '../core/domain/conversation.js';
import { type Identity, NO_LIMITS } from '../core/domain/customer.js';
import { closedQuestion } from '../core/domain/pending.js';
import type { TurnReply } from '../core/domain/turn.js';
import { HubError } from '../core/errors.js';
import type { FileInput } from '../core/file-types.js';
import type {
  FileStore,
  Ids,
  Inbox,
  InboxContent,
  InboxItem,
  PendingStore,
  RatingStore,
  ThreadLock,
  ThreadStore,
  TicketStore,
} from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import type { TurnOwnership } from '../graph/ownership.js';
import { ownThread, viewOf } from './conversation-view.js';
import type { EventBus } from './event-bus.js';
import type { InboxPump } from './inbox-pump.js';
import { type InboxTurns, untilDone } from './inbox-turns.js';
import { customerEvent, parseEventId, ticketEvent } from './thread-streams.js';
import { type Outcome, replyOf } from './waiting-senders.js';

interface ConversationDeps {
  readonly inbox: Inbox;
  readonly threads: ThreadStore;
  readonly tickets: TicketStore;
  readonly pending: PendingStore;
  readonly ratings: RatingStore;
  readonly files: Pick<FileStore, 'read'>;
  readonly attaching: AttachmentStore;
  readonly bus: EventBus;
  readonly pump: InboxPump;
  readonly ownership: Pick<TurnOwnership, 'stop'>;
  readonly turns: Pick<InboxTurns, 'sinceOf' | 'replay'>;
  readonly ids: Ids;
  readonly locks: ThreadLock;
  /** How long an answer that is being made is waited for, in milliseconds. */
  readonly waitMs: number;
  readonly messageChars: number;
  /** See `Conversations.recover`. */
  readonly recover: () => Promise<number>;
}

/** What a client may call a message. */
const CLIENT_ID_CHARS = 200;
const COMMENT_CHARS = 2_000;
const LISTED = 200;

type Sent = Omit<SendInput, 'text' | 'files' | 'language' | 'hops' | 'readUpTo'>;

/** The customers' side; see `Conversations`. */
export class ConversationService implements Conversations {
  constructor(private readonly deps: ConversationDeps) {}

  async create(...[identity, begun = NO_LIMITS]: Parameters<Conversations['create']>): Promise<ThreadView> {
    const threadId = this.deps.ids.unguessable('thr');
    const owner =
      identity.kind === 'customer'
        ? { customerId: identity.customerId }
        : { customerId: null, visitorId: identity.visitorId ?? null };
    await this.deps.threads.put({ threadId, ...owner, graphThreadId: threadId, ...begun });
    return this.show(identity, threadId);
  }

  async list(identity: Identity, limit: number) {
    const { threads } = this.deps;
    const most = Math.min(limit, LISTED);
    if (identity.kind === 'customer') return threads.list({ customerId: identity.customerId }, most);
    const { visitorId } = identity;
    return visitorId === undefined ? [] : threads.list({ visitorId }, most);
  }

  async show(identity: Identity, threadId: string): Promise<ThreadView> {
    return viewOf(this.deps, await ownThread(this.deps.threads, identity, threadId));
  }

  async send(input: SendInput): Promise<TurnReply> {
    await ownThread(this.deps.threads, input.identity, input.threadId);
    const text = cleanText(input.text);
    const { messageChars, attaching } = this.deps;
    const files = await attaching.of(input.threadId, 'customer', input.files ?? []);
    if (text === '' && files.length === 0)
      throw new HubError('input_invalid', 'The message is empty.', { field: 'text' });
    if (text.length > messageChars) throw tooLong(messageChars);
    const hops = input.hops === undefined ? {} : { hops: input.hops };
    const readUpTo = input.readUpTo === undefined ? {} : { readUpTo: input.readUpTo };
    const shown = text === '' && input.language !== undefined ? { language: input.language } : {};
    const attached = files.length === 0 ? {} : { files, ...shown };
    return this.#accepted(input, { kind: 'text', text, ...hops, ...readUpTo, ...attached });
  }

  async attach(identity: Identity, threadId: string, file: FileInput) {
    await ownThread(this.deps.threads, identity, threadId);
    return this.deps.attaching.keep(threadId, 'customer', file);
  }

  async file(identity: Identity, threadId: string, fileId: string) {
    await ownThread(this.deps.threads, identity, threadId);
    const found = await this.deps.files.read(threadId, fileId, 'customer');
    if (!found) throw new HubError('not_found', 'There is no such file.');
    return found;
  }

  async answer(input: AnswerInput): Promise<TurnReply> {
    await ownThread(this.deps.threads, input.identity, input.threadId);
    const { pendingId, answer } = input;
    const row = await this.deps.pending.get(pendingId);
    const fits = row?.kind === 'confirmation' || answer === 'withdraw';
    if (row?.threadId !== input.threadId || !fits)
      throw new HubError('pending_not_found', 'There is no such question.', { pendingId });
    // With an id of the client's own it may be the same answer once more, which is no refusal.
    if (input.clientMessageId === undefined && row.status !== 'pending') throw closedQuestion(row);
    const words = cleanText(input.words ?? '');
    if (words.length > this.deps.messageChars) throw tooLong(this.deps.messageChars);
    const said = words === '' ? {} : { words };
    const label = answer === 'withdraw' ? undefined : row.answers?.[answer];
    const pressed = label === undefined ? {} : { label };
    return this.#accepted(input, { kind: 'answer', pendingId, answer, ...said, ...pressed });
  }

  async stop(identity: Identity, threadId: string): Promise<void> {
    await ownThread(this.deps.threads, identity, threadId);
    await this.deps.ownership.stop(threadId);
  }

  async read(identity: Identity, threadId: string, messageId: string): Promise<void> {
    await ownThread(this.deps.threads, identity, threadId);
    await this.deps.threads.read(threadId, 'customer', messageId);
  }

  async typing(identity: Identity, threadId: string): Promise<void> {
    const { operator } = await ownThread(this.deps.threads, identity, threadId);
    if (operator === null) return;
    const body = { type: 'typing', by: 'customer', name: null, typing: true } as const;
    await this.deps.bus.publish([{ ...customerEvent(threadId, null, body), audience: 'desk' }]);
  }

  async rate(identity: Identity, threadId: string, rating: RatingInput): Promise<void> {
    const { customerId } = await ownThread(this.deps.threads, identity, threadId);
    const comment = cleanText(rating.comment ?? '');
    if (comment.length > COMMENT_CHARS) {
      throw new HubError('input_too_large', `A comment has at most ${COMMENT_CHARS} characters.`, {
        field: 'comment',
      });
    }
    const { tickets, ratings, bus } = this.deps;
    const isNamed = rating.ticketId !== undefined;
    const ticket = await (isNamed ? tickets.get(rating.ticketId) : tickets.findLatestByThread(threadId));
    const nothing = () => new HubError('not_found', 'There is nothing to rate.');
    if (ticket?.threadId !== threadId) throw nothing();
    const { ticketId } = ticket;
    const about = isNamed ? 'resolution' : 'answer';
    const { helpful } = rating;
    const rated = { threadId, ticketId, about, customerId, helpful, comment: comment || null } as const;
    if (!(await ratings.put(rated))) throw nothing();
    bus.publishSoon([ticketEvent(threadId, ticketId, 'rated')]);
  }

  async follow(input: FollowInput): Promise<void> {
    const { identity, threadId, after, onEvent, signal } = input;
    await ownThread(this.deps.threads, identity, threadId);
    const isVisitors = identity.kind === 'anonymous' && identity.visitorId !== undefined;
    await this.deps.bus.follow(threadId, after, isVisitors ? this.#whileOwn(input) : onEvent, signal);
  }

  /** A visitor's thread may become a customer's: its owner is checked before each event, in their order. */
  #whileOwn({ identity, threadId, onEvent, onLost }: FollowInput): FollowInput['onEvent'] {
    let isLost = false;
    let delivered: Promise<unknown> = Promise.resolve();
    const lose = (): void => {
      if (!isLost) onLost?.();
      isLost = true;
    };
    return (event) => {
      delivered = delivered
        .then(() => ownThread(this.deps.threads, identity, threadId))
        .then(() => (isLost ? undefined : onEvent(event)), lose);
    };
  }

  async adopt(
    customer: Extract<Identity, { kind: 'customer' }>,
    visitorId: string,
    threadId: string,
  ): Promise<ThreadView> {
    const { locks, waitMs, threads } = this.deps;
    // Checked first: a caller must not hold up another customer's conversation.
    const { customerId } = (await this.deps.threads.get(threadId)) ?? { customerId: null };
    if (customerId !== customer.customerId)
      await ownThread(threads, { kind: 'anonymous', visitorId }, threadId);
    await locks.withThread(threadId, waitMs, () => threads.adopt(threadId, visitorId, customer.customerId));
    return this.show(customer, threadId);
  }

  recover(): Promise<number> {
    return this.deps.recover();
  }

  /** Stores the message in the inbox and waits for its answer. From here on the client may disconnect. */
  async #accepted(sent: Sent, content: InboxContent): Promise<TurnReply> {
    const { inbox, ids, pump } = this.deps;
    const { identity, threadId, channel, after, signal } = sent;
    if (after !== undefined) parseEventId(after);
    const clientMessageId = sent.clientMessageId ?? ids.next('cli');
    if (clientMessageId.trim() === '' || clientMessageId.length > CLIENT_ID_CHARS) {
      throw new HubError('input_invalid', `A message id has 1 to ${CLIENT_ID_CHARS} characters.`, {
        field: 'client_message_id',
      });
    }
    const customerId = identity.kind === 'customer' ? identity.customerId : null;
    await pump.tidy();
    const { item } = await inbox.accept({ threadId, customerId, clientMessageId, content, channel });
    const onEvent = sent.onEvent && untilDone(sent.onEvent);
    if (item.status === 'answered') {
      const outcome = item.outcome as Outcome;
      await this.deps.turns.replay({ threadId, onEvent, after }, outcome);
      return replyOf(outcome);
    }
    const sender = { itemId: item.itemId, threadId, identity, after, signal };
    const since = onEvent && this.deps.turns.sinceOf(item.itemId);
    // Asked for first: the turn may end while what was missed is looked up.
    const reply = pump.wait(onEvent && since ? sender : { ...sender, onEvent });
    void pump.pump(threadId);
    return onEvent && since ? this.#joined(item, after ?? since, onEvent, reply) : reply;
  }

  /** Follows a turn that is already running. */
  async #joined(
    { threadId }: InboxItem,
    after: string,
    onEvent: NonNullable<Sent['onEvent']>,
    reply: Promise<TurnReply>,
  ): Promise<TurnReply> {
    const following = new AbortController();
    try {
      await this.deps.bus.follow(threadId, after, onEvent, following.signal);
      return await reply;
    } finally {
      following.abort();
      await reply.catch(() => undefined);
    }
  }
}

function tooLong(messageChars: number): HubError {
  return new HubError('input_too_large', `A message has at most ${messageChars} characters.`, {
    field: 'text',
  });
}
