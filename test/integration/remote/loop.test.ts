import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { openServer, type TestServer } from '../../support/server.js';

let dir: string;
let first: TestServer;
let second: TestServer;

function fileNaming(name: string, port: number): string {
  const file = join(dir, `${name}.yaml`);
  const lines = [
    'agents:',
    `  - name: ${name}`,
    `    card: http://127.0.0.1:${port}/.well-known/agent-card.json`,
    '    keywords: [parking]',
    '    allow_private: true',
    '    allow_http: true',
    '    retries: 0',
  ];
  writeFileSync(file, lines.join('\n'));
  return file;
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hub-loop-'));
  const [one, two] = [await freePort(), await freePort()];
  first = await openServer({ env: { PORT: String(one), HUB_REMOTE_AGENTS: fileNaming('second', two) } });
  second = await openServer({ env: { PORT: String(two), HUB_REMOTE_AGENTS: fileNaming('first', one) } });
});
afterAll(async () => {
  await first.close();
  await second.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('two hubs that name each other', () => {
  it('[ORC-19] ask each other a few times at most, and the customer gets an answer', async () => {
    const token = await first.token('ana.souza@example.com');
    const thread = await first.thread(token);
    const sent = { text: 'Is there parking near the museum?', client_message_id: 'm1' };
    const answer = await first.post(`/api/threads/${thread}/messages`, token, sent);
    expect(answer.status).toBe(200);
    expect(String(answer.body.reply)).not.toBe('');
    const tickets = [first, second].map(({ hub }) =>
      Number(hub.query('udahub', 'SELECT count(*) AS n FROM tickets')[0]?.n),
    );
    expect(tickets[0]).toBeGreaterThan(0);
    expect(tickets[1]).toBeGreaterThan(0);
    expect((tickets[0] ?? 0) + (tickets[1] ?? 0)).toBeLessThanOrEqual(4);
  });
});
