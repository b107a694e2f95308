// Loaded by `node --import` in front of Chroma's own CLI, in the server's process. Plain JavaScript because that
// process runs without a TypeScript loader. It does three things the CLI does not:
//
// 1. It holds a kernel lock on the data path for as long as the server lives. Two servers on one path corrupt it, and
//    this lock holds even where every state file was lost, a pid was reused or a hub was killed while it started one.
// 2. It ends the server when nobody uses it any more. The CLI blocks the main thread, so a worker thread looks: no
//    hub process left alive (all killed, say), or the state file names another server. So no orphan stays.
// 3. It keeps the files of the index from other users of the machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const POLL_MS = 1000;
/** Polls without a user (or without being the named server) before the server ends. */
const PATIENCE = 5;
const KILL_AFTER_MS = 3000;
const EXIT_PATH_IN_USE = 75;

/** Start time of a process as the kernel counts it, '' where it is gone or a zombie, null where the OS does not tell. */
function processStart(pid) {
  if (process.platform !== 'linux') return null;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    return fields[0] === 'Z' ? '' : fields[19];
  } catch {
    return '';
  }
}

function isAlive(pid, start) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  const now = processStart(pid);
  return now === null || now === start;
}

function hasUsers(stateDir) {
  const folder = join(stateDir, 'users');
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => {
    const [pid, start] = name.split('-');
    return isAlive(Number(pid), start);
  });
}

function isNamed(stateDir) {
  try {
    return JSON.parse(readFileSync(join(stateDir, 'server.json'), 'utf8')).pid === process.pid;
  } catch {
    return false;
  }
}

function watch(stateDir) {
  let lonely = 0;
  let unnamed = 0;
  setInterval(() => {
    lonely = hasUsers(stateDir) ? 0 : lonely + 1;
    unnamed = isNamed(stateDir) ? 0 : unnamed + 1;
    if (lonely < PATIENCE && unnamed < PATIENCE) return;
    process.kill(process.pid, 'SIGINT');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS);
  }, POLL_MS);
}

if (isMainThread) {
  // The index holds the texts of the hub: what Chroma writes is for its owner's eyes only.
  process.umask(0o077);
  const stateDir = new URL(import.meta.url).searchParams.get('state') ?? '';
  const { default: Database } = await import('better-sqlite3');
  try {
    const owner = new Database(join(stateDir, 'owner.lock'), { timeout: 0 });
    owner.exec('BEGIN EXCLUSIVE');
    // Referenced for the life of the process: a collected handle would let go of the lock.
    globalThis.__hubChromaOwner = owner;
  } catch (error) {
    process.stderr.write(`the data path is in use by another server: ${error.message}\n`);
    process.exit(EXIT_PATH_IN_USE);
  }
  new Worker(new URL(import.meta.url), { workerData: { stateDir }, execArgv: [] }).unref();
} else if (workerData?.stateDir) {
  watch(workerData.stateDir);
}
