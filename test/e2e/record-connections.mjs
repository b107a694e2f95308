// Loaded by `node --import` in front of a program: notes of every connection to a database how it syncs, when it is closed
// or the process ends, in the file that HUB_TEST_CONNECTIONS names.
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';

const out = process.env.HUB_TEST_CONNECTIONS;
const open = new Set();
const { prototype } = Database;
const { pragma, close } = prototype;

function note(db) {
  const synchronous = pragma.call(db, 'synchronous', { simple: true });
  const line = {
    program: basename(process.argv[1] ?? ''),
    file: basename(db.name),
    readonly: db.readonly,
    synchronous,
  };
  appendFileSync(out, `${JSON.stringify(line)}\n`);
}

if (isMainThread && out) {
  for (const method of ['prepare', 'exec', 'pragma', 'transaction']) {
    const original = prototype[method];
    prototype[method] = function watched(...args) {
      open.add(this);
      return original.apply(this, args);
    };
  }
  prototype.close = function closing() {
    if (this.open) note(this);
    open.delete(this);
    return close.call(this);
  };
  process.on('exit', () => {
    for (const db of open) if (db.open && !db.inTransaction) note(db);
  });
}
