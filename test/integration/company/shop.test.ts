import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { openPrivacy } from '../../../src/app/privacy.js';
import { parseConfig } from '../../../src/config/config.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { makeTempDir } from '../../support/hub.js';
import { connectMcp } from '../../support/mcp.js';
import { openServer, type TestServer } from '../../support/server.js';
import { openShopLine, type ShopLine } from '../../support/shop.js';
import { writeShopOverMcp } from '../../support/shop-over-mcp.js';

const MIA = 'mia@example.com';
const LEO = 'leo@example.com';
const ADA = 'ada@example.com';
const NOOR = 'noor@example.com';
const OLGA = { operatorId: 'op_1', name: 'Olga' };
/** What only the company that ships has. */
const FOREIGN =
  /.{0,60}(?:cultpass|reserva\b|subscri|booking|museum|concert|R\$|bras[ií]lia|gearhouse|velo\b).{0,60}/gi;

let room: string;
let company: string;
let said: string[];
let shop: ShopLine;
let at: TestServer;
const env = () => ({ HUB_COMPANY: company, SHOP_URL: shop.url, SHOP_MCP_URL: `${shop.url}/mcp` });
// The shop's own clock is the real one.
const open = () =>
  openServer({ dataDir: join(room, 'data'), env: env(), clock: createFixedClock(new Date().toISOString()) });

async function say(email: string | null, text: string, threadId?: string) {
  const reply = await at.hub.say(email, text, threadId);
  said.push(reply.reply, JSON.stringify(reply.escalation));
  return reply;
}
const status = (id: string) => shop.rows('SELECT status FROM orders WHERE id = ?', id)[0]?.status;
const refunds = (id: string) => shop.rows('SELECT amount_cents AS cents FROM refunds WHERE order_id = ?', id);

/** How its system is asked: the company that ships, and the same where every request is a tool of an MCP server. */
const WAYS = [
  ['HTTP', () => 'shop'],
  [
    'MCP',
    (folder: string) => {
      writeShopOverMcp(folder);
      return folder;
    },
  ],
] as const;

describe.each(WAYS)('a shop in YAML over its own system, asked over %s', (way, write) => {
  beforeAll(async () => {
    room = makeTempDir();
    said = [];
    company = write(join(room, 'shop'));
    shop = await openShopLine(room);
    at = await open();
  });
  afterAll(async () => {
    await at.close();
    await shop.close();
    rmSync(room, { recursive: true, force: true });
  });

  it('[BYO-07] passes the check with no line of code', async () => {
    // What stands in for its system is a program, where that is asked over HTTP.
    const found = await checkCompany(parseConfig(env()));
    expect(found.filter(({ problem }) => !problem.startsWith('Nothing stands in'))).toEqual([]);
    expect(found).toHaveLength(way === 'MCP' ? 1 : 0);
  });

  it('[BYO-07] answers from its articles and from what its system says, in three languages', async () => {
    expect((await say(null, 'How much does delivery cost?')).reply).toContain('from $60 on it is free');
    const listed = await say(MIA, '¿Cuáles son mis pedidos?');
    expect(listed.reply).toMatch(/Wool rug small, .*Portland \(en camino\)/);
    expect(listed.reply).not.toContain('lamp black');
    const asked = await say(
      MIA,
      'quando chega o tapete?',
      (await say(MIA, 'Quais são os meus pedidos?')).threadId,
    );
    expect(asked.reply).toMatch(/Wool rug small/);
  });

  it.each([
    [['is the rug in stock?', 'and mugs?'], /mug/, /rug/],
    [['quanto custa a luminária?', 'e a caneca?', 'tapete'], /rug/, /mug|lamp/],
    [['hay tazas en existencia?', '¿y el sillón?'], /chair/, /mug/],
  ])('[BYO-78] looks up another of what may be chosen: %j', async (texts, there, before) => {
    let threadId: string | undefined;
    let reply = '';
    for (const text of texts) ({ reply, threadId } = await say(null, text, threadId));
    expect(reply).toMatch(there);
    expect(reply).not.toMatch(before);
  });

  it('[BYO-83] writes amounts in a list in the language that is spoken', async () => {
    expect((await say(null, 'do you have red mugs?')).reply).toMatch(/Coffee mug red \$16\.00/);
    expect((await say(null, 'hay tazas en existencia?')).reply).toMatch(/Coffee mug red 16,00.\$/);
  });

  it('[BYO-79] answers another question while it waits for a choice', async () => {
    const asked = await say(null, 'do you have it in stock?');
    expect(asked.reply).toMatch(/^Which product do you mean/);
    expect((await say(null, 'how much does delivery cost?', asked.threadId)).reply).toContain('from $60 on');
  });

  it('[BYO-07] makes a change by one call under one key, and reports what the system answered', async () => {
    const asked = await say(MIA, 'cancel my order of the lamp and the mug');
    expect(asked.pending).toMatchObject({ tool: 'cancel_order', args: { order_id: 'so_1001' } });
    expect(asked.pending?.question).toContain('$73.00');
    expect(shop.changes).toEqual([]);
    const done = await say(MIA, 'yes', asked.threadId);
    expect(done.reply).toContain('$73.00 is on its way back');
    await say(MIA, 'yes', asked.threadId);
    expect(shop.changes).toEqual([expect.stringMatching(/^POST \/orders\/so_1001\/cancel pnd_/)]);
    expect(refunds('so_1001')).toEqual([{ cents: 7300 }]);
  });

  it('[BYO-07] takes a list, an optional input and terms that are worked out from what was read', async () => {
    const mcp = await connectMcp(at.hub, { as: MIA });
    const asked = await mcp.call('return_items', { order_id: 'so_1003', item_ids: ['it_4'] });
    expect(asked.text).toContain('$56.00');
    expect(await mcp.call('return_items', { order_id: 'so_1003', item_ids: ['it_1'] })).toMatchObject({
      isError: true,
    });
    const products = await mcp.call('find_products', { words: 'lamp' });
    await mcp.close();
    expect(products.data).toMatchObject({ products: [{ price_cents: 4900 }, { price_cents: 4500 }] });
    const redirect = await say(MIA, 'change the address of my order of the reading chair');
    expect(redirect.pending?.question).toContain('office (800 River Street, Portland)');
    const done = await say(MIA, 'yes', redirect.threadId);
    expect(done.reply).toContain('goes to your office');
    expect(shop.rows('SELECT address_id FROM orders WHERE id = ?', 'so_1004')).toEqual([
      { address_id: 'ad_12' },
    ]);
  });

  it('[BYO-21] exchanges several items of one order at once, with the difference on the gift card that holds it', async () => {
    const asked = await say(
      ADA,
      'quero trocar meu pedido pelas cores preta e vermelha com o cartão-presente',
    );
    expect(asked.pending).toMatchObject({
      tool: 'exchange_items',
      args: { order_id: 'so_4001', variants: ['black', 'red'], pay_with: 'gift_card' },
    });
    expect(asked.pending?.question).toMatch(
      /oak → black e Coffee mug blue → red.* \$ 8,00 vai para GIFT-9000/,
    );
    const done = await say(ADA, 'sim', asked.threadId);
    expect(done.reply).toContain('foi cobrado em GIFT-9000');
    const items = "SELECT sku, unit_cents FROM items WHERE order_id = 'so_4001' ORDER BY id";
    expect(shop.rows(items)).toEqual([
      { sku: 'lamp-black', unit_cents: 4900 },
      { sku: 'mug-red', unit_cents: 1600 },
    ]);
    expect(
      shop.rows("SELECT balance_cents FROM payment_methods WHERE customer_id = 'cu_4' ORDER BY id"),
    ).toEqual([{ balance_cents: null }, { balance_cents: 600 }, { balance_cents: 4200 }]);
    const balances = await say(ADA, '¿Cuál es el saldo de mi tarjeta regalo?');
    expect(balances.reply).toContain('42,00');
  });

  it('[BYO-21] asks for the variant that is not said, exchanges nothing that is sold out, and gives the difference back', async () => {
    const open = await say(ADA, 'I want to exchange my order');
    expect(open.reply).toContain('For which colour');
    expect((await say(ADA, 'white', open.threadId)).reply).toContain('sold out');
    const back = await say(ADA, 'quiero cambiar mi pedido por azul');
    expect(back.pending?.question).toMatch(/red → blue\? 4,00 \$ vuelve a Visa 0077/);
    expect((await say(ADA, 'no', back.threadId)).reply).toContain('no he cambiado nada');
    expect(shop.changes.filter((change) => change.includes('/exchanges'))).toHaveLength(1);
  });

  it('[BYO-07] denies in its own words, and to a blocked customer everything', async () => {
    expect((await say(MIA, 'cancel my order of the rug')).reply).toContain('has left us already');
    const blocked = await say(NOOR, 'cancel my order');
    expect(blocked.pending).toBeNull();
    expect(status('so_3001')).toBe('processing');
  });

  it('[BYO-03] shows and changes nothing of another customer, whatever id is given', async () => {
    const before = shop.changes.length;
    const foreign = await say(LEO, 'cancel so_1004');
    expect(foreign.reply).not.toContain('chair');
    expect(foreign.pending).toBeNull();
    expect(shop.changes).toHaveLength(before);
  });

  it('[BYO-08] tells of no effect while nobody knows of one, and makes it once when the line is back', async () => {
    const asked = await say(LEO, 'cancel my order of the black lamp');
    expect(asked.pending?.question).toContain('$49.00');
    shop.line = 'answers lost';
    // The shop has cancelled it, and nobody heard.
    await expect(say(LEO, 'yes', asked.threadId)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(status('so_2001')).toBe('cancelled');
    shop.line = 'up';
    await at.close();
    at = await open();
    const again = await say(LEO, 'yes', asked.threadId);
    expect(again.reply).toContain('$49.00 is on its way back');
    expect(refunds('so_2001')).toEqual([{ cents: 4900 }]);
    expect(at.hub.query('shop', 'SELECT count(*) AS count FROM effect_attempts')).toEqual([{ count: 0 }]);
  });

  it('[BYO-09] says so while its system does not answer, claims nothing, and goes on when it does', async () => {
    const listed = await say(MIA, 'show me my orders');
    shop.line = 'down';
    const orders = await say(MIA, 'show me my orders', listed.threadId);
    expect(orders.reply).toContain('do not answer at the moment');
    const fact = await say(MIA, 'when does the second one arrive?', listed.threadId);
    expect(fact.reply).not.toBe('');
    const change = await say(MIA, 'cancel my order of the reading chair');
    expect(change.pending).toBeNull();
    expect((await say(null, 'How do I return something?')).reply).toContain('within 30 days');
    expect(await at.get('/api/config')).toMatchObject({ status: 200, body: { demo_customers: [] } });
    shop.line = 'up';
    expect((await say(MIA, 'show me my orders')).reply).toContain('Wool rug small');
    expect(shop.changes.filter((change) => change.includes('so_1004/cancel'))).toEqual([]);
  });

  it('[ATK-25] lets a person take over while nobody knows of an effect, says so, and completes it once', async () => {
    const asked = await say(MIA, 'change the address of my order of the reading chair');
    expect(asked.pending?.tool).toBe('change_address');
    shop.line = 'answers lost';
    await expect(say(MIA, 'yes', asked.threadId)).rejects.toMatchObject({ code: 'outcome_unknown' });
    const { desk } = at.hub.app;
    await desk.claim(asked.ticketId, OLGA);
    const notes = (await desk.show(asked.ticketId)).messages.map(({ content }) => content);
    expect(notes.join('\n')).toContain('is not known yet');
    shop.line = 'up';
    await desk.returnToHub(asked.ticketId, OLGA, undefined);
    await say(MIA, 'what happened?', asked.threadId);
    expect(at.hub.query('shop', 'SELECT count(*) AS count FROM effect_attempts')).toEqual([{ count: 0 }]);
    expect(shop.changes.filter((change) => change.includes('so_1004/address'))).toHaveLength(2);
  });

  it.each(['fails', 'lies'] as const)(
    '[BYO-17] claims and changes nothing while its system %s, and does it once when it is well again',
    async (line) => {
      const ask = 'send my order of the reading chair to another address';
      const before = shop.changes.length;
      const asked = await say(MIA, ask);
      expect(asked.pending).toMatchObject({ tool: 'change_address' });
      shop.line = line;
      const failed = await say(MIA, 'yes', asked.threadId);
      const listed = await say(MIA, 'show me my orders');
      shop.line = 'up';
      expect(failed.reply).not.toMatch(/done:/i);
      expect(failed.reply.length).toBeGreaterThan(20);
      expect(listed.reply).not.toMatch(/none of your business/);
      expect(shop.changes).toHaveLength(before);
      const { threadId } = await say(MIA, ask);
      expect((await say(MIA, 'yes', threadId)).reply).toMatch(/^Done: .*goes to your/);
      expect(shop.changes).toHaveLength(before + 1);
    },
  );

  it('[BYO-06] gives out and erases what the hub holds of a customer, and leaves to its system what is its own', async () => {
    const { threadId } = await say(MIA, 'Where is my wool rug?');
    await at.close();
    const privacy = await openPrivacy(parseConfig({ ...env(), HUB_DATA_DIR: join(room, 'data') }));
    const exported = JSON.stringify(await privacy.export(MIA));
    expect(exported).toContain('Where is my wool rug?');
    const report = await privacy.erase(MIA);
    await privacy.close();
    expect(report).toMatchObject({ status: 'erased', proof: { leftovers: [] } });
    at = await open();
    const held = `SELECT count(*) AS count FROM ticket_messages JOIN tickets USING (ticket_id) WHERE thread_id = '${threadId}'`;
    expect(at.hub.query('udahub', held)).toEqual([{ count: 0 }]);
    expect(shop.rows('SELECT name FROM customers WHERE email = ?', MIA)).toHaveLength(1);
  });

  it('[BYO-07] says no word of another company', () => {
    expect(said.join('\n').match(FOREIGN)).toBeNull();
  });
});
