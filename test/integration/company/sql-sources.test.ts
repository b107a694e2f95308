import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSources } from '../../../src/adapters/sources/data-sources.js';
import { checkCompany } from '../../../src/app/company-check.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { parseConfig } from '../../../src/config/config.js';
import type { QuerySource, SourceSpec } from '../../../src/core/ports/data-source.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { createRecordingLog } from '../../support/recording-log.js';

const ANA = 'ana@example.com';
const TABLES = `
  CREATE TABLE customers (customer_id integer PRIMARY KEY, name text NOT NULL, email text NOT NULL, is_blocked integer NOT NULL, created_at text NOT NULL);
  CREATE TABLE orders (order_id text PRIMARY KEY, customer_id integer NOT NULL, title text NOT NULL, status text NOT NULL CHECK (status <> 'lost'), total_cents integer NOT NULL, arrives_at text NOT NULL);
  INSERT INTO customers VALUES (7, 'Ana Demo', '${ANA}', 0, '2026-01-01T00:00:00Z'), (8, 'Ben Demo', 'ben@example.com', 0, '2026-01-01T00:00:00Z');
  INSERT INTO orders VALUES ('ord_001', 7, 'Blue backpack', 'placed', 4900, '2026-03-13T12:00:00Z'),
    ('ord_002', 7, 'Walking boots', 'placed', 5900, '2026-03-16T12:00:00Z'), ('ord_004', 8, 'Camping stove', 'placed', 6500, '2026-03-14T12:00:00Z');`;

/** The first company's model: the others say the same, and take seconds to learn it. */
const LEARNT = join('intents', 'model.bin');

/** The company of the template, over a database that is its own and not the hub's. */
function writeOver(folder: string, source: string): void {
  writeMine(folder);
  rmSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'sources.yaml'), `sources:\n  shop: ${source}\n`);
  for (const room of ['.', 'entities', 'reads', 'actions'])
    for (const name of readdirSync(join(folder, room)).filter((one) => one.endsWith('.yaml'))) {
      const file = join(folder, room, name);
      const text = readFileSync(file, 'utf8')
        .replace(/^tables:[\s\S]*/m, '')
        .replaceAll('{ query:', '{ source: shop, query:')
        .replaceAll(/^( +)(query:|sql:)/gm, '$1source: shop\n$1$2')
        .replace('id: row.customer_id', 'id: string(row.customer_id)');
      writeFileSync(file, text);
    }
}

const room = makeTempDir();
function writeMine(folder: string): void {
  writeNewCompany(folder, { name: 'Mine' });
  const first = join(room, KINDS[0].kind, LEARNT);
  if (existsSync(first)) cpSync(first, join(folder, LEARNT));
}
let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server.close();
  rmSync(room, { recursive: true, force: true });
});

const inFile = async (sql: string): Promise<void> => {
  const db = new BetterSqlite3(join(room, 'shop.db'));
  db.exec(sql);
  db.close();
};
const KINDS = [
  { kind: 'sqlite', source: '{ kind: sqlite, file: ../shop.db }', exec: inFile },
  {
    kind: 'postgres',
    source: '{ kind: postgres, url: "env:SHOP_DB" }',
    exec: (sql: string) => server.exec(sql),
  },
] as const;

describe.each(KINDS)('a company over its own database: $kind', ({ kind, source, exec }) => {
  const folder = join(room, kind);
  const env = () => ({ HUB_COMPANY: folder, SHOP_DB: server.url });
  let hub: Hub;
  let shop: QuerySource;
  const sources = createDataSources({
    ...{ dataDir: room, log: createRecordingLog(), scopes: {} },
    secret: (name) => (name === 'SHOP_DB' ? server.url : undefined),
  });
  const statusOf = async (id: string) => {
    const { signal } = new AbortController();
    const statement = { segments: ['SELECT status FROM orders WHERE order_id = ', ''], values: [id] };
    return (await shop.query(statement, { signal, maxRows: 1 })).rows[0]?.status;
  };
  const set = (id: string, status: string) => ({
    segments: ['UPDATE orders SET status = ', ' WHERE order_id = ', ''],
    values: [status, id],
    needed: true,
  });

  beforeAll(async () => {
    writeOver(folder, source);
    await exec(TABLES);
    hub = await openHub({ dataDir: join(room, `${kind}-data`), env: env() });
    const spec: SourceSpec =
      kind === 'sqlite'
        ? { name: 'shop', kind, file: join(room, 'shop.db') }
        : { name: 'shop', kind, url: 'env:SHOP_DB' };
    shop = (await sources.open(spec, { kind: 'operator', operatorId: 'hub' })) as QuerySource;
  });
  afterAll(async () => {
    await hub.close();
    await sources.close();
  });

  it('[BYO-42] has no fault, and answers from it for the customer alone', async () => {
    expect(await checkCompany(parseConfig({ ...env(), HUB_DATA_DIR: join(room, 'check') }))).toEqual([]);
    const { reply } = await hub.say(ANA, 'show me my orders');
    expect(reply).toContain('Walking boots');
    expect(reply).not.toContain('Camping stove');
  });

  it('[BYO-42] changes it once, after a yes, in one transaction', async () => {
    const asked = await hub.say(ANA, 'cancel the blue backpack');
    expect(asked.pending?.question).toContain('€49.00');
    expect(await statusOf('ord_001')).toBe('placed');
    const done = await hub.say(ANA, 'yes', asked.threadId);
    expect(done.reply).toContain('€49.00 is on its way back');
    expect(await statusOf('ord_001')).toBe('cancelled');
  });

  it('[BYO-42] does nothing where the record is another by the time of the yes', async () => {
    const asked = await hub.say(ANA, 'cancel the walking boots');
    await exec("UPDATE orders SET status = 'delivered' WHERE order_id = 'ord_002'");
    const { reply } = await hub.say(ANA, 'yes', asked.threadId);
    expect(reply).toContain('delivered already');
    expect(await statusOf('ord_002')).toBe('delivered');
  });

  it('[BYO-42] makes a change under a key once, all of it or nothing', async () => {
    await shop.change?.('key_1', [set('ord_004', 'packed')]);
    await exec("UPDATE orders SET status = 'placed' WHERE order_id = 'ord_004'");
    await shop.change?.('key_1', [set('ord_004', 'packed')]);
    expect(await statusOf('ord_004')).toBe('placed');
    const half = [set('ord_004', 'packed'), set('ord_999', 'packed')];
    await expect(shop.change?.('key_2', half)).rejects.toMatchObject({ code: 'wrong_status' });
    await expect(shop.change?.('key_3', [set('ord_004', 'lost')])).rejects.toMatchObject({
      code: 'constraint_failed',
    });
    expect(await statusOf('ord_004')).toBe('placed');
    await shop.change?.('key_2', [set('ord_004', 'packed')]);
    expect(await statusOf('ord_004')).toBe('packed');
  });
});

describe('a database that is in use', () => {
  it('[BYO-46] is waited for while everybody else is answered, and given up after a while', async () => {
    const path = join(room, 'held.db');
    const holder = new BetterSqlite3(path);
    holder.exec(
      "CREATE TABLE orders (order_id text, status text); INSERT INTO orders VALUES ('one', 'placed')",
    );
    const sources = createDataSources({
      ...{ dataDir: room, log: createRecordingLog(), scopes: {}, secret: () => undefined },
    });
    const open = (timeoutMs: number) =>
      sources.open(
        { name: 'shop', kind: 'sqlite', file: path, timeoutMs },
        { kind: 'operator', operatorId: 'hub' },
      );
    const pack = { segments: ["UPDATE orders SET status = 'packed'"], values: [], needed: true };
    holder.exec('BEGIN IMMEDIATE');
    const patient = ((await open(5_000)) as QuerySource).change?.('key_1', [pack]);
    // Whoever waits in the call itself never comes to this.
    holder.exec('COMMIT');
    await patient;
    expect(holder.prepare('SELECT status FROM orders').get()).toEqual({ status: 'packed' });
    holder.exec('BEGIN IMMEDIATE');
    await expect(((await open(100)) as QuerySource).change?.('key_2', [pack])).rejects.toMatchObject({
      code: 'source_unavailable',
    });
    holder.close();
    await sources.close();
  });
});

describe('a company whose change is a function of its own', () => {
  it('[BYO-46] is not waited for without an end', async () => {
    const file = join(room, 'slow.mjs');
    writeFileSync(file, 'export const cancel = () => new Promise(() => undefined);\n');
    const sources = createDataSources({
      ...{ dataDir: room, log: createRecordingLog(), scopes: {}, secret: () => undefined },
    });
    const own = await sources.open(
      { name: 'own', kind: 'module', file, timeoutMs: 50 },
      { kind: 'operator', operatorId: 'hub' },
    );
    if (own.answers !== 'request') throw new Error('A module answers requests.');
    const { signal } = new AbortController();
    await expect(
      own.request({ method: 'CALL', path: '/cancel', body: {} }, { signal, maxRows: 1 }),
    ).rejects.toMatchObject({
      code: 'source_unavailable',
    });
    await sources.close();
  });

  const folder = join(room, 'functions');
  const program = (body: string) =>
    `import { appendFileSync } from 'node:fs';\nexport async function cancel(args: Record<string, string>) {\n${body}\n}\n`;

  it('[BYO-43] calls it with what was agreed to and a key, after a yes, once; what it throws is no answer', async () => {
    writeMine(folder);
    const calls = join(room, 'calls.jsonl');
    writeFileSync(
      join(folder, 'system.ts'),
      program(
        `  appendFileSync(${JSON.stringify(calls)}, JSON.stringify(args) + '\\n');\n  if (args.order === 'ord_003') throw new Error('the line broke');\n  return { number: 17 };`,
      ),
    );
    writeFileSync(join(folder, 'sources.yaml'), 'sources:\n  own: { kind: module, file: ./system.ts }\n');
    const file = join(folder, 'actions', 'cancel_order.yaml');
    const text = readFileSync(file, 'utf8')
      .replace(
        /perform:\n[\s\S]*?(?=^# What an answer)/m,
        'perform: { source: own, tool: cancel, args: { order: "{input.order_id}", cents: "{terms.refund_cents}" }, idempotency_arg: key }\n',
      )
      .replace(/ {2}- \{ when: order.status != 'placed'.*\n/, '');
    writeFileSync(file, text);
    const env = { HUB_COMPANY: folder };
    expect(await checkCompany(parseConfig({ ...env, HUB_DATA_DIR: join(room, 'check') }))).toEqual([]);
    const hub = await openHub({ dataDir: join(room, 'functions-data'), env });
    const asked = await hub.say(ANA, 'cancel the blue backpack');
    const { reply } = await hub.say(ANA, 'yes', asked.threadId);
    expect(reply).toContain('€49.00 is on its way back');
    const called = readFileSync(calls, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(called).toEqual([{ order: 'ord_001', cents: 4900, key: expect.stringMatching(/./) }]);
    const broken = await hub.say(ANA, 'cancel the rain jacket');
    await expect(hub.say(ANA, 'yes', broken.threadId)).rejects.toMatchObject({ code: 'outcome_unknown' });
    await hub.close();
  });
});
