import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  EXIT_PATH_IN_USE,
  freePort,
  heartbeat,
  spawnChroma,
} from '../../../src/adapters/retrieval/chroma-process.js';
import { type ChromaServer, createChromaServer } from '../../../src/adapters/retrieval/chroma-server.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';
import { isRunning, serverPid, startHubProcess } from './chroma-processes.js';

let dataDir: string;
const opened: ChromaServer[] = [];

function open(log = createRecordingLog()): ChromaServer {
  const server = createChromaServer({ dataDir, log });
  opened.push(server);
  return server;
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-chroma-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.release()));
  expect(serverPid(dataDir), 'a server was left behind').toBeNull();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the shared Chroma server', () => {
  test('[KB-02] starts when it is first asked for, answers, and stops quickly with its last user', async () => {
    const server = open();
    expect(existsSync(join(dataDir, 'chroma'))).toBe(false);
    const url = await server.url();
    expect(await heartbeat(url, 1000)).toBe(true);
    expect(await server.url()).toBe(url);
    const pid = serverPid(dataDir) ?? 0;
    await server.release();

    expect(isRunning(pid)).toBe(false);
    await expect(server.url()).rejects.toMatchObject({ code: 'index_unavailable' });
  });

  test('[KB-02] is one for all that start at once, in this process and in others', async () => {
    const [a, b, child] = await Promise.all([open().url(), open().url(), startHubProcess(dataDir)]);
    expect(b).toBe(a);
    expect(child.url).toBe(a);
    const pid = serverPid(dataDir) ?? 0;
    await Promise.all(opened.splice(0).map((server) => server.release()));
    expect(isRunning(pid), 'the child still uses it').toBe(true);
    await child.leave();
    expect(isRunning(pid)).toBe(false);
  });

  test('outlives the process that started it, and is adopted by others', async () => {
    const starter = await startHubProcess(dataDir);
    const pid = serverPid(dataDir) ?? 0;
    await starter.kill();
    const server = open();
    expect(await server.url()).toBe(starter.url);
    expect(serverPid(dataDir)).toBe(pid);
    await server.release();
    expect(isRunning(pid), 'the killed process does not count as a user').toBe(false);
  });

  test('ends by itself when all its users were killed', async () => {
    const only = await startHubProcess(dataDir);
    const pid = serverPid(dataDir) ?? 0;
    await only.kill();
    await until(() => !isRunning(pid), 'the server noticed');
  });

  test('[KB-03] is restarted once after it was killed, whoever asks first', async () => {
    const servers = [open(), open()];
    await Promise.all(servers.map((server) => server.url()));
    process.kill(serverPid(dataDir) ?? 0, 'SIGKILL');
    await until(() => serverPid(dataDir) === null, 'it died');
    const urls = await Promise.all(servers.map((server) => server.url()));
    expect(new Set(urls).size).toBe(1);
    expect(await heartbeat(urls[0] ?? '', 1000)).toBe(true);
  });

  test('is replaced when it hangs', async () => {
    const server = open();
    await server.url();
    const pid = serverPid(dataDir) ?? 0;
    process.kill(pid, 'SIGSTOP');
    expect(await heartbeat(await server.url({ suspect: true }), 1000)).toBe(true);
    expect(serverPid(dataDir)).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });

  test('is replaced when its directory was deleted under it', async () => {
    const server = open();
    await server.url();
    const pid = serverPid(dataDir);
    rmSync(join(dataDir, 'chroma'), { recursive: true });
    expect(await heartbeat(await server.url(), 1000)).toBe(true);
    expect(serverPid(dataDir)).not.toBe(pid);
  });

  test('does not believe a state file of another time, or what answers on the port', async () => {
    const foreign = createServer((_, response) => response.end('{"nanosecond heartbeat":1}'));
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const { port } = foreign.address() as AddressInfo;
    const first = open();
    await first.url();
    await first.release();
    for (const state of [
      JSON.stringify({ pid: process.pid, start: '1', port, inode: null }),
      JSON.stringify({ pid: 999_999_999, start: '5', port, inode: null }),
      '{"pid": broken',
    ]) {
      writeFileSync(join(dataDir, 'chroma-server', 'server.json'), state);
      const server = open();
      expect(await server.url()).not.toContain(`:${port}`);
      await server.release();
    }
    foreign.close();
  });

  test('is never a second one on the same path, even where the state was lost', async () => {
    const server = open();
    await server.url();
    const stateDir = join(dataDir, 'chroma-server');
    const second = spawnChroma(join(dataDir, 'chroma'), stateDir, await freePort());
    await until(() => second.exitCode() !== undefined, 'the second one gave up');
    expect(second.exitCode()).toBe(EXIT_PATH_IN_USE);
    expect(await heartbeat(await server.url(), 1000)).toBe(true);
  });

  test('leaves no file of its members behind', async () => {
    const server = open();
    await server.url();
    await server.release();
    expect(readdirSync(join(dataDir, 'chroma-server', 'users'))).toEqual([]);
    expect(existsSync(join(dataDir, 'chroma-server', 'server.json'))).toBe(false);
  });

  test('says why it cannot work in a place', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    const server = createChromaServer({ dataDir: join(file, 'below'), log: createRecordingLog() });
    await expect(server.url()).rejects.toMatchObject({
      code: 'index_unavailable',
      message: expect.stringContaining('directory'),
    });
    await server.release();
  });

  test('[KB-04] is not started where a URL is given', async () => {
    const server = createChromaServer({ dataDir, url: 'http://127.0.0.1:1/', log: createRecordingLog() });
    expect(await server.url()).toBe('http://127.0.0.1:1');
    await server.release();
    expect(readdirSync(dataDir)).toEqual([]);
  });
});
