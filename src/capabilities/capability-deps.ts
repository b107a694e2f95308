import type { Operator } from '../core/domain/customer.js';
import type { Language } from '../core/domain/taxonomy.js';
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
import type { AgentDefinition, AgentRoster } from '../runtime/agent-definition.js';
import type { ToolDeps } from '../runtime/define-tool.js';

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
  /** Spoken where nothing is known of the customer's language. */
  readonly locale: Language;
  /** How long a conversation that is busy is waited for, in milliseconds. */
  readonly waitMs: number;
  /** The first signs confirmation tokens, all of them verify. Not asked for before the first token is made. */
  readonly secrets: () => readonly string[];
  /** True of a customer whose data was removed. */
  readonly isErased: (customerId: string) => Promise<boolean>;
  /** Answers the question of a run on its ticket; see `Desk.choose`. */
  readonly chooseAtDesk: (ticketId: string, choice: string, operator: Operator) => Promise<unknown>;
  /** When a person answers what was handed over now. */
  readonly nextStep: (language: Language) => NextStep;
}
