import type { CompanyChangeStore } from '../src/core/company-changes.js';
import type { A2aTasks } from '../src/core/ports/a2a-tasks.js';
import type { ServerTables } from '../src/core/ports/data-source.js';
import type { DeskQueries } from '../src/core/ports/desk-queries.js';
import type { AuditLog, Disagreements, EffectLedger } from '../src/core/ports/effect-ledger.js';
import type { EventLog, IdempotencyStore, Inbox } from '../src/core/ports/inbox.js';
import type { MacroStore, MailStore, MemoryStore, Operations, PushStore } from '../src/core/ports/index.js';
import type { KnowledgeDrafts, KnowledgeStore } from '../src/core/ports/knowledge-store.js';
import type { SpendLedger } from '../src/core/ports/metrics.js';
import type { Peers, RateCounters } from '../src/core/ports/peers.js';
import type { ProgramTokens, SignInCodes } from '../src/core/ports/sign-in.js';
import type { SkillCache, SkillRunHistory } from '../src/core/ports/skills.js';
import type { FileStore, PendingStore, ThreadLock, ThreadStore } from '../src/core/ports/thread-store.js';
import type {
  PresenceStore,
  RatingStore,
  TicketDeskStore,
  TicketStore,
  ViewStore,
} from '../src/core/ports/ticket-store.js';
import type { WebhookOutbox } from '../src/core/ports/webhooks.js';
import { BUSY_WAIT_MS, retryingWhileBusy, retryWhileBusy } from '../src/core/sqlite-files.js';
import { type CompanyDatabase, companyDatabase } from './company-database.js';
import { closeToOthers } from './directory-permissions.js';
import { ensureDataDir } from './directory-state.js';
import { closeAll, notOpened, openHandles, type StoresOptions, tablesOnServer } from './handles.js';
import { createWritingProofs, type WritingProofs } from './prove-writing.js';
import { translated } from './storage-errors.js';
import { compareLedger } from './udahub/audit-log.js';
import { sharedBy } from './udahub/peers.js';
import { createSkillCacheStore } from './udahub/skill-run-store.js';
import { hubStores } from './udahub/stores.js';

export type { StoresOptions } from './handles.js';

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
  readonly views: ViewStore;
  readonly skillRuns: SkillRunHistory;
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
  /** Databases that are on a server, by name, for skills that ask them. */
  readonly onServer: Readonly<Record<string, ServerTables>>;
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
      { reader, writer: company, udahub: 'sqlite' in udahub ? udahub : null },
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
      onServer: await tablesOnServer(handles, options.company.database.name),
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
    throw notOpened(error, options);
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
  'onServer',
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
