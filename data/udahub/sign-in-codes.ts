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
import { type Database, storeOf, type Work } from '../database.js';
import { insertInto, upsertInto } from '../statements.js';
import { signInCodes, signInLimits } from './schema.js';

/** How often something happened, and when last. */
interface Counted {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Counts that are forgotten by themselves; in the caller's transaction. */
interface SignInCounts {
  of(key: string): Work<Counted>;
  /** One more. @param keptMs how long it is remembered from now on */
  add(key: string, keptMs: number): Work<Counted>;
  forget(key: string): Work<void>;
  forgetOld(): Work<void>;
}

const NEVER: Counted = { count: 0, lastAt: 0 };

/** The table `sign_in_limits`; keys are hashes. */
function createSignInCounts(database: Database, clock: Clock): SignInCounts {
  const now = (): Date => clock.now();
  const key = eq(signInLimits.keyHash, sql.placeholder('keyHash'));
  const at = sql.placeholder('now');
  const find = database.query((orm) =>
    orm
      .select()
      .from(signInLimits)
      .where(and(key, gt(signInLimits.expiresAt, at))),
  );
  const put = upsertInto(database, signInLimits, signInLimits.keyHash);
  const remove = database.query((orm) => orm.delete(signInLimits).where(key));
  const forgetOld = database.query((orm) => orm.delete(signInLimits).where(lte(signInLimits.expiresAt, at)));
  function* of(keyHash: string): Work<Counted> {
    const row = yield* find.get({ keyHash, now: now().toISOString() });
    return row === undefined ? NEVER : { count: row.count, lastAt: Date.parse(row.lastAt) };
  }
  return {
    of,
    *add(keyHash, keptMs) {
      const time = now();
      const count = (yield* of(keyHash)).count + 1;
      const expiresAt = new Date(time.getTime() + keptMs).toISOString();
      yield* put({ keyHash, count, lastAt: time.toISOString(), expiresAt });
      return { count, lastAt: time.getTime() };
    },
    *forget(keyHash) {
      yield* remove.run({ keyHash });
    },
    *forgetOld() {
      yield* forgetOld.run({ now: now().toISOString() });
    },
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
 * One-time codes. Addresses, networks, challenges and codes are kept as keyed hashes: who reads the tables
 * learns none of them.
 * @param peppers keys of the hashes, kept elsewhere; new hashes are made with the first. After a rotation codes that were
 * sent stay good, and what was counted begins anew
 */
export function createSignInCodes(
  database: Database,
  clock: Clock,
  peppers: () => readonly string[],
): SignInCodes {
  const counts = createSignInCounts(database, clock);
  const at = sql.placeholder('now');
  const open = gt(signInCodes.expiresAt, at);
  const ofAccount = database.query((orm) =>
    orm
      .select()
      .from(signInCodes)
      .where(and(eq(signInCodes.addressHash, sql.placeholder('addressHash')), open)),
  );
  const insert = insertInto(database, signInCodes);
  const named = eq(signInCodes.challengeHash, sql.placeholder('challengeHash'));
  const remove = database.query((orm) => orm.delete(signInCodes).where(named));
  const forgetOld = database.query((orm) => orm.delete(signInCodes).where(lte(signInCodes.expiresAt, at)));
  const count = database.query((orm) =>
    orm
      .update(signInCodes)
      .set({
        askerGuesses: sql`${signInCodes.askerGuesses} + ${sql.placeholder('asker')}`,
        otherGuesses: sql`${signInCodes.otherGuesses} + ${sql.placeholder('other')}`,
      })
      .where(named),
  );

  const now = (): string => clock.now().toISOString();
  const pepper = (): string => peppers()[0] ?? '';
  function* sweep(): Work<void> {
    yield* forgetOld.run({ now: now() });
    yield* counts.forgetOld();
  }
  /** Milliseconds still to wait. */
  const left = ({ count: times, lastAt }: Counted, growth: Parameters<typeof waitAfter>[1]): number =>
    Math.max(0, lastAt + waitAfter(times, growth) - clock.now().getTime());

  function* create(
    attempt: SignInAttempt,
    expiresAt: Date,
  ): Work<{ code: string; challenge: string } | { waitSeconds: number }> {
    yield* sweep();
    const keys = keysOf(pepper(), attempt);
    // Where the customer has signed in before, what other networks ask for delays nobody.
    const isKnown = (yield* counts.of(keys.known)).count > 0;
    const waits = [
      left(yield* counts.of(keys.askPair), SIGN_IN_GROWTH.askPair),
      isKnown ? 0 : left(yield* counts.of(keys.askAccount), SIGN_IN_GROWTH.askAccount),
    ];
    if (Math.max(...waits) > 0) return { waitSeconds: Math.ceil(Math.max(...waits) / 1_000) };
    yield* counts.add(keys.askPair, COUNTED_MS);
    if (!isKnown) yield* counts.add(keys.askAccount, COUNTED_MS);
    const digits = codeDigits((yield* counts.of(keys.guessAccount)).count);
    const code = String(randomInt(10 ** digits)).padStart(digits, '0');
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    yield* insert({
      challengeHash: hash(pepper(), 'challenge', challenge),
      addressHash: keys.account,
      codeHash: codeHash(pepper(), attempt.email, code),
      askerGuesses: 0,
      otherGuesses: 0,
      expiresAt: expiresAt.toISOString(),
      createdAt: now(),
    });
    return { code, challenge };
  }

  /** The codes that a guess is held against, each with whether its hash fits. */
  function* against({
    email,
    code,
    challenge,
  }: CodeGuess): Work<readonly { row: CodeRow; right: boolean }[]> {
    const fitting: { row: CodeRow; right: boolean }[] = [];
    for (const key of peppers()) {
      const rows = yield* ofAccount.all({ addressHash: accountHash(key, email), now: now() });
      const asked = challenge === undefined ? undefined : hash(key, 'challenge', challenge);
      const given = Buffer.from(codeHash(key, email, code));
      for (const row of rows) {
        if (asked !== undefined && asked !== row.challengeHash) continue;
        const guesses = asked === undefined ? row.otherGuesses : row.askerGuesses;
        if (guesses >= (asked === undefined ? GUESSES_PER_CODE.others : GUESSES_PER_CODE.asker)) continue;
        fitting.push({ row, right: timingSafeEqual(Buffer.from(row.codeHash), given) });
      }
    }
    return fitting;
  }

  function* waitFor(keys: Keys): Work<number> {
    const pair = yield* counts.of(keys.guessPair);
    return Math.max(
      left(pair, SIGN_IN_GROWTH.guessPair),
      left(yield* counts.of(keys.guessNetwork), SIGN_IN_GROWTH.guessNetwork),
      // A network that has not guessed wrong does not wait for those that have.
      pair.count === 0 ? 0 : left(yield* counts.of(keys.guessAccount), SIGN_IN_GROWTH.guessAccount),
    );
  }

  function* use(guess: CodeGuess): Work<GuessOutcome> {
    yield* sweep();
    const keys = keysOf(pepper(), guess);
    const candidates = yield* against(guess);
    // Whoever asked for the code has few guesses at it, and waits for nobody.
    const isAsker = guess.challenge !== undefined && candidates.length > 0;
    const waitMs = isAsker ? 0 : yield* waitFor(keys);
    if (waitMs > 0) return { kind: 'wait', seconds: Math.ceil(waitMs / 1_000) };
    const right = candidates.find((candidate) => candidate.right);
    if (right !== undefined) {
      yield* remove.run({ challengeHash: right.row.challengeHash });
      for (const key of [keys.askPair, keys.guessPair]) yield* counts.forget(key);
      yield* counts.add(keys.known, KNOWN_MS);
      return { kind: 'right' };
    }
    for (const { row } of candidates)
      yield* count.run({ challengeHash: row.challengeHash, asker: Number(isAsker), other: Number(!isAsker) });
    for (const key of [keys.guessPair, keys.guessNetwork]) yield* counts.add(key, COUNTED_MS);
    const { count: wrong } = yield* counts.add(keys.guessAccount, COUNTED_MS);
    const notify = wrong >= NOTICE_AFTER && (yield* counts.of(keys.notice)).count === 0;
    if (notify) yield* counts.add(keys.notice, COUNTED_MS);
    return { kind: 'wrong', notify };
  }

  return storeOf<SignInCodes>(database, {
    create: (attempt, expiresAt) => database.transaction(() => create(attempt, expiresAt)),
    use: (guess) => database.transaction(() => use(guess)),
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
export function createErasedCheck(database: Database): (customerId: string) => Promise<boolean> {
  const erased = database
    .prepare<[string], number>('SELECT 1 FROM erased_customers WHERE customer_id = ?')
    .pluck();
  const checks = storeOf<{ isErased(customerId: string): Promise<boolean> }>(database, {
    *isErased(customerId) {
      return (yield* erased.get(customerId)) !== undefined;
    },
  });
  return checks.isErased;
}
