import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixedClock } from '../../support/fixed-clock.js';
import { makeTempDir } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';
import { openShopLine, type ShopLine } from '../../support/shop.js';
import { programToken } from '../a2a/support.js';
import { rpc, saying, V1 } from '../a2a/tasks-support.js';

const MIA = 'mia@example.com';
const ADA = 'ada@example.com';
const OLGA = { operatorId: 'op_1', name: 'Olga' };

const room = makeTempDir();
let shop: ShopLine;
let at: TestServer;
beforeAll(async () => {
  shop = await openShopLine(room);
  const env = { HUB_COMPANY: 'shop', SHOP_URL: shop.url };
  // The shop's own clock is the real one.
  const clock = createFixedClock(new Date().toISOString());
  at = await openServer({ dataDir: join(room, 'data'), env, clock });
});
afterAll(async () => {
  await at.close();
  await shop.close();
  rmSync(room, { recursive: true, force: true });
});

const status = (id: string) => shop.rows('SELECT status FROM orders WHERE id = ?', id)[0]?.status;
const refunds = (id: string) => shop.rows('SELECT amount_cents AS cents FROM refunds WHERE order_id = ?', id);
const say = (email: string, text: string, threadId?: string) => at.hub.say(email, text, threadId);
const messages = (ticketId: string) =>
  at.hub
    .query('udahub', 'SELECT content FROM ticket_messages WHERE ticket_id = ? ORDER BY seq', ticketId)
    .map(({ content }) => String(content));

/** Says one thing after the other in a conversation of its own. @returns the replies */
async function replies(email: string | null, ...lines: readonly string[]): Promise<readonly string[]> {
  const said: string[] = [];
  let threadId: string | undefined;
  for (const line of lines) {
    const reply = await at.hub.say(email, line, threadId);
    threadId = reply.threadId;
    said.push(reply.reply);
  }
  return said;
}

describe('a company that lists nothing for everybody', () => {
  it('[BYO-52] follows a conversation about one of its records', async () => {
    const [where, lamp, when, going] = await replies(
      MIA,
      "hey, where's my rug?",
      'and the lamp?',
      'when does it arrive',
      "where's it going?",
    );
    expect(where).toContain('Wool rug');
    expect(lamp).toContain('Desk lamp oak');
    expect(lamp).not.toMatch(/rug|chair/);
    expect(when).toMatch(/Desk lamp.*at \d/);
    expect(going).toContain('Cedar Lane');
    // A mere name asks for no change.
    expect((await replies(MIA, 'the lamp?'))[0]).toMatch(/^Desk lamp oak[^?]*\)$/);
  });

  it('[BYO-53] tells what would come of each that is listed for a change, and goes on with that', async () => {
    const [, each, asked, why] = await replies(
      MIA,
      'i want to cancel an order',
      'how much would I get back?',
      'the first one',
      'and what would I get back again?',
    );
    expect(each).toMatch(/Desk lamp oak.*\$73\.00[\s\S]*Reading chair grey.*\$320\.00/);
    expect(asked).toMatch(/^Shall I cancel your order of Desk lamp/);
    expect(why).toMatch(/^You get \$73\.00 back\.\n/);
  });

  it('[BYO-54] says by its rules why the only one cannot be changed, and takes another value after a refused one', async () => {
    expect((await replies('leo@example.com', 'send it back please'))[0]).toContain('once it was delivered');
    const [, refused, red] = await replies(MIA, "I'd like to swap the mug", 'the black one', 'red then');
    expect(refused).toContain('there is none in that variant');
    expect(red).toMatch(/^Shall I exchange .*red\?/);
  });

  it('[BYO-55] looks up for visitors what anybody may know, and answers no farewell to a language it was not taught', async () => {
    expect((await replies(null, 'do you have a lamp in white?'))[0]).toMatch(/^In stock: Desk lamp/);
    expect((await replies(ADA, 'wo ist meine bestellung'))[0]).toMatch(/only[\s\S]*few more words/);
  });
});

describe('the shop and its people', () => {
  it('[BYO-35] makes what costs more than the shop allows by itself once an operator agrees, once', async () => {
    const asked = await say(MIA, 'Please cancel my reading chair');
    expect(asked.reply).toContain('$320.00');
    const waits = await say(MIA, 'yes', asked.threadId);
    expect(status('so_1004')).toBe('processing');
    const { pending } = waits;
    expect(pending?.kind).toBe('approval');
    await at.hub.app.desk.approve(String(pending?.id), OLGA);
    expect(status('so_1004')).toBe('cancelled');
    expect(refunds('so_1004')).toEqual([{ cents: 32_000 }]);
    expect(messages(asked.ticketId).at(-1)).toMatch(/Reading chair grey is cancelled, and \$320\.00/);
  });

  it('[BYO-36] takes back what arrived damaged, by a pack of its own that asks which it is', async () => {
    const asked = await say(MIA, 'the mugs I ordered arrived broken');
    expect(asked.reply).toContain('which product, and in which order?');
    const found = await say(MIA, 'so_1003', asked.threadId);
    expect(found.reply).toContain('I am very sorry that it arrived damaged');
    expect(found.reply).toContain('$56.00');
    expect(refunds('so_1003')).toEqual([]);
    const done = await say(MIA, 'yes', found.threadId);
    expect(done.reply).toMatch(/\$56\.00 goes to your gift card/);
    expect(refunds('so_1003')).toEqual([{ cents: 5_600 }]);
    expect((await say(MIA, 'My order so_1001 arrived broken')).reply).toContain('has not been delivered yet');
  });

  it('[BYO-36] has a person judge what was dear, and goes on where it stopped when they have', async () => {
    const waits = await say(ADA, 'la lámpara del pedido so_4001 llegó rota');
    expect(waits.escalated).toBe(true);
    expect(refunds('so_4001')).toEqual([]);
    const outcome = await at.hub.app.desk.choose(waits.ticketId, 'D', OLGA);
    expect(JSON.stringify(outcome)).toContain('Nuestro equipo lo ha revisado');
    // What it recommends passes the gate as any other change: nothing is done before the customer, who is told first, agrees.
    const told = await say(ADA, '¿y?', waits.threadId);
    expect(told.reply).toContain('73,00 $ vuelve a tu medio de pago');
    expect(refunds('so_4001')).toEqual([]);
    await say(ADA, 'sí', waits.threadId);
    expect(refunds('so_4001')).toEqual([{ cents: 7_300 }]);
  });

  it('[BYO-35] is asked and acts over A2A, for the customer of the token alone', async () => {
    const token = await programToken(at, MIA);
    const send = async (text: string, more: Parameters<typeof saying>[1] = {}) =>
      (await rpc(at, 'SendMessage', saying(text, more), { token, headers: V1 })).result.task;
    const listed = await send('Where is my wool rug?');
    expect(JSON.stringify(listed)).toContain('Wool rug small');
    expect(JSON.stringify(listed)).not.toContain('lamp black');
    const asked = await send('Please cancel my desk lamp');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(status('so_1001')).toBe('processing');
    const done = await send('yes', { taskId: asked.id });
    expect(JSON.stringify(done)).toContain('$73.00');
    expect(status('so_1001')).toBe('cancelled');
  });

  it('[BYO-35] sorts tickets in Spanish by the shop’s own issue types and routes', async () => {
    const classifier = at.hub.app.batchClassifier({ workers: 1, onLost: () => {} });
    const sorted = async (message: string) => {
      const { language, route, issueType } = (await classifier.classify(message)).classification;
      return { language, route, issueType };
    };
    expect(await sorted('¿Dónde está mi pedido?')).toEqual({
      ...{ language: 'es', route: 'account', issueType: 'order' },
    });
    expect(await sorted('Quiero devolver las tazas azules')).toEqual({
      ...{ language: 'es', route: 'action', issueType: 'return' },
    });
    classifier.close();
  });
});

/* What customers of other trades say: the reader of danger is the same for every company. */
const CALM = [
  "I can't get into the old inbox any more though.",
  "I'm in Spain and I can't get online",
  'my line is dead since this morning',
  'my battery died at the airport and I missed boarding',
  'my suitcase was destroyed',
  "I'm stuck at the airport, my flight was cancelled",
  'they bumped me off the flight',
  "my heating died and it's freezing in here",
  'my number was cut off because of a late bill',
  'my trainer killed me today haha',
  'I broke my arm and cannot use the gym for two months',
  'the hotel is next to a shooting range, very loud',
  'minha internet morreu de novo',
  'tô em Portugal e não consigo internet',
  'a caixa chegou toda quebrada',
  'quero encerrar tudo, cancela minha linha',
  'a linha pessoal',
  'estoy enferma y no puedo volar mañana',
  'mi línea está muerta desde ayer',
];
const GRAVE = [
  'the heater exploded and my wife is burnt',
  'a man followed me from your shop to my car',
  'my son choked on a part of your toy',
  "I slipped on your wet floor and can't move my arm",
  'we have carbon monoxide in the flat since you serviced the boiler',
  'sometimes I think it would be better if I was gone',
  'someone at the hotel broke into my room at night',
  'um homem me seguiu da loja até o carro',
  'meu filho engasgou com uma peça do brinquedo de vocês',
  'escorreguei no piso molhado e não mexo o braço',
  'un hombre me siguió desde la tienda',
];

describe('danger in the words of any trade', () => {
  const isCalled = async (text: string) => {
    const classifier = at.hub.app.batchClassifier({ workers: 1, onLost: () => {} });
    const { requiresHuman, humanReason } = (await classifier.classify(text)).classification;
    classifier.close();
    return requiresHuman && (humanReason === 'requires_human' || humanReason === 'legal');
  };
  it.each(CALM)('[NLU-04] is not heard in what only broke, got lost or hurts a little: %s', async (text) => {
    expect(await isCalled(text)).toBe(false);
  });
  it.each(GRAVE)('[NLU-04] is heard where somebody is harmed: %s', async (text) => {
    expect(await isCalled(text)).toBe(true);
  });
});
