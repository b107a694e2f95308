import { afterAll, beforeAll, describe } from 'vitest';
import { migratePostgres } from '../../../data/postgres/migrate.js';
import { openPostgres, type PostgresDatabase } from '../../../data/postgres/postgres-database.js';
import { HUB_SCHEMA } from '../../../data/udahub/database.js';
import { type HubStores, hubStores } from '../../../data/udahub/stores.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { auditLogSuite } from './audit-log-suite.js';
import { companyChangeSuite } from './company-change-suite.js';
import { eventLogSuite } from './event-log-suite.js';
import { idempotencyStoreSuite } from './idempotency-store-suite.js';
import { inboxSuite } from './inbox-suite.js';
import { knowledgeStoreSuite } from './knowledge-store-suite.js';
import { memoryStoreSuite } from './memory-store-suite.js';
import { pendingStoreSuite } from './pending-store-suite.js';
import { peopleSuite } from './people-suite.js';
import { ratingStoreSuite } from './rating-store-suite.js';
import { skillRunHistorySuite, skillRunStoreSuite } from './skill-run-store-suite.js';
import { threadLockSuite } from './thread-lock-suite.js';
import { threadStoreSuite } from './thread-store-suite.js';
import { ticketStoreSuite } from './ticket-store-suite.js';
import { viewStoreSuite } from './view-store-suite.js';
import { type OpenHubWorld, SEEDED_AT } from './world.js';

let server: TestPostgres;
let first: PostgresDatabase;
let tables: string;

const open = (): PostgresDatabase => openPostgres(server.url, { schema: HUB_SCHEMA.name });

beforeAll(async () => {
  server = await startPostgres();
  first = open();
  tables = await first.withClient(async (client) => {
    await migratePostgres(client, HUB_SCHEMA);
    const { rows } = await client.query<{ names: string }>(
      `SELECT string_agg(tablename, ', ') AS names FROM pg_tables WHERE schemaname = 'udahub' AND tablename <> 'hub_migrations'`,
    );
    return rows[0]?.names ?? '';
  });
});
afterAll(async () => {
  await first.close();
  await server.close();
});

const openPostgresWorld: OpenHubWorld = async () => {
  await first.withClient((client) => client.query(`TRUNCATE ${tables} RESTART IDENTITY`));
  const clock = createFixedClock(SEEDED_AT);
  const log = createRecordingLog();
  const opened: PostgresDatabase[] = [];
  const storesOf = (database: PostgresDatabase): HubStores =>
    hubStores(database, { clock, log, busyWaitMs: 60_000, ids: createSequentialIds(`i${opened.length}`) });
  const another = async (): Promise<HubStores> => {
    const database = open();
    opened.push(database);
    return storesOf(database);
  };
  return {
    stores: storesOf(first),
    clock,
    log,
    another,
    async close() {
      for (const database of opened) await database.close();
    },
  };
};

describe('[PGS-01] on PostgreSQL', () => {
  ticketStoreSuite('PostgreSQL', openPostgresWorld);
  memoryStoreSuite('PostgreSQL', openPostgresWorld);
  pendingStoreSuite('PostgreSQL', openPostgresWorld);
  auditLogSuite('PostgreSQL', openPostgresWorld);
  threadLockSuite('PostgreSQL', openPostgresWorld);
  threadStoreSuite('PostgreSQL', openPostgresWorld);
  peopleSuite('PostgreSQL', openPostgresWorld);
  eventLogSuite('PostgreSQL', openPostgresWorld);
  idempotencyStoreSuite('PostgreSQL', openPostgresWorld);
  inboxSuite('PostgreSQL', openPostgresWorld);
  ratingStoreSuite('PostgreSQL', openPostgresWorld);
  viewStoreSuite('PostgreSQL', openPostgresWorld);
  companyChangeSuite('PostgreSQL', openPostgresWorld);
  knowledgeStoreSuite('PostgreSQL', openPostgresWorld);
  skillRunStoreSuite('PostgreSQL', openPostgresWorld);
  skillRunHistorySuite('PostgreSQL', openPostgresWorld);
});
