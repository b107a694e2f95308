import type { Identity, Operator, Scope } from '../domain/customer.js';
import type { JsonObject } from '../domain/json.js';

/** How long a one-time code is good. */
export const CODE_MINUTES = 10;
/** Wrong guesses that a code outlives: by the one who asked for it, and by all others together. */
export const GUESSES_PER_CODE = { asker: 5, others: 5 } as const;
/** Wrong guesses in a day after which an account's new codes are longer, and after which it is told. */
export const UNDER_ATTACK = 20;
export const NOTICE_AFTER = 5;
/** What was counted is forgotten after a day without more of it, and so is that an account was told. */
export const COUNTED_MS = 24 * 3_600_000;
/** A network from which a customer signed in is known for so long. */
export const KNOWN_MS = 30 * COUNTED_MS;

/** How many go free, how long the first wait is, and the longest; each wait is twice the one before. */
interface Growth {
  readonly free: number;
  readonly firstMs: number;
  readonly mostMs: number;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/**
 * What is counted, and how it slows down. A guess is wrong; an ask has a code sent. `pair` is one network on one account,
 * `network` is one network on all accounts, `account` is all networks on one account.
 *
 * A day of one network: 33 guesses without the challenge, and 29 codes of 5 guesses. A day of any number of networks: 33
 * codes of 10 guesses each. Six digits have only those sent before the twentieth wrong guess, of which five can be open:
 * at most 69 guesses, the rest are at nine digits. Together that is less than one chance in 10,000.
 */
export const SIGN_IN_GROWTH = {
  guessPair: { free: 3, firstMs: 30 * SECOND_MS, mostMs: HOUR_MS },
  guessNetwork: { free: 10, firstMs: 30 * SECOND_MS, mostMs: HOUR_MS },
  guessAccount: { free: 10, firstMs: 30 * SECOND_MS, mostMs: HOUR_MS },
  askPair: { free: 1, firstMs: 60 * SECOND_MS, mostMs: HOUR_MS },
  askAccount: { free: 5, firstMs: 15 * 60 * SECOND_MS, mostMs: HOUR_MS },
} as const satisfies Record<string, Growth>;

/** Milliseconds to wait after so many; 0 where none. */
export function waitAfter(count: number, { free, firstMs, mostMs }: Growth): number {
  return count < free ? 0 : Math.min(mostMs, firstMs * 2 ** Math.min(30, count - free));
}

/** How many digits a new code has. */
export function codeDigits(wrongGuesses: number): number {
  return wrongGuesses < UNDER_ATTACK ? 6 : 9;
}

/** Who a token says is calling. */
export type Principal = (
  | {
      readonly role: 'customer';
      /** Null in a token of the company's own sign-in that names none. */
      readonly email: string | null;
      /** All that a token of the company's own sign-in says. */
      readonly claims?: JsonObject;
      /** In the hub's own tokens; the address may have passed to somebody else since. */
      readonly customerId?: string;
      readonly name?: string;
    }
  | { readonly role: 'operator'; readonly operator: Operator }
  /** Of the chat, who has not signed in. Only the hub itself says so. */
  | { readonly role: 'visitor'; readonly visitorId: string }
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

/** Where a request comes from and which account it is about. */
export interface SignInAttempt {
  readonly email: string;
  /** The network of the caller: an address, or what counts as one. */
  readonly network: string;
}

/** A guess at a code. */
export interface CodeGuess extends SignInAttempt {
  readonly code: string;
  /** What the answer to the request for the code gave; whoever has it asked for the code. */
  readonly challenge?: string;
}

/** What came of a guess. Nothing of it tells whether the account exists. */
export type GuessOutcome =
  | { readonly kind: 'right' }
  /** @property notify true where the account's owner should learn of it: seldom, whatever happens */
  | { readonly kind: 'wrong'; readonly notify: boolean }
  /** It was not looked at. */
  | { readonly kind: 'wait'; readonly seconds: number };

/**
 * One-time codes for signing in by e-mail, and how often they may be asked for and guessed. All of it is durable and shared
 * by processes, and only hashes are kept. Throws HubError `database_failed`, `disk_full`.
 */
export interface SignInCodes {
  /** A new code beside earlier ones, which stay good; or how long to wait for one. */
  create(
    attempt: SignInAttempt,
    expiresAt: Date,
  ): Promise<{ readonly code: string; readonly challenge: string } | { readonly waitSeconds: number }>;
  /**
   * Uses a code up where it is right, in time and not used. With the challenge of its code a guess is never delayed by what
   * others guess; without it, it counts against the guesser. Compared in constant time.
   */
  use(guess: CodeGuess): Promise<GuessOutcome>;
}

/** Whom a program's token speaks for. */
export interface TokenOwner {
  readonly role: 'customer' | 'operator';
  /** The customer's or the operator's id. */
  readonly id: string;
}

/** What is kept of a token for another program; the token itself is kept nowhere. Times are ISO 8601 UTC. */
export interface ProgramTokenRecord {
  readonly tokenId: string;
  readonly holder: TokenOwner;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt: string;
  /** To the minute; null where it was never used. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** The tokens made for other programs. Throws HubError `database_failed`, `disk_full`. */
export interface ProgramTokens {
  /** An id for a token that is about to be made. */
  nextId(): Promise<string>;
  /** Keeps a token that was made, and forgets those that have ended. @throws HubError `customer_erased` */
  add(token: Omit<ProgramTokenRecord, 'createdAt' | 'lastUsedAt' | 'revokedAt'>): Promise<void>;
  /** Those that have not ended, the newest first. @param holder whose; everybody's where absent */
  list(holder?: TokenOwner): Promise<readonly ProgramTokenRecord[]>;
  /**
   * Nobody gets in with it any more, in any process, from now on.
   * @param holder whose it must be
   * @returns false where there is none that still holds
   */
  revoke(tokenId: string, holder?: TokenOwner): Promise<boolean>;
  /**
   * True where it was made here and not revoked, which notes the use; also for an id that is none of the hub's: a company
   * that signs tokens itself has ids of its own.
   */
  use(tokenId: string): Promise<boolean>;
  /** Changes with every revocation, in whichever process. */
  revision(): Promise<string>;
}

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

export interface OpenedSession extends IssuedToken {
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
  programTokens(holder?: TokenOwner): Promise<readonly ProgramTokenRecord[]>;
  /**
   * Revokes the token of a program, in every process and from now on.
   * @param holder whose it must be
   * @throws HubError `not_found` where there is none that still holds
   */
  revokeToken(tokenId: string, holder?: TokenOwner): Promise<void>;
  /** Changes whenever tokens that were good may have become bad before their time, in whichever process that was done. */
  revision(): Promise<string>;
  /**
   * Who is calling. A customer that no longer exists has no session.
   * @throws HubError `token_invalid`, `token_expired`, `source_unavailable`
   */
  identify(token: string): Promise<Caller>;
}
