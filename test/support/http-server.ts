import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a server received it. */
export interface ReceivedRequest {
  readonly method: string;
  /** With its query, as it came over the wire. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real HTTP server of one test, on the loopback interface. */
export interface TestHttpServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Forgets the requests so far, and answers as told from now on. */
  answer(handler: Answerer): void;
  /** Also ends connections that are in use. */
  close(): Promise<void>;
}

/** @param attempt from 1, since `answer` was called */
export type Answerer = (request: ReceivedRequest, response: ServerResponse, attempt: number) => void;

export async function startHttpServer(
  handler: Answerer = (_, response) => json(response, {}),
): Promise<TestHttpServer> {
  const requests: ReceivedRequest[] = [];
  let answer = handler;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const received = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(received);
      answer(received, response, requests.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(next) {
      requests.length = 0;
      answer = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with a JSON body. */
export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
