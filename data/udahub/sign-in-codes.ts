import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import {
  COUNTED_MS,
  type CodeGuess,
  codeDigits,
  GUESSES_PER_CODE,
  type GuessOutcome,
  KNOWN_MS,
  NOTICE_AFTER,
  SIGN_IN_GROWTH,
  type SignInAttempt,
  type SignInCodes,
  waitAfter,
} from '../../src/core/ports/sign-in.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareInsert, prepareUpsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { erasedCustomers, signInCodes, signInLimits } from './schema.js';

/** How often something happened, and when last. */
interface Counted {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Counts that are forgotten by themselves; in the caller's transaction. */
interface SignInCounts {
  of(key: string): Counted;
  /** One more. @param keptMs how long it is remembered from now on */
  add(key: string, keptMs: number): Counted;
  forget(key: string): void;
  forgetOld(): void;
}

const NEVER: Counted = { count: 0, lastAt: 0 };

/** The table `sign_in_limits` of udahub.db; keys are hashes. */
function createSignInCounts({ orm }: DatabaseHandle, clock: Clock): SignInCounts {
  const now = (): Date => clock.now();
  const key = eq(signInLimits.keyHash, sql.placeholder('keyHash'));
  const at = sql.placeholder('now');
  const find = orm
    .select()
    .from(signInLimits)
    .where(and(key, gt(signInLimits.expiresAt, at)))
    .prepare();
  const put = prepareUpsert(orm, signInLimits, signInLimits.keyHash);
  const remove = orm.delete(signInLimits).where(key).prepare();
  const forgetOld = orm.delete(signInLimits).where(lte(signInLimits.expiresAt, at)).prepare();
  const of = (keyHash: string): Counted => {
    const row = find.get({ keyHash, now: now().toISOString() });
    return row === undefined ? NEVER : { count: row.count, lastAt: Date.parse(row.lastAt) };
  };
  return {
    of,
    add(keyHash, keptMs) {
      const time = now();
      const count = of(keyHash).count + 1;
      const expiresAt = new Date(time.getTime() + keptMs).toISOString();
      put({ keyHash, count, lastAt: time.toISOString(), expiresAt });
      return { count, lastAt: time.getTime() };
    },
    forget: (keyHash) => void remove.run({ keyHash }),
    forgetOld: () => void forgetOld.run({ now: now().toISOString() }),
  };
}

const CHALLENGE_BYTES = 18;

/** Names of what is counted for an attempt, hashed with the key of the moment. */
interface Keys {
  readonly account: string;
  readonly guessPair: string;
  readonly guessNetwork: string;
  readonly guessAccount: string;
  readonly askPair: string;
  readonly askAccount: string;
  readonly known: string;
  readonly notice: string;
}

type CodeRow = typeof signInCodes.$inferSelect;

/**
 * One-time codes in udahub.db. Addresses, networks, challenges and codes are kept as keyed hashes: who reads the tables
 * learns none of them.
 * @param peppers keys of the hashes, kept elsewhere; new hashes are made with the first. After a rotation codes that were
 * sent stay good, and what was counted begins anew
 */
export function createSignInCodes(
  handle: DatabaseHandle,
  clock: Clock,
  peppers: () => readonly string[],
): SignInCodes {
  const { orm, sqlite } = handle;
  const counts = createSignInCounts(handle, clock);
  const at = sql.placeholder('now');
  const open = gt(signInCodes.expiresAt, at);
  const ofAccount = orm
    .select()
    .from(signInCodes)
    .where(and(eq(signInCodes.addressHash, sql.placeholder('addressHash')), open))
    .prepare();
  const insert = prepareInsert(orm, signInCodes);
  const named = eq(signInCodes.challengeHash, sql.placeholder('challengeHash'));
  const remove = orm.delete(signInCodes).where(named).prepare();
  const forgetOld = orm.delete(signInCodes).where(lte(signInCodes.expiresAt, at)).prepare();
  const count = orm
    .update(signInCodes)
    .set({
      askerGuesses: sql`${signInCodes.askerGuesses} + ${sql.placeholder('asker')}`,
      otherGuesses: sql`${signInCodes.otherGuesses} + ${sql.placeholder('other')}`,
    })
    .where(named)
    .prepare();

  const now = (): string => clock.now().toISOString();
  const pepper = (): string => peppers()[0] ?? '';
  const sweep = (): void => {
    forgetOld.run({ now: now() });
    counts.forgetOld();
  };
  /** Milliseconds still to wait. */
  const left = ({ count: times, lastAt }: Counted, growth: Parameters<typeof waitAfter>[1]): number =>
    Math.max(0, lastAt + waitAfter(times, growth) - clock.now().getTime());

  const create = sqlite.transaction((attempt: SignInAttempt, expiresAt: Date) => {
    sweep();
    const keys = keysOf(pepper(), attempt);
    // Where the customer has signed in before, what other networks ask for delays nobody.
    const isKnown = counts.of(keys.known).count > 0;
    const waits = [
      left(counts.of(keys.askPair), SIGN_IN_GROWTH.askPair),
      isKnown ? 0 : left(counts.of(keys.askAccount), SIGN_IN_GROWTH.askAccount),
    ];
    if (Math.max(...waits) > 0) return { waitSeconds: Math.ceil(Math.max(...waits) / 1_000) };
    counts.add(keys.askPair, COUNTED_MS);
    if (!isKnown) counts.add(keys.askAccount, COUNTED_MS);
    const digits = codeDigits(counts.of(keys.guessAccount).count);
    const code = String(randomInt(10 ** digits)).padStart(digits, '0');
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    insert({
      challengeHash: hash(pepper(), 'challenge', challenge),
      addressHash: keys.account,
      codeHash: codeHash(pepper(), attempt.email, code),
      askerGuesses: 0,
      otherGuesses: 0,
      expiresAt: expiresAt.toISOString(),
      createdAt: now(),
    });
    return { code, challenge };
  });

  /** The codes that a guess is held against, each with whether its hash fits. */
  const against = ({ email, code, challenge }: CodeGuess): readonly { row: CodeRow; right: boolean }[] =>
    peppers().flatMap((key) => {
      const rows = ofAccount.all({ addressHash: accountHash(key, email), now: now() });
      const asked = challenge === undefined ? undefined : hash(key, 'challenge', challenge);
      const given = Buffer.from(codeHash(key, email, code));
      return rows
        .filter(({ challengeHash }) => asked === undefined || asked === challengeHash)
        .filter((row) =>
          asked === undefined
            ? row.otherGuesses < GUESSES_PER_CODE.others
            : row.askerGuesses < GUESSES_PER_CODE.asker,
        )
        .map((row) => ({ row, right: timingSafeEqual(Buffer.from(row.codeHash), given) }));
    });

  const waitFor = (keys: Keys): number => {
    const pair = counts.of(keys.guessPair);
    return Math.max(
      left(pair, SIGN_IN_GROWTH.guessPair),
      left(counts.of(keys.guessNetwork), SIGN_IN_GROWTH.guessNetwork),
      // A network that has not guessed wrong does not wait for those that have.
      pair.count === 0 ? 0 : left(counts.of(keys.guessAccount), SIGN_IN_GROWTH.guessAccount),
    );
  };

  const use = sqlite.transaction((guess: CodeGuess): GuessOutcome => {
    sweep();
    const keys = keysOf(pepper(), guess);
    const candidates = against(guess);
    // Whoever asked for the code has few guesses at it, and waits for nobody.
    const isAsker = guess.challenge !== undefined && candidates.length > 0;
    const waitMs = isAsker ? 0 : waitFor(keys);
    if (waitMs > 0) return { kind: 'wait', seconds: Math.ceil(waitMs / 1_000) };
    const right = candidates.find((candidate) => candidate.right);
    if (right !== undefined) {
      remove.run({ challengeHash: right.row.challengeHash });
      for (const key of [keys.askPair, keys.guessPair]) counts.forget(key);
      counts.add(keys.known, KNOWN_MS);
      return { kind: 'right' };
    }
    for (const { row } of candidates)
      count.run({ challengeHash: row.challengeHash, asker: Number(isAsker), other: Number(!isAsker) });
    for (const key of [keys.guessPair, keys.guessNetwork]) counts.add(key, COUNTED_MS);
    const { count: wrong } = counts.add(keys.guessAccount, COUNTED_MS);
    const notify = wrong >= NOTICE_AFTER && counts.of(keys.notice).count === 0;
    if (notify) counts.add(keys.notice, COUNTED_MS);
    return { kind: 'wrong', notify };
  });

  return withTranslatedErrors<SignInCodes>(handle, {
    create: async (attempt, expiresAt) => create.immediate(attempt, expiresAt),
    use: async (guess) => use.immediate(guess),
  });
}

function hash(pepper: string, ...parts: readonly string[]): string {
  return createHmac('sha256', pepper)
    .update(['sign-in', ...parts].join('\n'))
    .digest('hex');
}

const fold = (email: string): string => email.trim().toLowerCase();
const accountHash = (pepper: string, email: string): string => hash(pepper, 'account', fold(email));
const codeHash = (pepper: string, email: string, code: string): string =>
  hash(pepper, 'code', fold(email), code);

function keysOf(pepper: string, { email, network }: SignInAttempt): Keys {
  const account = fold(email);
  const key = (...parts: readonly string[]): string => hash(pepper, 'count', ...parts);
  return {
    account: accountHash(pepper, email),
    guessPair: key('guess', 'pair', network, account),
    guessNetwork: key('guess', 'network', network),
    guessAccount: key('guess', 'account', account),
    askPair: key('ask', 'pair', network, account),
    askAccount: key('ask', 'account', account),
    known: key('known', network, account),
    notice: key('notice', account),
  };
}

/** Looks whether a customer was erased: such a one has no session, whatever the subscription service still knows. */
export function createErasedCheck({ path, orm }: DatabaseHandle): (customerId: string) => Promise<boolean> {
  const erased = orm
    .select({ customerId: erasedCustomers.customerId })
    .from(erasedCustomers)
    .where(eq(erasedCustomers.customerId, sql.placeholder('customerId')))
    .prepare();
  const checks = withTranslatedErrors(
    { path },
    {
      isErased: async (customerId: string) => erased.get({ customerId }) !== undefined,
    },
  );
  return checks.isErased;
}
