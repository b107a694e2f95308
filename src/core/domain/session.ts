import type { CustomerMemory, Identity, Scope } from './customer.js';
import type { EntityRecord, RecordList } from './entity.js';
import type { EscalationReason, Language, ProviderName, Route } from './taxonomy.js';
import type { Channel } from './ticket.js';
import type { ToolCallRecord } from './turn.js';

/** What a customer goes through, beside what they ask for. */
export const LIFE_EVENTS = ['grief', 'trouble', 'joy'] as const;
export type LifeEvent = (typeof LIFE_EVENTS)[number];

/**
 * What a conversation is about, as far as it must outlive a turn. Kept with the graph's state, so that a restart or a
 * question that pauses a turn does not lose it.
 */
export interface DialogueState {
  /** The records that the customer was shown last, in the order in which they stood. */
  readonly shown: readonly EntityRecord[];
  /** Which of them is spoken of; null where several were shown and none was picked. */
  readonly focus: string | null;
  /** The attribute of a record that was asked about last ("and the third?"). */
  readonly asked: string | null;
  /** The question that was asked last, whole ("and in cash?" asks it again); null where the last message asked none. */
  readonly question?: string | null;
  /** What was looked up last for anybody to choose from, as it was asked for ("and in Rio?" changes a part of it). */
  readonly looked?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> } | null;
  /** The list that was shown last ("and in December?" narrows it down otherwise). */
  readonly listed?: RecordList | null;
  /** What the last answer offered to tell, as the customer would ask it; null where nothing. */
  readonly more?: string | null;
  /** The article that the last answer was taken from. */
  readonly article: { readonly articleId: string; readonly title: string } | null;
  /** The symptom that was looked into last, in the customer's words, until something else is answered; null where none was. */
  readonly symptom?: string | null;
  /** How often in a row the hub has said that something did not help or was not understood. */
  readonly stuck: number;
  /** What the last answer did, where it did more than answer. */
  readonly last?: 'answered' | 'done' | 'escalated';
  /** Why the change that was asked for last could not be made, as the customer read it; null where none was refused. */
  readonly refused?: string | null;
  /** The change made to no record that the customer turned down last, until something else is shown or done. */
  readonly declined?: Pick<Proposal, 'tool' | 'args'> | null;
}

export const NEW_DIALOGUE: DialogueState = { shown: [], focus: null, asked: null, article: null, stuck: 0 };

/**
 * What a turn knows of its surroundings. Written by the intake node from what the surface verified, carried in the
 * graph's state, read by every tool. No agent can write it.
 */
export interface Session {
  readonly turnId: string;
  readonly ticketId: string;
  readonly threadId: string;
  /** The LangGraph thread; differs from `threadId` after a side question. */
  readonly graphThreadId: string;
  readonly channel: Channel;
  readonly identity: Identity;
  readonly customerName: string | null;
  readonly language: Language;
  /** Set where the customer writes a language that the hub does not speak (ISO 639-1). */
  readonly unsupportedLanguage: string | null;
  readonly memory: CustomerMemory | null;
  /** The end of what the hub said last in this thread; helps to read short replies. */
  readonly lastReply: string | null;
  /** What it said before that, the last few replies, cut like the last one; absent at the beginning. */
  readonly earlierReplies?: string;
  /** The message as a whole question, where its few words ask the last one again ("and the second?"); null where they do not. */
  readonly meant?: MeantQuestion | null;
  /** What the customer wrote before this message, cut to its beginning. */
  readonly previousMessage: string | null;
  /** What the customer says that they are going through; null where nothing. Colours the answer. */
  readonly life?: LifeEvent | null;
  /** Reasons for which a person looked at this message and returned it: it is not escalated for them again. */
  readonly settledReasons?: readonly EscalationReason[];
  /** What the program that speaks for the customer may do; absent: all the customer may. Checked for every tool. */
  readonly scopes?: readonly Scope[];
  /** The one agent that was addressed; absent: the supervisor chooses. */
  readonly agent?: string;
  /** Hubs that the request came through before this one; absent where nobody says so. */
  readonly hops?: number;
  /** Names what the turn answers, the same when it is answered anew after a crash; absent where nothing does. */
  readonly requestKey?: string;
}

/** What a few words ask that lean on the question asked last. */
export interface MeantQuestion {
  /** What they ask, whole. */
  readonly text: string;
  /** What the next few words may ask again. */
  readonly question: string;
  /** Set where it says that something which was spoken of has not come in its time. */
  readonly late?: true;
  /** Set where the message also turns down what the hub offered. */
  readonly declines?: true;
  /** Set where it says that the danger which the hub heard is none, and whether it says no more than that, or that nobody was asked for. */
  readonly takesBack?: 'alarm' | 'alarm_alone' | 'person';
  /** Set where it stands in the place of what was asked or answered before. */
  readonly instead?: true;
}

/** One tool call with its result, kept for the length of a turn: evidence for review, report and operator. */
export interface ToolTrace extends ToolCallRecord {
  readonly callId: string;
  /** Index of the request it was made for. */
  readonly task: number;
  /** The tool's output as it was given to the model. */
  readonly result: unknown;
  /** True where the call waited for a person; `ms` includes that wait. */
  readonly paused: boolean;
}

/** One of the things the customer was asked to choose from. */
export interface Choice {
  readonly id: string;
  readonly title: string;
  /** ISO 8601 UTC; null where it happens at no time. */
  readonly startsAt: string | null;
}

/**
 * What an agent was asking about when it ended its answer with a question, so that a short reply can be understood.
 */
export interface Focus {
  readonly agent: string;
  /** What the customer wanted, by the name of an intent or a tool. */
  readonly intent: string;
  /** What was shown as 1., 2., 3., in that order; empty for an open question. */
  readonly choices: readonly Choice[];
  /** How often the hub asked the same thing without getting on. */
  readonly attempts: number;
  /** What a change was asked about with, so that a correction ("make it 45 days") changes only what it says. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** True where it was offered with an answer, so that a yes asks for exactly that. */
  readonly offered?: boolean;
  /** Set where the question is that of an agent elsewhere: where the reply goes. */
  readonly remote?: RemoteThread;
}

/** What another agent works on, so that a reply reaches it. */
export interface RemoteThread {
  readonly taskId: string | null;
  readonly contextId: string | null;
  /** What it was asked, as it was sent: needed where it has forgotten its task. */
  readonly goal: string;
  /** How many questions of its own it has asked so far. */
  readonly asked: number;
}

/** One part of the customer's message on its way through the agents. */
export interface Task {
  readonly text: string;
  /** What it leans on, where it makes sense only with what was just said. */
  readonly about?: string;
  /** True where that is the title of the one article that may answer it. */
  readonly only?: boolean;
  /** True where it hardly asks what articles answer: only one that is all but certain may answer it. */
  readonly unsure?: boolean;
  /** True where they say that what was answered did not help, or ask on for what it left out. */
  readonly unhelped?: boolean;
  /** True where they say that it was the wrong answer: the same one is not given again, however sure it is. */
  readonly rejected?: boolean;
  /** Title of the article that the customer says it is not about. */
  readonly except?: string;
  /** The whole message, where this is its only request but not all of it: what it leaves unsaid may stand beside it. */
  readonly within?: string;
  /** The list that it asks for, where every word of it only says which. */
  readonly list?: RecordList & {
    /** True where it narrows the list that was shown down otherwise. */
    readonly changes: boolean;
  };
  /** The declared questions about the customer's own records that it asks, where it asks any. */
  readonly asks?: readonly string[];
  /** What the team is to be asked in the customer's own words, where they wanted that. */
  readonly passed?: string;
  /** What the customer has of what anybody may choose from, so that it is not offered to them as if they had not. */
  readonly owned?: readonly { readonly title: string; readonly startsAt: string | null }[];
  readonly route: Route;
  /** The agent of the roster that handles it. */
  readonly agent: string;
  readonly status: 'todo' | 'active' | 'done';
  /** A change that an investigation advises; the agent puts it to the gate as it is. */
  readonly proposal?: Proposal;
  /** Set where the text answers the question of an agent elsewhere. */
  readonly remote?: RemoteThread;
  /** True where nothing supports what the model answered, so that the agent's rules answer. */
  readonly withoutModel?: boolean;
}

/** One exact call of an action tool, advised by an investigation. It passes the same gates as any other. */
export interface Proposal {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** True where the skill wants an operator to agree whatever the policy says. */
  readonly needsOperator: boolean;
}

/** What an agent answered to its task. */
export interface Draft {
  readonly agent: string;
  readonly text: string;
  readonly provider: ProviderName;
  /** Set where the answer ends with a question to the customer. */
  readonly focus: Focus | null;
  /** True where the agent found nothing it may answer from. */
  readonly unanswered: boolean;
  /** True where the agent had to wait for a person before it could answer. */
  readonly paused: boolean;
  /** True where an operator must decide how an investigation continues; what was found is said all the same. */
  readonly needsPerson?: boolean;
  /** The intent whose list it is, where that is not the plain list of an entity: the next message may narrow it down. */
  readonly lists?: string;
  /** What it ends with an offer to tell, as the customer would ask it. */
  readonly more?: string;
  /**
   * Set where nothing answered a part of a message and something else is asked beside it: the question that is owed an answer, null where
   * that part only tells something, and the article that came nearest to it.
   */
  readonly owed?: { readonly question: string | null; readonly article: string | null };
  /** What the hub itself adds to it, in no model's words. */
  readonly note?: string;
}
