import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { TurnInput } from '../core/app.js';
import { cleanText } from '../core/clean-text.js';
import { namesOf } from '../core/domain/attached-file.js';
import type { Focus } from '../core/domain/session.js';
import type { Language, ProviderName } from '../core/domain/taxonomy.js';
import type { Usage } from '../core/domain/turn.js';
import type {
  Metrics,
  PendingStore,
  ThreadLock,
  ThreadRecord,
  ThreadStore,
  TicketClassifier,
  Tracing,
} from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import type { TurnOwnership } from '../graph/ownership.js';
import type { GraphRunner } from './graph-run.js';
import type { LiveTurn } from './turn-events.js';

/** Counts what one turn costs; attached to the run as callbacks. */
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
  /** Whether the customer's words are stored yet; shared by all that is made of one message. */
  readonly kept: { done: boolean };
  /** The ticket of an open request that the text is about, where it is about one. */
  readonly ticketId?: string;
  /** What the text goes on about, where that is known. */
  readonly focus?: Focus;
  /** Id of the record that the open question is about. */
  readonly about?: string | undefined;
}

/** True where files are all that was sent. */
export function saysFilesOnly({ text, parts = [] }: Pick<Turn, 'text' | 'parts'>): boolean {
  return text === '' && parts.some(({ files }) => files !== undefined);
}

/** True where there is something for a person to read or open. */
export function saysAnything(turn: Pick<Turn, 'text' | 'parts'>): boolean {
  return turn.text !== '' || saysFilesOnly(turn);
}

/** Stores what the customer sent, each message as its client sent it, once. */
export async function keepWords({ graph, limits }: TurnDeps, ticketId: string, turn: Turn): Promise<void> {
  if (turn.kept.done) return;
  const parts: NonNullable<Turn['parts']> = turn.parts ?? [{ text: turn.text }];
  for (const { text, ...extras } of parts) {
    const words = cleanText(text).slice(0, limits.messageChars) || namesOf(extras.files ?? []);
    if (words !== '') await graph.tickets.addMessage(ticketId, 'customer', words, extras);
  }
  turn.kept.done = true;
}
