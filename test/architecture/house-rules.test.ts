import { describe, expect, test } from 'vitest';
import { HOUSE_RULES } from './house-rules.js';
import { parseSource, sourceFiles } from './source-files.js';

const files = sourceFiles(['src', 'agents', 'tools', 'data', 'scripts', 'test']);

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

  test('an interrupt in a function of its own may stand inside a try', () => {
    const rule = HOUSE_RULES.find(({ name }) => name === 'no-try-around-interrupt');
    const code = 'try { await run(() => interrupt({})); } finally { close(); }';
    expect(rule?.find(parseSource('tools/fine.ts', code))).toEqual([]);
  });
});
