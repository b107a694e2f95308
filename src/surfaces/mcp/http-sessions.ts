import { HubError } from '../../core/errors.js';
import type { HubContext } from '../http/client.js';
import type { Authorised } from './http-auth.js';
import { McpSession, type SessionParts } from './http-session.js';
import type { EventMemory } from './http-streams.js';

interface SessionLimits {
  /** Sessions of one customer or operator, and of everybody. */
  readonly perOwner: number;
  readonly total: number;
  /** A session that nobody uses and no stream is open on ends after this. */
  readonly idleMs: number;
  /** One that is unused for at least this long makes room for a new one. */
  readonly spareMs: number;
  /** How often is looked. */
  readonly sweepMs: number;
  /** Bytes kept for broken streams to continue from, by all sessions together. */
  readonly eventBytes: number;
}

export const SESSION_LIMITS: SessionLimits = {
  perOwner: 500,
  total: 1_000,
  idleMs: 30 * 60_000,
  spareMs: 60_000,
  sweepMs: 60_000,
  eventBytes: 32 * 1_024 * 1_024,
};

/** The sessions of this process. */
export interface McpSessions {
  /** @throws HubError `rate_limited` where there are too many */
  open(c: HubContext, who: Authorised): Promise<McpSession>;
  /** Somebody else's session is none. */
  find(id: string, owner: string): McpSession | undefined;
  /** Ends those that wait for an answer which cannot come any more. */
  closeAsking(): void;
  closeAll(): Promise<void>;
  readonly size: number;
}

/** @param isStillGood whether a token still says who somebody is */
export function createMcpSessions(
  parts: Omit<SessionParts, 'memory'>,
  isStillGood: (token: string) => Promise<boolean>,
  limits: SessionLimits = SESSION_LIMITS,
): McpSessions {
  const memory: EventMemory = { used: 0, most: limits.eventBytes };
  // The one that was used least recently comes first.
  const sessions = new Map<string, McpSession>();
  let timer: NodeJS.Timeout | undefined;
  const forget = ({ id }: McpSession): void => {
    sessions.delete(id);
    if (sessions.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const sweep = async (): Promise<void> => {
    for (const session of [...sessions.values()]) if (await isOver(session)) await session.close();
  };
  /** A client that only listens is there as long as its token is good. */
  const isOver = async (session: McpSession): Promise<boolean> => {
    if (session.isRunning || session.idleMs < limits.idleMs) return false;
    return !session.hasStream || !(await isStillGood(session.token));
  };
  const makeRoom = async (owner: string): Promise<void> => {
    const all = [...sessions.values()];
    const own = all.filter((session) => session.owner === owner);
    const crowd = own.length >= limits.perOwner ? own : all.length >= limits.total ? all : null;
    if (crowd === null) return;
    const spare =
      crowd.find((session) => isSpare(session, limits.spareMs)) ??
      (crowd === all ? surplusOf(all, own.length) : undefined);
    if (spare === undefined) throw tooMany(crowd === own ? 'of yours' : 'of all clients together');
    await spare.close();
  };
  return {
    async open(c, who) {
      await makeRoom(who.owner);
      const session = await McpSession.open(c, who, { ...parts, memory }, forget);
      sessions.set(session.id, session);
      timer ??= setInterval(() => void sweep(), limits.sweepMs).unref();
      return session;
    },
    find(id, owner) {
      const session = sessions.get(id);
      if (session?.owner !== owner) return undefined;
      sessions.delete(id);
      sessions.set(id, session);
      return session;
    },
    closeAsking() {
      for (const session of [...sessions.values()]) if (session.isAsking) void session.close();
    },
    async closeAll() {
      for (const session of [...sessions.values()]) await session.close();
    },
    get size() {
      return sessions.size;
    },
  };
}

function isSpare(session: McpSession, spareMs: number): boolean {
  return !session.isRunning && !session.hasStream && session.idleMs >= spareMs;
}

/**
 * Where there are too many in all, whoever has the most gives one up, so that nobody can shut the others out. What runs is
 * left alone, but for what waits for its user.
 * @param own how many there are of the caller that finds no room
 */
function surplusOf(all: readonly McpSession[], own: number): McpSession | undefined {
  const crowds = new Map<string, McpSession[]>();
  for (const session of all) {
    const crowd = crowds.get(session.owner);
    if (crowd) crowd.push(session);
    else crowds.set(session.owner, [session]);
  }
  const [most = []] = [...crowds.values()].sort((one, other) => other.length - one.length);
  if (most.length <= own + 1) return undefined;
  return most.find(({ isRunning }) => !isRunning) ?? most.find(({ isAsking }) => isAsking);
}

function tooMany(whose: string): HubError {
  return new HubError(
    'rate_limited',
    `Too many sessions ${whose} are open. Close one with DELETE, or try again later.`,
  );
}
