import { HubError } from '../errors.js';

/** `confirmation` is answered by the customer, `approval` by an operator. */
export type PendingKind = 'confirmation' | 'approval';

/**
 * pending → approved | rejected | withdrawn | expired | superseded; approved → released once the action ran.
 * Only `pending` can be decided; only `approved` can be released. `withdrawn`: an approval that its customer took back
 * before an operator decided it; `reason` holds the customer's words.
 */
export type PendingStatus =
  | 'pending'
  | 'approved'
  | 'rejected'
  | 'withdrawn'
  | 'expired'
  | 'superseded'
  | 'released';

/** What a yes and a no do, in the language of the question: "Cancel, € 60.00 back", "Keep the order". */
export interface PendingAnswers {
  readonly yes: string;
  readonly no: string;
}

/** A question that holds back exactly one tool call. */
export interface PendingAction {
  readonly pendingId: string;
  readonly kind: PendingKind;
  readonly threadId: string;
  /** The LangGraph thread that is paused; differs from `threadId` when a side question opened a new one. */
  readonly graphThreadId: string;
  readonly ticketId: string;
  readonly customerId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** SHA-256 (hex) of customer, tool and canonical arguments. */
  readonly argsHash: string;
  readonly question: string;
  /** Null or absent where a plain yes and no must do. */
  readonly answers?: PendingAnswers | null;
  /** True where an operator must agree after the customer, whatever the policy says. */
  readonly needsOperator: boolean;
  readonly status: PendingStatus;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
  readonly reason: string | null;
}

/** The decision somebody took on a pending action. */
export interface Decision {
  readonly approved: boolean;
  /** `customer:<id>` or `operator:<id>`. */
  readonly by: string;
  readonly reason?: string;
}

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
