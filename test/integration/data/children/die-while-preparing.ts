import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { CULTPASS_DATABASE } from '../../../../companies/cultpass/data/database.js';
import { examineDirectory } from '../../../../data/directory-state.js';
import type { DatabaseHandle } from '../../../../data/open-database.js';
import { createRandomIds, createSystemClock } from '../../../../src/adapters/system.js';
import { openStores } from '../../../support/stores.js';
import { argument, dieNow, noLog } from './support.js';

/** Dies in the middle of the first migration (`migration`) or of the seed (`seed`). */
const [dataDir, phase] = [argument(0), argument(1)];
if (phase === 'seed') {
  const onOpened = (name: string, { sqlite }: DatabaseHandle): void => {
    if (name !== 'cultpass') return;
    sqlite.function('die', dieNow);
    sqlite.exec(
      `CREATE TEMP TRIGGER die AFTER INSERT ON main.reservations WHEN new.reservation_id = 'res_050' BEGIN SELECT die(); END`,
    );
  };
  await openStores({ dataDir, clock: createSystemClock(), ids: createRandomIds(), log: noLog, onOpened });
} else {
  examineDirectory(dataDir, ['cultpass', 'udahub']);
  // The same statements as the migrator's, stopped half-way.
  const sqlite = new BetterSqlite3(join(dataDir, 'cultpass.db'));
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec(
    'CREATE TABLE IF NOT EXISTS `__drizzle_migrations` (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  );
  sqlite.exec('BEGIN');
  const statements =
    readMigrationFiles({ migrationsFolder: fileURLToPath(CULTPASS_DATABASE.migrations) })[0]?.sql ?? [];
  for (const statement of statements.slice(0, 4)) sqlite.exec(statement);
  dieNow();
}
