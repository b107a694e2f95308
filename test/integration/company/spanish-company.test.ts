import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { connectMcp } from '../../support/mcp.js';

const ANA = 'ana@example.com';
const room = makeTempDir();
const folder = join(room, 'tienda');
let hub: Hub;

beforeAll(async () => {
  writeNewCompany(folder, {
    ...{
      name: 'Tienda',
      about: 'una tienda',
      languages: ['es'],
      currency: 'EUR',
      time_zone: 'Europe/Madrid',
    },
  });
  const seed = join(folder, 'data/seed/001_orders.sql');
  const rows = readFileSync(seed, 'utf8')
    .replace('Blue backpack', 'Mochila azul')
    .replace('Walking boots', 'Botas verdes de lluvia')
    .replace('Rain jacket', 'Chaqueta de lluvia');
  writeFileSync(seed, rows);
  const order = join(folder, 'entities/order.yaml');
  const words = readFileSync(order, 'utf8').replace(
    'records:',
    "said: { delivered: { es: ['ya me (?:llego|llegaron)'] } }\nrecords:",
  );
  writeFileSync(order, words);
  hub = await openHub({ dataDir: join(room, 'data'), env: { HUB_COMPANY: folder } });
});
afterAll(async () => {
  await hub.close();
  rmSync(room, { recursive: true, force: true });
});

describe('a company that speaks Spanish alone', () => {
  it('[BYO-109] has a connected program ask its user in that language, the box to tick too', async () => {
    const boxes: string[] = [];
    const elicit = (_question: string, yes: string) => {
      boxes.push(yes);
      return { action: 'accept' as const, content: { confirm: false } };
    };
    const mcp = await connectMcp(hub, { as: ANA, elicit });
    await mcp.call('cancel_order', { order_id: 'ord_001' });
    await mcp.close();
    expect(boxes).toEqual(['Sí']);
  });

  it.each(['Cancela la mochila azul', 'anula el pedido de la mochila, por favor'])(
    '[BYO-40] takes few words of its language for that language: %s',
    async (text) => {
      const { reply, pending } = await hub.say(ANA, text);
      expect(reply).not.toMatch(/solo puedo responder/i);
      expect(pending).toMatchObject({ args: { order_id: 'ord_001' } });
    },
  );

  it.each([
    ['¿Qué puedes hacer?', /asistente de atención de Tienda/],
    ['¿Eres un robot?', /asistente de atención de Tienda/],
    ['¿Hay alguien ahí?', /estoy aquí/i],
    ['Hasta luego', /Gracias por escribirnos/],
  ])('[BYO-40] chats about itself: %s', async (text, said) => {
    const { reply, escalated } = await hub.say(null, text);
    expect(reply).toMatch(said);
    expect(escalated).toBe(false);
  });

  it.each(['¿Cuándo llega mi pedido?', '¿Cuándo llega mi próximo pedido?'])(
    '[BYO-47] asks a visitor to sign in for what only their own records tell: %s',
    async (text) => {
      const { reply, escalated } = await hub.say(null, text);
      expect(reply).toMatch(/^Solo puedo consultar o cambiar datos de tu cuenta si has iniciado sesión/);
      expect(escalated).toBe(false);
    },
  );

  it('[BYO-40] meets danger with what helps, and a person', async () => {
    const { reply, escalated } = await hub.say(ANA, 'un hombre me sigue desde vuestra tienda, tengo miedo');
    expect(reply).toMatch(/emergencias/);
    expect(escalated).toBe(true);
  });

  it.each(['no nada, olvídalo', 'mejor me la quedo', 'ya no la canceles', 'mejor no, me equivoqué'])(
    '[BYO-40] hears that a question is turned down: %s',
    async (text) => {
      const asked = await hub.say(ANA, 'Cancela la mochila azul');
      const { pending } = await hub.say(ANA, text, asked.threadId);
      expect(pending).toBeNull();
      expect(hub.query('tienda', "SELECT 1 FROM orders WHERE status = 'cancelled'")).toEqual([]);
    },
  );

  it('[BYO-40] takes back what waits for the team', async () => {
    const asked = await hub.say(ANA, 'cancela las botas verdes');
    await hub.say(ANA, 'sí, pregúntales', asked.threadId);
    const { reply, pending } = await hub.say(
      ANA,
      'retira la solicitud de las botas, siempre sí me las quedo',
      asked.threadId,
    );
    expect(reply).toMatch(/sigue en pie/);
    expect(pending).toBeNull();
  });

  it('[BYO-40] counts in the list that it has shown', async () => {
    const listed = await hub.say(ANA, '¿Cuáles son mis pedidos?');
    const second = await hub.say(ANA, '¿Cuándo llega la segunda?', listed.threadId);
    expect(second.reply).toMatch(/«Botas verdes de lluvia»/);
  });

  it('[BYO-41] says why not of the record that is named best, and offers no other one that shares a word with it', async () => {
    const { reply, pending } = await hub.say(ANA, 'cancela la chaqueta de lluvia');
    expect(reply).toMatch(/"Chaqueta de lluvia" ya se entregó/);
    expect(pending).toBeNull();
  });

  it('[BYO-41] means a record of the status that is told of', async () => {
    const { reply } = await hub.say(ANA, 'quiero cancelar el pedido que ya me llegó');
    expect(reply).toMatch(/"Chaqueta de lluvia" ya se entregó/);
  });
});
