import BetterSqlite3 from 'better-sqlite3';
import { argument, report } from './support.js';

/** Takes the write lock of a database, says so, and holds it until it is killed. */
const database = new BetterSqlite3(argument(0), { timeout: 30_000 });
database.exec('BEGIN IMMEDIATE');
report('held');
// It is named here so that it is not collected as garbage, which would let the lock go.
setInterval(() => database.inTransaction, 1_000);
