import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Config } from '../../config/config.js';
import { HubError } from '../../core/errors.js';
import { PROBLEM_JSON, problemOf } from './problem.js';

/** What a client may take its time with. A slow one holds a connection, not more. */
const LIMITS = {
  maxHeaderSize: 16 * 1_024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;
const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
/** Answers that are written already get so long to leave. */
const LEAVE_MS = 500;

/** So many requests wait at most: more than that in some seconds is no crowd of customers. */
const MOST_WAITING = 1_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The port of a serving process. One hub after another answers behind it, where the company changes; a request that comes between
 * two of them waits for the next one, so that nobody is refused.
 */
export class Front {
  readonly #server = createServer(LIMITS, (request, response) => this.#answer(request, response));
  #handler: Handler | null = null;
  #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];

  /** @param mostWaiting how many requests may wait for the next hub; others are asked to come back */
  constructor(private readonly mostWaiting = MOST_WAITING) {
    this.#server.on('clientError', refuseUnreadable);
  }

  /** @throws HubError `usage` where the address cannot be listened on */
  async listen({ server: { port, host } }: Config): Promise<void> {
    if (this.#server.listening) return;
    await new Promise<void>((resolve, reject) => {
      const refused = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, host, port));
      this.#server.once('error', refused);
      this.#server.listen(port, host, () => {
        this.#server.off('error', refused);
        resolve();
      });
    });
  }

  /** Where it is reached, without a slash at the end. */
  urlOf(host: string): string {
    const { port } = this.#server.address() as AddressInfo;
    const everywhere = host === '0.0.0.0' || host === '::';
    const shown = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
    return `http://${shown}:${port}`;
  }

  /** Requests go there from now on, those that have waited first. */
  open(handler: Handler): void {
    this.#handler = handler;
    for (const [request, response] of this.#waiting.splice(0))
      if (!response.destroyed) handler(request, response);
  }

  /** Requests wait from now on. */
  hold(): void {
    this.#handler = null;
  }

  /** Takes no more connections, and ends those that wait for nothing. @returns what ends the others, a moment later */
  close(): () => Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    for (const [, response] of this.#waiting.splice(0)) response.destroy();
    return async () => {
      const timer = setTimeout(() => this.#server.closeAllConnections(), LEAVE_MS);
      await closed;
      clearTimeout(timer);
    };
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#handler !== null) this.#handler(request, response);
    else if (this.#waiting.length < this.mostWaiting) this.#waiting.push([request, response]);
    else {
      const body = problemOf(503, 'unavailable', 'The hub is being changed. Please try again in a moment.');
      response.writeHead(503, { 'content-type': PROBLEM_JSON, 'retry-after': '5' }).end(JSON.stringify(body));
    }
  }
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): HubError {
  const why =
    error.code === 'EADDRINUSE'
      ? 'it is in use; set PORT to another one'
      : error.code === 'EACCES'
        ? 'this user may not; set PORT to one above 1023'
        : error.message;
  return new HubError(
    'usage',
    `Port ${port} of ${host} cannot be listened on: ${why}.`,
    {},
    { cause: error },
  );
}

/** What is no HTTP, or too much or too slow of it, never becomes a request. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = UNREADABLE[error.code ?? ''] ?? 400;
  const body = JSON.stringify(problemOf(status, 'input_invalid', 'The request cannot be read.'));
  const head = [
    `HTTP/1.1 ${status} ${status === 400 ? 'Bad Request' : 'Refused'}`,
    `content-type: ${PROBLEM_JSON}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
