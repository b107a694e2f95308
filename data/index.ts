import type { CompanyChangeStore } from '../src/core/company-changes.js';
import type { A2aTasks } from '../src/core/ports/a2a-tasks.js';
import type { DeskQueries } from '../src/core/ports/desk-queries.js';
import type { AuditLog, Disagreements, EffectLedger } from '../src/core/ports/effect-ledger.js';
import type { EventLog, IdempotencyStore, Inbox } from '../src/core/ports/inbox.js';
import type { MacroStore, MailStore, MemoryStore, Operations, PushStore } from '../src/core/ports/index.js';
import type { KnowledgeDrafts, KnowledgeStore } from '../src/core/ports/knowledge-store.js';
import type { SpendLedger } from '../src/core/ports/metrics.js';
import type { Peers } from '../src/core/ports/peers.js';
import type { RateCounters } from '../src/core/ports/rate-counters.js';
import type { ProgramTokens, SignInCodes } from '../src/core/ports/sign-in.js';
import type { SkillCache, SkillRunStore } from '../src/core/ports/skills.js';
import type { Clock, Ids, Log } from '../src/core/ports/system.js';
import type { FileStore, PendingStore, ThreadLock, ThreadStore } from '../src/core/ports/thread-store.js';
import type {
  PresenceStore,
  RatingStore,
  TicketDeskStore,
  TicketStore,
} from '../src/core/ports/ticket-store.js';
import type { WebhookOutbox } from '../src/core/ports/webhooks.js';
import { BUSY_WAIT_MS, retryingWhileBusy, retryWhileBusy } from '../src/core/sqlite-files.js';
import {
  type CompanyDatabase,
  type CompanyDatabaseSpec,
  companyDatabase,
  type LinkedCustomer,
} from './company-database.js';
import { atOnce, type Database, type Work } from './database.js';
import {
  closeToOthers,
  type DirectoryState,
  ensureDataDir,
  examineDirectory,
  markUsed,
  refuseDirectoryOfPostgres,
  withSetupLock,
} from './directory-state.js';
import { type DatabaseHandle, type DatabaseSpec, openDatabase } from './open-database.js';
import { createWritingProofs, type WritingProofs } from './prove-writing.js';
import { toStorageError, translated } from './storage-errors.js';
import { compareLedger } from './udahub/audit-log.js';
import { HUB_DATABASE } from './udahub/database.js';
import type { HubOnPostgres } from './udahub/hub-on-postgres.js';
import { sharedBy } from './udahub/peers.js';
import { type Account, linkCustomers, seedAccount, seedKnowledge } from './udahub/seed.js';
import { seedHistory } from './udahub/seed-history.js';
import { createSkillCacheStore } from './udahub/skill-run-store.js';
import { hubStores } from './udahub/stores.js';

/** Everything that is stored, behind the ports. */
export interface Stores {
  /** For the company's own code, which makes its stores of it. */
  readonly company: CompanyDatabase;
  /** What was done to the customers' records. */
  readonly effects: EffectLedger;
  readonly tickets: TicketStore;
  readonly memory: MemoryStore;
  readonly pending: PendingStore;
  readonly audit: AuditLog;
  readonly knowledge: KnowledgeStore;
  readonly drafts: KnowledgeDrafts;
  readonly desk: DeskQueries;
  readonly locks: ThreadLock;
  readonly threads: ThreadStore;
  readonly presence: PresenceStore;
  readonly ticketDesk: TicketDeskStore;
  readonly macros: MacroStore;
  readonly skillRuns: SkillRunStore;
  /** Null where each process has its own: on PostgreSQL. */
  readonly skillCache: SkillCache | null;
  /** True of a customer whose data was removed. */
  readonly isErased: (customerId: string) => Promise<boolean>;
  /** Of servers that share a database; null where the hub's tables are in the data directory. */
  readonly peers: Peers | null;
  readonly rateCounters: RateCounters | null;
  /** One-time codes for signing in, hashed with keys that are kept elsewhere; the first makes new hashes. */
  readonly signInCodes: (peppers: () => readonly string[]) => SignInCodes;
  readonly programTokens: ProgramTokens;
  readonly inbox: Inbox;
  readonly events: EventLog;
  readonly idempotency: IdempotencyStore;
  readonly ratings: RatingStore;
  readonly companyChanges: CompanyChangeStore;
  readonly spend: SpendLedger;
  readonly operations: Operations;
  readonly a2aTasks: A2aTasks;
  readonly writing: WritingProofs;
  /** What the two databases did not agree on when they were opened; for the App to make good. */
  readonly disagreements: Disagreements;
  readonly webhookOutbox: WebhookOutbox;
  readonly mails: MailStore;
  readonly pushes: PushStore;
  readonly files: FileStore;
  /** Safe to call twice. */
  close(): Promise<void>;
}

export interface StoresOptions {
  readonly company: {
    readonly database: CompanyDatabaseSpec;
    readonly name: string;
    /** The file of its articles; there need be none. */
    readonly articles: URL;
  };
  /** Created where it is missing. */
  readonly dataDir: string;
  /** Where the hub's own tables are, `postgres://...`; in the data directory where absent. */
  readonly databaseUrl?: string | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** False where a new directory gets empty tables instead of the demo customers. */
  readonly demo?: boolean;
  /** True where the desk of a demo is given thirty days of conversations to show, if the company brings them. */
  readonly history?: boolean;
  /** Told in words about what takes a moment on first use. */
  readonly onProgress?: (message: string) => void;
  /** How long a call waits for a database that another process holds, in milliseconds; BUSY_WAIT_MS where absent. */
  readonly busyWaitMs?: number;
  /** Given each database that is open for writing: how tests make a disk full. */
  readonly onOpened?: (name: string, handle: DatabaseHandle) => void;
}

interface Handles {
  readonly company: DatabaseHandle;
  readonly companyReadonly: DatabaseHandle;
  readonly udahub: DatabaseHandle | HubOnPostgres;
}

/** The reader first: only a writer that closes last folds the write-ahead log into the database file. */
async function closeAll({ companyReadonly, company, udahub }: Handles): Promise<void> {
  for (const handle of [companyReadonly, company, udahub]) await handle.close();
}

const onSqlite = (udahub: Handles['udahub']): DatabaseHandle | null => ('sqlite' in udahub ? udahub : null);

/**
 * Opens the company's database and the hub's own: creates, migrates and seeds them on first use, and completes the audit log.
 * Any number of processes may do so at once.
 * @throws HubError `data_dir_unusable`, `database_newer`, `database_failed`, `disk_full`
 */
export async function openStores(options: StoresOptions): Promise<Stores> {
  const { dataDir, clock, ids, log, busyWaitMs = BUSY_WAIT_MS } = options;
  ensureDataDir(dataDir);
  translated(() => closeToOthers(dataDir, log), { dataDir });
  const handles = await openHandles(options);
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= closeAll(handles);
    return closed;
  };
  try {
    const { company, companyReadonly: reader, udahub } = handles;
    const { database, effects } = companyDatabase(
      { reader, writer: company, udahub: onSqlite(udahub) },
      busyWaitMs,
    );
    const hub = hubStores(udahub, { clock, ids, log, busyWaitMs });
    const { recorded, ...disagreements } = await compareLedger(effects, hub.audit, handles);
    for (const { idempotencyKey, tool, ticketId } of recorded) {
      log.warn({ agent: 'data', action: 'audit_reconciled', ticketId, details: { idempotencyKey, tool } });
    }
    const stores: Stores = {
      company: database,
      effects,
      ...hub,
      skillCache: 'sqlite' in udahub ? createSkillCacheStore(udahub, clock, log) : null,
      ...sharedBy(udahub, ids),
      writing: createWritingProofs(company, udahub),
      disagreements,
      close,
    };
    // From here on a database that is held is waited for without stopping everything else in this process.
    for (const handle of [company, reader, udahub])
      if ('sqlite' in handle) handle.sqlite.pragma('busy_timeout = 0');
    return waitingWhileBusy(stores, busyWaitMs);
  } catch (error) {
    await close();
    throw logged(toStorageError(error, { dataDir }), log);
  }
}

/**
 * The lock of threads and what is done to records wait by themselves, and what was found at the opening is there. What is
 * kept for a while is not worth waiting for.
 */
const NO_CALLS_THAT_WAIT: readonly string[] = [
  'locks',
  'company',
  'effects',
  'disagreements',
  'skillCache',
  'peers',
];

/** The same stores, each of whose calls waits for a database that is held. */
function waitingWhileBusy(stores: Stores, waitMs: number): Stores {
  const waiting = Object.entries(stores).map(([name, store]: [string, object | null]) => [
    name,
    store === null || typeof store === 'function' || NO_CALLS_THAT_WAIT.includes(name)
      ? store
      : retryingWhileBusy(waitMs, store),
  ]);
  return {
    ...(Object.fromEntries(waiting) as Stores),
    isErased: (customerId) => retryWhileBusy(waitMs, () => stores.isErased(customerId)),
    signInCodes: (peppers) => retryingWhileBusy(waitMs, stores.signInCodes(peppers)),
  };
}

/** The hub does not start: nobody else would write this line. */
function logged(error: unknown, log: Log): unknown {
  log.error({ agent: 'data', action: 'databases_not_opened' }, error);
  return error;
}

async function openHandles(options: StoresOptions): Promise<Handles> {
  const { dataDir, databaseUrl, company: own, log } = options;
  const names = [own.database.name, ...(databaseUrl === undefined ? [HUB_DATABASE.name] : [])];
  const opened: { close(): void | Promise<void> }[] = [];
  const open = (spec: DatabaseSpec, state: DirectoryState, readonly = false): DatabaseHandle => {
    const onMigrated = (count: number): void => {
      log.info({ agent: 'data', action: 'migrated', details: { database: spec.name, migrations: count } });
    };
    const handle = openDatabase(spec, dataDir, { readonly, onMigrated, state });
    opened.push(handle);
    if (!readonly) options.onOpened?.(spec.name, handle);
    return handle;
  };
  try {
    if (databaseUrl === undefined) refuseDirectoryOfPostgres(dataDir);
    // Its driver is loaded where it is used only.
    const server =
      databaseUrl === undefined
        ? null
        : await (await import('./udahub/hub-on-postgres.js')).openHubOnPostgres(databaseUrl, dataDir, log);
    if (server !== null) opened.push(server);
    const { handles, fill } = withSetupLock(dataDir, () => {
      const state = examineDirectory(dataDir, names);
      // Never into a directory that was used: what is missing there is a loss, not a beginning.
      const demo = state === 'new' && (options.demo ?? true);
      const company = open(own.database, state);
      const udahub = server ?? open(HUB_DATABASE, state);
      const customers = seedCompany(company, demo, options);
      const fill = () => seedHub(udahub, customers, demo, options);
      if (server === null) naming(udahub, () => atOnce(fill()));
      markUsed(dataDir, names);
      return { handles: { company, udahub, companyReadonly: open(own.database, state, true) }, fill };
    });
    await server?.alone(fill);
    return handles;
  } catch (error) {
    for (const handle of opened) await handle.close();
    throw logged(toStorageError(error, { dataDir }), log);
  }
}

/** An error of the work names the file. */
function naming<T>({ path }: Database, work: () => T): T {
  return translated(work, { path });
}

function seeded({ log, dataDir, onProgress }: StoresOptions, what: string): void {
  log.info({ agent: 'data', action: 'seeded', details: { what } });
  onProgress?.(`Prepared ${what} in ${dataDir}.`);
}

/** @returns the customers there are */
function seedCompany(
  handle: DatabaseHandle,
  demo: boolean,
  options: StoresOptions,
): readonly LinkedCustomer[] {
  const { database, name } = options.company;
  return naming(handle, () => {
    if (demo && database.seed?.(handle, options.clock)) seeded(options, `the ${name} demo data`);
    return database.customers(handle);
  });
}

function* seedHub(
  udahub: Database,
  customers: readonly LinkedCustomer[],
  demo: boolean,
  options: StoresOptions,
): Work<void> {
  const { company, clock, log } = options;
  const { database, name, articles } = company;
  const account: Account = { id: database.name, name };
  yield* seedAccount(udahub, account);
  const linked = yield* linkCustomers(udahub, account, customers);
  if (linked > 0) log.info({ agent: 'data', action: 'customers_linked', details: { count: linked } });
  const { changes, isFirst } = yield* seedKnowledge(udahub, clock, articles);
  if (changes > 0)
    seeded(options, isFirst ? 'the knowledge base' : `${changes} changed article${changes === 1 ? '' : 's'}`);
  if (demo && options.history && (yield* seedHistory(udahub, clock, database.history, customers)) > 0)
    seeded(options, 'thirty days of conversations for the desk');
}
