import type { Scope } from '../domain/access.js';
import type { Operator } from '../domain/customer.js';

/** Who a token says is calling. */
export type Principal = (
  | {
      readonly role: 'customer';
      readonly email: string;
      /** In the hub's own tokens; the address may have passed to somebody else since. */
      readonly customerId?: string;
      readonly name?: string;
    }
  | { readonly role: 'operator'; readonly operator: Operator }
) & {
  /** When the token ends, ISO 8601 UTC. */
  readonly expiresAt?: string;
  /** What another program may do with it; absent in the token of a person, which says nothing of scopes. */
  readonly scopes?: readonly Scope[];
  /** Names the token of a program, so that it can be revoked. */
  readonly tokenId?: string;
};

/** A token with the time it ends. */
export interface IssuedToken {
  readonly token: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** Session tokens (JWT). */
export interface SessionTokens {
  /** Signed with the hub's own secret. @param minutes how long it lasts; as long as a session where absent */
  issue(principal: Principal, minutes?: number): Promise<IssuedToken>;
  /**
   * Who the token speaks for: one of the hub's own, or of the company's sign-in where one is configured.
   * @throws HubError `token_invalid`, `token_expired`, `source_unavailable` where the company's keys cannot be fetched
   */
  verify(token: string): Promise<Principal>;
  /** Changes whenever the keys that verify change. */
  revision(): string;
}
