import type { PendingAction } from './domain/pending.js';
import { HubError } from './errors.js';

/** Why a question cannot be decided or withdrawn any more: what became of it, and at whose word. */
export function closedQuestion({ pendingId, status, kind, decidedAt, reason }: PendingAction): HubError {
  const fields = { pendingId, status };
  const at = `${(decidedAt ?? '').slice(0, 16).replace('T', ' ')} UTC`;
  switch (status) {
    case 'expired':
      return new HubError('pending_expired', 'This question has expired.', fields);
    case 'withdrawn':
      return new HubError(
        'pending_withdrawn',
        `The customer withdrew this request on ${at}: "${reason}". Nothing was changed.`,
        { ...fields, withdrawnAt: decidedAt, words: reason },
      );
    case 'approved':
    case 'released': {
      const by = kind === 'approval' ? 'An operator agreed to this' : 'This was agreed to';
      return new HubError('pending_decided', `${by} on ${at}: it has been decided already.`, fields);
    }
    default:
      return new HubError('pending_decided', `This question is closed already (${status}).`, fields);
  }
}
