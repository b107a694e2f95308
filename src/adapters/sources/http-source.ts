import { z } from 'zod';
import { isDeeperThan, type JsonValue, parseJson } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { HttpRequest, RequestSource, SourceSpec } from '../../core/ports/data-source.js';
import { retryAfterMs } from '../models/failure.js';
import { createRetrier, fetchText, type TextAnswer, TransientFault } from './fetch-text.js';
import {
  addressOf,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  misconfigured,
  type Secret,
  settingOf,
} from './settings.js';

/** Access tokens of a source, fetched with its client credentials and kept until shortly before they end. */
interface OauthTokens {
  /** @throws TransientFault; HubError `source_rejected` where the credentials are refused, `source_bad_answer` */
  get(signal: AbortSignal): Promise<string>;
  /** A token that is not taken any more is not given again. @returns false where it was fetched just now */
  forget(): boolean;
}

const answerSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().optional(),
});
/** Milliseconds that a token is kept where the server says nothing, and before its end from which on another is fetched. */
const USUAL_MS = 300_000;
const MARGIN_MS = 30_000;
const MAX_TOKEN_BYTES = 100_000;

const MAX_DEPTH = 200;
const NO_CONTENT = 204;

/**
 * The body as JSON, or as text where it does not claim to be JSON; null where there is none.
 * @throws HubError `source_bad_answer` where a good answer is broken JSON, a web page, or nested without end, or where what
 * was asked for has no body
 */
function parseBody(source: string, method: string, { status, headers, text }: TextAnswer): JsonValue {
  const type = headers.get('content-type') ?? '';
  const refuse = (why: string): HubError =>
    new HubError('source_bad_answer', `${source} answers HTTP ${status} with ${why}.`, {
      source,
      status,
      begins: text.slice(0, 80),
    });
  if (text.trim() === '') {
    // Taken for "there is none", it would sign out who is signed in. Who changes something may have nothing to say.
    if (method === 'GET' && status < 300 && status !== NO_CONTENT) throw refuse('an empty body');
    return null;
  }
  const value = parseJson(text, undefined);
  if (value === undefined) {
    // A refusal may say what it likes; an answer that was asked for data must be data.
    if (status >= 400) return text;
    if (/\bjson\b/i.test(type)) throw refuse('broken JSON');
    if (/\bhtml\b/i.test(type) || /^\s*<(?:!doctype|html)/i.test(text))
      throw refuse('a web page where data was expected');
    return text;
  }
  if (isDeeperThan(value, MAX_DEPTH)) throw refuse('JSON that is nested without end');
  return value;
}

/** A segment that climbs, in any of the spellings that an address parser takes for dots. */
const CLIMBS = /^(?:\.|%2e){1,2}$/i;

/**
 * The address of a request below the endpoint of its source. What comes from an input cannot leave it: neither to another
 * host nor up the path.
 * @throws HubError `source_rejected`
 */
function addressUnder(source: string, endpoint: URL, { path, query }: HttpRequest): URL {
  const refuse = (): HubError =>
    new HubError('source_rejected', `${source}: the path ${path} leads out of the source's endpoint.`, {
      source,
      path,
    });
  const [plain = '', own = ''] = splitOnce(path, '?');
  if (plain.split(/[/\\]/).some((segment) => CLIMBS.test(segment)) || /[\\\s]|^\/\//.test(plain))
    throw refuse();
  const base = endpoint.pathname.replace(/\/+$/, '');
  const url = new URL(endpoint);
  url.hash = '';
  url.pathname = `${base}/${plain.replace(/^\/+/, '')}`;
  for (const [name, value] of new URLSearchParams(own)) url.searchParams.append(name, value);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  if (url.origin !== endpoint.origin || !url.pathname.startsWith(`${base}/`)) throw refuse();
  return url;
}

function splitOnce(text: string, at: string): readonly [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

const MAX_BYTES = 1_000_000;
const MAX_REDIRECTS = 5;
const READS = new Set(['GET', 'HEAD']);
/** Asking these twice does no more than asking once. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * An API over HTTP that answers JSON. Credentials come from the environment and go to the source's own address only.
 * @throws HubError `source_misconfigured`
 */
export function openHttp(spec: SourceSpec, secret: Secret): RequestSource {
  const { url, userinfo } = addressOf(spec, 'endpoint', secret);
  const fixed = spec.auth === 'oauth2' ? null : authHeaders(spec, userinfo, secret);
  const tokens = fixed === null ? createOauthTokens(spec, secret) : null;
  const retrier = createRetrier(spec.name);
  return {
    answers: 'request',
    async request(request, options) {
      const retries = IDEMPOTENT.has(request.method) ? (spec.retries ?? DEFAULT_RETRIES) : 0;
      const { method, path, query } = request;
      const read = READS.has(method) ? JSON.stringify([method, path, query]) : null;
      return await retrier.run(retries, read, options.signal, async () => {
        const limits = {
          signal: options.signal,
          maxBytes: Math.min(MAX_BYTES, options.maxBytes ?? MAX_BYTES),
        };
        const send = async (): Promise<TextAnswer> => {
          const credentials = fixed ?? { authorization: `Bearer ${await tokens?.get(options.signal)}` };
          return await exchange(spec, url, credentials, request, limits);
        };
        let answer = await send();
        // A token may be taken back before its time; refused is not done, so that it is asked once more.
        if (answer.status === 401 && tokens?.forget()) answer = await send();
        return { status: answer.status, body: parseBody(spec.name, request.method, answer) };
      });
    },
    close: async () => undefined,
  };
}

type Limits = { readonly signal: AbortSignal; readonly maxBytes: number };

async function exchange(
  spec: SourceSpec,
  endpoint: URL,
  credentials: Readonly<Record<string, string>>,
  request: HttpRequest,
  limits: Limits,
): Promise<TextAnswer> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers = {
    accept: 'application/json',
    'user-agent': 'uda-hub',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...lowerCased(request.headers ?? {}),
    ...credentials,
  };
  let url = addressUnder(spec.name, endpoint, request);
  for (let hops = 0; ; hops += 1) {
    const answer = await fetchText({
      source: spec.name,
      url,
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs: spec.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      ...limits,
    });
    if (answer.status >= 500 || answer.status === 429) throw busy(answer);
    const location = redirectOf(answer);
    if (location === null) return answer;
    url = follow(spec, url, location, request.method, hops);
  }
}

/** Follows within the same origin only: the credentials were given for that one. */
function follow(spec: SourceSpec, from: URL, location: string, method: string, hops: number): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  const refuse = (why: string): HubError =>
    new HubError('source_bad_answer', `${spec.name} answers with a redirect ${why}, which is not followed.`, {
      source: spec.name,
    });
  if (to === null) throw refuse('to no address');
  if (to.origin !== from.origin) throw refuse(`to ${to.origin}, another address than its own`);
  if (method !== 'GET' && method !== 'HEAD') throw refuse(`of a ${method}`);
  if (hops >= MAX_REDIRECTS) throw refuse(`after ${MAX_REDIRECTS} others`);
  to.username = '';
  to.password = '';
  return to;
}

function redirectOf({ status, headers }: TextAnswer): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null;
}

function busy({ status, headers }: TextAnswer): TransientFault {
  const what = status === 429 ? 'it is asked too often (HTTP 429)' : `it answers HTTP ${status}`;
  return new TransientFault(what, { waitMs: retryAfterMs(headers.get('retry-after'), Date.now()) ?? 0 });
}

function authHeaders(spec: SourceSpec, userinfo: string | null, secret: Secret): Record<string, string> {
  const auth = spec.auth ?? 'none';
  if (auth === 'none') return userinfo === null ? {} : { authorization: basic(userinfo) };
  const value = settingOf(spec, 'credentials', secret);
  if (!isHeaderValue(value)) throw misconfigured(spec, 'has credentials that no HTTP header can carry');
  if (auth === 'bearer') return { authorization: `Bearer ${value}` };
  if (auth === 'api_key') return { [(spec.header ?? 'x-api-key').toLowerCase()]: value };
  if (!value.includes(':')) throw misconfigured(spec, 'has auth: basic, whose credentials are user:password');
  return { authorization: basic(value) };
}

function basic(userinfo: string): string {
  return `Basic ${Buffer.from(userinfo).toString('base64')}`;
}

function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** Header names know no case; two spellings of one would both be sent. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Makes those of a source with `auth: oauth2`. @throws HubError `source_misconfigured` */
function createOauthTokens(spec: SourceSpec, secret: Secret): OauthTokens {
  const { url } = addressOf(spec, 'token_url', secret);
  const client = settingOf(spec, 'credentials', secret);
  if (!client.includes(':'))
    throw misconfigured(spec, 'has auth: oauth2, whose credentials are client:secret');
  let kept: { readonly token: string; readonly until: number; used: boolean } | null = null;
  let fetching: Promise<string> | null = null;
  const fetched = async (signal: AbortSignal): Promise<string> => {
    const form = {
      grant_type: 'client_credentials',
      ...(spec.scope === undefined ? {} : { scope: spec.scope }),
    };
    const { status, text } = await fetchText({
      ...{ source: spec.name, url, method: 'POST', maxBytes: MAX_TOKEN_BYTES, signal },
      timeoutMs: spec.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(basicOf(client)).toString('base64')}`,
      },
      body: new URLSearchParams(form).toString(),
    });
    if (status >= 500 || status === 429) throw new TransientFault(`its token server answers HTTP ${status}`);
    if (status !== 200)
      throw new HubError('source_rejected', `${spec.name} gives no token (HTTP ${status}).`, {
        ...{ source: spec.name, status },
      });
    const answer = answerSchema.safeParse(parseJson(text, null));
    if (!answer.success)
      throw new HubError('source_bad_answer', `The token server of ${spec.name} answers with no token.`, {
        source: spec.name,
      });
    const { access_token: token, expires_in: seconds } = answer.data;
    const lasts = seconds === undefined ? USUAL_MS : seconds * 1_000;
    kept = { token, until: performance.now() + Math.max(0, lasts - MARGIN_MS), used: false };
    return token;
  };
  return {
    async get(signal) {
      if (kept !== null && performance.now() < kept.until) {
        kept.used = true;
        return kept.token;
      }
      fetching ??= fetched(signal).finally(() => {
        fetching = null;
      });
      return await fetching;
    },
    forget() {
      const wasUsed = kept?.used ?? false;
      kept = null;
      return wasUsed;
    },
  };
}

/** Both parts encoded, as RFC 6749 (2.3.1) asks. */
function basicOf(client: string): string {
  const at = client.indexOf(':');
  return `${encodeURIComponent(client.slice(0, at))}:${encodeURIComponent(client.slice(at + 1))}`;
}
