import type { TurnReply } from '../core/domain/turn.js';
import { type ErrorCode, HubError } from '../core/errors.js';

/** What a message was answered with, as the inbox keeps it. */
export type Outcome =
  | {
      readonly reply: TurnReply;
      /** Named by the `done` event of its turn. */
      readonly turnId: string;
      /** The id of everything that had happened before its turn. */
      readonly since: string;
    }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

/** The same refusal would come again: it is kept, like an answer. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'pending_not_found',
  'pending_decided',
  'pending_withdrawn',
  'pending_expired',
  'input_invalid',
  'input_too_large',
  'not_found',
  'not_owner',
  'customer_erased',
]);

/** A turn failed after its answer was stored: the message is answered, and only the rest of the turn is missing. */
export class FailedAfterAnswer extends HubError {
  constructor(cause: HubError) {
    super(cause.code, cause.message, cause.fields, { cause });
  }
}

/** True for a refusal that is the answer; false where the same message may be tried again. */
export function isFinal({ code }: HubError): boolean {
  return FINAL.has(code);
}

/** The reply that was given, or what was thrown. @throws HubError */
export function replyOf(outcome: Outcome): TurnReply {
  if ('error' in outcome) throw new HubError(outcome.error.code, outcome.error.message);
  return outcome.reply;
}
