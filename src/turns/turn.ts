import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { TurnInput } from '../core/app.js';
import type { Focus, Session } from '../core/domain/session.js';
import type { EscalationReason, Language, ProviderName } from '../core/domain/taxonomy.js';
import type { Usage } from '../core/domain/turn.js';
import { namesOf } from '../core/file-types.js';
import type {
  Metrics,
  PendingStore,
  ThreadLock,
  ThreadRecord,
  ThreadStore,
  TicketClassifier,
  Tracing,
} from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import { saveTriage } from '../graph/escalate-ticket.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { asksNothing, readOperatorMessages } from '../graph/operator-messages.js';
import type { TurnOwnership } from '../graph/ownership.js';
import { isShownToCustomer } from '../graph/reply-text.js';
import type { HubStateType } from '../graph/state.js';
import type { GraphRunner } from './graph-run.js';
import type { LiveTurn } from './turn-events.js';
import type { ThreadSnapshot } from './turn-reply.js';

/** Counts the cost of one turn; attached to the run as callbacks. */
export interface TurnMeter {
  readonly handler: BaseCallbackHandler;
  usage(): Usage;
  provider(): ProviderName;
}

export interface TurnDeps {
  readonly graph: GraphDeps;
  readonly runner: GraphRunner;
  readonly threads: ThreadStore;
  /** The same as the graph's. */
  readonly ownership: TurnOwnership;
  readonly pending: PendingStore;
  readonly locks: ThreadLock;
  readonly newMeter: () => TurnMeter;
  readonly metrics: Metrics;
  /** Null where turns are not traced. */
  readonly tracing: Tracing | null;
  /** Reads how pressing a message is that a person answers: without a model, whatever the provider. */
  readonly triage: TicketClassifier;
  readonly limits: { readonly turnMs: number; readonly messageChars: number; readonly waitMs: number };
  /** Spoken where nothing is known of the customer's language. */
  readonly locale: Language;
}

/** Errors after which nothing can be stored, so that no polite answer may pretend otherwise. */
export const STORAGE_ERRORS: ReadonlySet<string> = new Set([
  'disk_full',
  'database_failed',
  'database_busy',
  'data_dir_unusable',
  'outcome_unknown',
  'thread_busy',
  'not_owner',
]);

/** A message, and what watches its turn. */
export interface WatchedInput extends TurnInput {
  readonly live?: LiveTurn | undefined;
}

/** A message on its way through one turn. */
export interface Turn extends WatchedInput {
  readonly thread: ThreadRecord;
  readonly started: number;
  /** Whether the customer's message is stored yet; shared by all turns that are made of one message. */
  readonly kept: { done: boolean };
  /** The ticket of an open request that the text is about, where it is about one. */
  readonly ticketId?: string;
  /** What the text speaks of next, where that is known. */
  readonly focus?: Focus;
  /** Id of the record that the open question is about. */
  readonly about?: string | undefined;
  /** Ids of the records that were asked for together with it, in their order. */
  readonly together?: readonly string[];
}

/** True where files are all that was sent. */
export function saysFilesOnly({ text, parts = [] }: Pick<Turn, 'text' | 'parts'>): boolean {
  return text === '' && parts.some(({ files }) => files !== undefined);
}

/** True where there is something for a person to read or open. */
export function hasContent(turn: Pick<Turn, 'text' | 'parts'>): boolean {
  return turn.text !== '' || saysFilesOnly(turn);
}

/** Stores what the customer sent, each message as its client sent it, once. */
export async function storeMessages(
  { graph, limits, locale }: TurnDeps,
  ticketId: string,
  turn: Turn,
): Promise<void> {
  if (turn.kept.done) return;
  const parts: NonNullable<Turn['parts']> = turn.parts ?? [{ text: turn.text }];
  for (const { text, ...extras } of parts) {
    const words = cleanText(text).slice(0, limits.messageChars) || namesOf(extras.files ?? []);
    if (words === '') continue;
    const { language } = graph.language.detectLanguage(words.slice(0, 2000), turn.language ?? locale);
    const nothing = !extras.files && (await asksNothing(graph, turn.thread.threadId, words, language));
    await graph.tickets.addMessage(
      ticketId,
      'customer',
      words,
      nothing ? { ...extras, countsAs: 'nothing' } : extras,
    );
  }
  turn.kept.done = true;
}

const SEED_MESSAGES = 24;
/** An operator who returns a ticket to the hub has decided that it needs no operator: the hub answers as well as it can. */
const HANDED_BACK_FOR: readonly EscalationReason[] = [
  'low_confidence',
  'requires_human',
  'sentiment_priority',
];

/** Where a turn runs, and what it begins with. */
interface GraphPlace {
  readonly graphThreadId: string;
  readonly seed: { readonly values: Record<string, unknown>; readonly messages?: readonly BaseMessage[] };
  /** The outcome of a question that the customer does not know yet. */
  readonly notice: string | null;
  /** What the customer wrote to operators who did not answer it. */
  readonly unanswered: readonly string[];
  readonly settledReasons?: readonly EscalationReason[];
}

/**
 * A paused graph is left alone: a new message on it would re-run the step that waits. The conversation continues
 * on another LangGraph thread that begins with what was said so far. The same after operators had claimed it.
 */
export async function findPlace(
  deps: TurnDeps,
  thread: ThreadRecord,
  noticeOf: (snapshot: ThreadSnapshot) => Promise<string | null>,
): Promise<GraphPlace> {
  const snapshot = await deps.runner.snapshot(thread.graphThreadId);
  const { messages, focus, dialogue, session } = snapshot.values;
  if (thread.unheardSince !== null) {
    const rest = await afterStretch(deps, thread, session ?? null);
    return { graphThreadId: await newGraphThread(deps, thread), notice: null, ...rest };
  }
  if (snapshot.idle) {
    return { graphThreadId: thread.graphThreadId, seed: { values: {} }, notice: null, unanswered: [] };
  }
  const graphThreadId = await newGraphThread(deps, thread);
  const said = snapshot.interrupts.map((interrupt) => new AIMessage(interrupt.value?.question ?? ''));
  const history = [...(messages ?? []).filter(isShownToCustomer), ...said].slice(-SEED_MESSAGES);
  return {
    graphThreadId,
    // What was offered has been taken up or left by the step that waits: a later yes is none to it.
    seed: { values: { focus: focus?.offered ? null : focus, dialogue, session }, messages: history },
    notice: await noticeOf(snapshot),
    unanswered: [],
  };
}

async function newGraphThread({ threads, graph }: TurnDeps, thread: ThreadRecord): Promise<string> {
  const graphThreadId = `${thread.threadId}~${graph.ids.next('seg')}`;
  await threads.put({ ...thread, graphThreadId });
  return graphThreadId;
}

/** The agents read what operators said, and answer what those left unanswered without escalating it again. */
async function afterStretch(
  { graph, limits }: TurnDeps,
  { threadId }: ThreadRecord,
  session: Session | null,
): Promise<Pick<GraphPlace, 'seed' | 'unanswered' | 'settledReasons'>> {
  const { unanswered, includesEscalated, history } = await readOperatorMessages(graph, threadId);
  const seed = { values: { session }, messages: history };
  if (unanswered.length === 0) return { seed, unanswered: [] };
  const words = unanswered.map(({ content }) => content).join('\n\n');
  const settledReasons = [...HANDED_BACK_FOR];
  if (includesEscalated) {
    for (const { ticketId } of await graph.tickets.listByThread(threadId)) {
      for (const { reason } of await graph.tickets.listEscalations(ticketId)) settledReasons.push(reason);
    }
  }
  return { seed, unanswered: [words.slice(-limits.messageChars)], settledReasons };
}

/**
 * What operators are given of a turn that broke off before the graph had begun it: who asks, and what it is about as the
 * rules read it.
 */
export async function unbegun(
  { graph, triage }: TurnDeps,
  { thread, identity, channel, text }: Turn,
  language: Language,
  place: Pick<Session, 'turnId' | 'ticketId' | 'graphThreadId'>,
): Promise<Pick<HubStateType, 'session' | 'classification' | 'trace' | 'drafts' | 'route'>> {
  const { ticketId } = place;
  const read = text === '' ? null : await triage.classify(text, { language, ticketId });
  const classification = read?.classification ?? null;
  if (classification) await saveTriage(graph, ticketId, classification, false);
  const session: Session = {
    ...place,
    ...{ threadId: thread.threadId, channel, identity, language, unsupportedLanguage: null },
    ...{ customerName: null, memory: null, lastReply: null, previousMessage: null },
  };
  return { session, classification, trace: [], drafts: [], route: [] };
}
