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
  TicketClassifier,
} from '../src/core/ports/index.js';

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
}
