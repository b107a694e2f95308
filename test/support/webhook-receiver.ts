import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was told to a webhook. */
export interface Told {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A webhook on a free port of the loopback. */
export interface WebhookReceiver {
  readonly url: string;
  readonly told: readonly Told[];
  /** Statuses of the next answers; 200 once they are used up. */
  readonly next: number[];
  /** As if nothing had been told. */
  forget(): void;
  close(): Promise<void>;
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const told: Told[] = [];
  const next: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      const status = next.shift() ?? 200;
      if (status === 200) told.push({ headers: request.headers, body: JSON.parse(text) });
      response.writeHead(status, { location: 'http://169.254.169.254/' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    told,
    next,
    forget: () => void told.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
