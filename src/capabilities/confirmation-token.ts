import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PendingAction } from '../core/domain/pending.js';
import { HubError } from '../core/errors.js';
import { canonicalJson } from '../runtime/args-hash.js';

/** Makes and checks what proves that a plan was seen. */
export interface ConfirmationTokens {
  issue(row: PendingAction): string;
  /** The question a token says it is for; nothing is proven by that. @throws HubError `confirmation_invalid` */
  pendingIdOf(token: string): string;
  /** @throws HubError `confirmation_invalid` unless it was issued for this question, and so to its customer */
  verify(token: string, row: PendingAction | null, customerId: string): PendingAction;
}

const TOKEN = /^cft_([\w-]{1,80})\.([\w-]{43})$/;
/** The secret signs session tokens too: a key of its own, so that one can never pass for the other. */
const PURPOSE = 'udahub confirmation token 1';

/** @param secrets the first signs, all of them verify; not asked for before they are needed */
export function createConfirmationTokens(secrets: () => readonly string[]): ConfirmationTokens {
  const macsOf = ({
    pendingId,
    customerId,
    argsHash,
  }: Pick<PendingAction, 'pendingId' | 'customerId' | 'argsHash'>): readonly Buffer[] =>
    secrets().map((secret) => {
      const key = createHmac('sha256', secret).update(PURPOSE).digest();
      return createHmac('sha256', key)
        .update(canonicalJson([pendingId, customerId, argsHash]))
        .digest();
    });
  const read = (token: string): { readonly pendingId: string; readonly given: Buffer } => {
    const [, pendingId, given] = TOKEN.exec(token) ?? [];
    if (pendingId === undefined || given === undefined) throw invalid();
    return { pendingId, given: Buffer.from(given, 'base64url') };
  };
  return {
    issue: (row) => `cft_${row.pendingId}.${macsOf(row)[0]?.toString('base64url')}`,
    pendingIdOf: (token) => read(token).pendingId,
    verify(token, row, customerId) {
      const { pendingId, given } = read(token);
      const { argsHash } = row ?? { argsHash: '' };
      // Made for the one who asks: of another customer's token it is not told that there is such a question.
      const fits = macsOf({ pendingId, customerId, argsHash }).some(
        (expected) => given.length === expected.length && timingSafeEqual(given, expected),
      );
      if (!fits || row?.pendingId !== pendingId || row.customerId !== customerId) throw invalid();
      return row;
    },
  };
}

function invalid(): HubError {
  return new HubError(
    'confirmation_invalid',
    'This confirmation was not given for this call of this customer. Make the call again and confirm what it returns.',
  );
}
