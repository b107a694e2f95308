import type { ProviderName } from '../../core/domain/taxonomy.js';
import type { FailureKind } from './failure.js';

/** Why the provider was left alone. */
export type NotAsked = 'circuit_open' | 'spend_ceiling';

/** What one call of a model came to, for metrics and the log. */
export interface ModelCallReport {
  readonly ticketId: string | null;
  readonly role: string;
  readonly provider: ProviderName;
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
  readonly ms: number;
  /** Requests sent, answered or not. */
  readonly attempts: number;
  readonly outcome: 'ok' | 'fallback';
  /** Why the fallback answered. */
  readonly reason: NotAsked | FailureKind | null;
}
