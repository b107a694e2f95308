import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '../../core/errors.js';
import type { RateCounters } from '../../core/ports/peers.js';

/** How often one may do what, a minute; 0 is no limit. */
interface RateSettings {
  readonly turnsPerIdentity: number;
  readonly turnsPerAddress: number;
  readonly signInsPerAddress: number;
  readonly demoSignInsPerAddress: number;
}

/** Limits, forgotten after a minute. All throw HubError `rate_limited`. */
export interface RateLimits {
  /** A turn of a customer, from an address. */
  turn(identity: string, address: string): Promise<void>;
  /**
   * A call of another program: fifty times as often as turns, because most of them read a row or two.
   * @param weight how many of them it counts for
   */
  call(identity: string, address: string, weight: number): Promise<void>;
  /** A file, from an address: twice as often as turns. */
  upload(identity: string, address: string): Promise<void>;
  /** Anything else that a customer leaves behind, such as an empty conversation: ten times as often as turns. */
  write(identity: string): Promise<void>;
  /** An attempt to sign in with a code, or to have one sent. */
  signIn(address: string): Promise<void>;
  /** A sign-in that needs no secret; there is nothing to guess, only work to make. */
  demoSignIn(address: string): Promise<void>;
}

const WINDOW_SECONDS = 60;
const WRITES_PER_TURN = 10;
const FILES_PER_TURN = 2;
const CALLS_PER_TURN = 50;

/**
 * One window of a minute for each key.
 * @param counters of all servers together; where absent, this one counts in memory
 */
export function createRateLimits(settings: RateSettings, counters: RateCounters | null = null): RateLimits {
  const make: RateCounters =
    counters ?? ((_name, points, duration) => new RateLimiterMemory({ points, duration }));
  const limit = (name: string, what: string, points: number) => limitOf(make, { name, what, points });
  const identity = limit('turn', 'turns', settings.turnsPerIdentity);
  const address = limit('turns', 'turns', settings.turnsPerAddress);
  const write = limit('write', 'requests', settings.turnsPerIdentity * WRITES_PER_TURN);
  const uploader = limit('file', 'files', settings.turnsPerIdentity * FILES_PER_TURN);
  const uploaders = limit('files', 'files', settings.turnsPerAddress * FILES_PER_TURN);
  const caller = limit('call', 'calls', settings.turnsPerIdentity * CALLS_PER_TURN);
  const callers = limit('calls', 'calls', settings.turnsPerAddress * CALLS_PER_TURN);
  const signIn = limit('sign-in', 'sign-ins', settings.signInsPerAddress);
  const demo = limit('demo', 'sign-ins', settings.demoSignInsPerAddress);
  return {
    async turn(who, from) {
      await address(networkOf(from));
      await identity(who);
    },
    async call(who, from, weight) {
      await callers(networkOf(from), weight);
      await caller(who, weight);
    },
    async upload(who, from) {
      await uploaders(networkOf(from));
      await uploader(who);
    },
    write: (who) => write(who),
    signIn: (from) => signIn(networkOf(from)),
    demoSignIn: (from) => demo(networkOf(from)),
  };
}

function limitOf(
  make: RateCounters,
  { name, what, points }: { readonly name: string; readonly what: string; readonly points: number },
): (key: string, weight?: number) => Promise<void> {
  if (points === 0) return async () => {};
  const counter = make(name, points, WINDOW_SECONDS);
  return async (key, weight) => {
    try {
      await counter.consume(key, weight);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      throw new HubError(
        'rate_limited',
        `Too many ${what}: ${points} a minute are allowed. Try again in ${seconds} s.`,
        { retryAfterSeconds: seconds, limit: points },
      );
    }
  };
}

/** What visitors of a network count as together: each may have as many sessions as it likes. */
export function visitorsOf(address: string): string {
  return `visitors:${networkOf(address)}`;
}

/** One household or company has a whole /64 of IPv6 addresses; counting each by itself would count nobody. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const whole = [...groups, ...Array.from({ length: missing }, () => '0'), ...after];
  return `${whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
