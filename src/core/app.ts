import type { DeskFiles, FileLimits } from './attachments.js';
import type { Capabilities } from './capabilities.js';
import type { Conversations } from './conversations.js';
import type { DeskEvents, DeskReads } from './desk-reads.js';
import type { DeskPresence, DeskWork, LastWord } from './desk-work.js';
import type { CompanyProfile } from './domain/company.js';
import type { Identity, Operator } from './domain/customer.js';
import type { EntityRecord } from './domain/entity.js';
import type { PendingAction } from './domain/pending.js';
import type { SkillRun } from './domain/skill.js';
import type { Language, ProviderName, Translated } from './domain/taxonomy.js';
import type { Channel, Classification, EscalationRecord, Ticket, TicketMessage } from './domain/ticket.js';
import type { MessagePart, TurnEvent, TurnReply } from './domain/turn.js';
import type { FileIds } from './file-types.js';
import type { Texts } from './i18n/index.js';
import type { A2aSupport } from './ports/a2a-tasks.js';
import type { TicketClassifier } from './ports/chat-models.js';
import type { AuditEntry } from './ports/effect-ledger.js';
import type { IdempotencyStore } from './ports/inbox.js';
import type { MailSupport } from './ports/mail.js';
import type { Metrics } from './ports/metrics.js';
import type { RateCounters } from './ports/peers.js';
import type { PushSupport } from './ports/push.js';
import type { Sessions } from './ports/sign-in.js';
import type { Log } from './ports/system.js';
import type { QueueEntry, StoredRating, TicketFilter, TurnRecord } from './ports/ticket-store.js';

/** One thing the hub needs. `degraded`: it answers without it, but worse. */
export interface HealthPart {
  /** `NAME_db` of a database, `checkpoints`, `signing`, `chroma`, `model_provider`. */
  readonly name: string;
  readonly status: 'ok' | 'degraded' | 'failed';
  /** One sentence where something is wrong; no secrets, no paths. */
  readonly detail: string | null;
  readonly ms: number;
}

/** How the hub is. Ready unless a part has failed. */
export interface Health {
  readonly ready: boolean;
  readonly parts: readonly HealthPart[];
}

/** One message of a customer. */
export interface TurnInput {
  /** Verified by the surface. */
  readonly identity: Identity;
  readonly text: string;
  readonly channel: Channel;
  /** Continues a conversation; a new one is begun where absent. */
  readonly threadId?: string;
  /** Called while the turn runs; must not throw. */
  readonly onEvent?: (event: TurnEvent) => void;
  readonly signal?: AbortSignal | undefined;
  /** When the hub took it, ISO 8601 UTC; now where absent. A yes is no answer to a question asked after that. */
  readonly receivedAt?: string;
  /** Spoken where neither the conversation nor the text says which it is. */
  readonly language?: Language;
  /** The messages that are answered together, as they were sent; `text` is all of them. Only `text` where absent. */
  readonly parts?: readonly MessagePart[];
  /** A yes or no to one exact question, by a button: `text` is kept as what was said, and a question that is over is refused. */
  readonly answer?: { readonly pendingId: string; readonly approved: boolean };
  /** The open question that is withdrawn without a need to understand words; `text` is kept as what was said. */
  readonly withdraw?: { readonly pendingId: string };
  /** Hubs that the request came through before this one, where another program's agent sent it and says so. */
  readonly hops?: number;
  /** True where the surface shows the stored conversation itself, so that the reply need not repeat what is new there. */
  readonly showsThread?: boolean;
  /** Called when the answer is stored, before the turn returns: what must be on disk together with it goes here. */
  readonly onStored?: (reply: TurnReply) => Promise<void>;
}

/** What an operator did to a pending action, and what came of it. */
export interface ApprovalOutcome {
  readonly pending: PendingAction;
  /** What the customer is told; null where the conversation continues elsewhere. */
  readonly reply: string | null;
}

/** What an operator's choice led to. */
export interface ChoiceOutcome {
  readonly run: SkillRun;
  /** What the customer is told; null where the ticket stays with the operators. */
  readonly reply: string | null;
  /** The change the customer is asked about now, where the finding advises one. */
  readonly pending: PendingAction | null;
}

/** Everything about a ticket that an operator needs. */
export interface TicketView {
  readonly ticket: Ticket;
  readonly classification: Classification | null;
  readonly messages: readonly TicketMessage[];
  readonly turns: readonly TurnRecord[];
  readonly escalations: readonly EscalationRecord[];
  readonly audit: readonly AuditEntry[];
  /** What operators were asked to agree to, whatever became of it, oldest first. */
  readonly approvals: readonly PendingAction[];
  /** What the customer thought of the hub's answers, and of the resolution. */
  readonly ratings: readonly StoredRating[];
  /** What skills found out for it, oldest first. */
  readonly investigations: readonly SkillRun[];
}

/**
 * What operators do with tickets. Claiming is per conversation: a turn of the hub that is running is dropped, and
 * when the call returns the hub is silent there until the ticket is resolved or returned.
 */
export interface TicketActions {
  /** @throws HubError `not_found`, `already_claimed` (fields: operator), `ticket_resolved` as `wrong_status` */
  claim(ticketId: string, operator: Operator): Promise<Ticket>;
  /**
   * Takes it from a colleague, for a reason that all operators read; like `claim` where nobody has it.
   * @throws HubError `not_found`, `input_invalid`, `wrong_status`, `already_claimed` where a third one was faster
   */
  takeFromColleague(ticketId: string, operator: Operator, reason: string): Promise<Ticket>;
  /**
   * Gives it to a colleague who is known at the desk, with a note for them where given.
   * @throws HubError `not_found`, `not_claimed`, `wrong_status`, `input_invalid` (field `operator_id`)
   */
  reassign(ticketId: string, operator: Operator, operatorId: string, note?: string): Promise<Ticket>;
  /** Back into the queue, for another operator. @throws HubError `not_found`, `not_claimed` */
  release(ticketId: string, operator: Operator): Promise<Ticket>;
  /**
   * Says something to the customer; with files the text may be empty.
   * @param files ids of what was attached before
   * @throws HubError `not_found`, `not_claimed`, `input_invalid`, `input_too_large`, `too_many_files`
   */
  reply(ticketId: string, operator: Operator, text: string, files?: FileIds): Promise<TicketMessage>;
  /** Keeps a note that only operators see. @throws HubError `not_found`, `input_invalid`, `input_too_large` */
  note(ticketId: string, operator: Operator, text: string): Promise<TicketMessage>;
  /** Ends it, with a last word to the customer where given. @throws HubError `not_found`, `not_claimed` */
  resolve(ticketId: string, operator: Operator, input: LastWord): Promise<Ticket>;
  /**
   * The hub continues, knowing what was said; what the customer wrote and nobody answered is answered at once.
   * @throws HubError `not_found`, `not_claimed`
   */
  returnToHub(ticketId: string, operator: Operator, note?: string): Promise<Ticket>;
}

/** One input of an action, as a form asks for it. */
interface ActionField {
  readonly name: string;
  readonly type: 'text' | 'number' | 'date';
  readonly required: boolean;
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** The values there are; null where any text or number may be given. */
  readonly options: readonly string[] | null;
  /** The customer's records that it may name; null where it names none. */
  readonly records: readonly Pick<EntityRecord, 'id' | 'title' | 'startsAt' | 'amount'>[] | null;
  /** Which of its options or records the rules refuse now, and why, in the operator's language. */
  readonly refused: Readonly<Record<string, string>>;
}

/** An action of the company that an operator may carry out for the customer of a ticket. */
export interface OfferedAction {
  readonly tool: string;
  /** Why the rules refuse it now, of an action that needs no choice; null where they do not. */
  readonly refused: string | null;
  readonly fields: readonly ActionField[];
}

/** What an operator wants done. */
export interface OperatorAction {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The operator's. */
  readonly language: Language;
  /** False only says what would follow. */
  readonly perform: boolean;
}

/** What operators keep of tickets for themselves. */
export interface DeskKeeping {
  /** Replaces the tags: at most 10, each at most 40 characters. @throws HubError `not_found`, `input_invalid` */
  setTags(ticketId: string, tags: readonly string[]): Promise<void>;
  /**
   * Out of the lists until then, or until the customer writes; null brings it back at once.
   * @param until ISO 8601, to come
   * @throws HubError `not_found`, `wrong_status`, `not_claimed`, `input_invalid`
   */
  snooze(ticketId: string, operator: Operator, until: string | null): Promise<void>;
}

/** What operators do to a customer's records themselves. */
interface DeskActions {
  /** Every action of the company, with the records it may be done to, named in the operator's language. @throws HubError `not_found` */
  actionsFor(ticketId: string, language: Language): Promise<readonly OfferedAction[]>;
  /**
   * Does it, or says what it would do. It passes policy like any call, happens once, is audited under the operator's name,
   * and the customer is told.
   * @throws HubError `not_found`, `not_claimed`, `wrong_status`, `input_invalid`, `policy_denied` (with the rule in words)
   */
  act(
    ticketId: string,
    operator: Operator,
    action: OperatorAction,
  ): Promise<{ readonly consequences: readonly string[]; readonly outcome: ApprovalOutcome | null }>;
}

/** The operators' side. Every method throws HubError with a code. */
export interface Desk
  extends TicketActions,
    DeskFiles,
    DeskPresence,
    DeskKeeping,
    DeskWork,
    DeskActions,
    DeskReads {
  queue(filter: TicketFilter): Promise<readonly QueueEntry[]>;
  /** @throws HubError `not_found` */
  show(ticketId: string): Promise<TicketView>;
  approvals(): Promise<readonly PendingAction[]>;
  /** Approvals that their customers took back within the last day, oldest first. */
  withdrawals(): Promise<readonly PendingAction[]>;
  /** @throws HubError `pending_not_found`, `pending_decided`, `pending_withdrawn`, `pending_expired` */
  approve(pendingId: string, operator: Operator): Promise<ApprovalOutcome>;
  /** Same errors as approve. */
  reject(pendingId: string, operator: Operator, reason: string): Promise<ApprovalOutcome>;
  /**
   * Approves with other arguments: they pass policy and ownership like any call, the old question is withdrawn, and what
   * the customer agreed to may only become less (an amount) or must be asked again.
   * Same errors as approve, and `input_invalid`, `policy_denied`.
   */
  edit(
    pendingId: string,
    operator: Operator,
    args: Readonly<Record<string, unknown>>,
    reason?: string,
  ): Promise<ApprovalOutcome>;
  /**
   * Answers the question of an investigation that waits on this ticket (A, B, C, ...). What is found then goes to the
   * customer, and what it advises to change is put to the customer as a question.
   * @throws HubError `not_found`, `run_not_waiting`, `choice_unknown`, `thread_busy`
   */
  choose(ticketId: string, choice: string, operator: Operator): Promise<ChoiceOutcome>;
}

/** When people answer: from opening to closing time (HH:MM) on these weekdays (0 is Sunday) of the zone. */
interface SupportHours {
  readonly opens: string;
  readonly closes: string;
  readonly weekdays: readonly number[];
  readonly timeZone: string;
}

/** A tool in words. */
interface ToolNames {
  readonly label: Translated;
  /** What the hub does while it runs. */
  readonly activity: Translated;
}

/** What surfaces and scripts call. Made by `createApp`. */
export interface App {
  readonly provider: ProviderName;
  /** Whose hub this is. */
  readonly company: CompanyProfile;
  /** What each tool is called, and what the hub does while it runs. */
  readonly toolNames: Readonly<Record<string, ToolNames>>;
  /** What the arguments of tools are called, by argument; those that have no name of their own are left out. */
  readonly argumentNames: Readonly<Record<string, Translated>>;
  /** What the records of each entity are called together. */
  readonly entityNames: Readonly<Record<string, Translated>>;
  /** What is said to customers and operators. */
  readonly texts: Texts;
  readonly log: Log;
  /** What may come with messages. */
  readonly files: FileLimits;
  readonly classifier: TicketClassifier;
  readonly desk: Desk;
  readonly conversations: Conversations;
  readonly deskEvents: DeskEvents;
  readonly sessions: Sessions;
  readonly capabilities: Capabilities;
  readonly a2a: A2aSupport;
  /** What e-mail needs; null where no mail server is named. */
  readonly mail: MailSupport | null;
  readonly push: PushSupport;
  /** Puts a ticket into LangGraph Studio and gives its page there; null where none is known. @throws HubError `remote_unreachable` */
  readonly studio: ((ticket: TicketView) => Promise<string>) | null;
  readonly idempotency: IdempotencyStore;
  readonly rateCounters: RateCounters | null;
  readonly metrics: Metrics;
  /** When people answer. */
  readonly supportHours: SupportHours;
  /** Asks every part, each for two seconds at most. Never throws. */
  health(): Promise<Health>;
  /** The identity of a customer whose e-mail address the surface has verified. @throws HubError `customer_unknown` */
  signIn(email: string): Promise<Identity>;
  /**
   * One turn: answers the message, or the open question it replies to. Turns of one thread run one after another.
   * @throws HubError `input_too_large`, `not_owner` (the thread is somebody else's), `thread_busy`, `disk_full`,
   * `database_failed`, with `answer` `pending_not_found`, `pending_decided`, `pending_expired`; a failing model or index is not an error but an answer that says so
   */
  handle(input: TurnInput): Promise<TurnReply>;
  close(): Promise<void>;
}
