import { auditLogSuite } from './audit-log-suite.js';
import { customerReaderSuite } from './customer-reader-suite.js';
import { customerWriterSuite } from './customer-writer-suite.js';
import { knowledgeStoreSuite } from './knowledge-store-suite.js';
import { memoryStoreSuite } from './memory-store-suite.js';
import { pendingStoreSuite } from './pending-store-suite.js';
import { threadLockSuite } from './thread-lock-suite.js';
import { ticketStoreSuite } from './ticket-store-suite.js';
import { openSqliteWorld } from './world.js';

customerReaderSuite('SQLite', openSqliteWorld);
customerWriterSuite('SQLite', openSqliteWorld);
ticketStoreSuite('SQLite', openSqliteWorld);
memoryStoreSuite('SQLite', openSqliteWorld);
pendingStoreSuite('SQLite', openSqliteWorld);
auditLogSuite('SQLite', openSqliteWorld);
knowledgeStoreSuite('SQLite', openSqliteWorld);
threadLockSuite('SQLite', openSqliteWorld);
