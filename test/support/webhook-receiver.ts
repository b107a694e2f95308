import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was told to a webhook. */
export interface Told {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** The body as it came. */
  readonly text: string;
}

/** A webhook on a free port of the loopback. */
export interface WebhookReceiver {
  readonly url: string;
  /** What was answered with 200. */
  readonly told: readonly Told[];
  /** What was answered at all. */
  readonly tries: readonly Told[];
  /** Statuses of the next answers; `status` once they are used up. */
  readonly next: number[];
  /** 200 where nothing else is said. */
  status: number;
  /** As if nothing had been told. */
  forget(): void;
  close(): Promise<void>;
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const told: Told[] = [];
  const tries: Told[] = [];
  const next: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      const status = next.shift() ?? receiver.status;
      const one = {
        headers: request.headers,
        body: text === '' ? null : (JSON.parse(text) as unknown),
        text,
      };
      tries.push(one);
      if (status === 200) told.push(one);
      response.writeHead(status, { location: 'http://169.254.169.254/' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    told,
    tries,
    next,
    status: 200,
    forget() {
      told.splice(0);
      tries.splice(0);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
