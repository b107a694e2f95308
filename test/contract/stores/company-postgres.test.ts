import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { CULTPASS_DATABASE } from '../../../companies/cultpass/data/database.js';
import { seedCultpass } from '../../../companies/cultpass/data/seed.js';
import { companyDatabase } from '../../../data/company-database.js';
import { type CompanyOnPostgres, openCompanyOnPostgres } from '../../../data/company-on-postgres.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { cultpassOver } from '../../support/stores.js';
import { customerReaderSuite } from './customer-reader-suite.js';
import { customerWriterPropertySuite } from './customer-writer-property-suite.js';
import { customerWriterSuite } from './customer-writer-suite.js';
import { type OpenCompanyWorld, SEEDED_AT } from './world.js';

/** In an order in which rows may be written. */
const TABLES = [
  'users',
  'subscriptions',
  'experiences',
  'reservations',
  'payments',
  'refunds',
  'action_ledger',
  'meta',
];

let server: TestPostgres;
const folder = mkdtempSync(join(tmpdir(), 'hub-company-'));
const opened: CompanyOnPostgres[] = [];

async function open(): Promise<CompanyOnPostgres> {
  const company = await openCompanyOnPostgres(
    { url: server.url },
    CULTPASS_DATABASE,
    folder,
    createRecordingLog(),
  );
  opened.push(company);
  return company;
}

beforeAll(async () => {
  server = await startPostgres();
  const { writer } = await open();
  await writer.run(() => seedCultpass(writer, createFixedClock(SEEDED_AT)));
  const copies = TABLES.map((table) => `CREATE TABLE seeded.${table} AS TABLE cultpass.${table}`);
  await server.exec(['CREATE SCHEMA seeded', ...copies].join('; '));
});
afterAll(async () => {
  for (const { reader, writer } of opened) {
    await reader.close();
    await writer.close();
  }
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const openPostgresWorld: OpenCompanyWorld = async () => {
  const filled = TABLES.map((table) => `INSERT INTO cultpass.${table} SELECT * FROM seeded.${table}`);
  const emptied = `TRUNCATE ${TABLES.map((table) => `cultpass.${table}`).join(', ')} RESTART IDENTITY`;
  await server.exec([emptied, ...filled].join('; '));
  const clock = createFixedClock(SEEDED_AT);
  const another = async (company?: CompanyOnPostgres) => {
    const { database, effects } = companyDatabase({ ...(company ?? (await open())), udahub: null }, 60_000);
    return cultpassOver(database, effects, { clock, ids: createSequentialIds(`i${opened.length}`) });
  };
  return {
    stores: await another(opened[0]),
    clock,
    log: createRecordingLog(),
    another: () => another(),
    close: async () => undefined,
  };
};

describe('[PGS-15] on PostgreSQL', () => {
  customerReaderSuite('PostgreSQL', openPostgresWorld);
  customerWriterSuite('PostgreSQL', openPostgresWorld);
  customerWriterPropertySuite('PostgreSQL', openPostgresWorld);
});
