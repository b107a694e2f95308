import type { AskedInput } from '../domain/entity.js';
import type { Deed } from '../domain/guardrail.js';
import type { Choice } from '../domain/session.js';
import type { Language, Route } from '../domain/taxonomy.js';

/**
 * What a sentence of an answer does beside explaining, asking and offering: `courtesy` commits to nothing, `done` says that the hub did something,
 * `claim` that something was done or is so, `denied` that it was not, `pending` that it is under way, `promise` that it will be.
 */
export type StatementAct = 'courtesy' | 'done' | 'claim' | 'denied' | 'pending' | 'promise';

/** What one sentence says, as chances of 0 to 1. */
export interface Statement {
  readonly acts: Readonly<Record<StatementAct, number>>;
  /** Of what it is said, where it is said at all; their sum is 1. */
  readonly deeds: Readonly<Record<Deed, number>>;
}

/** What single words mean. All words are folded. */
export interface WordSense {
  /** Keys of a word: words that share one are forms of one word. */
  formsOf(word: string): readonly string[];
  /** Numbers of what it may stand for: words that share one mean nearly the same. */
  ideasOf(word: string): readonly number[];
  /** Unit vector of what it means; all zeros where that is not known. */
  vectorOf(word: string): Float32Array;
  /** True for a word without a topic of its own. */
  isSmall(word: string): boolean;
  /** Words with which an answer speaks of a customer's records. */
  readonly records: RecordSense;
}

/** What single words say of a customer's records. All words are folded. */
export interface RecordSense {
  /** The state that a word says a record is in; null where it says none. */
  stateOf(word: string): Deed | 'pending' | 'active' | 'free' | null;
  /** The entries of an account that a word stands for, by the names under which tools return them. */
  kindsOf(word: string): readonly string[];
  /** How the name of the field begins whose day a word speaks of: `resume` of `resumes_on`; null where it tells none. */
  momentOf(word: string): string | null;
}

/** Reads what a sentence states, without a model elsewhere: deterministic, a fraction of a millisecond. */
export interface StatementReader {
  /** @param text one sentence or part of one */
  read(text: string): Statement;
  /** The words of a language. */
  sense(language: Language): WordSense;
}

/** Reads words as the search compares them. */
export interface TermReader {
  analyze(text: string): {
    readonly terms: readonly { readonly stem: string; readonly concepts: readonly number[] }[];
  };
  isStopword(word: string): boolean;
}

/** How the customer answered an open yes/no question. */
export interface YesNoAnswer {
  readonly kind: 'yes' | 'no' | 'unclear' | 'other';
  /** What else the text says, e.g. "the Friday one" in "no, the Friday one". */
  readonly rest: string;
}

/** What customers call the changes that the hub makes for them. */
export const ACTION_KINDS = ['cancel', 'refund', 'pause', 'resume', 'change'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/**
 * What a message does to a request that is open. `withdraw` takes it back; `unclear` may do so and has to be asked about;
 * `status` asks what became of it; `none` does none of these.
 */
export interface RequestAct {
  readonly kind: 'withdraw' | 'unclear' | 'status' | 'none';
  /** The actions that are not wanted any more, where they are named; empty where "it" is enough. */
  readonly actions: readonly ActionKind[];
  /** True where something is wanted back: that says nothing where nothing was taken. */
  readonly isWantedBack: boolean;
  /** Whether it says in so many words that a request is taken back, or that it is not; null where it says neither. */
  readonly retracts: boolean | null;
  /** True where nothing but "never mind" or the like takes something back, which may be said of any remark. */
  readonly isBare: boolean;
}

export interface LanguageGuess {
  readonly language: Language;
  /** ISO 639-1 of what was detected, `und` where nothing was. */
  readonly detected: string;
  readonly supported: boolean;
}

/** One part of a message as the local language layer reads it. */
export interface RequestGuess {
  readonly text: string;
  readonly intent: string;
  readonly route: Route | null;
  readonly confidence: number;
  /** Chance (0..1) that it is no matter of the company's. */
  readonly outOfScope: number;
}

/** What the hub asked last. */
export interface OpenQuestion {
  readonly choices: readonly Choice[];
  /** What a change was asked about with: its numbers may be corrected. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly now: Date;
  /** What was asked for, by the name of an intent or a tool. */
  readonly intent?: string;
  /** What the tool that was asked about still takes. */
  readonly inputs?: readonly AskedInput[];
  /** The one of them that was asked for; null where a record or nothing was. */
  readonly asked?: string | null;
}

/** Somebody was hurt or is threatened (`harm`), may do it to themselves (`self_harm`), or was treated as less than others. */
export type Danger = 'harm' | 'self_harm' | 'discrimination';

/** What people of the company are asked through the hub. */
export interface PassedOn {
  /** What the message itself says that is to be asked; null where what was asked before is meant. */
  readonly own: string | null;
  /** All that it tells in and before the wish, without the wish. */
  readonly said: string;
  /** The sentences behind it, which may ask something else. */
  readonly after: readonly string[];
}

/** What can be read from a text locally, without a model: deterministic, well under a millisecond. */
export interface LanguageLayer {
  detectLanguage(text: string, previous?: Language): LanguageGuess;
  /** @param question what was asked, where that is known */
  readYesNo(text: string, language: Language, question?: string): YesNoAnswer;
  /** What a text says about a request that is open. Nobody's "yes" to anything. */
  readRequestAct(text: string): RequestAct;
  /** A text without the words that only wish for a person. */
  withoutPersonWish(text: string): string;
  /** What else a text says that nobody was asked for; null where it says no such thing, or nothing else. */
  besideNoPerson(text: string): string | null;
  /** True where an answer asks the customer to say something here: "tell us here in the chat what happened". */
  invites(answer: string): boolean;
  /** True where a text says to such an answer that this is being done: "that's what I'm doing", "I just told you". */
  doesSo(text: string): boolean;
  /** True where people of the company are to look at something that is told: "please have your team review it". */
  isForTeam(text: string): boolean;
  /** True where an answer asks to be told if it was somebody else, and a text says to it that it was: "I never cancelled it!". */
  deniesDeed(answer: string, text: string): boolean;
  /**
   * What stands in a message before it adds something to what the team has: "cancel it and" of "cancel it and let them know".
   * @returns null where it adds nothing
   */
  beforeAddition(text: string): string | null;
  /**
   * What is to be passed on to people of the company: "ask your team if foreign cards are accepted"; null where nothing is.
   * @param isOffered true where the hub has just offered to ask them, so that a yes is enough
   */
  readPassedOn(text: string, isOffered: boolean): PassedOn | null;
  /** True where an answer ends with the offer to ask them. */
  offersTeam(answer: string): boolean;
  /** True where a text says that they need not answer any more. */
  callsOffTeam(text: string): boolean;
  /** True where it says that what was wrong is over. */
  saysSolved(text: string): boolean;
  /** Whether a sentence of it asks if they have something, or when they answer; null where none does. */
  asksAfterTeam(text: string): 'whether' | 'when' | null;
  /** True where it wants something added to what they have. */
  addsForTeam(text: string): boolean;
  /** What a text says of danger to somebody; null where nothing. */
  dangerIn(text: string): Danger | null;
  /** What else a text says that nobody is in danger, or that it was taken wrong; empty where nothing, null where it says no such thing. */
  takesAlarmBack(text: string): string | null;
  /** True where it may say so, however little: nobody is chatted with about that. */
  hintsAtDanger(text: string): boolean;
  /** True where a text presses: "this is urgent", "right now". */
  speaksOfHaste(text: string): boolean;
  /** True where a text speaks of what such a request would change. */
  speaksOf(text: string, kind: ActionKind): boolean;
  /**
   * Which of these a text names, by title, id, date, place or their number in the list; null where none of them.
   * @param listed false where they were shown in no list: "the 5th" is a day then
   */
  namedAmong(text: string, choices: readonly Choice[], now: Date, listed?: boolean): readonly string[] | null;
  /** The text with the word for a record where it names one of these by its title: what is asked of it, whatever it is called. */
  withoutNames(text: string, names: readonly string[], language: Language): string;
  /** True where a text hardly asks for what this tool does; false also where no request is known that it is for. */
  hardlyAsksFor(text: string, language: Language, tool: string): boolean;
  /** How likely a text asks for what each tool does, 0 to 1; without those that no sentence is known to ask for. */
  chances(text: string, language: Language): ReadonlyMap<string, number>;
  /** True where a text asks for what this tool does and hardly for anything else. */
  plainlyAsksFor(text: string, language: Language, tool: string): boolean;
  /** Names of the intents that are symptoms: what sentences of customers teach of something that does not work. */
  readonly symptoms: readonly string[];
  /** The requests in a text, in order; empty for smalltalk. */
  requests(text: string, language: Language): readonly RequestGuess[];
  /**
   * True where the text reads as a reply to a question just asked ("the second one", "30 days", "yes") and not
   * as a request of its own. Where there was something to choose from, it must choose, or name what it wants.
   */
  isReply(text: string, language: Language, question: OpenQuestion): boolean;
  /** The entities that "to", "on" and the like lead to, by what their records are called: "put it on another plan". */
  ledTo(text: string): readonly string[];
  /** True where they lead to a record by its id. */
  ledById(text: string): boolean;
  /** What a text says has become of a record of this entity, by the names that the entity declares. */
  statesIn(text: string, entity: string): ReadonlySet<string>;
  /** True where a text says what a record of this entity is called: "my appointment". */
  isCalled(text: string, entity: string): boolean;
  /** True where a text says what an input takes that was asked for, and asks for nothing else. */
  answersInput(text: string, language: Language, question: OpenQuestion): boolean;
  /** True where a text orders something to one of the choices of these inputs, by its name: "put it in economy". */
  ordersInto(text: string, language: Language, inputs: readonly AskedInput[], now: Date): boolean;
  /** The choices that a text names in place of those that were given: "no, Basic please". */
  choicesInstead(
    text: string,
    inputs: readonly AskedInput[],
    given: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /**
   * The one day that a text says in place of the one that was given, in its words: "no, make it the 12th". Null where it says none,
   * several or the same, or the one that is on a day: "no, the one on Friday", "no, the lesson of Friday".
   * @param entity what such a day may be that of
   */
  dayInstead(
    text: string,
    given: string,
    options: { readonly now: Date; readonly language: Language; readonly entity: string | null },
  ): string | null;
  /** True where a text says from when or for how long what was asked about is to be, where it can be given that. */
  saysPeriod(text: string, language: Language, question: Pick<OpenQuestion, 'intent' | 'now'>): boolean;
}
