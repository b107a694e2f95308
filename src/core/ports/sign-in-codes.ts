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
  /** @property notify true where the account's owner should hear of it: seldom, whatever happens */
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
