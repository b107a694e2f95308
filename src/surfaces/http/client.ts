import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { ServerConfig } from '../../config/config.js';
import type { OutsideCaller } from '../../core/capabilities.js';
import { ANONYMOUS } from '../../core/domain/customer.js';
import { languageAmong } from '../../core/domain/language.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import type { Caller, Sessions } from '../../core/ports/sign-in.js';
import type { Log } from '../../core/ports/system.js';
import { problemOf, sendProblem } from './problem.js';

export type HubContext = Context<HubEnv>;

/** What a request carries from the middleware to its route. */
export interface HubEnv {
  readonly Variables: {
    requestId: string;
    /** Set where the path needs a token; see `callerOf`. */
    caller: Caller;
    /** The body as it came, for its hash. Empty where there was none. */
    rawBody: Uint8Array;
    /** A key that stands for this request where the client sent an `Idempotency-Key`. */
    effectKey: string;
    /** Set by a route that answers with a stream: what is stored for the idempotency key in its place. */
    laterResponse: Promise<LaterResponse>;
  };
  /** Node's own request and response; missing where a test calls the routes without a server. */
  readonly Bindings: Partial<HttpBindings>;
}

/** What a stream came to, as the plain answer would have been. */
export interface LaterResponse {
  readonly status: number;
  readonly body: unknown;
}

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

/**
 * The address a request came from: of the connection, or what the proxy in front wrote down last. What a client itself
 * puts into `X-Forwarded-For` stands further left and is not believed.
 */
export function clientAddress(c: HubContext, trustProxy: boolean): string {
  const hop = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  if (hop !== undefined && /^[\da-fA-F:.]{2,45}$/.test(hop)) return hop;
  return c.env?.incoming?.socket.remoteAddress ?? 'unknown';
}

/** True where the client speaks https, to this server or to the proxy in front. */
export function isHttps(c: HubContext, trustProxy: boolean): boolean {
  if (trustProxy && c.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim() === 'https') return true;
  return c.req.url.startsWith('https:');
}

/**
 * The address a client reaches this server at, without a slash at the end: the configured one, else the one the request
 * was sent to.
 */
export function publicUrl(c: HubContext, { publicUrl: configured, trustProxy }: ServerConfig): string {
  if (configured !== undefined) return configured;
  const { host } = new URL(c.req.url);
  return `${isHttps(c, trustProxy) ? 'https' : 'http'}://${host}`;
}

/**
 * Lets a page of another site change nothing here: a browser says where a request comes from, a program says nothing.
 * Origins that may call the API may call this as well.
 */
export function ownOrigin(config: ServerConfig): MiddlewareHandler<HubEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (origin === undefined || origin === '' || isReading(c) || isOwnOrigin(c, config, origin))
      return next();
    const detail = 'Requests from pages of this origin are not taken. HUB_CORS_ORIGINS names those that are.';
    return sendProblem(problemOf(403, 'forbidden', detail, c.req.path));
  };
}

/** True for the server's own address, as asked for and as configured, and for origins that may call the API. */
export function isOwnOrigin(c: HubContext, config: ServerConfig, origin: string): boolean {
  const { host } = new URL(c.req.url);
  const own = [`http://${host}`, `https://${host}`, new URL(publicUrl(c, config)).origin];
  return [...own, ...config.corsOrigins].includes(origin.toLowerCase());
}

function isReading(c: HubContext): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method);
}

/** Weight the client gives a media type, 0 where it refuses it; the most exact range counts (RFC 9110, 12.5.1). */
function weightOf(accept: string, type: string): number {
  const ranges = parseAccept(accept);
  const names = [type, `${type.split('/')[0]}/*`, '*/*'];
  const exact = names.map((name) => ranges.find((range) => range.type.toLowerCase() === name));
  return exact.find((range) => range !== undefined)?.q ?? 0;
}

/** The language of the company that an `Accept-Language` header prefers; undefined where it names none of them. */
export function preferredLanguage(c: HubContext, languages: readonly Language[]): Language | undefined {
  const ranges = parseAccept((c.req.header('accept-language') ?? '').slice(0, 500));
  const wanted = ranges.filter(({ q }) => q > 0).map(({ type }) => languageAmong(type, languages));
  return wanted.find((language) => language !== undefined);
}

/** True where the client can read this type; without an `Accept` header it reads everything. */
export function accepts(accept: string | undefined, type: string): boolean {
  return accept === undefined || accept.trim() === '' || weightOf(accept, type) > 0;
}

/** True where the client asked for an event stream in so many words, at least as much as for JSON. */
export function wantsStream(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/event-stream/i.test(accept)) return false;
  const stream = weightOf(accept, 'text/event-stream');
  return stream > 0 && (stream >= weightOf(accept, 'application/json') || !/json/i.test(accept));
}
