import { describe, expect, test } from 'vitest';
import { HOUSE_RULES, TIMERS } from './house-rules.js';
import { parseSource, sourceFiles } from './source-files.js';

const files = sourceFiles(['src', 'agents', 'tools', 'companies', 'data', 'scripts', 'test']);

describe('rules of the house', () => {
  test('the check looked at the files', () => {
    const paths = files.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(60);
    for (const path of [
      'src/core/app.ts',
      'agents/index.ts',
      'tools/index.ts',
      'scripts/triage.ts',
      'src/config/config.ts',
    ]) {
      expect(paths).toContain(path);
    }
  });

  test.each(HOUSE_RULES)('$name', ({ advice, holds, find }) => {
    const found = files.filter(({ path }) => holds(path)).flatMap(find);
    const told = found.map(({ path, line, code }) => `  ${path}:${line}  ${code}`).join('\n');
    expect(told, `${advice}\n${told}\n`).toBe('');
  });

  test.each(HOUSE_RULES)('$name is seen where it is broken', ({ holds, find, crime }) => {
    expect(holds(crime.path)).toBe(true);
    expect(find(parseSource(crime.path, crime.code))).toHaveLength(1);
  });

  test.each([
    ['no-fixed-sleeps', 'await new Promise((resolve) => setTimeout(resolve, 500));'],
    ['no-fixed-sleeps', "import { setTimeout } from 'timers/promises';\nawait setTimeout(500);"],
    [
      'no-bars-on-time',
      'const began = Date.now();\nexpect(Date.now() - began, text).toBeLessThanOrEqual(5);',
    ],
    [
      'no-bars-on-time',
      'const times = [];\ntimes.push(performance.now() - at);\nexpect(Math.min(...times)).toBeLessThan(9);',
    ],
    ['no-short-time-outs', 'beforeAll(() => open(), 60_000);'],
    ['no-short-time-outs', 'await expect.poll(() => said, { timeout: 3_000 }).toBe(1);'],
  ])('[ATK-22] %s is seen as it was written before: %s', (name, code) => {
    const rule = HOUSE_RULES.find((each) => each.name === name);
    expect(rule?.find(parseSource('test/unit/bad.test.ts', code))).toHaveLength(1);
  });

  test('[ATK-22] no test depends on the machine’s speed: bars on time, sleeps and short nets are what the rules above refuse', () => {
    const names = HOUSE_RULES.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['no-fixed-sleeps', 'no-bars-on-time', 'no-short-time-outs']),
    );
    // Lower bounds and other waits are no crime.
    for (const code of [
      'const began = performance.now();\nexpect(performance.now() - began).toBeGreaterThan(390);',
      'expect(rows.length).toBeLessThan(20);',
      'const call = { timeout: 20 };',
    ])
      for (const name of ['no-fixed-sleeps', 'no-bars-on-time', 'no-short-time-outs']) {
        const rule = HOUSE_RULES.find((each) => each.name === name);
        expect(rule?.find(parseSource('test/unit/fine.test.ts', code)), code).toEqual([]);
      }
    // Each exception is still one.
    const rule = HOUSE_RULES.find(({ name }) => name === 'no-fixed-sleeps');
    for (const path of Object.keys(TIMERS)) {
      const file = files.find((each) => each.path === path);
      expect(file && rule?.find(file).length, path).toBeGreaterThan(0);
    }
  });

  test('an interrupt in a function of its own may stand inside a try', () => {
    const rule = HOUSE_RULES.find(({ name }) => name === 'no-try-around-interrupt');
    const code = 'try { await run(() => interrupt({})); } finally { close(); }';
    expect(rule?.find(parseSource('tools/fine.ts', code))).toEqual([]);
  });
});
