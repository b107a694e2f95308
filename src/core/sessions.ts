import type { Scope } from './domain/access.js';
import type { Identity, Operator } from './domain/customer.js';
import type {
  CodeGuess,
  IssuedToken,
  ProgramTokenRecord,
  SignInAttempt,
  TokenHolder,
} from './ports/sign-in.js';

/** Who is calling, as the token says and the databases confirm. */
export type Caller = (
  | {
      readonly role: 'customer';
      readonly identity: Extract<Identity, { kind: 'customer' }>;
      /** The customer's full name. */
      readonly name: string;
    }
  | { readonly role: 'operator'; readonly operator: Operator }
  | {
      readonly role: 'visitor';
      readonly identity: Extract<Identity, { kind: 'anonymous' }> & { readonly visitorId: string };
    }
) & {
  /** When the token ends, ISO 8601 UTC; null where it does not say. */
  readonly expiresAt: string | null;
  /** See Principal; null where the token names none of the hub's scopes. */
  readonly scopes: readonly Scope[] | null;
};

interface OpenedSession extends IssuedToken {
  readonly role: Caller['role'];
}

/** How long a visitor of the chat may come back to what was said: 30 days. */
export const VISITOR_MINUTES = 30 * 24 * 60;

/** A token made for another program: good for MCP and A2A, within its scopes, and for nothing else. */
export interface ProgramToken extends OpenedSession {
  readonly role: 'customer' | 'operator';
  readonly scopes: readonly Scope[];
  /** What it is revoked by. */
  readonly tokenId: string;
}

/** The longest a program's token may last: 90 days. */
export const MAX_TOKEN_MINUTES = 90 * 24 * 60;

/** Signing in from afar. */
export interface Sessions {
  /** True where anybody may sign in as a seeded customer or as the demo operator. */
  readonly demo: boolean;
  /** @throws HubError `forbidden` where this is no demo, `customer_unknown` */
  openDemo(
    who: { readonly email: string } | { readonly operator: true; readonly name?: string },
  ): Promise<OpenedSession>;
  /** For a visitor of the chat who has not signed in: a name nobody has had before. Nothing is stored for it. */
  openVisitor(): Promise<OpenedSession>;
  /**
   * Sends a one-time code. Ends the same way, and as fast, whether the address is a customer's or not.
   * A mail that cannot be sent is a matter of the log: to say so would tell that the address is known.
   * @returns what proves at {@link useCode} that the code was asked for here
   * @throws HubError `rate_limited` (fields.retryAfterSeconds)
   */
  requestCode(attempt: SignInAttempt): Promise<{ readonly challenge: string }>;
  /**
   * Opens a session with a code. Wrong guesses without the challenge slow down whoever makes them, never the one who asked
   * for the code; the owner of the account is told of a series of them by mail.
   * @throws HubError `code_invalid`, `rate_limited` (fields.retryAfterSeconds)
   */
  useCode(guess: CodeGuess): Promise<OpenedSession>;
  /**
   * A token for another program, in the name of a customer or an operator whom the surface has verified.
   * @param who with a customerId where the address must still be that customer's
   * @param wish.minutes how long it lasts; as long as a session where absent
   * @throws HubError `customer_unknown` (also where the customer was erased), `input_invalid` (fields.errors) without a
   * scope, or for minutes that are no whole number from 1 to {@link MAX_TOKEN_MINUTES}
   */
  issueFor(
    who: { readonly email: string; readonly customerId?: string } | { readonly operator: Operator },
    wish: { readonly scopes: readonly Scope[]; readonly minutes?: number },
  ): Promise<ProgramToken>;
  /** The tokens of programs that have not ended, the newest first. @param holder whose; everybody's where absent */
  programTokens(holder?: TokenHolder): Promise<readonly ProgramTokenRecord[]>;
  /**
   * Revokes the token of a program, in every process and from now on.
   * @param holder whose it must be
   * @throws HubError `not_found` where there is none that still holds
   */
  revokeToken(tokenId: string, holder?: TokenHolder): Promise<void>;
  /** Changes whenever tokens that were good may have become bad before their time, in whichever process that was done. */
  revision(): Promise<string>;
  /**
   * Who is calling. A customer that no longer exists has no session.
   * @throws HubError `token_invalid`, `token_expired`, `source_unavailable`
   */
  identify(token: string): Promise<Caller>;
}
