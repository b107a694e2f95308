import { randomUUID } from 'node:crypto';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type McpServerFactory,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Scope } from '../../core/domain/customer.js';
import type { HubContext, TokenWatch } from '../http/client.js';
import type { HttpDeps } from '../http/http-deps.js';
import { type Authorised, RPC, refuse, refuseScope } from './http-auth.js';
import type { OpenStreams } from './http-streams.js';
import { createSessionEvents, type EventMemory } from './http-streams.js';

/** A request of the client that has no answer yet. */
interface Running {
  readonly scopes: readonly Scope[];
  readonly answered: () => void;
}

/** A question to the client that has no answer yet. */
interface Asked {
  readonly about: RequestId | undefined;
  readonly scopes: readonly Scope[];
}

/** The SDK's transport of one session, and what is under way on it in both directions. */
class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #running = new Map<RequestId, Running>();
  /** By number: the SDK numbers its questions, and takes an answer whose id only reads like that number. */
  readonly #asked = new Map<number, Asked>();
  /** What the requests of this session were allowed so far, and so what their answers may tell. */
  readonly #used = new Set<Scope>();

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** True while something waits for what the client's user says. */
  get isAsking(): boolean {
    return this.#asked.size > 0;
  }

  has(id: RequestId): boolean {
    return this.#running.has(id);
  }

  /** Notes a request before it is passed on. @returns resolves when it was answered, or never will be */
  begin(id: RequestId, scopes: readonly Scope[]): Promise<void> {
    for (const scope of scopes) this.#used.add(scope);
    return new Promise((answered) => this.#running.set(id, { scopes, answered }));
  }

  /** What the answer to this question of the hub takes: the scopes that the request had. Null where nothing was asked. */
  scopesToAnswer(id: RequestId): readonly Scope[] | null {
    return this.#asked.get(Number(id))?.scopes ?? null;
  }

  /** What reading again what this session was answered takes. */
  get scopesToReplay(): readonly Scope[] {
    return [...this.#used];
  }

  /** The client's answer was passed on. */
  answered(id: RequestId): void {
    this.#asked.delete(Number(id));
  }

  /** The request never reached the server, or nobody works on it any more. */
  forget(id: RequestId): void {
    this.#running.get(id)?.answered();
    this.#running.delete(id);
    for (const [question, { about }] of this.#asked) if (about === id) this.#asked.delete(question);
  }

  /**
   * Ends the stream of a request that the client has called back. The protocol wants no answer to it, but a stream that
   * just ends looks like a broken connection, and would be continued.
   */
  async cancelled(id: RequestId): Promise<void> {
    const error = { code: RPC.refused, message: 'The request was cancelled.' };
    await this.send({ jsonrpc: '2.0', id, error });
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    if (isJSONRPCRequest(message)) {
      const about = options?.relatedRequestId;
      const scopes = (about === undefined ? undefined : this.#running.get(about)?.scopes) ?? [];
      this.#asked.set(Number(message.id), { about, scopes });
      return super.send(message, options);
    }
    // The server takes a question back, as it does when nobody answers in time.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#asked.delete(Number(message.params?.requestId));
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message))
      return super.send(message, options);
    // Each request is answered once, also where it was cancelled in the moment it ended.
    const { id } = message;
    if (id === undefined || !this.#running.has(id)) return;
    try {
      await super.send(message, options);
    } finally {
      this.forget(id);
    }
  }

  override async close(): Promise<void> {
    await super.close();
    for (const id of [...this.#running.keys()]) this.forget(id);
  }
}

/** What all sessions share. */
export interface SessionParts {
  readonly factory: McpServerFactory;
  readonly streams: OpenStreams;
  readonly work: HttpDeps['work'];
  readonly memory: EventMemory;
  readonly onError: (error: Error) => void;
  /** Ends a session whose token is revoked; absent where nobody revokes. */
  readonly tokens?: Pick<TokenWatch, 'follow'>;
}

/** How long a client waits before it continues a broken stream. */
const RETRY_MS = 1_500;

/** One client of a protocol before 2026, from its `initialize` to its `DELETE`. */
export class McpSession {
  readonly id: string = randomUUID();
  readonly #transport: SessionTransport;
  #streams = 0;
  #usedAt = performance.now();
  #token: string;

  private constructor(
    readonly owner: string,
    token: string,
    private readonly parts: SessionParts,
    onClosed: (session: McpSession) => void,
  ) {
    this.#token = token;
    const events = createSessionEvents(parts.memory);
    this.#transport = new SessionTransport({
      sessionIdGenerator: () => this.id,
      eventStore: events,
      retryInterval: RETRY_MS,
    });
    const unfollow = parts.tokens?.follow(
      () => `Bearer ${this.#token}`,
      () => void this.close(),
      true,
    );
    this.#transport.onclose = () => {
      unfollow?.();
      events.clear();
      onClosed(this);
    };
    this.#transport.onerror = parts.onError;
  }

  /** A session that waits for its `initialize`. */
  static async open(
    c: HubContext,
    { owner, token, authInfo }: Authorised,
    parts: SessionParts,
    onClosed: (session: McpSession) => void,
  ): Promise<McpSession> {
    const session = new McpSession(owner, token, parts, onClosed);
    const server = await parts.factory({ era: 'legacy', authInfo, requestInfo: c.req.raw });
    await server.connect(session.#transport);
    return session;
  }

  /** The token it was last used with. */
  get token(): string {
    return this.#token;
  }

  /** Milliseconds since the client last asked for anything. */
  get idleMs(): number {
    return performance.now() - this.#usedAt;
  }

  get isRunning(): boolean {
    return this.#transport.isRunning;
  }

  get hasStream(): boolean {
    return this.#streams > 0;
  }

  /** True while a call waits for what the client's user says. */
  get isAsking(): boolean {
    return this.#transport.isAsking;
  }

  /** Serves one request of its owner. */
  async handle(c: HubContext, who: Authorised, message?: JSONRPCMessage): Promise<Response> {
    this.#usedAt = performance.now();
    this.#token = who.token;
    const refused = message === undefined ? this.#replayRefusal(c, who) : this.#refusal(who, message);
    if (refused) return refused;
    if (message === undefined) return this.#follow(c, await this.#transport.handleRequest(c.req.raw));
    const id = isJSONRPCRequest(message) ? message.id : null;
    if (id !== null) void this.parts.work.track(this.#transport.begin(id, who.caller.scopes));
    const response = await this.#transport.handleRequest(c.req.raw, {
      parsedBody: message,
      authInfo: who.authInfo,
    });
    // What the SDK refused by itself has no stream to be answered on.
    if (id !== null && response.status !== 200) this.#transport.forget(id);
    if (response.status === 202) await this.#taken(message);
    return this.#follow(c, response);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** What the SDK lets through. */
  #refusal({ caller, authInfo }: Authorised, message: JSONRPCMessage): Response | null {
    if (isJSONRPCRequest(message)) {
      if (!this.#transport.has(message.id)) return null;
      const text = 'A request with this id is still being worked on.';
      return refuse({ status: 400, code: RPC.invalidRequest, message: text, id: message.id });
    }
    const answered = answeredId(message);
    if (answered === null) return null;
    // An answer lets the asking request continue, so it takes what that request took.
    const missing = this.#transport.scopesToAnswer(answered)?.find((scope) => !caller.scopes.includes(scope));
    return missing === undefined ? null : refuseScope(authInfo, missing);
  }

  /** What was answered to a token is not given once more to one that could not have asked. */
  #replayRefusal(c: HubContext, { caller, authInfo }: Authorised): Response | null {
    if (c.req.header('last-event-id') === undefined) return null;
    const missing = this.#transport.scopesToReplay.find((scope) => !caller.scopes.includes(scope));
    return missing === undefined ? null : refuseScope(authInfo, missing);
  }

  /** A notification or an answer was passed on. */
  async #taken(message: JSONRPCMessage): Promise<void> {
    const answered = answeredId(message);
    if (answered !== null) this.#transport.answered(answered);
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.requestId as RequestId | undefined;
    if (id !== undefined) await this.#transport.cancelled(id);
  }

  #follow(c: HubContext, answer: Response): Response {
    const { response, ended, streams } = this.parts.streams.follow(c, answer, this.owner);
    if (!streams) return response;
    this.#streams += 1;
    void ended.then(() => {
      this.#streams -= 1;
      this.#usedAt = performance.now();
    });
    return response;
  }
}

/** The question of the hub that this is an answer to; null where it is none. */
function answeredId(message: JSONRPCMessage): RequestId | null {
  if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return null;
  return message.id ?? null;
}
