import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/adapters/telemetry/pino-log.js';
import { parseConfig } from '../../../src/config/config.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { makeTempDir } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';
import { LIES, openShopLine, type ShopLine, type ShopProcess, startShopProcess } from '../../support/shop.js';
import { writeShopOverMcp } from '../../support/shop-over-mcp.js';

const LEO = 'leo@example.com';
/** Over HTTP all that may happen; over MCP, which takes several requests for a call, what may differ there. */
const WAYS = [
  ['HTTP', (folder: string) => cpSync('companies/shop', folder, { recursive: true })],
  ['MCP', writeShopOverMcp],
] as const;

/** Seconds that the hub waits for the shop here, which every test of a system without an answer takes: fewer than its file says. */
const TIMEOUT = 2.5;

let room: string;
let system: ShopProcess;
let shop: ShopLine;
let at: TestServer;
let token: string;
let orders = 0;

/** Beside the others, so that each fault has its own. */
function newOrder(): string {
  orders += 1;
  const id = `so_90${String(orders).padStart(2, '0')}`;
  const order = `INSERT INTO orders SELECT ?, customer_id, address_id, status, placed_at, arrives_at, paid_with FROM orders WHERE id = 'so_2001' RETURNING id`;
  shop.rows(order, id);
  shop.rows(
    "INSERT INTO items (id, order_id, sku, quantity, unit_cents) VALUES (?, ?, 'lamp-black', 1, 4900) RETURNING id",
    `it_${id}`,
    id,
  );
  return id;
}

/** What a customer reads: an answer, or the sentence of an error. */
async function say(thread: string, text: string) {
  const { status, body } = await at.post(`/api/threads/${thread}/messages`, token, { text });
  return {
    status,
    text: String(body.reply ?? body.detail),
    pending: body.pending as { tool: string } | null,
    code: body.code,
  };
}
const refunds = (id: string) => shop.rows('SELECT amount_cents AS cents FROM refunds WHERE order_id = ?', id);
const logged = (): readonly string[] => {
  const path = join(room, 'data', 'hub.log');
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
};

describe.each(WAYS)('a system of its own that fails in the middle, asked over %s', (way, write) => {
  beforeAll(async () => {
    room = makeTempDir();
    const company = join(room, 'shop');
    write(company);
    const sources = join(company, 'sources.yaml');
    const patient = readFileSync(sources, 'utf8');
    expect(patient).toContain('timeout: 5\n');
    writeFileSync(sources, patient.replace('timeout: 5\n', `timeout: ${TIMEOUT}\n`));
    system = await startShopProcess(room);
    shop = await openShopLine(room, system);
    const env = {
      HUB_TURNS_PER_MINUTE: '1000',
      HUB_COMPANY: company,
      SHOP_URL: shop.url,
      SHOP_MCP_URL: `${shop.url}/mcp`,
    };
    const dataDir = join(room, 'data');
    const clock = createFixedClock(new Date().toISOString());
    const log = createLog({ ...parseConfig({ ...env, HUB_DATA_DIR: dataDir }).log, clock });
    at = await openServer({ dataDir, env, clock, overrides: { log } });
    token = await at.token(LEO);
  });
  afterAll(async () => {
    await at.close();
    await shop.close();
    rmSync(room, { recursive: true, force: true });
  });

  afterEach(() => {
    shop.line = 'up';
    shop.about = /^/;
  });

  /** What took all its time is not read again for a moment. */
  const reached = () =>
    expect.poll(async () => (await say(await at.thread(token), 'show me my orders')).text).toMatch(/lamp/i);
  const agreed = async () => {
    const order = newOrder();
    const thread = await at.thread(token);
    const { pending } = await say(thread, `cancel ${order}`);
    expect(pending?.tool).toBe('cancel_order');
    return { order, thread };
  };
  /** What operators can look for since then. */
  const codesSince = (lines: number) =>
    logged()
      .slice(lines)
      .flatMap((line) => /"code":"(\w+)"/.exec(line)?.[1] ?? []);

  it.each(
    way === 'MCP'
      ? (['stalls after'] as const)
      : (['fails after', 'lies after', 'stalls after', 'comes twice'] as const),
  )('[BYO-51] has one effect, and says that it is done, where its system: %s', async (line) => {
    const { order, thread } = await agreed();
    const before = logged().length;
    shop.line = line;
    expect((await say(thread, 'yes')).text).toMatch(/^Done: .* is cancelled, and \$49\.00/);
    expect(refunds(order)).toEqual([{ cents: 4900 }]);
    expect(shop.line).toBe('up');
    if (line === 'fails after' || line === 'stalls after')
      expect(codesSince(before)).toContain('source_unavailable');
    expect((await say(thread, 'yes')).pending).toBeNull();
    expect(refunds(order)).toHaveLength(1);
  });

  it.each(way === 'MCP' ? (['lies'] as const) : (['fails', 'lies'] as const))(
    '[BYO-51] keeps who is signed in, and the question, while its system %s',
    async (line) => {
      const { order, thread } = await agreed();
      const before = logged().length;
      shop.line = line;
      expect(await say(thread, 'yes')).toMatchObject({ status: 503, code: 'source_unavailable' });
      expect(codesSince(before)).toContain('source_unavailable');
      expect(refunds(order)).toEqual([]);
      shop.line = 'up';
      expect((await say(thread, 'yes')).text).toMatch(/^Done: /);
      expect(refunds(order)).toEqual([{ cents: 4900 }]);
    },
  );

  it.each(LIES)(
    '[BYO-51] has one effect where its system makes the change and answers with %s',
    async (lie) => {
      const { order, thread } = await agreed();
      const before = logged().length;
      [shop.line, shop.lie] = ['lies after', lie];
      const done = await say(thread, 'yes');
      expect(done, JSON.stringify(done)).toMatchObject({
        text: expect.stringMatching(/^Done: .* is cancelled/),
      });
      expect(refunds(order)).toEqual([{ cents: 4900 }]);
      expect(codesSince(before)).not.toContain('unexpected');
      expect((await say(thread, 'yes')).pending).toBeNull();
      expect(refunds(order)).toHaveLength(1);
    },
  );

  // A lone null says that there is no such record.
  const readLies = LIES.filter((lie) => lie !== 'null');
  it.each(readLies)(
    '[BYO-51] claims nothing, and keeps the question, while it answers with %s',
    async (lie) => {
      const { order, thread } = await agreed();
      const before = logged().length;
      [shop.line, shop.lie] = ['lies', lie];
      const asked = await say(thread, 'yes');
      expect(asked, JSON.stringify(asked)).toMatchObject({ status: 503, code: 'source_unavailable' });
      expect(asked.text).toMatch(/^[A-Z][^{}<>_]*[.!?]$/);
      expect(codesSince(before)).toEqual(expect.arrayContaining([asked.code]));
      expect(refunds(order)).toEqual([]);
      shop.line = 'up';
      if (lie === 'no end') await reached();
      const again = await say(thread, 'yes');
      expect(again.text, JSON.stringify(again)).toMatch(/^Done: /);
      expect(refunds(order)).toEqual([{ cents: 4900 }]);
    },
  );

  it.each(readLies)(
    '[BYO-51] says of records nothing that it does not know while %s is answered',
    async (lie) => {
      const before = logged().length;
      [shop.line, shop.lie, shop.about] = ['lies', lie, /orders/];
      const asked = await say(await at.thread(token), 'show me my orders');
      expect(asked, JSON.stringify(asked)).toMatchObject({
        status: 200,
        text: expect.stringMatching(/^[A-Z][^{}<>_]*[.!?]$/),
      });
      expect(asked.text).not.toMatch(/no orders|sign in|undefined|null|none of your/i);
      expect(codesSince(before)).not.toEqual([]);
      // One read waits as long as it may, its repetitions fail at once: the turn ends well before its own limit.
      if (lie !== 'no end') return;
      shop.line = 'up';
      await reached();
    },
  );

  it.each(['killed before', 'killed after'] as const)(
    '[BYO-51] claims nothing where its process is %s the change, and does it once when it is back',
    async (line) => {
      const { order, thread } = await agreed();
      const before = logged().length;
      shop.line = line;
      expect(await say(thread, 'yes')).toMatchObject({ status: 503, code: 'outcome_unknown' });
      expect(codesSince(before)).toEqual(expect.arrayContaining(['source_unavailable', 'outcome_unknown']));
      expect(refunds(order)).toHaveLength(line === 'killed after' ? 1 : 0);
      await system.start();
      const answer = (await say(thread, 'yes')).text;
      // Where the hub has looked it up by itself before the second yes, nothing waits any more, and the conversation says so.
      const { body } = await at.get(`/api/threads/${thread}`, token);
      const told = (body.messages as { content: string }[]).map(({ content }) => content);
      expect([answer, ...told]).toContainEqual(expect.stringMatching(/^Done: .* is cancelled, and \$49\.00/));
      expect(refunds(order)).toEqual([{ cents: 4900 }]);
    },
  );
});
