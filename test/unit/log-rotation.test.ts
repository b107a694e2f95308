import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/adapters/telemetry/pino-log.js';
import { parseConfig } from '../../src/config/config.js';
import { eraseFromLog, linesAbout, logFiles } from '../../src/privacy/files.js';
import { programOf } from '../support/child-process.js';
import { createFixedClock } from '../support/fixed-clock.js';

const WRITER = new URL('../support/log-writer.ts', import.meta.url);

describe('[ATK-19] the log is turned by size and age', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-log-'));
    file = join(folder, 'hub.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const names = (): readonly string[] => readdirSync(folder).sort();
  const linesOf = (
    path: string,
  ): readonly { readonly details: { readonly n: number; readonly of?: string } }[] =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const write = (log: ReturnType<typeof createLog>, from: number, to: number): void => {
    for (let n = from; n < to; n += 1) log.info({ agent: 'test', action: 'counted', details: { n } });
  };

  it('turns at the size, keeps so many files for their owner only, and no line is longer or lost within them', () => {
    const log = createLog({ level: 'info', file, rotation: { maxBytes: 2_000, maxDays: 9, keep: 3 } });
    write(log, 0, 200);
    log.close();
    expect(names()).toEqual(['hub.log', 'hub.log.1', 'hub.log.2', 'hub.log.3']);
    const kept = ['hub.log.3', 'hub.log.2', 'hub.log.1', 'hub.log'].map((name) => join(folder, name));
    for (const path of kept) {
      expect(statSync(path).size).toBeLessThanOrEqual(2_000);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    const numbers = kept.flatMap((path) => linesOf(path).map(({ details }) => details.n));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 200 - numbers.length + i));
    expect(numbers.length).toBeGreaterThan(40);
  });

  it('turns a file whose first line is old, whoever wrote it, and keeps none where none is asked for', () => {
    const clock = createFixedClock('2026-03-01T12:00:00.000Z');
    const rotation = { maxBytes: 1_000_000, maxDays: 2, keep: 1 };
    const first = createLog({ level: 'info', file, clock, rotation });
    write(first, 0, 3);
    first.close();
    clock.advance({ hours: 47 });
    const second = createLog({ level: 'info', file, clock, rotation });
    write(second, 3, 4);
    expect(names()).toEqual(['hub.log']);
    clock.advance({ hours: 1 });
    write(second, 4, 6);
    second.close();
    expect(linesOf(`${file}.1`).map(({ details }) => details.n)).toEqual([0, 1, 2, 3]);
    expect(linesOf(file).map(({ details }) => details.n)).toEqual([4, 5]);
    const none = createLog({ level: 'info', file, clock, rotation: { ...rotation, maxBytes: 100, keep: 0 } });
    write(none, 6, 9);
    none.close();
    expect(linesOf(file).map(({ details }) => details.n)).toEqual([8]);
  });

  it('goes on where another process has turned, is turning, or died while it did', () => {
    const rotation = { maxBytes: 300, maxDays: 9, keep: 9 };
    const log = createLog({ level: 'info', file, rotation });
    write(log, 0, 1);
    renameSync(file, `${file}.1`);
    write(log, 1, 2);
    expect(linesOf(file).map(({ details }) => details.n)).toEqual([1]);
    mkdirSync(`${file}.turning`);
    write(log, 2, 6);
    expect(linesOf(file).map(({ details }) => details.n)).toEqual([1, 2, 3, 4, 5]);
    utimesSync(`${file}.turning`, 0, 0);
    write(log, 6, 7);
    expect(linesOf(file).map(({ details }) => details.n)).toEqual([6]);
    chmodSync(file, 0o644);
    log.close();
    write(log, 7, 8);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    log.close();
    expect(names()).toEqual(['hub.log', 'hub.log.1', 'hub.log.2']);
  });

  it('loses no line of several processes at once', async () => {
    const writers = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, [programOf(WRITER), file, name, '2000'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    // All are loaded before any of them begins.
    await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')));
    for (const { stdin } of writers) stdin.end('go');
    const codes = await Promise.all(writers.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const all = names().flatMap((name) => linesOf(join(folder, name)));
    expect(names().length).toBeGreaterThan(10);
    for (const of of ['a', 'b', 'c'])
      expect(
        new Set(all.filter(({ details }) => details.of === of).map(({ details }) => details.n)).size,
      ).toBe(2_000);
    expect(all).toHaveLength(6_000);
  });

  it('is erased in every file, also those that are turned meanwhile', () => {
    const log = createLog({ level: 'info', file, rotation: { maxBytes: 900, maxDays: 9, keep: 50 } });
    for (let n = 0; n < 60; n += 1) {
      log.info({
        agent: 'test',
        action: 'said',
        details: { n, who: n % 3 === 0 ? 'usr_gone' : 'usr_other' },
      });
    }
    let turned = false;
    const about = (line: string): boolean => {
      if (!turned) {
        // In the middle of the first file everything gets another name.
        turned = true;
        for (const path of logFiles(file).filter((name) => /\d$/.test(name)))
          renameSync(
            path,
            path.replace(/\d+$/, (n) => String(Number(n) + 100)),
          );
        renameSync(file, `${file}.1`);
        log.info({ agent: 'test', action: 'said', details: { n: 99, who: 'usr_gone' } });
      }
      return line.includes('usr_gone');
    };
    expect(eraseFromLog(file, about)).toBe(21);
    log.close();
    expect(logFiles(file).length).toBeGreaterThan(4);
    expect(logFiles(file).flatMap((path) => linesAbout(path, (line) => line.includes('usr_gone')))).toEqual(
      [],
    );
    expect(
      logFiles(file).flatMap((path) => linesAbout(path, (line) => line.includes('usr_other'))),
    ).toHaveLength(40);
  });

  it('is set by variables, with defaults', () => {
    const rotation = (env: Readonly<Record<string, string>>) => parseConfig(env).log.rotation;
    expect(rotation({})).toEqual({ maxBytes: 20 * 1024 * 1024, maxDays: 7, keep: 5 });
    expect(rotation({ HUB_LOG_MAX_MB: '1', HUB_LOG_MAX_DAYS: '30', HUB_LOG_KEEP: '0' })).toEqual({
      maxBytes: 1024 * 1024,
      maxDays: 30,
      keep: 0,
    });
    expect(() => rotation({ HUB_LOG_MAX_MB: '0' })).toThrow('HUB_LOG_MAX_MB');
  });
});
