import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Caller } from '../../core/sessions.js';

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
