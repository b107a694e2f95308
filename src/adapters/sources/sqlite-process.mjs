/*
 * Answers SQL over SQLite files in a process of its own. SQLite runs a statement on the thread that asks and cannot be
 * interrupted from JavaScript, so a statement without end would stop the hub; this process can be killed. It is plain
 * JavaScript so that it starts without a loader. The protocol is in sqlite-processes.ts.
 */
import { statSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { addFunctions } from './sqlite-functions.mjs';

const MAX_HANDLES = 32;
const BUSY_TIMEOUT_MS = 5_000;

/** By key, the one used last at the end. */
const handles = new Map();

/** An error that says on whose side the fault is. */
class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The file as the hub's own people see it. */
function openFile(path) {
  const db = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  db.pragma('query_only = ON');
  addFunctions(db, {});
  return { query: (statement) => run(db, statement), close: () => db.close() };
}

/** A database that exists in memory only, made by a script. */
function openScript({ schemas, script, now }) {
  const db = new BetterSqlite3(':memory:');
  for (const name of schemas) db.exec(`ATTACH ':memory:' AS "${name.replaceAll('"', '""')}"`);
  addFunctions(db, { now });
  for (const sql of script) {
    try {
      db.exec(sql);
    } catch (error) {
      throw new Refusal('rejected', `the fixture cannot be run: ${error.message}`);
    }
  }
  db.pragma('query_only = ON');
  return { query: (statement) => run(db, statement), close: () => db.close() };
}

/**
 * The file as one customer sees it. Statements run on a database in memory that holds copies of that customer's rows and
 * has no connection to the file, so there is nothing else that a statement could reach, whatever it says. Tables are
 * copied when a statement names them, and again after the file has changed.
 */
function openScoped({ path, scope, customerId }) {
  const file = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  file.pragma('query_only = ON');
  const view = new BetterSqlite3(':memory:');
  addFunctions(view, {});
  const tables = new Map(Object.keys(scope).map((name) => [name.toLowerCase(), name]));
  const copied = new Set();
  let version;
  const refresh = (sql) => {
    const named = [...tables.keys()].filter((name) => sql.toLowerCase().includes(name));
    const now = file.pragma('data_version', { simple: true });
    if (now !== version) {
      for (const name of copied) view.exec(`DROP TABLE ${quoted(name)}`);
      copied.clear();
      version = now;
    }
    // One snapshot for all of them.
    file.transaction(() => {
      for (const key of named) {
        const name = tables.get(key);
        if (copied.has(name)) continue;
        copyTable(file, view, name, scope[name], customerId);
        copied.add(name);
      }
    })();
  };
  return {
    query(statement) {
      view.pragma('query_only = OFF');
      refresh(statement.sql);
      view.pragma('query_only = ON');
      return run(view, statement);
    },
    close() {
      file.close();
      view.close();
    },
  };
}

/** Rows that came from a server. */
function openTables({ tables }) {
  const db = new BetterSqlite3(':memory:');
  addFunctions(db, {});
  for (const { name, columns, rows } of tables) {
    if (columns.length === 0) continue;
    db.exec(
      `CREATE TABLE ${quoted(name)} (${columns.map((column) => `${quoted(column.name)} ${column.type}`).join(', ')})`,
    );
    const insert = db.prepare(`INSERT INTO ${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`);
    db.transaction(() => {
      for (const row of rows) insert.run(...row.map(toSqlite));
    })();
  }
  db.pragma('query_only = ON');
  return { query: (statement) => run(db, statement), close: () => db.close() };
}

function copyTable(file, view, name, condition, customerId) {
  const columns = file.pragma(`table_info(${quoted(name)})`);
  if (columns.length === 0) return;
  const list = columns.map((column) => `${quoted(column.name)} ${column.type}`).join(', ');
  const select = file
    .prepare(`SELECT * FROM ${quoted(name)} WHERE ${condition}`)
    .raw()
    .safeIntegers();
  const parameters = condition.includes(':customer_id') ? [{ customer_id: customerId }] : [];
  const rows = select.all(...parameters);
  view.exec(`CREATE TABLE ${quoted(name)} (${list})`);
  const insert = view.prepare(`INSERT INTO ${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`);
  view.transaction(() => {
    for (const row of rows) insert.run(...row);
  })();
}

function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Runs one reading statement, and takes no more rows than are wanted. */
function run(db, { sql, values, maxRows, maxBytes }) {
  let statement;
  try {
    statement = db.prepare(sql);
  } catch (error) {
    throw refusalOf(error);
  }
  if (!statement.reader || !statement.readonly)
    throw new Refusal('rejected', 'only a statement that reads is allowed');
  const rows = [];
  let bytes = 0;
  // SQLite keeps a BOOLEAN as 0 or 1; a condition compares with true and false, as other databases give them.
  const columns = statement.columns().filter(({ type }) => /^bool/i.test(type ?? ''));
  const booleans = new Set(columns.map(({ name }) => name));
  for (const row of read(statement.safeIntegers(), values)) {
    if (rows.length === maxRows) return { rows, truncated: true };
    const plain = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        booleans.has(name) ? toBoolean(value) : toJson(value),
      ]),
    );
    bytes += sizeOf(plain);
    if (maxBytes !== undefined && bytes > maxBytes) {
      if (rows.length === 0) throw new Refusal('bad', `a single row has more than ${maxBytes} bytes`);
      return { rows, truncated: true };
    }
    rows.push(plain);
  }
  return { rows, truncated: false };
}

function* read(statement, values) {
  try {
    yield* statement.iterate(...values.map(toSqlite));
  } catch (error) {
    throw refusalOf(error);
  }
}

/** What the file cannot give (busy, damaged) is not the statement's fault. */
function refusalOf(error) {
  const file = /^SQLITE_(BUSY|LOCKED|IOERR|CORRUPT|NOTADB|CANTOPEN|FULL|NOMEM|READONLY)/.test(
    error.code ?? '',
  );
  return new Refusal(file ? 'unavailable' : 'rejected', error.message);
}

/** Integers as integers: a bound 5.0 is not equal to the text '5'. */
function toSqlite(value) {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value;
}

function toJson(value) {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  return value;
}

function toBoolean(value) {
  return value === 0n || value === 1n ? value === 1n : toJson(value);
}

function sizeOf(row) {
  let bytes = 2;
  for (const [name, value] of Object.entries(row)) {
    bytes += name.length + 4 + (typeof value === 'string' ? Buffer.byteLength(value) + 2 : 12);
  }
  return bytes;
}

/** A file that was put in the place of another one is another file. */
function identity(path) {
  if (path === undefined) return '';
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}

function handleOf({ key, open }) {
  let kept = handles.get(key);
  if (kept !== undefined && kept.identity !== identity(open.path)) {
    kept.handle.close();
    kept = undefined;
  }
  if (kept === undefined) {
    const handle = open.script ? openScript(open) : open.scope ? openScoped(open) : openFile(open.path);
    kept = { handle, identity: identity(open.path) };
  }
  handles.delete(key);
  handles.set(key, kept);
  if (handles.size > MAX_HANDLES) {
    const [oldest, { handle }] = handles.entries().next().value;
    handle.close();
    handles.delete(oldest);
  }
  return kept.handle;
}

/** Ends this process when the hub is gone, also while a statement runs. */
function watchParent() {
  const watch = `const { ppid } = process; setInterval(() => {
    if (process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
  }, 1000);`;
  new Worker(watch, { eval: true, stdin: false, stdout: false, stderr: false }).unref();
}

function answer(message) {
  if (!message.open.tables) return handleOf(message).query(message);
  const handle = openTables(message.open);
  try {
    return handle.query(message);
  } finally {
    handle.close();
  }
}

process.on('message', (message) => {
  try {
    process.send({ id: message.id, ...answer(message) });
  } catch (error) {
    const code = error instanceof Refusal ? error.code : 'unavailable';
    process.send({ id: message.id, error: { code, message: error.message } });
  }
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches the whole group; the hub finishes its work first.
process.on('SIGINT', () => undefined);
try {
  // Where memory runs out, this process goes before the hub does.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Only Linux has it.
}
watchParent();
