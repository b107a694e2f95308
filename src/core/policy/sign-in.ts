/** How long a one-time code is good. */
export const CODE_MINUTES = 10;
/** Wrong guesses that a code outlives: by whoever asked for it, and by all others together. */
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
