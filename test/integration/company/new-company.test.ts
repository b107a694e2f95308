import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { parseConfig } from '../../../src/config/config.js';
import { newCommand } from '../../../src/surfaces/cli/company/new-company.js';
import type { ConfigContext } from '../../../src/surfaces/command.js';
import { makeTempDir, openHub } from '../../support/hub.js';

const room = makeTempDir();
afterAll(() => rmSync(room, { recursive: true, force: true }));

/** Writes one as the command does. @param answers what is typed, where it asks */
async function made(name: string, flags: Readonly<Record<string, string>>, answers: readonly string[] = []) {
  const folder = join(room, name);
  const env = { HUB_COMPANY: folder, HUB_DATA_DIR: join(room, `${name}-data`), SHOP_DB: 'postgres://db/x' };
  const config = parseConfig(env);
  const [out, err] = [new PassThrough(), new PassThrough()];
  const input = Object.assign(new PassThrough(), answers.length > 0 ? { isTTY: true } : {});
  const left = [...answers];
  let asked = '';
  err.on('data', (chunk: Buffer) => {
    asked += chunk.toString();
    if (chunk.toString().includes('?') && left.length > 0) input.write(`${left.shift()}\n`);
  });
  const io = { in: input, out, err } as unknown as ConfigContext['io'];
  await newCommand({ config, io, stop: new AbortController().signal } as ConfigContext, folder, flags);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { folder, env, config, read, asked };
}

const unset = /takes its value|needs a sign-in|There is no file \S+shop\.db/;

describe('npm run company -- new', () => {
  it.each([
    ['own', { customers: 'own', tools: 'sample' }],
    ['bare', { customers: 'own', tools: 'none' }],
    ['postgres', { customers: 'postgres:SHOP_DB' }],
    ['sqlite', { customers: 'sqlite:shop.db', tools: 'none' }],
    ['service', { customers: 'https://shop.example/api' }],
    ['token', { customers: 'token' }],
    ['token-bare', { customers: 'token', tools: 'none' }],
  ])('[BYO-44] writes a company without a fault: %s', async (name, flags) => {
    const { config, folder } = await made(name, { languages: 'en,pt-BR,es', ...flags });
    const found = (await checkCompany(config)).filter(({ problem }) => !unset.test(problem));
    expect(found).toEqual([]);
    expect(existsSync(join(folder, 'actions'))).toBe(
      !('tools' in flags && flags.tools === 'none') && name !== 'service',
    );
  });

  it('[BYO-44 BYO-110] asks where customers and tools are, and reads them there from the start', async () => {
    mkdirSync(join(room, 'own-system'), { recursive: true });
    const file = join(room, 'own-system', 'shop.db');
    const db = new BetterSqlite3(file);
    db.exec(`CREATE TABLE customers (customer_id text, name text, email text, is_blocked integer, created_at text);
      CREATE TABLE orders (order_id text, customer_id text, title text, status text, total_cents integer, arrives_at text);
      INSERT INTO customers VALUES ('c_9', 'Zoe', 'zoe@example.com', 0, '2026-01-01');
      INSERT INTO orders VALUES ('ord_9', 'c_9', 'Red kite', 'placed', 3000, '2026-03-13T12:00:00Z');`);
    db.close();
    const answers = ['Kites', 'a shop for kites', 'en', 'UTC', 'EUR', `sqlite:${file}`, 'sample'];
    const { env, read, asked } = await made('kites', {}, answers);
    expect(asked).toMatch(/Where are its customers\?[\s\S]*What are its tools made of\?/);
    expect(read('sources.yaml')).toContain('../own-system/shop.db');
    expect(read('sources.yaml')).toContain('database:');
    expect(read('customers.yaml')).toContain('source: database');
    expect(asked).toMatch(
      /Try it: HUB_COMPANY=\S+ HUB_DATA_DIR=\S+ npm run -s chat -- --as zoe@example\.com\n$/,
    );
    expect(asked).not.toContain('put the names of yours');
    const hub = await openHub({ dataDir: env.HUB_DATA_DIR, env });
    expect((await hub.say('zoe@example.com', 'show me my orders')).reply).toContain('Red kite');
    await hub.close();
  });

  it.each([
    ['tried-own', 'own', /Try it: .* -- --as ana@example\.com\n$/],
    ['tried-token', 'token', /Try it: .* -- --as ana@example\.com\n$/],
    [
      'tried-sqlite',
      'sqlite:nowhere.db',
      /no file \S+nowhere\.db yet[\s\S]*names of yours there\.\n.*Try it as a visitor: .* chat\nOnce/,
    ],
    ['tried-server', 'postgres:NO_SUCH_DB', /Set NO_SUCH_DB to [\s\S]*Try it as a visitor: .* chat\nOnce/],
    ['tried service', 'https://shop.example/api', /as a visitor: HUB_COMPANY='\S+ \S+' .* chat\nOnce/],
  ])('[BYO-85] ends with a line that works as it stands: %s', async (name, customers, line) => {
    const { asked } = await made(name, { customers });
    expect(asked).toMatch(line);
  });

  it('[BYO-45] takes rows of a seed in any order, and check names one that refers to nothing', async () => {
    const { config, env, folder } = await made('rows', { languages: 'en' });
    writeFileSync(
      join(folder, 'data/tables/002_notes.sql'),
      'CREATE TABLE notes (order_id text NOT NULL REFERENCES orders (order_id));\n',
    );
    const seed = join(folder, 'data/seed/000_notes.sql');
    writeFileSync(seed, "INSERT INTO notes VALUES ('ord_001');\n");
    expect(await checkCompany(config)).toEqual([]);
    await (await openHub({ dataDir: env.HUB_DATA_DIR, env })).close();
    writeFileSync(seed, "INSERT INTO notes VALUES ('ord_999');\n");
    expect(await checkCompany(config)).toMatchObject([
      { severity: 'fault', problem: 'Row 1 of notes refers to a row of orders that there is not.' },
    ]);
  });

  it('[BYO-44] says what may be given', async () => {
    await expect(made('wrong', { customers: 'excel' })).rejects.toThrow(/own, token, sqlite:FILE/);
  });
});
