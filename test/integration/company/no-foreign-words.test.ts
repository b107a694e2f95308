import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPrivacy } from '../../../src/app/privacy.js';
import { parseConfig } from '../../../src/config/config.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { makeTempDir } from '../../support/hub.js';
import { connectMcp } from '../../support/mcp.js';
import { openServer, type TestServer } from '../../support/server.js';
import { openShopLine, type ShopLine } from '../../support/shop.js';

const MIA = 'mia@example.com';
/** What only the company that ships has: its name, its records, its money and its places; web push has subscriptions everywhere. */
const FOREIGN =
  /.{0,60}(?:cultpass|reserva(?:tion|\b|s\b)|(?<!push_)subscri(?:ption|ber)|assinatura|museum|museu|concert|theat(?:re|er)\b|R\$|bras[ií]lia|s[aã]o paulo|centavos).{0,60}/gi;

const room = makeTempDir();
let shop: ShopLine;
let at: TestServer;
const env = () => ({ HUB_COMPANY: 'shop', SHOP_URL: shop.url, SHOP_MCP_URL: `${shop.url}/mcp` });

beforeAll(async () => {
  shop = await openShopLine(room);
  const clock = createFixedClock(new Date().toISOString());
  at = await openServer({ dataDir: join(room, 'data'), env: env(), clock });
});
afterAll(async () => {
  await at.close();
  await shop.close();
  rmSync(room, { recursive: true, force: true });
});

/** What stands on a surface and is of another company, each once. */
const foreignIn = (text: string): readonly string[] => [...new Set(text.match(FOREIGN) ?? [])];

describe('the shop, over every surface', () => {
  it.each(['/openapi.json', '/.well-known/agent-card.json', '/agents'])(
    '[BYO-94] says no word of another company at %s',
    async (path) => {
      const { status, text } = await at.get(path);
      expect(status).toBe(200);
      expect(foreignIn(text)).toEqual([]);
    },
  );

  it('[BYO-94] says none in the chat, at the desk, over MCP, in what is logged, exported and kept', async () => {
    const asked = await at.hub.say(MIA, 'cancel my wool rug');
    await at.hub.say(MIA, 'no', asked.threadId);
    await at.hub.say(null, 'how long does delivery take?');
    await at.hub.say(MIA, 'quiero hablar con una persona');
    const operator = await at.operator();
    const paths = [
      '/api/desk/company',
      '/api/desk/tickets',
      '/api/desk/macros',
      '/api/desk/skills',
      '/api/desk/reports',
      '/api/desk/approvals',
      '/api/desk/knowledge',
    ];
    const desk = await Promise.all(paths.map((path) => at.get(path, operator)));
    const mcp = await connectMcp(at.hub, { as: MIA });
    const tools = await mcp.client.listTools();
    const prompts = await mcp.client.listPrompts().catch(() => null);
    const resources = await mcp.client.listResources().catch(() => null);
    const lists = tools.tools.filter(
      ({ annotations, inputSchema }) => annotations?.readOnlyHint && !inputSchema.required?.length,
    );
    expect(lists.length).toBeGreaterThan(2);
    const listed = [];
    for (const { name } of lists) listed.push(await mcp.call(name, {}));
    await mcp.close();
    const privacy = await openPrivacy(parseConfig({ ...env(), HUB_DATA_DIR: join(room, 'data') }));
    const exported = await privacy.export(MIA);
    await privacy.close();
    const surfaces = {
      desk: desk.map(({ body }) => body),
      tools,
      prompts,
      resources,
      listed,
      exported,
      log: at.hub.log.entries,
    };
    const found = Object.entries(surfaces).map(([name, what]) => [
      name,
      foreignIn(JSON.stringify(what) ?? ''),
    ]);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.keys(surfaces).map((name) => [name, []])),
    );
  });

  it('[BYO-94] says none in the sentences of the pages', () => {
    const web = join(process.cwd(), 'src', 'surfaces', 'web');
    const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(?:json|html)$/.test(file),
    );
    expect(files.length).toBeGreaterThan(5);
    const texts = files.filter((file) => statSync(join(web, file)).isFile());
    expect(texts.flatMap((file) => foreignIn(readFileSync(join(web, file), 'utf8')))).toEqual([]);
  });
});
