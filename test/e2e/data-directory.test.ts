import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeToOthers } from '../../data/directory-permissions.js';
import { ROOT } from '../architecture/cruise.js';
import { createRecordingLog } from '../support/recording-log.js';
import { cliEnvironment, commandLine, finished, makeFolder, runCli } from './cli-process.js';

const folder = makeFolder();
const { dataDir } = folder;
const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => folder.remove());

/** Everything in the directory that somebody else could look into, or that its owner could run. */
function open(path = dataDir): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const mode = stats.mode & 0o777;
  const own = mode === (stats.isDirectory() ? 0o700 : 0o600) ? [] : [`${path} ${mode.toString(8)}`];
  return stats.isDirectory() ? [...own, ...readdirSync(path).flatMap((name) => open(join(path, name)))] : own;
}

function files(path = dataDir): readonly string[] {
  return readdirSync(path, { recursive: true }).map(String);
}

function throwOpen(path = dataDir): void {
  const directory = statSync(path).isDirectory();
  chmodSync(path, directory ? 0o755 : 0o644);
  if (directory) for (const name of readdirSync(path)) throwOpen(join(path, name));
}

/** The chat with its graph kept in a file, started by a shell that hides nothing from anybody. */
async function talk(line: string, during: () => void): Promise<void> {
  const args = [...commandLine('chat'), '--json'];
  const child = spawn('sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, ...args], {
    cwd: ROOT,
    env: cliEnvironment({ dataDir, env: { HUB_CHECKPOINTER: 'sqlite' } }),
  });
  children.push(child);
  const end = finished(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(`${line}\n`);
  const next = await lines.next();
  if (next.done) throw new Error((await end).err);
  during();
  child.stdin.end();
  const { code, err } = await end;
  expect(code, err).toBe(0);
}

const logged = (action: string) =>
  readFileSync(join(dataDir, 'hub.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter((line) => line.action === action);

describe('the data directory', () => {
  test('[ATK-12] is for its owner alone under umask 000, while the hub runs and after', async () => {
    await talk('How do I pause my subscription?', () => {
      expect(open()).toEqual([]);
      expect(files()).toEqual(
        expect.arrayContaining([
          ...['cultpass.db', 'cultpass.db-wal', 'cultpass.db-shm', 'udahub.db-wal', 'udahub.db-shm'],
          ...['checkpoints.db', 'checkpoints.db-wal', 'hub.log', 'setup.lock', 'data-directory.json'],
          join('chroma', 'chroma.sqlite3'),
        ]),
      );
    });
    const made = await runCli('token', ['--as', 'ana.souza@example.com', '--scope', 'account:read'], {
      dataDir,
    });
    expect(made.code, made.err).toBe(0);
    expect(files()).toContain('auth-secret');
    expect(open()).toEqual([]);
    expect(logged('permissions_mended')).toEqual([]);
  });

  test('[ATK-12] is mended at the next start, which one line of the log tells', async () => {
    throwOpen();
    expect(open().length).toBeGreaterThan(8);
    await talk('How do I pause my subscription?', () => expect(open()).toEqual([]));
    expect(logged('permissions_mended')).toMatchObject([
      {
        level: 'warn',
        details: { dataDir, directories: expect.any(Number), files: expect.any(Number) },
      },
    ]);
    await talk('How do I pause my subscription?', () => expect(open()).toEqual([]));
    expect(logged('permissions_mended')).toHaveLength(1);
  });

  test('[ATK-12] is left as it is where it belongs to another user, who is told of', () => {
    const other = join(folder.path, 'other');
    mkdirSync(other);
    chmodSync(other, 0o755);
    const log = createRecordingLog();
    closeToOthers(other, log, (process.geteuid?.() ?? 0) + 1);
    expect(statSync(other).mode & 0o777).toBe(0o755);
    expect(log.entries).toMatchObject([
      {
        level: 'warn',
        action: 'permissions_not_mended',
        details: { dataDir: other, count: 1, first: other },
      },
    ]);
  });
});
