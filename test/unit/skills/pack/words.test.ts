import { describe, expect, it } from 'vitest';
import { didYouMean, nearestName } from '../../../../src/core/spelling.js';
import { fitting, isRange, isVersion } from '../../../../src/skills/pack/pack.js';
import { safePath } from '../../../../src/skills/pack/read-files.js';
import { EXPLOSION_S, processorSeconds } from '../../../support/processor-time.js';

describe('[SKD-02] the name that was meant', () => {
  it.each([
    ['trigers', 'triggers'],
    ['Triggers', 'triggers'],
    ['dependancies', 'dependencies'],
    ['tittle', 'title'],
    ['itle', 'title'],
    ['desc', 'description'],
  ])('[SKD-02] of %s is %s', (wrong, right) => {
    expect(nearestName(wrong, ['id', 'title', 'description', 'triggers', 'dependencies'])).toBe(right);
  });

  it('[SKD-02] is none where nothing is near', () => {
    expect(nearestName('colour', ['id', 'title', 'triggers'])).toBeUndefined();
    expect(nearestName('x', ['id'])).toBeUndefined();
    expect(nearestName('', ['id'])).toBeUndefined();
    expect(didYouMean('x', ['id', 'title'])).toBe(' There are: id, title.');
    expect(didYouMean('x', [])).toBe(' There are none.');
  });

  it('[SKB-01] is found quickly among long names', () => {
    const names = Array.from({ length: 200 }, (_, at) => `${'b'.repeat(10_000)}${at}`);
    const spent = processorSeconds(() => void nearestName('a'.repeat(100_000), names));
    expect(spent).toBeLessThan(EXPLOSION_S);
  });
});

describe('[SKB-01] a path inside a pack', () => {
  it.each([
    ['schemas/input.json', 'schemas/input.json'],
    ['./sub_skills/classify/', 'sub_skills/classify'],
    ['a//b/./c', 'a/b/c'],
  ])('[SKB-01] %j is taken', (path, plain) => {
    expect(safePath(path)).toBe(plain);
  });

  it.each([
    '../x',
    'a/../../x',
    'a/..',
    '/etc/passwd',
    'C:/x',
    'a\\..\\x',
    'a\0b',
    '',
    '.',
    './',
    '@prompts/x',
    '//host/x',
  ])('[SKB-01] %j is refused', (path) => {
    expect(safePath(path)).toBeNull();
  });
});

describe('[SKD-03] versions', () => {
  const versions = ['1.0.0', '1.10.0', '1.9.0', '2.0.0-beta.1', '0.9.0'];

  it('[SKD-03] are ordered by number, pre-releases last', () => {
    expect(fitting(versions)).toEqual(['1.10.0', '1.9.0', '1.0.0', '0.9.0', '2.0.0-beta.1']);
  });

  it.each([
    ['^1.0.0', '1.10.0'],
    ['~1.9.0', '1.9.0'],
    ['1.x', '1.10.0'],
    ['1.0.0', '1.0.0'],
    [' 1.0.0 ', '1.0.0'],
    ['*', '1.10.0'],
    ['<1', '0.9.0'],
    ['2.0.0-beta.1', '2.0.0-beta.1'],
    ['3', undefined],
    ['nonsense', undefined],
  ])('[SKD-03] of %j the newest is %s', (range, version) => {
    expect(fitting(versions, range)[0]).toBe(version);
  });

  it('[SKD-03] are told from what is none', () => {
    expect(['1.0.0', '1.0.0-rc.1'].every(isVersion)).toBe(true);
    expect(['1.0', 'v1.0.0', '01.0.0', '', '1.0.0 '].some(isVersion)).toBe(false);
    expect(['^1.0.0', '1', '*', '>=1 <2'].every(isRange)).toBe(true);
    expect(['banana', `1.${'0'.repeat(200)}`].some(isRange)).toBe(false);
  });
});
