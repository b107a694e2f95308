import type { Identity, Operator } from './domain/customer.js';
import type { IssuedToken } from './ports/session-tokens.js';

/** Who is calling, as the token says and the databases confirm. */
export type Caller = (
  | {
      readonly role: 'customer';
      readonly identity: Extract<Identity, { kind: 'customer' }>;
      /** The customer's full name. */
      readonly name: string;
    }
  | { readonly role: 'operator'; readonly operator: Operator }
) & {
  /** When the token ends, ISO 8601 UTC; null where it does not say. */
  readonly expiresAt: string | null;
};

export interface OpenedSession extends IssuedToken {
  readonly role: Caller['role'];
}

/** Signing in from afar. */
export interface Sessions {
  /** True where anybody may sign in as a seeded customer or as the demo operator. */
  readonly demo: boolean;
  /** @throws HubError `forbidden` where this is no demo, `customer_unknown` */
  openDemo(
    who: { readonly email: string } | { readonly operator: true; readonly name?: string },
  ): Promise<OpenedSession>;
  /**
   * Sends a one-time code. Ends the same way, and as fast, whether the address is a customer's or not.
   * A mail that cannot be sent is a matter of the log: to say so would tell that the address is known.
   * @throws HubError `rate_limited`
   */
  requestCode(email: string): Promise<void>;
  /** @throws HubError `code_invalid` */
  useCode(email: string, code: string): Promise<OpenedSession>;
  /**
   * Who is calling. A customer that no longer exists has no session.
   * @throws HubError `token_invalid`, `token_expired`, `source_unavailable`
   */
  identify(token: string): Promise<Caller>;
}
