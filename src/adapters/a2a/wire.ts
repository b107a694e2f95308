import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isObject, own } from '../../core/domain/json.js';
import { HubError, messageOf } from '../../core/errors.js';
import type { Clock } from '../../core/ports/system.js';
import { retryAfterMs } from '../models/failure.js';
import type { AgentSettings } from './agent-file.js';
import { badAnswer, cancelled, forbidden, readJson, refused, Unreachable } from './faults.js';
import { addressFault, guardedLookup, literalAddress } from './public-address.js';

const DETAIL_DEPTH = 8;

/**
 * Lets an answer pass that says that the request went well.
 * @throws Unreachable for 5xx and 429; HubError `remote_refused` for any other 4xx, `remote_bad_answer` for the rest
 */
export function demandSuccess(agent: string, answer: WireAnswer, clock: Clock): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  if (status === 429 || (status >= 500 && status < 600)) {
    const waitMs = retryAfterMs(answer.header('retry-after'), clock.now().getTime());
    throw new Unreachable(`it answered with status ${status}`, { certain: status === 429, status, waitMs });
  }
  if (status >= 400 && status < 500) throw refused(agent, status, detailOf(answer.text));
  throw badAnswer(agent, `with status ${status}`);
}

/** What the other side says is wrong; for the log, never for a prompt. */
function detailOf(text: string): string {
  const json = readJson(text, DETAIL_DEPTH);
  if (!isObject(json)) return text;
  const inner = own(json, 'error');
  for (const place of isObject(inner) ? [inner, json] : [json])
    for (const key of ['detail', 'message', 'error_description', 'title', 'error']) {
      const value = own(place, key);
      if (typeof value === 'string' && value !== '') return value;
    }
  return text;
}

interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A larger answer is not read to its end. */
  readonly maxBytes: number;
  /** For the whole exchange, to the last byte. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface WireAnswer {
  readonly status: number;
  /** The first value where a header is repeated; undefined where it is missing. */
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

const MAX_REDIRECTS = 2;
const MAX_CONNECTIONS = 32;
const KEEPS_METHOD = new Set([307, 308]);
const CHANGES_METHOD = new Set([301, 302, 303]);

/**
 * All that goes over the network to one agent: to its configured origin alone, to addresses that it may have, checked
 * when the connection is made (a name may lead elsewhere a moment later), without proxies, cookies or decompression.
 */
export class Wire {
  readonly #settings: AgentSettings;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(settings: AgentSettings) {
    this.#settings = settings;
    const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: 2 };
    this.#agent = settings.origin.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /**
   * One exchange; redirects are followed within the origin only.
   * @throws Unreachable on a network fault or where the time is over; HubError `remote_forbidden_address`,
   * `remote_bad_answer` where the answer is too large or no HTTP, `cancelled`
   */
  async exchange(request: WireRequest): Promise<WireAnswer> {
    const ends = performance.now() + request.timeoutMs;
    let at = request;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#once({ ...at, timeoutMs: Math.max(1, ends - performance.now()) });
      const to = this.#redirect(at, answer);
      if (to === null) return answer;
      if (redirects === MAX_REDIRECTS)
        throw badAnswer(this.#settings.name, 'with one redirect after another');
      at = { ...at, url: to };
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #redirect({ url, method }: WireRequest, { status, header }: WireAnswer): URL | null {
    const { name, origin } = this.#settings;
    if (!KEEPS_METHOD.has(status) && !CHANGES_METHOD.has(status)) return null;
    const place = header('location') ?? '';
    const to = URL.canParse(place, url) ? new URL(place, url) : null;
    if (to === null) throw badAnswer(name, 'with a redirect that leads nowhere');
    if (to.origin !== origin || hasPassword(to))
      throw forbidden(name, 'redirects to an address outside its own', { status });
    if (CHANGES_METHOD.has(status) && method !== 'GET')
      throw forbidden(name, 'redirects a request that may not be sent twice', { status });
    return to;
  }

  async #once(request: WireRequest): Promise<WireAnswer> {
    const { name, origin } = this.#settings;
    const { url, signal, timeoutMs, maxBytes } = request;
    this.#check(url);
    if (signal.aborted) throw cancelled(name, signal.reason);
    const sent = this.#open(request);
    let written = false;
    sent.on('socket', (socket) => {
      const begin = (): void => {
        written = true;
      };
      if (sent.reusedSocket) begin();
      else socket.once(origin.startsWith('https:') ? 'secureConnect' : 'connect', begin);
    });
    // An answer that is broken off reports the break and not its cause.
    let cause: HubError | Unreachable | undefined;
    const end = (why: HubError | Unreachable): void => {
      cause = why;
      sent.destroy(why);
    };
    const stop = (): void => end(cancelled(name, signal.reason));
    const late = (): void => {
      const why = `no answer within ${Math.round(timeoutMs / 100) / 10} s`;
      end(new Unreachable(why, { certain: !written }));
    };
    const timer = setTimeout(late, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<WireAnswer>((resolve, reject) => {
        sent.on('error', reject);
        sent.on('response', (response) => {
          const answer = { status: response.statusCode ?? 0, header: headerOf(response) };
          readText(name, response, maxBytes).then((text) => resolve({ ...answer, text }), reject);
        });
        sent.end(request.body);
      });
    } catch (error) {
      sent.destroy();
      throw this.#faultOf(cause ?? error, written);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Whatever a card, a redirect or a caller says: nothing leaves for another place. */
  #check(url: URL): void {
    const { name, origin, allowPrivate } = this.#settings;
    if (url.origin !== origin || hasPassword(url)) throw forbidden(name, 'names an address outside its own');
    const address = literalAddress(url.hostname);
    const fault = address === null ? null : addressFault(address, allowPrivate);
    if (fault !== null) throw forbidden(name, `has an address that ${fault}`);
  }

  #open({ url, method, headers, body }: WireRequest) {
    const { origin, token, allowPrivate, name } = this.#settings;
    const options: RequestOptions = {
      method,
      agent: this.#agent,
      lookup: guardedLookup(
        (address) => addressFault(address, allowPrivate),
        (fault) => forbidden(name, `has an address that ${fault}`),
      ),
      headers: {
        'user-agent': 'uda-hub',
        // What is not compressed cannot swell.
        'accept-encoding': 'identity',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    };
    return origin.startsWith('https:') ? httpsRequest(url, options) : httpRequest(url, options);
  }

  #faultOf(error: unknown, written: boolean): unknown {
    if (error instanceof Unreachable || error instanceof HubError) return error;
    const code = String((error as { readonly code?: unknown } | null)?.code ?? '');
    if (code.startsWith('HPE_')) return badAnswer(this.#settings.name, 'something that is not HTTP', error);
    const message = messageOf(error);
    const words = message.includes(code) ? message : `${message} (${code})`.trim();
    return new Unreachable(words, { certain: !written }, error);
  }
}

async function readText(agent: string, response: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw badAnswer(agent, 'compressed, though it was asked not to');
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw badAnswer(agent, `with more than ${Math.round(maxBytes / 1_024)} kB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function headerOf(response: IncomingMessage): WireAnswer['header'] {
  return (name) => {
    const value = response.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

function hasPassword(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}
