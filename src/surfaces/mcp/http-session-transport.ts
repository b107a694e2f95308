import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Scope } from '../../core/domain/access.js';
import { RPC } from './http-errors.js';

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
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
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

  /** Notes a request before it is handed on. @returns resolves when it was answered, or never will be */
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

  /** The client's answer was handed on. */
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
