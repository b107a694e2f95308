import type { OutsideCaller } from '../core/capabilities.js';
import type { Session } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import type { CapabilityDeps } from './capability-deps.js';

/** Who calls, by the one name that idempotency keys, audit and runs know them by; null for a visitor. */
export function callerName({ identity, operator }: OutsideCaller): string | null {
  if (operator) return `operator:${operator.operatorId}`;
  return identity.kind === 'customer' ? `customer:${identity.customerId}` : null;
}

/**
 * The customer that calls.
 * @throws HubError `not_signed_in`, `forbidden` for staff, which has no record of its own
 */
export function demandCustomer({ identity, operator }: OutsideCaller): string {
  if (identity.kind === 'customer') return identity.customerId;
  if (!operator) throw new HubError('not_signed_in', 'This is for a customer who is signed in.');
  throw new HubError('forbidden', "This works on the caller's own record, and staff has none. Use the desk.");
}

/** A session may outlive its customer. @throws HubError `customer_erased` */
export async function demandPresent(
  { isErased }: Pick<CapabilityDeps, 'isErased'>,
  { identity }: OutsideCaller,
): Promise<void> {
  if (identity.kind === 'customer' && (await isErased(identity.customerId)))
    throw new HubError('customer_erased', 'This customer is not known any more.');
}

/** The language asked for, the one the customer prefers, or that of the house. */
export async function languageOf(
  { tools, locale }: Pick<CapabilityDeps, 'tools' | 'locale'>,
  { identity }: Pick<OutsideCaller, 'identity'>,
  asked: Language | undefined,
): Promise<Language> {
  if (asked !== undefined) return asked;
  if (identity.kind !== 'customer') return locale;
  return (await tools.memory.recall(identity.customerId, 0)).preferredLanguage ?? locale;
}

/** Where a call stands. One that only reads has no conversation: its own id is in the place of all. */
export type CallPlace = Pick<Session, 'turnId' | 'ticketId' | 'threadId' | 'graphThreadId'>;

/** What a tool gets to know of a call that belongs to no turn. */
export function sessionOf(caller: OutsideCaller, language: Language, place: CallPlace): Session {
  return {
    ...place,
    channel: caller.channel,
    identity: caller.identity,
    customerName: null,
    language,
    unsupportedLanguage: null,
    memory: null,
    lastReply: null,
    previousMessage: null,
    scopes: caller.scopes,
  };
}
