import type { Clock, Ids, Log } from '../../src/core/ports/system.js';
import type { Database } from '../database.js';
import { createA2aTasks } from './a2a-tasks.js';
import { createAuditLog } from './audit-log.js';
import { createCompanyChangeStore } from './company-changes.js';
import { createDeskQueries } from './desk-queries.js';
import {
  createMacroStore,
  createPresenceStore,
  createRatingStore,
  createTicketDeskStore,
  createViewStore,
} from './desk-stores.js';
import { createFileStore } from './file-store.js';
import { createIdempotencyStore } from './idempotency-store.js';
import { createEventLog, createInbox } from './inbox.js';
import { createKnowledgeDrafts, createKnowledgeStore } from './knowledge-store.js';
import { createMailStore } from './mail-store.js';
import { createMemoryStore } from './memory-store.js';
import { createOperations, createSpendLedger } from './operations.js';
import { createPendingStore } from './pending-store.js';
import { createProgramTokens } from './program-tokens.js';
import { createPushStore } from './push-store.js';
import { createErasedCheck, createSignInCodes } from './sign-in-codes.js';
import { createSkillRunStore } from './skill-run-store.js';
import { createThreadLock } from './thread-lock.js';
import { createThreadStore } from './thread-store.js';
import { createTicketStore } from './ticket-store.js';
import { createWebhookOutbox } from './webhook-outbox.js';

/** What the hub's own stores are made with. */
interface StoreTools {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** How long the lock of threads waits for a database that another process holds, in milliseconds. */
  readonly busyWaitMs: number;
}

/** The hub's own stores, on either engine. */
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
    views: createViewStore(database, clock),
    inbox: createInbox(database, clock, ids),
    events: createEventLog(database, clock),
    idempotency: createIdempotencyStore(database, clock, ids),
    ratings: createRatingStore(database, clock),
    files: createFileStore(database, clock),
    companyChanges: createCompanyChangeStore(database, clock),
    knowledge: createKnowledgeStore(database, clock),
    drafts: createKnowledgeDrafts(database, clock),
    desk: createDeskQueries(database, clock),
    skillRuns: createSkillRunStore(database, clock, ids),
    isErased: createErasedCheck(database),
    signInCodes: (peppers: () => readonly string[]) => createSignInCodes(database, clock, peppers),
    programTokens: createProgramTokens(database, clock, ids),
    spend: createSpendLedger(database),
    operations: createOperations(database, clock),
    a2aTasks: createA2aTasks(database, clock, ids),
    webhookOutbox: createWebhookOutbox(database, clock, ids),
    mails: createMailStore(database, clock, ids),
    pushes: createPushStore(database, clock),
  };
}
