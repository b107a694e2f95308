import { randomUUID } from 'node:crypto';
import { type Database, storeOf } from './database.js';
import type { DatabaseHandle } from './open-database.js';
import { translated } from './storage-errors.js';

/** Asks the databases whether they can be written. Both throw HubError `disk_full`, `database_busy`, `database_failed`. */
export interface WritingProofs {
  company(): Promise<void>;
  udahub(): Promise<void>;
}

/** As much as a short message takes with its indexes. */
const PAGES = 2;

/**
 * Writes and takes away a row in one transaction, so that room, the log and the disk beneath it are proven and nobody ever
 * sees it. The row stands in SQLite's own table of counters, which both databases have and which may be written.
 */
function prepareProof({ sqlite }: DatabaseHandle): () => Promise<void> {
  const add = sqlite.prepare<[number]>(
    `INSERT INTO sqlite_sequence (name, seq) VALUES ('writing proof', zeroblob(?))`,
  );
  const remove = sqlite.prepare(`DELETE FROM sqlite_sequence WHERE name = 'writing proof'`);
  const pageSize = Number(sqlite.pragma('page_size', { simple: true }));
  const prove = sqlite.transaction(() => {
    add.run(PAGES * pageSize);
    remove.run();
  });
  return async () => translated(() => prove.immediate(), { method: 'proveWriting' });
}

/** The same on a server, in a table of every schema there; the name is nobody else's, so that several may do so at once. */
function proofOn(database: Database): () => Promise<void> {
  const add = database.prepare<[string]>('INSERT INTO hub_migrations (name) VALUES (?)');
  const remove = database.prepare<[string]>('DELETE FROM hub_migrations WHERE name = ?');
  const { prove } = storeOf<{ prove(): Promise<void> }>(database, {
    prove: () =>
      database.transaction(function* () {
        const key = `writing proof ${randomUUID()}`;
        yield* add.run(key);
        yield* remove.run(key);
      }),
  });
  return prove;
}

/** Prepares the proof of each database. */
export function createWritingProofs(
  company: DatabaseHandle | Database,
  udahub: DatabaseHandle | Database,
): WritingProofs {
  const proof = (of: DatabaseHandle | Database) => ('sqlite' in of ? prepareProof(of) : proofOn(of));
  return { company: proof(company), udahub: proof(udahub) };
}
