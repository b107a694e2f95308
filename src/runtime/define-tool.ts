import type { z } from 'zod';
import type { Rehearsal } from '../core/capabilities.js';
import type { CompanyProfile } from '../core/domain/company.js';
import type { AskedInput } from '../core/domain/entity.js';
import type { Deed } from '../core/domain/guardrail.js';
import type { PendingAnswers } from '../core/domain/pending.js';
import type { Choice, Session, Task } from '../core/domain/session.js';
import type { IssueType, Language, Translated } from '../core/domain/taxonomy.js';
import type { ErrorCode } from '../core/errors.js';
import type { Sentences, Texts, TimeFormat } from '../core/i18n/index.js';
import type { Policy } from '../core/policy/policy.js';
import type {
  AuditLog,
  Clock,
  CustomerRecords,
  Customers,
  EffectLedger,
  LanguageLayer,
  Log,
  MemoryStore,
  PendingStore,
  Retriever,
  Skills,
  Spans,
  TicketClassifier,
  WriteContext,
} from '../core/ports/index.js';
import type { ActionKind } from '../core/ports/language-layer.js';
import type { ActionTarget, ListedRecord, OperatorPicks } from './action-target.js';
import type { AskedAt } from './asked-at.js';
import type { RemoteAccess } from './remote/remote-calls.js';

/** Who is asking, and from where. Comes from the session, never from a model. */
export interface ToolContext {
  readonly session: Session;
  readonly agent: string;
  /** The tool call's id; the same on every re-run of a paused call. */
  readonly callId: string;
  /** True where an investigation advised the call and its skill wants an operator to agree. */
  readonly needsOperator?: boolean;
  /** The part of the customer's message that is worked on; absent outside of a turn. */
  readonly task?: Task;
  /** Aborted when the turn ends. */
  readonly signal?: AbortSignal;
}

/** What a customer must be for a tool to run at all. */
export type ToolAccess = 'anyone' | 'customer';

interface ToolBase<Input extends z.ZodObject, Output extends z.ZodType> {
  readonly name: string;
  /** For the model: when to use it and what it returns. */
  readonly description: string;
  /**
   * What it is called where a person reads of it: at the desk, on cards. The text `tool.NAME` in a language that it says
   * nothing in.
   */
  readonly label?: Translated;
  /** What the hub is doing while it runs, for the customer who waits; the text `activity.NAME` likewise. */
  readonly activity?: Translated;
  /**
   * Its own sentences, by part, as ICU messages in every language of the company; `sayOwn` says one by the key `NAME.PART`,
   * with what the company's files have of that key in its place.
   */
  readonly says?: Readonly<Record<string, Translated>>;
  /** The intents of the company that it does or answers where no model chooses, if `intents.yaml` names no tool for them. */
  readonly does?: readonly string[];
  readonly access: ToolAccess;
  /** What a model or a program may choose. Never an identity: a test walks every schema. */
  readonly input: Input;
  readonly output: Output;
  /** The customer's records in its output, where they are what a customer chooses from. */
  readonly lists?: {
    /** Id of the company's entity. */
    readonly entity: string;
    records(output: z.infer<Output>): readonly ListedRecord[];
  };
  /** Tools that add nothing once this one has run, or beside it where it changes something; by what it gave where that decides. */
  readonly spares?: readonly string[] | ((output: z.infer<Output>) => readonly string[]);
  /** What a customer's words fill where no model does, and how the customer is asked for what they leave open. */
  readonly asks?: {
    /** In the order in which they are asked for; `another` asks for more of a list, where the tool has words of its own. */
    readonly inputs: readonly AskedInput[];
    question(input: string, texts: Sentences): string;
    another?(input: string, texts: Sentences): string | null;
  };
  /** The part of the output that a model is given; all of it where absent. */
  view?(output: z.infer<Output>): unknown;
  /** What an answer may say was done once this tool has succeeded; nothing where absent. */
  claims?(output: z.infer<Output>): readonly Deed[];
}

/** A tool that reads, or writes something harmless and repeatable. */
export interface PlainTool<
  Deps extends Partial<ToolDeps> = ToolDeps,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> extends ToolBase<Input, Output> {
  readonly effect: 'read' | 'write';
  /** True where hardly a request can be answered without it, so that it runs before a model is asked. */
  readonly opens?: boolean;
  run(deps: Deps, input: z.infer<Input>, context: ToolContext): Promise<z.infer<Output>>;
  /** What it found, in the customer's language, where no model says it; absent where the agent's own rules do. */
  describe?(output: z.infer<Output>, texts: Sentences, time: TimeFormat): string;
}

/** A change that could be made instead. */
interface OfferedChange {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type { ActionTarget, ListedRecord } from './action-target.js';

/** What an irreversible tool would do, before the customer confirmed it. */
export type ActionPlan =
  | {
      readonly kind: 'denied';
      readonly code: ErrorCode;
      /** Why, in the customer's language, where the company says it in words of its own. */
      readonly said?: string;
      /** The company's name for the rule that denies it, for programs. */
      readonly rule?: string;
      /** The change that `said` offers in its place, so that a yes to that asks for it. */
      readonly offer?: OfferedChange;
    }
  | {
      readonly kind: 'ready';
      /** Exact effects; part of what is agreed to. */
      readonly terms: Readonly<Record<string, unknown>>;
      /** Asked of the customer, in the customer's language. */
      readonly question: string;
      /** What a yes and a no to it do, on the buttons of the question; a plain yes and no where absent. */
      readonly answers?: PendingAnswers;
      /** The consequences, for a customer who asks before deciding; the question itself where absent. */
      readonly explained?: string;
      /** Set where an operator must agree as well; what the operator reads, in English. */
      readonly approval: string | null;
    };

/** What a change is about, in the customer's language, while it is only asked for. */
export interface Matter {
  readonly kind: ActionKind;
  /** Its name in a sentence: "the cancellation of ...". */
  readonly name: string;
  /** What stands where it is never made: "Nothing has been cancelled: ...". */
  readonly unchanged: string;
  /** What comes of it where the operators agree; null where the name says it all. */
  readonly ifAgreed: string | null;
  /** The record that it is about, by which customers name it; null where there is none. */
  readonly about: Choice | null;
}

/** A tool that changes the customer's data. It plans, people agree, it performs, once. */
export interface ActionTool<
  Deps extends Partial<ToolDeps> = ToolDeps,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> extends ToolBase<Input, Output> {
  readonly effect: 'irreversible';
  readonly access: 'customer';
  /** Declared by every change: without it the guardrail would take the answer that reports it for an invention. */
  claims(output: z.infer<Output>): readonly Deed[];
  /** Absent where there is nothing to choose. */
  readonly target?: ActionTarget;
  /** Absent where its inputs are asked for one by one. */
  readonly picks?: OperatorPicks<Deps>;
  plan(deps: Deps, input: z.infer<Input>, customerId: string, session: SessionView): Promise<ActionPlan>;
  /** Read anew from what is stored, so that it is true whatever has happened since the question was asked. */
  matter(deps: Deps, input: z.infer<Input>, customerId: string, session: SessionView): Promise<Matter>;
  /** What a ticket is about that a call of this opens. */
  readonly issueType: IssueType;
  /** What a call asks for, after "I would like to": "cancel it". */
  request(input: z.infer<Input>, texts: Sentences): string;
  /**
   * What an operator's yes does now, one sentence a line: what changes, which money moves, what stands against it.
   * Read from the data as they are at this moment.
   */
  consequences(deps: Deps, input: z.infer<Input>, decision: DecisionView): Promise<readonly string[]>;
  /** What puts it back as it was, asked for like any other change; null, or absent, where nothing does. */
  undo?(input: z.infer<Input>): OfferedChange | null;
  /** What the customer can do who wants it back and whom nothing here puts it back for, in a sentence; null, or absent, where that is not known. */
  anew?(input: z.infer<Input>, texts: Sentences): string | null;
  /** Why it was refused, where the company says it in words of its own; null where the engine's do. */
  refused?(code: ErrorCode, texts: Sentences): string | null;
  /** What a call would come to, beside its plan, for who writes the company's files. Nothing is changed. */
  rehearse?(deps: Deps, input: z.infer<Input>, customerId: string): Promise<Rehearsal>;
  /** What was done, in the customer's language. */
  describe(output: z.infer<Output>, texts: Sentences, time: TimeFormat): string;
  /** Carries out exactly `terms`; called with the same context again it returns the first outcome. */
  perform(
    deps: Deps,
    input: z.infer<Input>,
    terms: Readonly<Record<string, unknown>>,
    write: WriteContext,
  ): Promise<z.infer<Output>>;
}

/** Whose action an operator decides, and in which language the operator reads. */
export interface DecisionView extends AskedAt {
  readonly customerId: string;
  /** Name of the customer, or the id where there is none. */
  readonly customer: string;
  readonly language: Language;
}

/** The part of a session that an action's plan may see; also there when an approved action is released later. */
export interface SessionView extends Pick<Session, 'language'>, AskedAt {}

export type AnyTool = PlainTool | ActionTool;

/** Declares a plain tool. Its deps type may name a part of ToolDeps only; the roster hands it all of them. */
export function defineTool<
  Deps extends Partial<ToolDeps>,
  Input extends z.ZodObject,
  Output extends z.ZodType,
>(tool: PlainTool<Deps, Input, Output>): PlainTool {
  return tool as unknown as PlainTool;
}

/** Declares an irreversible tool. */
export function defineAction<
  Deps extends Partial<ToolDeps>,
  Input extends z.ZodObject,
  Output extends z.ZodType,
>(tool: ActionTool<Deps, Input, Output>): ActionTool {
  return tool as unknown as ActionTool;
}

/**
 * The tools there are. Made once at start; whatever lists tools, or looks one up by
 * its name, reads it here.
 */
export interface ToolRoster {
  /** Every tool once, by name. */
  readonly all: ReadonlyMap<string, AnyTool>;
  /** The tools of agents that change a customer's data and therefore pass the gate. */
  readonly actions: readonly ActionTool[];
  /** The changes that no agent and no program may ask for: an operator's choice in an investigation leads to them. */
  readonly operatorActions: readonly ActionTool[];
  /** The action of that name, of either kind, or null. */
  findAction(name: string): ActionTool | null;
}

/** Asked before a tool changes anything. */
interface TurnGuard {
  /** @throws HubError `taken_over` where the conversation is in other hands now */
  check(turn: Pick<Session, 'turnId' | 'threadId'>): Promise<void>;
}

/**
 * All that tools may ever need. A tool names the part it uses as its own type, so that "the account agent only
 * reads" is checked by the compiler.
 */
export interface ToolDeps {
  readonly customers: Customers;
  /** What the company has on record of its customers. */
  readonly records: CustomerRecords;
  /** Ids of the entities whose records customers name by their id. */
  readonly entities: readonly string[];
  /** What was done to those records. */
  readonly effects: EffectLedger;
  readonly memory: MemoryStore;
  readonly retriever: Retriever;
  readonly classifier: TicketClassifier;
  readonly language: LanguageLayer;
  readonly skills: Skills;
  readonly pending: PendingStore;
  readonly audit: AuditLog;
  /** All tools, for what must look one up by its name. */
  readonly roster: ToolRoster;
  /** Whose hub this is. */
  readonly company: CompanyProfile;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly time: TimeFormat;
  /** What is said to customers and operators. */
  readonly texts: Texts;
  readonly log: Log;
  /** Present where turns are traced. */
  readonly spans?: Spans;
  /** Absent where no person can take a conversation over (Studio, a tool that runs outside a turn). */
  readonly guard?: TurnGuard;
  /** Absent where no agents elsewhere are configured. */
  readonly remote?: RemoteAccess;
}
