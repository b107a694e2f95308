import type { InboxItem } from '../core/ports/index.js';

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
      batches.push({ items: [item], text: wordsOf(item), receivedAt: item.receivedAt });
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

/** Whoever had not read further cannot have answered what came after. */
function saidAt({ content, receivedAt }: InboxItem): string {
  const readUpTo = content.kind === 'text' ? content.readUpTo : undefined;
  return readUpTo !== undefined && readUpTo < receivedAt ? readUpTo : receivedAt;
}

function toBatch({ items, texts, answer }: Open): Batch {
  const received = items.map(saidAt).sort();
  if (answer === null)
    return { items, text: texts.filter(Boolean).join('\n'), receivedAt: received[0] ?? '' };
  // The same word again says no more, but the last one was written with the question in sight if any was.
  return { items, text: texts.at(-1) ?? '', receivedAt: received.at(-1) ?? '' };
}

/** What a person wrote, or which button was pressed. */
function wordsOf({ content }: InboxItem): string {
  return content.kind === 'text' ? content.text : (content.words ?? content.answer);
}

/** What the conversation shows of it. */
export function shownWordsOf(item: InboxItem): string {
  return (item.content.kind === 'answer' && item.content.label) || wordsOf(item);
}
