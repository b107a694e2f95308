import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in front of a server on the loopback, for programs that cannot be told to send a header. */
export interface HeaderProxy {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Hands every request on as it came, `Host` and `Origin` too, with these headers added.
 * @param rewrite what becomes of a body; as it came where absent
 */
export async function startHeaderProxy(
  target: string,
  headers: Readonly<Record<string, string>>,
  rewrite: (body: string) => string = (body) => body,
): Promise<HeaderProxy> {
  const server = createServer((incoming, outgoing) => {
    const hand = async (): Promise<void> => {
      const body = Buffer.from(rewrite(await textOf(incoming)));
      const length = incoming.method === 'POST' ? { 'content-length': String(body.length) } : {};
      const options = { method: incoming.method, headers: { ...incoming.headers, ...headers, ...length } };
      const onward = request(new URL(incoming.url ?? '/', target), options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      onward.end(body);
    };
    hand().catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
