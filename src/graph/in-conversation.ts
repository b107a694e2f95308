import type { Proposal, Task } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import type { DialogueAnswer } from './act-answer.js';
import type { BesideOthers } from './dialogue-beside.js';
import type { MessageReading } from './message-reading.js';
import type { MessagePart } from './record-questions.js';

/** What a message is in its conversation. */
export interface InConversation {
  /** Null where an agent must answer. */
  readonly spoken: DialogueAnswer | null;
  /** What a question leans on that makes sense only with what was just said; null where it stands by itself. */
  readonly about: string | null;
  /** True where that is the title of the one article that may answer it. */
  readonly only?: boolean;
  /** What was asked before, where the message only says what was meant by it; null where it is asked itself. */
  readonly asked: string | null;
  /** What the hub had offered and the customer takes up; null where nothing. */
  readonly accepted: Proposal | null;
  /** True where it only goes on choosing among what was looked up: "and for kids?". */
  readonly chooses?: boolean;
  /** What was being looked into, where the message goes on with that. */
  readonly symptom?: string | null;
  /** The list that it asks for, where every word of it only says which; null where it asks for none. */
  readonly list?: Task['list'] | null;
  /** Its parts, where the customer's own record answers at least one of them; null where it answers none. */
  readonly own?: readonly MessagePart[] | null;
  /** True where no person is needed for it, however cross its words are. */
  readonly isTold?: boolean;
  /** Why a person has the request that the message only tells more of; null where it does not. */
  readonly adds?: EscalationReason | null;
  /** What the message is, where the company's conversations have taught that. */
  readonly message?: MessageReading;
  /** The words that ask for a change, whatever else they are like. */
  readonly orders?: string;
  /** What it asks beside what it orders or takes up; absent where nothing. */
  readonly besides?: string;
  /** The same of any message, however sure something else is of it: what is searched for it is weighed by that. */
  readonly reading?: MessageReading | null;
  /** Answered from records, beside what else the message asks for; null where nothing is. */
  readonly beside?: BesideOthers | null;
  /** Set where `spoken` only makes small talk or apologises, or leaves everything as it is. */
  readonly talks?: 'talk' | 'leaves';
  /** Which reader of the conversation said so. */
  readonly reader?: string;
}

/** Where the conversation itself says nothing of a message. */
export const NOTHING: InConversation = { spoken: null, about: null, asked: null, accepted: null };
