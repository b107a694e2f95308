import { randomUUID } from 'node:crypto';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type McpServerFactory,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { HttpDeps } from '../http/http-deps.js';
import type { HubContext } from '../http/http-env.js';
import type { TokenWatch } from '../http/token-watch.js';
import { type Authorised, refuseScope } from './http-auth.js';
import { RPC, refuse } from './http-errors.js';
import { createSessionEvents, type EventMemory } from './http-event-store.js';
import type { OpenStreams } from './http-open-streams.js';
import { SessionTransport } from './http-session-transport.js';

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
    // An answer lets the asking request go on, so it takes what that request took.
    const missing = this.#transport.scopesToAnswer(answered)?.find((scope) => !caller.scopes.includes(scope));
    return missing === undefined ? null : refuseScope(authInfo, missing);
  }

  /** What was answered to a token is not given once more to one that could not have asked. */
  #replayRefusal(c: HubContext, { caller, authInfo }: Authorised): Response | null {
    if (c.req.header('last-event-id') === undefined) return null;
    const missing = this.#transport.scopesToReplay.find((scope) => !caller.scopes.includes(scope));
    return missing === undefined ? null : refuseScope(authInfo, missing);
  }

  /** A notification or an answer was handed on. */
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
