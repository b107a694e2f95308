import { HubError } from '../src/core/errors.js';
import type { EffectLedger } from '../src/core/ports/effect-ledger.js';
import type { Clock } from '../src/core/ports/system.js';
import { retryingWhileBusy } from '../src/core/sqlite-files.js';
import { type Database, storeOf, type Work } from './database.js';
import { type Ledger, prepareLedger } from './ledger.js';
import type { DatabaseHandle, DatabaseSpec } from './open-database.js';
import type { PostgresSpec } from './postgres/migrate.js';
import { translated } from './storage-errors.js';

/** What is stored of an effect after it (audit, answer, events, outcome) takes a few of these, with their indexes. */
const FREE_PAGES = 40;

/**
 * Makes room in the hub's own database for what must be stored of an effect: money that moved and could not be spoken of
 * would be a turn that failed and did something all the same. Rows of other requests that come in between take some of it
 * too, so this is asked for before every effect.
 */
function keepRoom({ sqlite }: DatabaseHandle): () => void {
  const add = sqlite.prepare<[number]>(
    `INSERT INTO idempotency_keys (caller, key, request_hash, body, created_at)
     VALUES ('hub', 'room', '', zeroblob(?), '')`,
  );
  const remove = sqlite.prepare(`DELETE FROM idempotency_keys WHERE caller = 'hub' AND key = 'room'`);
  const pageSize = Number(sqlite.pragma('page_size', { simple: true }));
  const grow = sqlite.transaction(() => {
    add.run(FREE_PAGES * pageSize);
    remove.run();
  });
  const makeRoom = (): void => {
    // What a row leaves behind when it is deleted is free for others; the file does not shrink.
    if (Number(sqlite.pragma('freelist_count', { simple: true })) < FREE_PAGES) grow.immediate();
  };
  return () => translated(makeRoom, { database: 'udahub' });
}

/** A customer as the hub's own database links one. */
export interface LinkedCustomer {
  readonly customerId: string;
  readonly name: string;
}

/** The database that a company brings. Its schema holds the table `actionLedger` of data/ledger.ts. */
export interface CompanyDatabaseSpec extends DatabaseSpec {
  /**
   * What makes its tables on PostgreSQL: where the hub's own tables are on a server, the company's are there in a schema of its name.
   * Absent, they are in the data directory in any case.
   */
  readonly postgres?: Omit<PostgresSpec, 'name'>;
  /** Fills an empty database with demo data, once. @returns whether it did */
  seed?(database: Database, clock: Clock): Work<boolean>;
  /** Conversations that a demo's desk has behind it, one a line. */
  readonly history?: URL;
  /** All customers there are. */
  customers(database: Database): Work<readonly LinkedCustomer[]>;
}

/** The file of a company that is in the data directory in any case. @throws HubError `internal` for one on a server */
export function fileOf(database: Database): DatabaseHandle {
  if ('sqlite' in database) return database as DatabaseHandle;
  throw new HubError('internal', "This company's database is a file of the data directory.");
}

/** The opened database of the company, as its own code gets it. */
export interface CompanyDatabase {
  /** For reading: the database itself refuses to be written by it. */
  readonly reader: Database;
  /** For effects. */
  readonly writer: Database;
  /** Every effect runs in one of its transactions, and so happens once. */
  readonly ledger: Pick<Ledger, 'once' | 'find'>;
  /** The same store, each of whose calls waits for a database that another process holds. */
  waiting<T extends object>(store: T): T;
}

/** The company's database as its code and as the engine see it. */
interface OpenedCompanyDatabase {
  readonly database: CompanyDatabase;
  /** What was done, for the engine. */
  readonly effects: EffectLedger;
}

/**
 * Makes what the company's code stands on. No effect begins unless the hub's own database has room for what must be
 * stored of it.
 * @param busyWaitMs how long a call waits for a database that another process holds
 */
export function companyDatabase(
  {
    reader,
    writer,
    udahub,
  }: {
    readonly reader: Database;
    readonly writer: Database;
    /** Null where it is on a server, in which no room can be kept. */
    readonly udahub: DatabaseHandle | null;
  },
  busyWaitMs: number,
): OpenedCompanyDatabase {
  const ledger = prepareLedger(writer);
  const makeRoom = udahub === null ? () => undefined : keepRoom(udahub);
  const waiting = <T extends object>(store: T): T => retryingWhileBusy(busyWaitMs, store);
  return {
    database: {
      reader,
      writer,
      waiting,
      ledger: {
        find: ledger.find,
        *once(tool, context, effect) {
          makeRoom();
          return yield* ledger.once(tool, context, effect);
        },
      },
    },
    effects: waiting(
      storeOf<EffectLedger>(writer, {
        findOutcome: (key) => ledger.find(key),
        listEffects: (since) => ledger.since(since.toISOString()),
      }),
    ),
  };
}
