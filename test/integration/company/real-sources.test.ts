import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { parseConfig } from '../../../src/config/config.js';
import { replayCommand } from '../../../src/surfaces/cli/company/company.js';
import { evaluate } from '../../../src/surfaces/cli/eval/eval.js';
import type { ConfigContext } from '../../../src/surfaces/command.js';
import { makeTempDir } from '../../support/hub.js';

const ANA = 'ana@example.com';
const TABLES = `
  CREATE TABLE customers (customer_id text PRIMARY KEY, name text NOT NULL, email text NOT NULL, is_blocked integer NOT NULL, created_at text NOT NULL) WITHOUT ROWID;
  CREATE TABLE orders (order_id text PRIMARY KEY, customer_id text NOT NULL, title text NOT NULL, status text NOT NULL, total_cents integer NOT NULL, arrives_at text NOT NULL);
  INSERT INTO customers VALUES ('c_1', 'Ana Demo', '${ANA}', 0, '2026-01-01T00:00:00Z');
  INSERT INTO orders VALUES ('ord_001', 'c_1', 'Blue backpack', 'placed', 4900, '2026-03-13T12:00:00Z');`;
const SUITE = `
suite: orders
scenarios:
  - id: cancel
    category: orders
    language: en
    customer: ${ANA}
    about: Cancels an order.
    turns:
      - say: cancel the blue backpack
      - { say: 'yes', when_asked: confirm }
    expect:
      database: [{ table: orders, where: { order_id: ord_001 }, has: { status: cancelled } }]
      unchanged: [customers]
`;

const room = makeTempDir();
const [folder, database] = [join(room, 'mine'), join(room, 'shop.db')];
let open: BetterSqlite3.Database;
beforeAll(() => {
  open = new BetterSqlite3(database);
  open.pragma('journal_mode = WAL');
  open.exec(TABLES);
  writeNewCompany(folder, { name: 'Mine', customers: `sqlite:${database}` });
  mkdirSync(join(folder, 'eval'));
  writeFileSync(join(folder, 'eval', 'orders.yaml'), SUITE);
});
afterAll(() => {
  open.close();
  rmSync(room, { recursive: true, force: true });
});

const env = { HUB_DATA_DIR: join(room, 'data'), SHOP_DB: 'postgres://nobody@127.0.0.1:1/none' };
function context() {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const config = parseConfig({ ...env, HUB_COMPANY: folder });
  const { signal: stop } = new AbortController();
  const told = () => `${out.read() ?? ''}${err.read() ?? ''}`;
  return { told, context: { config, io: { out, err }, stop } as unknown as ConfigContext };
}
async function replayed(lines: readonly object[], options = {}) {
  const file = join(room, 'gold.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const at = context();
  const code = await replayCommand(at.context, file, options);
  return { code, told: at.told() };
}
const evaluated = async (options = {}) => {
  const at = context();
  const code = await evaluate(at.context, [], { k: 1, concurrency: 1, ...options }, () => 0);
  return { code, told: at.told() };
};
const held = () => open.prepare('SELECT status FROM orders').pluck().all();
const CANCEL = { as: ANA, action: 'cancel_order', input: { order_id: 'ord_001' } };
const IS_CANCELLED = { table: 'orders', where: { order_id: 'ord_001' }, has: { status: 'cancelled' } };

describe('a run over the data of a company that is at work', () => {
  it('[BYO-56] changes copies of a SQLite file, for each task one, whose tables are looked at', async () => {
    expect(existsSync(`${database}-wal`)).toBe(true);
    const { code, told } = await replayed([
      { task: 1, ...CANCEL },
      { task: 1, ...IS_CANCELLED },
      { task: 2, ...IS_CANCELLED, has: { status: 'placed' } },
      { task: 2, ...CANCEL },
    ]);
    expect(told).toContain('4 lines of 4 as expected');
    expect(code).toBe(0);
    const run = await evaluated();
    expect(run.told).toMatch(/all +1 +100\.0 %/);
    expect(held()).toEqual(['placed']);
    expect(await checkCompany(context().context.config)).toEqual([]);
  });

  it('[BYO-57] is refused before anything is asked where a real system would be changed, and check says so', async () => {
    const sources = join(folder, 'sources.yaml');
    const [before, name] = [
      readFileSync(sources, 'utf8'),
      /^ {2}(\w+):/m.exec(readFileSync(sources, 'utf8'))?.[1],
    ];
    writeFileSync(sources, `sources:\n  ${name}: { kind: postgres, url: 'env:SHOP_DB' }\n`);
    const refusal = {
      code: 'source_misconfigured',
      message: expect.stringMatching(/stand_in.*--real-sources/),
    };
    await expect(replayed([CANCEL])).rejects.toMatchObject(refusal);
    await expect(evaluated()).rejects.toMatchObject(refusal);
    expect(await checkCompany(context().context.config)).toEqual([
      expect.objectContaining({ severity: 'warning', file: sources, line: 2 }),
    ]);
    // On purpose it is asked; there is no such server.
    await expect(replayed([CANCEL], { realSources: true })).rejects.not.toMatchObject(refusal);
    writeFileSync(sources, before);
  });
});
