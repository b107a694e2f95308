import {
  type CapabilityCall,
  type CapabilityOutcome,
  type ConfirmationAnswer,
  callerName,
  type OutsideCaller,
} from '../core/capabilities.js';
import type { Operator } from '../core/domain/customer.js';
import type { JsonObject, JsonValue } from '../core/domain/json.js';
import type { Session } from '../core/domain/session.js';
import type { IssueType, Language, Route } from '../core/domain/taxonomy.js';
import { HubError, toHubError } from '../core/errors.js';
import type { NextStep } from '../core/i18n/index.js';
import type {
  IdempotencyStore,
  Ids,
  Metrics,
  ThreadLock,
  ThreadStore,
  TicketStore,
  Tracing,
} from '../core/ports/index.js';
import { isFieldName, withoutTexts } from '../core/privacy.js';
import type { AgentDefinition, AgentRoster } from '../runtime/agent-definition.js';
import type { ToolDeps } from '../runtime/define-tool.js';

/* Who calls, with which session, and the conversation that a call belongs to. */

const RECENT = 50;

/** What is put to people on behalf of a program. */
interface Asked {
  readonly caller: OutsideCaller;
  readonly customerId: string;
  readonly language: Language;
  readonly callId: string;
  /** In the customer's language, as the tool's `request` says it. */
  readonly what: string;
  /** The agent it belongs to; the conversation talks to no other. */
  readonly agent: string;
  readonly issueType: IssueType;
  readonly route: Route;
}

/** The conversation of a call. */
interface OpenedConversation {
  readonly threadId: string;
  readonly ticketId: string;
}

/** The conversation that belongs to a call, whether or not it was begun. */
export function threadOf(callId: string): string {
  return callId.replace(/^cal_/, 'thr_');
}

/** The call that a conversation belongs to, where it was begun by one. */
export function callOf(threadId: string): string {
  return threadId.replace(/^thr_/, 'cal_');
}

/**
 * Begins a conversation with a ticket, where the customer finds what their program has asked for, and operators find it
 * like any other. A call that is made again finds its own.
 */
export async function openConversation(
  { threads, tickets, tools }: Pick<CapabilityDeps, 'threads' | 'tickets' | 'tools'>,
  asked: Asked,
): Promise<OpenedConversation> {
  const { caller, customerId, language, callId, what, agent, issueType, route } = asked;
  const { channel, scopes } = caller;
  const threadId = threadOf(callId);
  await threads.put({ threadId, customerId, graphThreadId: threadId, scopes, agent });
  const known = await tickets.findLatestByThread(threadId);
  const { ticketId } = known ?? (await tickets.create({ customerId, threadId, channel }));
  const words = tools.texts.for(language).say('asked_by_program', { protocol: channel.toUpperCase(), what });
  if (!(await tickets.getClassification(ticketId))) {
    await tickets.saveClassification(ticketId, {
      issueType,
      priority: 'medium',
      sentiment: 'neutral',
      requiresHuman: false,
      summary: words,
      confidence: 1,
      language,
      route,
      humanReason: null,
      requests: [],
    });
  }
  await tickets.addMessage(ticketId, 'customer', words, { clientMessageId: callId });
  return { threadId, ticketId };
}

/** Says something to the customer on that conversation, once. */
export async function sayToCustomer(
  { tickets }: Pick<CapabilityDeps, 'tickets'>,
  ticketId: string,
  text: string,
): Promise<void> {
  const said = await tickets.listMessages(ticketId, RECENT);
  if (said.some(({ role, content }) => role === 'hub' && content === text)) return;
  await tickets.addMessage(ticketId, 'hub', text);
}

/** What calls from other software need; stores and services come from the composition root. */
export interface CapabilityDeps {
  /** Without a guard: there is no turn here that somebody could take over. */
  readonly tools: Omit<ToolDeps, 'guard'>;
  /** Whom programs may talk to, beside triage. */
  readonly agents: AgentRoster;
  /** Classifies, and holds no conversation. */
  readonly triage: AgentDefinition;
  readonly tickets: TicketStore;
  readonly threads: ThreadStore;
  readonly locks: ThreadLock;
  readonly idempotency: IdempotencyStore;
  readonly ids: Ids;
  readonly metrics: Pick<Metrics, 'approval' | 'toolCall'>;
  /** Null where nobody collects traces. */
  readonly tracing: Tracing | null;
  /** Used where the customer's language is not known. */
  readonly locale: Language;
  /** How long a conversation that is busy is waited for, in milliseconds. */
  readonly waitMs: number;
  /** The first signs confirmation tokens, all of them verify. Not asked for before the first token is made. */
  readonly secrets: () => readonly string[];
  /** True of a customer whose data was removed. */
  readonly isErased: (customerId: string) => Promise<boolean>;
  /** Answers the question of a run on its ticket; see `Desk.choose`. */
  readonly chooseAtDesk: (ticketId: string, choice: string, operator: Operator) => Promise<unknown>;
  /** When a person answers what was escalated now. */
  readonly nextStep: (language: Language) => NextStep;
}

/**
 * The customer that calls.
 * @throws HubError `not_signed_in`, `forbidden` for staff, which has no record of its own
 */
export function demandCustomer({ identity, operator }: OutsideCaller): string {
  if (identity.kind === 'customer') return identity.customerId;
  if (!operator) throw new HubError('not_signed_in', 'This is for a customer who is signed in.');
  throw new HubError('forbidden', "This works on the caller's own record, and staff has none. Use the desk.");
}

/** A session may outlive its customer. @throws HubError `customer_erased` */
export async function demandPresent(
  { isErased }: Pick<CapabilityDeps, 'isErased'>,
  { identity }: OutsideCaller,
): Promise<void> {
  if (identity.kind === 'customer' && (await isErased(identity.customerId)))
    throw new HubError('customer_erased', 'This customer is not known any more.');
}

/** The language asked for, the one the customer prefers, or that of the house. */
export async function languageOf(
  { tools, locale }: Pick<CapabilityDeps, 'tools' | 'locale'>,
  { identity }: Pick<OutsideCaller, 'identity'>,
  asked: Language | undefined,
): Promise<Language> {
  if (asked !== undefined) return asked;
  if (identity.kind !== 'customer') return locale;
  return (await tools.memory.recall(identity.customerId, 0)).preferredLanguage ?? locale;
}

/** Where a call stands. One that only reads has no conversation: its own id is in the place of all. */
type CallPlace = Pick<Session, 'turnId' | 'ticketId' | 'threadId' | 'graphThreadId'>;

/** What a tool gets to know of a call that belongs to no turn. */
export function sessionOf(caller: OutsideCaller, language: Language, place: CallPlace): Session {
  return {
    ...place,
    channel: caller.channel,
    identity: caller.identity,
    customerName: null,
    language,
    unsupportedLanguage: null,
    memory: null,
    lastReply: null,
    previousMessage: null,
    scopes: caller.scopes,
  };
}

/** Logs the calls of other software. */
interface CallLog {
  call(call: CapabilityCall, work: () => Promise<CapabilityOutcome>): Promise<CapabilityOutcome>;
  answer(answer: ConfirmationAnswer, work: () => Promise<CapabilityOutcome>): Promise<CapabilityOutcome>;
}

const PROGRAM_CHARS = 80;
/** Arguments that are ids and choices. Under any other name a text is somebody's own, also where it is one word. */
const CODED = /^(?:action|key|language|\w*_(?:ids?|type))$/;
/** Longer numbers are nobody's days or counts, but may be those of a card or a person. */
const MOST = 1_000_000;

/** One line a call, with the lengths of what was said and without its words. */
export function createCallLog({ tools }: Pick<CapabilityDeps, 'tools'>): CallLog {
  const logged = async (
    caller: OutsideCaller,
    action: string,
    details: Readonly<Record<string, unknown>>,
    work: () => Promise<CapabilityOutcome>,
  ): Promise<CapabilityOutcome> => {
    const began = performance.now();
    const log = (outcome: string, code: string | null, ticketId: string | null): void => {
      const { channel, program } = caller;
      tools.log.info({
        agent: 'capabilities',
        action,
        ticketId,
        details: {
          ...details,
          ...{ channel, caller: callerName(caller), program: program?.slice(0, PROGRAM_CHARS) ?? null },
          ...{ outcome, code, ms: Math.round(performance.now() - began) },
        },
      });
    };
    try {
      const outcome = await work();
      const ticketId = 'ticketId' in outcome ? outcome.ticketId : null;
      log(outcome.kind, outcome.kind === 'refused' ? outcome.error.code : null, ticketId);
      return outcome;
    } catch (error) {
      log('error', toHubError(error).code, null);
      throw error;
    }
  };
  return {
    async call(call, work) {
      const { caller, name, input, idempotencyKey } = call;
      const keyed = idempotencyKey !== undefined;
      const details = { name: name.slice(0, PROGRAM_CHARS), args: argumentsOf(input), keyed };
      return logged(caller, 'capability_called', details, work);
    },
    answer: ({ caller, approved }, work) => logged(caller, 'capability_confirmed', { approved }, work),
  };
}

/** Objects inside are left out: which names they have is up to the one who wrote them. */
function argumentsOf(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      isFieldName(name) ? name : lengthOf(name),
      shownAs(value, CODED.test(name)),
    ]),
  );
}

function shownAs(value: JsonValue | undefined, isCoded: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shownAs(item, isCoded));
  if (typeof value === 'string') return isCoded ? withoutTexts(value, lengthOf) : lengthOf(value);
  if (typeof value === 'number') return Math.abs(value) > MOST ? '(a number)' : value;
  return typeof value === 'object' && value !== null ? '(an object)' : (value ?? null);
}

function lengthOf(text: string): string {
  return `(${text.length} characters)`;
}
