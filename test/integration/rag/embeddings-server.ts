import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embeddingsBody } from '../../support/openai-embeddings.js';
import type { ChatRequest } from '../../support/openai-wire.js';

/** What happens instead of an answer. */
export type EmbeddingFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'disconnect'
  | 'garbage'
  | { readonly body: unknown };

/** A local server for the Embeddings API alone, whose next answers can be made to fail. */
export interface EmbeddingsServer {
  readonly url: string;
  readonly requests: readonly { readonly body: ChatRequest; readonly headers: IncomingHttpHeaders }[];
  failNext(...faults: readonly EmbeddingFault[]): void;
  close(): Promise<void>;
}

export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  const faults: EmbeddingFault[] = [];
  const requests: { body: ChatRequest; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as ChatRequest;
      requests.push({ body, headers: request.headers });
      answer(response, body, faults.shift());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    failNext: (...next) => void faults.push(...next),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, request: ChatRequest, fault: EmbeddingFault | undefined): void {
  if (fault === 'hang') return;
  if (fault === 'disconnect') {
    response.destroy();
  } else if (fault === 'garbage') {
    response.end('<html>');
  } else if (fault !== undefined && 'status' in fault) {
    response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
    response.end(JSON.stringify({ error: { message: 'no', type: 'test' } }));
  } else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(fault === undefined ? embeddingsBody(request) : fault.body));
  }
}
