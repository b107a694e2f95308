import type { OutsideCaller } from '../../core/capabilities.js';
import { ANONYMOUS } from '../../core/domain/customer.js';
import { HubError } from '../../core/errors.js';
import type { Sessions } from '../../core/sessions.js';

const BEARER = /^Bearer +([\w.~+/=-]+) *$/i;

/** The bearer token of an `Authorization` header. @throws HubError `not_signed_in` where there is none, `token_invalid` */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new HubError('not_signed_in', 'A bearer token is needed.');
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return token;
  throw new HubError('token_invalid', 'The Authorization header must be: Bearer <token>.');
}

/**
 * Another program's caller by its bearer token: a customer or an operator, held to the token's scopes. The token of a
 * person's chat session names none, and so may do nothing here that needs one.
 * @param anonymous what a call without a token is: a visitor, or an error
 * @throws HubError `not_signed_in`, `token_invalid`, `token_expired`, `source_unavailable`
 */
export async function outsideCaller(
  header: string | undefined,
  sessions: Pick<Sessions, 'identify'>,
  channel: OutsideCaller['channel'],
  { anonymous }: { readonly anonymous: boolean },
): Promise<OutsideCaller> {
  if (header === undefined && anonymous) return { identity: ANONYMOUS, scopes: [], channel };
  const caller = await sessions.identify(bearerToken(header));
  const scopes = caller.scopes ?? [];
  return caller.role === 'customer'
    ? { identity: caller.identity, scopes, channel }
    : { identity: ANONYMOUS, operator: caller.operator, scopes, channel };
}
