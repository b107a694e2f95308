import type { Clock, Ids, Log } from '../../src/core/ports/system.js';
import type { Database } from '../database.js';
import { createAuditLog } from './audit-log.js';
import { createCompanyChangeStore } from './company-changes.js';
import {
  createMacroStore,
  createPresenceStore,
  createRatingStore,
  createTicketDeskStore,
} from './desk-stores.js';
import { createFileStore } from './file-store.js';
import { createIdempotencyStore } from './idempotency-store.js';
import { createEventLog, createInbox } from './inbox.js';
import { createMemoryStore } from './memory-store.js';
import { createPendingStore } from './pending-store.js';
import { createThreadLock } from './thread-lock.js';
import { createThreadStore } from './thread-store.js';
import { createTicketStore } from './ticket-store.js';

/** What the hub's own stores are made with. */
export interface StoreTools {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** How long the lock of threads waits for a database that another process holds, in milliseconds. */
  readonly busyWaitMs: number;
}

/** The hub's own stores that run on either engine. */
export type HubStores = ReturnType<typeof hubStores>;

/** Makes them. */
export function hubStores(database: Database, { clock, ids, log, busyWaitMs }: StoreTools) {
  return {
    tickets: createTicketStore(database, clock, ids),
    memory: createMemoryStore(database, clock, ids),
    pending: createPendingStore(database, clock),
    audit: createAuditLog(database),
    locks: createThreadLock(database, clock, ids, log, busyWaitMs),
    threads: createThreadStore(database, clock),
    presence: createPresenceStore(database, clock),
    ticketDesk: createTicketDeskStore(database, clock),
    macros: createMacroStore(database),
    inbox: createInbox(database, clock, ids),
    events: createEventLog(database, clock),
    idempotency: createIdempotencyStore(database, clock, ids),
    ratings: createRatingStore(database, clock),
    files: createFileStore(database, clock),
    companyChanges: createCompanyChangeStore(database, clock),
  };
}
