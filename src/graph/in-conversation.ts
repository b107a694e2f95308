import type { Proposal, Task } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { DialogueAnswer } from './act-answer.js';
import type { BesideOthers } from './dialogue-beside.js';
import type { MessageReading } from './message-reading.js';
import type { MessagePart } from './record-questions.js';

/** The other questions of a message, read by themselves. */
export interface OtherQuestions {
  readonly text: string;
  readonly classification: Classification | null;
  readonly here: InConversation;
}

/** What a message means in its conversation. */
export interface InConversation {
  /** The answer, where the conversation itself gives it; null where an agent must answer. */
  readonly spoken: DialogueAnswer | null;
  /** The topic of a question that depends on the last answer; null where the question stands alone. */
  readonly about: string | null;
  /** True where `about` is the title of the only article that may answer it. */
  readonly only?: boolean;
  /** The earlier question, where the message only clarifies it; null where the message is a question of its own. */
  readonly asked: string | null;
  /** The offer of the hub that the customer accepts; null where there is none. */
  readonly accepted: Proposal | null;
  /** True where it only narrows the last search: "and for kids?". */
  readonly chooses?: boolean;
  /** The symptom under investigation, where the message adds to it. */
  readonly symptom?: string | null;
  /** The list that it asks for, where it contains nothing but the list and its filters; null where it asks for none. */
  readonly list?: Task['list'] | null;
  /** Its parts, where the customer's own records answer at least one of them; null where they answer none. */
  readonly own?: readonly MessagePart[] | null;
  /** True where it needs no operator, whatever its tone. */
  readonly isTold?: boolean;
  /** Why the request was escalated to which the message only adds details; null where it adds none. */
  readonly adds?: EscalationReason | null;
  /** What the trained model makes of the message, where it decides. */
  readonly message?: MessageReading;
  /** The part that orders a change, whatever triage takes it for. */
  readonly orders?: string;
  /** Questions beside an order or an accepted offer; absent where there are none. */
  readonly besides?: string;
  /** What the trained model makes of the message in any case; the search weighs its results by it. */
  readonly reading?: MessageReading | null;
  /** An answer from records beside other requests; null where there is none. */
  readonly beside?: BesideOthers | null;
  /** What else it asks, which is answered after this; absent where nothing. */
  readonly others?: OtherQuestions;
  /** The questions that it consists of, where each stands by itself and is read alone; absent where they are read together. */
  readonly apart?: readonly OtherQuestions[];
  /** Set where `spoken` is only small talk or an apology (`talk`), or confirms that nothing changes (`leaves`). */
  readonly talks?: 'talk' | 'leaves';
  /** Name of the reader that decided this. */
  readonly reader?: string;
}

/** The meaning of a message that its conversation does not explain. */
export const NOTHING: InConversation = { spoken: null, about: null, asked: null, accepted: null };
