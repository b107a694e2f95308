import type { ReadMessage } from '../dialogue/index.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { MessageReading } from './message-reading.js';
import type { MessagePart } from './record-questions.js';

/** A message of a conversation without a model, with what is known of it before anybody answers. */
export interface HeardMessage extends DialogueTurn {
  /** As the customer wrote it; `text` is what it means. */
  readonly written: string;
  /** What rules read in it. */
  readonly read: ReadMessage;
  /** What the company's conversations have taught of such messages; null where that is not asked. */
  readonly message: MessageReading | null;
  /** Its parts that the customer's own record answers, read once: see `recordQuestions`. */
  own(): Promise<readonly MessagePart[] | null>;
}
