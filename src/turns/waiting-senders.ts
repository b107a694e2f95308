import type { ThreadEvent } from '../core/domain/conversation.js';
import type { Identity } from '../core/domain/customer.js';
import type { TurnReply } from '../core/domain/turn.js';
import { type ErrorCode, HubError } from '../core/errors.js';
import type { InboxItem } from '../core/ports/index.js';

/** A caller in this process that waits for the answer to a message. */
export interface Sender {
  readonly itemId: string;
  readonly threadId: string;
  readonly identity: Identity;
  readonly onEvent?: ((event: ThreadEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The last event it knows of the turn that answers it. */
  readonly after?: string | undefined;
  /** When it is rejected because the thread is busy, on the clock of `performance.now()`. */
  readonly deadline: number;
  readonly resolve: (reply: TurnReply) => void;
  readonly reject: (error: unknown) => void;
}

/** The waiting senders of this process, by message; the same message may have been sent twice. */
export class WaitingSenders {
  readonly #senders = new Map<string, Set<Sender>>();

  add(sender: Sender): void {
    const same = this.#senders.get(sender.itemId) ?? new Set();
    same.add(sender);
    this.#senders.set(sender.itemId, same);
  }

  of(itemIds: readonly string[]): readonly Sender[] {
    return itemIds.flatMap((itemId) => [...(this.#senders.get(itemId) ?? [])]);
  }

  onThread(threadId: string): readonly Sender[] {
    return this.all().filter((sender) => sender.threadId === threadId);
  }

  all(): readonly Sender[] {
    return [...this.#senders.values()].flatMap((same) => [...same]);
  }

  /** It is answered now, one way or the other. @returns false where it was before */
  remove(sender: Sender): boolean {
    const same = this.#senders.get(sender.itemId);
    const waited = same?.delete(sender) ?? false;
    if (same?.size === 0) this.#senders.delete(sender.itemId);
    return waited;
  }

  get size(): number {
    return this.#senders.size;
  }
}

/** What a message was answered with, as the inbox keeps it. */
export type Outcome =
  | {
      readonly reply: TurnReply;
      /** Named by the `done` event of its turn. */
      readonly turnId: string;
      /** The id of everything that had happened before its turn. */
      readonly since: string;
    }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

/** The same refusal would come again: it is kept, like an answer. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'pending_not_found',
  'pending_decided',
  'pending_withdrawn',
  'pending_expired',
  'input_invalid',
  'input_too_large',
  'not_found',
  'not_owner',
  'customer_erased',
]);

/** A turn failed after its answer was stored: the message is answered, and only the rest of the turn is missing. */
export class FailedAfterAnswer extends HubError {
  constructor(cause: HubError) {
    super(cause.code, cause.message, cause.fields, { cause });
  }
}

/** True for a refusal that is the answer; false where the same message may be tried again. */
export function isFinal({ code }: HubError): boolean {
  return FINAL.has(code);
}

/** The reply that was given, or what was thrown. @throws HubError */
export function replyOf(outcome: Outcome): TurnReply {
  if ('error' in outcome) throw new HubError(outcome.error.code, outcome.error.message);
  return outcome.reply;
}

/** Messages that one turn answers. */
export interface Batch {
  readonly items: readonly InboxItem[];
  /** What the customer says with them. */
  readonly text: string;
  /** When it was said; a question that was asked after that is not answered by it. */
  readonly receivedAt: string;
}

export interface BatchOptions {
  /** Characters that one turn takes. */
  readonly limit: number;
  /** What a text says to the question that is open; null where none is. */
  readonly readAnswer: ((text: string) => 'yes' | 'no' | null) | null;
}

interface Open {
  readonly items: InboxItem[];
  readonly texts: string[];
  readonly answer: 'yes' | 'no' | null;
}

/**
 * Puts a burst together that is to be answered once, in the order in which it came. A button stands alone. While a question
 * is open, words that answer it are kept apart from words about something else: "yes" and "no" in one burst are two
 * decisions, of which the first holds; three times "yes" is one.
 */
export function batchesOf(items: readonly InboxItem[], options: BatchOptions): readonly Batch[] {
  const batches: Batch[] = [];
  let open: Open | null = null;
  const close = (): void => {
    if (open) batches.push(toBatch(open));
    open = null;
  };
  for (const item of items) {
    if (item.content.kind === 'answer') {
      close();
      batches.push({ items: [item], text: textOf(item), receivedAt: item.receivedAt });
      continue;
    }
    const { text } = item.content;
    const answer = options.readAnswer?.(text) ?? null;
    if (open && !fits(open, text, answer, options.limit)) close();
    open ??= { items: [], texts: [], answer };
    open.items.push(item);
    open.texts.push(text);
  }
  close();
  return batches;
}

function fits(open: Open, text: string, answer: Open['answer'], limit: number): boolean {
  if (open.answer !== answer) return false;
  if (answer !== null) return true;
  return [...open.texts, text].join('\n').length <= limit;
}

/** A sender cannot have answered what came after the last event it has read. */
function sentAt({ content, receivedAt }: InboxItem): string {
  const readUpTo = content.kind === 'text' ? content.readUpTo : undefined;
  return readUpTo !== undefined && readUpTo < receivedAt ? readUpTo : receivedAt;
}

function toBatch({ items, texts, answer }: Open): Batch {
  const received = items.map(sentAt).sort();
  if (answer === null)
    return { items, text: texts.filter(Boolean).join('\n'), receivedAt: received[0] ?? '' };
  // The same word again says no more, but the last one was written with the question in sight if any was.
  return { items, text: texts.at(-1) ?? '', receivedAt: received.at(-1) ?? '' };
}

/** What a person wrote, or which button was pressed. */
function textOf({ content }: InboxItem): string {
  return content.kind === 'text' ? content.text : (content.words ?? content.answer);
}

/** What the conversation shows of it. */
export function shownTextOf(item: InboxItem): string {
  return (item.content.kind === 'answer' && item.content.label) || textOf(item);
}
