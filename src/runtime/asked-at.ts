import type { PendingAction } from '../core/domain/pending.js';
import type { Clock } from '../core/ports/index.js';

/** When a customer asked for what operators decide; absent where it is asked for now. ISO 8601. */
export interface AskedAt {
  readonly askedAt?: string;
}

/** The time at which a deadline is read: who asked within it has not missed it because operators decide later. */
export function deadlineTime({ clock }: { readonly clock: Clock }, { askedAt }: AskedAt): Date {
  return askedAt === undefined ? clock.now() : new Date(askedAt);
}

/** A customer's own yes is given now, an operator's to what was asked for before. */
export function askedOf({ kind, createdAt }: Pick<PendingAction, 'kind' | 'createdAt'>): AskedAt {
  return kind === 'approval' ? { askedAt: createdAt } : {};
}
