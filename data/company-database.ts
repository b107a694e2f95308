import type { Clock } from '../src/core/ports/clock.js';
import type { EffectLedger } from '../src/core/ports/effect-ledger.js';
import { retryingWhileBusy } from '../src/core/retry-while-busy.js';
import { keepRoom } from './keep-room.js';
import { type Ledger, prepareLedger } from './ledger.js';
import type { DatabaseHandle, DatabaseSpec } from './open-database.js';
import { withTranslatedErrors } from './storage-errors.js';

/** A customer as the hub's own database links one. */
export interface LinkedCustomer {
  readonly customerId: string;
  readonly name: string;
}

/** The database that a company brings. Its schema holds the table `actionLedger` of data/ledger.ts. */
export interface CompanyDatabaseSpec extends DatabaseSpec {
  /** Fills an empty database with demo data, once. @returns whether it did */
  seed?(handle: DatabaseHandle, clock: Clock): boolean;
  /** All customers there are. */
  customers(handle: DatabaseHandle): readonly LinkedCustomer[];
}

/** The opened database of the company, as its own code gets it. */
export interface CompanyDatabase {
  /** For reading: neither the driver nor SQLite lets it write. */
  readonly reader: DatabaseHandle;
  /** For effects. */
  readonly writer: DatabaseHandle;
  /** Every effect runs in one of its transactions, and so happens once. */
  readonly ledger: Pick<Ledger, 'once'>;
  /** The same store, each of whose calls waits for a database that another process holds. */
  waiting<T extends object>(store: T): T;
}

/** The company's database as its code and as the engine see it. */
export interface OpenedCompanyDatabase {
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
  { reader, writer, udahub }: Readonly<Record<'reader' | 'writer' | 'udahub', DatabaseHandle>>,
  busyWaitMs: number,
): OpenedCompanyDatabase {
  const ledger = prepareLedger(writer);
  const makeRoom = keepRoom(udahub);
  const waiting = <T extends object>(store: T): T => retryingWhileBusy(busyWaitMs, store);
  return {
    database: {
      reader,
      writer,
      waiting,
      ledger: {
        once(tool, context, effect) {
          makeRoom();
          return ledger.once(tool, context, effect);
        },
      },
    },
    effects: waiting(
      withTranslatedErrors<EffectLedger>(writer, {
        findOutcome: async (key) => ledger.find(key),
        listEffects: async (since) => ledger.since(since.toISOString()),
      }),
    ),
  };
}
