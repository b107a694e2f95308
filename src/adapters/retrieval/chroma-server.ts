import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HubError, messageOf } from '../../core/errors.js';
import type { Clock, Log } from '../../core/ports/system.js';
import { createSystemClock } from '../system.js';
import {
  ChromaMembers,
  processStart,
  type ServerState,
  seemsRunning,
  withFileLock,
} from './chroma-members.js';
import {
  chromaUrl,
  databaseInode,
  EXIT_PATH_IN_USE,
  freePort,
  heartbeat,
  putBack,
  serverLogTail,
  setAside,
  spawnChroma,
  stopProcess,
  untilReady,
} from './chroma-process.js';

const LOCK_WAIT_MS = 15_000;
const READY_MS = 10_000;
const START_ATTEMPTS = 4;
/** A server that ends so often at its start has damaged files. */
const ATTEMPTS_ON_FILES = 2;
const HEARTBEAT_MS = 1500;
const STOP_GRACE_MS = 600;
/** A server that lost its state file ends by itself within this time; we wait for it instead of sharing its path. */
const PATH_IN_USE_WAIT_MS = 2000;

interface ChromaServerOptions {
  /** The hub's data directory; the server works on `chroma/` in it, its state is in `chroma-server/`. */
  readonly dataDir: string;
  /** A server somebody else runs: used as it is, nothing is started or stopped. */
  readonly url?: string | undefined;
  readonly log: Log;
  /** Names what is set aside; the system's where absent. */
  readonly clock?: Clock;
}

/** One Chroma server a data directory, shared by the hub's processes. */
export interface ChromaServer {
  /** Differs between data directories, so that two never see each other on one shared server. */
  readonly namespace: string;
  /**
   * Where the server answers; starts, adopts or restarts it first where needed.
   * @param options.suspect a request just failed: ask the server itself, and replace it where it does not answer
   * @throws HubError `index_unavailable`
   */
  url(options?: { readonly suspect?: boolean }): Promise<string>;
  /**
   * The files of this server are damaged: sets them aside and starts on an empty directory, under the lock. Where another
   * process has done so meanwhile, nothing is done. Absent for a server somebody else runs.
   * @throws HubError `index_unavailable`
   */
  renew?(reason: string): Promise<void>;
  /** Runs work that only one process of this data directory does at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Ends this use. The last user stops the server; takes under a second. `url` must not be called afterwards. */
  release(): Promise<void>;
}

/** Nothing is started before the first `url()`. */
export function createChromaServer(options: ChromaServerOptions): ChromaServer {
  const dataDir = resolve(options.dataDir);
  const namespace = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  if (options.url !== undefined && options.url !== '') return foreignServer(options.url, namespace);
  return new SharedChromaServer(dataDir, namespace, options.log, options.clock ?? createSystemClock());
}

function foreignServer(url: string, namespace: string): ChromaServer {
  const base = url.replace(/\/+$/u, '');
  return {
    namespace,
    url: () => Promise.resolve(base),
    alone: (work) => work(),
    release: () => Promise.resolve(),
  };
}

class SharedChromaServer implements ChromaServer {
  private readonly dataPath: string;
  private readonly stateDir: string;
  private readonly members: ChromaMembers;
  private current: ServerState | null = null;
  private pending: Promise<ServerState> | null = null;
  private released = false;

  constructor(
    dataDir: string,
    readonly namespace: string,
    private readonly log: Log,
    private readonly clock: Clock,
  ) {
    this.dataPath = join(dataDir, 'chroma');
    this.stateDir = join(dataDir, 'chroma-server');
    this.members = new ChromaMembers(this.stateDir);
  }

  async url(options: { readonly suspect?: boolean } = {}): Promise<string> {
    if (this.released) throw new HubError('index_unavailable', 'The vector index was closed.');
    if (this.current !== null && options.suspect !== true && this.looksAlive(this.current))
      return chromaUrl(this.current.port);
    // One attempt at a time in this process; the lock orders those of other processes.
    this.pending ??= this.ensure().finally(() => {
      this.pending = null;
    });
    this.current = await this.pending;
    return chromaUrl(this.current.port);
  }

  async renew(reason: string): Promise<void> {
    const seen = this.current;
    await this.locked(async () => {
      if (seen === null || this.released || databaseInode(this.dataPath) !== seen.inode) return;
      const server = this.members.readServer();
      if (server !== null) await stopProcess(server.pid, server.start, STOP_GRACE_MS);
      this.members.clearServer();
      this.setAside(reason);
      this.current = await this.start();
    });
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    mkdirSync(this.stateDir, { recursive: true });
    return await withFileLock(join(this.stateDir, 'sync.lock'), LOCK_WAIT_MS, work);
  }

  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    await this.pending?.catch(() => undefined);
    this.current = null;
    if (!this.members.leave()) return;
    try {
      await this.locked(async () => {
        const server = this.members.readServer();
        if (server === null || this.members.hasLiveMembers()) return;
        await stopProcess(server.pid, server.start, STOP_GRACE_MS);
        this.members.clearServer();
        this.note('server_stopped', { pid: server.pid });
      });
    } catch (error) {
      // The server's own watchdog ends it when it finds no user.
      this.log.warn({ agent: 'chroma', action: 'release_failed', details: { reason: String(error) } });
    }
  }

  private async ensure(): Promise<ServerState> {
    try {
      mkdirSync(this.dataPath, { recursive: true, mode: 0o700 });
      mkdirSync(this.stateDir, { recursive: true, mode: 0o700 });
      this.members.join();
    } catch (error) {
      throw new HubError(
        'index_unavailable',
        `The directory of the vector index cannot be used: ${messageOf(error)}`,
        { path: this.dataPath },
        { cause: error },
      );
    }
    return await this.locked(async () => (await this.adopt()) ?? (await this.start()));
  }

  private async adopt(): Promise<ServerState | null> {
    const server = this.members.readServer();
    if (server === null) return null;
    const sameFiles = server.inode === null || server.inode === databaseInode(this.dataPath);
    if (sameFiles && (await heartbeat(chromaUrl(server.port), HEARTBEAT_MS))) return server;
    this.log.warn({
      agent: 'chroma',
      action: 'server_replaced',
      details: { pid: server.pid, reason: sameFiles ? 'no heartbeat' : 'directory replaced' },
    });
    await stopProcess(server.pid, server.start, STOP_GRACE_MS);
    this.members.clearServer();
    return null;
  }

  private setAside(reason: string): string | null {
    const kept = setAside(this.dataPath, this.clock.now());
    mkdirSync(this.dataPath, { recursive: true });
    if (kept !== null)
      this.log.warn({
        agent: 'chroma',
        action: 'damaged_index_set_aside',
        details: {
          file: this.dataPath,
          kept,
          reason,
          next: 'Nothing has to be done: the index is built anew from the articles in udahub.db. The kept folder may be deleted.',
        },
      });
    return kept;
  }

  private async start(): Promise<ServerState> {
    let kept: string | null = null;
    for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
      const spawned = spawnChroma(this.dataPath, this.stateDir, await freePort());
      const start = processStart(spawned.pid);
      // Written before it answers: were we killed now, the next process would find it instead of starting a second.
      this.members.writeServer({ pid: spawned.pid, start, port: spawned.port, inode: null });
      if (await untilReady(spawned, READY_MS)) {
        const server = { pid: spawned.pid, start, port: spawned.port, inode: databaseInode(this.dataPath) };
        this.members.writeServer(server);
        this.note('server_started', { pid: server.pid, port: server.port, attempt });
        return server;
      }
      const ended = spawned.exitCode() !== undefined;
      await stopProcess(spawned.pid, start, 0);
      this.log.warn({
        agent: 'chroma',
        action: 'start_failed',
        details: { attempt, exitCode: spawned.exitCode() ?? null, output: serverLogTail(this.stateDir) },
      });
      if (spawned.exitCode() === EXIT_PATH_IN_USE) await sleep(PATH_IN_USE_WAIT_MS);
      else if (attempt >= ATTEMPTS_ON_FILES && kept === null && ended)
        kept = this.setAside(serverLogTail(this.stateDir));
    }
    this.members.clearServer();
    if (kept !== null) putBack(kept, this.dataPath);
    throw new HubError('index_unavailable', 'The Chroma server could not be started.', {
      output: serverLogTail(this.stateDir),
    });
  }

  /** Tens of microseconds: done on every request. */
  private looksAlive({ pid, start, inode }: ServerState): boolean {
    return seemsRunning(pid, start) && (inode === null || inode === databaseInode(this.dataPath));
  }

  private async locked<T>(work: () => Promise<T>): Promise<T> {
    return await withFileLock(join(this.stateDir, 'lock'), LOCK_WAIT_MS, work);
  }

  private note(action: string, details: Record<string, unknown>): void {
    this.log.info({ agent: 'chroma', action, details });
  }
}
