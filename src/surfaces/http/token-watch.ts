import type { OutsideCaller } from '../../core/capabilities.js';
import { ANONYMOUS } from '../../core/domain/customer.js';
import { HubError } from '../../core/errors.js';
import type { Log } from '../../core/ports/log.js';
import type { Sessions } from '../../core/sessions.js';

const BEARER = /^Bearer +([\w.~+/=-]+) *$/i;

/** The bearer token of an `Authorization` header. @throws HubError `not_signed_in` where there is none, `token_invalid` */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new HubError('not_signed_in', 'A bearer token is needed.');
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return token;
  throw new HubError('token_invalid', 'The Authorization header must be: Bearer <token>.');
}

/**
 * Another program's caller by its bearer token: a customer or an operator, held to the token's scopes. The token of a
 * person's chat session names none, and so may do nothing here that needs one.
 * @param anonymous what a call without a token is: a visitor, or an error
 * @throws HubError `not_signed_in`, `token_invalid`, `token_expired`, `source_unavailable`
 */
export async function outsideCaller(
  header: string | undefined,
  sessions: Pick<Sessions, 'identify'>,
  channel: OutsideCaller['channel'],
  { anonymous }: { readonly anonymous: boolean },
): Promise<OutsideCaller> {
  if (header === undefined && anonymous) return { identity: ANONYMOUS, scopes: [], channel };
  const caller = await sessions.identify(bearerToken(header));
  if (caller.role === 'visitor') throw new HubError('token_invalid', 'This token is for the chat alone.');
  const scopes = caller.scopes ?? [];
  return caller.role === 'customer'
    ? { identity: caller.identity, scopes, channel }
    : { identity: ANONYMOUS, operator: caller.operator, scopes, channel };
}

/** How soon what stays open learns that its token was revoked, in this process or another. */
const LOOK_MS = 500;

/** Every so many looks each token is verified again, so that what stays open ends with its session too. */
const LOOKS_A_ROUND = 30;

/** Ends what stays open longer than a request when its token is no longer taken. */
export interface TokenWatch {
  /**
   * Calls once when the token is no longer good; the function given back stops that.
   * @param authorization the header it came with, as it is at the moment
   * @param outlivesToken true for what continues with a newer token: it ends where its token is revoked, not at that one's end
   */
  follow(authorization: () => string, end: () => void, outlivesToken?: boolean): () => void;
  stop(): void;
}

interface Followed {
  readonly authorization: () => string;
  readonly end: () => void;
  readonly outlivesToken: boolean;
  /** The revision at which the token was last found good; null before the first look. */
  checkedAt: string | null;
}

/**
 * Looks at one number as long as anything is followed: tokens are verified again where that has changed, and once a
 * round in any case.
 */
export function createTokenWatch(
  sessions: Pick<Sessions, 'identify' | 'revision'>,
  log: Pick<Log, 'error'>,
  lookMs = LOOK_MS,
): TokenWatch {
  const followed = new Set<Followed>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let looks = 0;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const check = async (): Promise<void> => {
    const revision = await sessions.revision();
    const states = new Map<string, Promise<TokenState>>();
    looks += 1;
    const isRound = looks % LOOKS_A_ROUND === 0;
    for (const one of [...followed].filter(({ checkedAt }) => isRound || checkedAt !== revision)) {
      const header = one.authorization();
      const asked = states.get(header) ?? stateOf(sessions, header);
      states.set(header, asked);
      const state = await asked;
      if (state === 'good' || (state === 'expired' && one.outlivesToken)) one.checkedAt = revision;
      else if (followed.delete(one)) one.end();
    }
    if (followed.size === 0) stop();
  };
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      await check();
    } catch (error) {
      // The next look comes soon; what is open stays open while nobody can be asked.
      log.error({ agent: 'http', action: 'token_watch_failed' }, error);
    } finally {
      looking = false;
    }
  };
  return {
    follow(authorization, end, outlivesToken = false) {
      const one: Followed = { authorization, end, outlivesToken, checkedAt: null };
      followed.add(one);
      timer ??= setInterval(() => void look(), lookMs).unref();
      return () => {
        if (followed.delete(one) && followed.size === 0) stop();
      };
    },
    stop,
  };
}

type TokenState = 'good' | 'expired' | 'refused';

/** A token that nobody can be asked about at the moment counts as good. */
async function stateOf(sessions: Pick<Sessions, 'identify'>, header: string): Promise<TokenState> {
  try {
    await sessions.identify(bearerToken(header));
    return 'good';
  } catch (error) {
    if (!(error instanceof HubError)) return 'good';
    if (error.code === 'token_expired') return 'expired';
    return error.code === 'token_invalid' ? 'refused' : 'good';
  }
}
