import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CULTPASS_DATABASE, CULTPASS_SCOPE } from '../../../../companies/cultpass/data/database.js';
import { seedCultpass } from '../../../../companies/cultpass/data/seed.js';
import { type CompanyOnPostgres, openCompanyOnPostgres } from '../../../../data/company-on-postgres.js';
import { serverTables } from '../../../../data/postgres/server-tables.js';
import { createDataSources } from '../../../../src/adapters/sources/data-sources.js';
import type { SkillCaller } from '../../../../src/core/domain/skill.js';
import type { DataSources } from '../../../../src/core/ports/data-source.js';
import { createFixedClock } from '../../../support/fixed-clock.js';
import { startPostgres, type TestPostgres } from '../../../support/postgres.js';
import { createRecordingLog } from '../../../support/recording-log.js';
import { customer, OPERATOR } from './support.js';

let server: TestPostgres;
let company: CompanyOnPostgres;
let sources: DataSources;
const log = createRecordingLog();

beforeAll(async () => {
  server = await startPostgres();
  company = await openCompanyOnPostgres({ url: server.url }, CULTPASS_DATABASE, '/nowhere', log);
  const { writer } = company;
  await writer.run(() => seedCultpass(writer, createFixedClock('2026-03-11T15:00:00.000Z')));
  sources = createDataSources({
    ...{ dataDir: '/nowhere', secret: () => undefined, log, scopes: { cultpass: CULTPASS_SCOPE } },
    servers: { cultpass: serverTables(company.reader) },
  });
});
afterAll(async () => {
  await sources.close();
  await company.reader.close();
  await company.writer.close();
  await server.close();
});

const asks = async (caller: SkillCaller, sql: string, values: readonly string[] = []) => {
  const source = await sources.open({ name: 'cultpass', kind: 'sqlite', database: 'cultpass' }, caller);
  if (source.answers !== 'query') throw new Error('no SQL');
  const limits = { signal: new AbortController().signal, maxRows: 1_000 };
  return (await source.query({ segments: sql.split('?'), values }, limits)).rows;
};

describe('a database of the hub on PostgreSQL, asked in the words of SQLite', () => {
  it('[PGS-16 SKS-05] shows a customer exactly their own rows, and nothing that is not named as theirs', async () => {
    const ids = ['usr_001', 'usr_002', 'usr_001'];
    const seen = await Promise.all(ids.map((id) => asks(customer(id), 'SELECT user_id FROM users')));
    expect(seen).toEqual(ids.map((id) => [{ user_id: id }]));
    for (const table of ['subscriptions', 'reservations', 'payments'])
      for (const { user_id } of await asks(customer('usr_001'), `SELECT user_id FROM ${table}`))
        expect(user_id).toBe('usr_001');
    expect(await asks(customer("x' OR '1'='1"), 'SELECT * FROM users')).toEqual([]);
    for (const table of ['action_ledger', 'meta', 'hub_migrations'])
      await expect(asks(customer('usr_001'), `SELECT * FROM ${table}`)).rejects.toMatchObject({
        code: 'source_rejected',
      });
  });

  it('[PGS-16] shows an operator all, with the functions of SQLite, and is changed by nobody', async () => {
    const [counted] = await asks(
      OPERATOR,
      `SELECT count(*) AS n, max(julianday('2026-03-11') - julianday(created_at)) > 0 AS past FROM users WHERE user_id <> ?`,
      ['usr_001'],
    );
    expect(counted).toEqual({ n: 29, past: 1 });
    await expect(asks(OPERATOR, 'DELETE FROM users')).rejects.toMatchObject({ code: 'source_rejected' });
    await expect(company.reader.run(() => company.reader.prepare('DELETE FROM meta').run())).rejects.toThrow(
      /read-only transaction/,
    );
  });

  it('[PGS-16] refuses a table that is too large to be carried about', async () => {
    await server.exec(`INSERT INTO cultpass.meta SELECT 'k' || n, '' FROM generate_series(1, 50001) n`);
    await expect(asks(OPERATOR, 'SELECT count(*) FROM meta')).rejects.toThrow(
      /by a source of the kind postgres/,
    );
  });
});
