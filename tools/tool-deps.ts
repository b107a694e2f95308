import type { Session } from '../src/core/domain/session.js';
import type { TimeFormat } from '../src/core/i18n/index.js';
import type { Policy } from '../src/core/policy/index.js';
import type {
  AuditLog,
  Clock,
  CustomerReader,
  CustomerWriter,
  LanguageLayer,
  Log,
  MemoryStore,
  PendingStore,
  Retriever,
  Skills,
  Spans,
  TicketClassifier,
} from '../src/core/ports/index.js';
import type { RemoteAccess } from './remote/remote-access.js';

/** Asked before a tool changes anything. */
export interface TurnGuard {
  /** @throws HubError `taken_over` where the conversation is in other hands now */
  check(turn: Pick<Session, 'turnId' | 'threadId'>): Promise<void>;
}

/**
 * All that tools may ever need. A tool names the part it uses as its own type, so that "the account agent only
 * reads" is checked by the compiler.
 */
export interface ToolDeps {
  readonly customers: CustomerReader;
  readonly customerWrites: CustomerWriter;
  readonly memory: MemoryStore;
  readonly retriever: Retriever;
  readonly classifier: TicketClassifier;
  readonly language: LanguageLayer;
  readonly skills: Skills;
  readonly pending: PendingStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly time: TimeFormat;
  readonly log: Log;
  /** Present where turns are traced. */
  readonly spans?: Spans;
  /** Absent where no person can take a conversation over (Studio, a tool that runs outside a turn). */
  readonly guard?: TurnGuard;
  /** Absent where no agents elsewhere are configured. */
  readonly remote?: RemoteAccess;
}
