import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadPackFromFiles } from '../../../../src/skills/pack/load-pack.js';
import { isFault, type PackFiles } from '../../../../src/skills/pack/pack.js';
import { EXPLOSION_S, processorSeconds } from '../../../support/processor-time.js';
import { COMMAND, COMPOSITE, GENERATION, HTTP, REVIEW, TREE } from './rules/pack-files.js';

const PACKS = [TREE, COMPOSITE, GENERATION, REVIEW, COMMAND, HTTP];
const anyPack = fc.constantFrom(...PACKS);

/** Whatever the files are, there is a pack or a list of faults that a person can follow. */
function expectVerdict(files: PackFiles): void {
  const { pack, faults } = loadPackFromFiles(files);
  expect(pack === null).toBe(faults.some(isFault));
  for (const { file, line, code, message } of faults) {
    expect(file).not.toBe('');
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual((files[file] ?? '').split('\n').length);
    expect(code).toMatch(/^[a-z_]+$/);
    expect(message).toMatch(/^\S.{10,}/s);
    expect(message).not.toMatch(/\[object Object\]|undefined|Invalid input/);
  }
}

describe('[SKB-01] files that nobody meant', () => {
  it('[SKB-01] any text in place of any file gives a verdict', () => {
    fc.assert(
      fc.property(anyPack, fc.nat(), fc.string({ unit: 'binary', maxLength: 300 }), (pack, at, text) => {
        const paths = Object.keys(pack);
        expectVerdict({ ...pack, [paths[at % paths.length] ?? '']: text });
      }),
      { numRuns: 300 },
    );
  });

  it('[SKB-01] a piece of any file cut out or put in gives a verdict', () => {
    fc.assert(
      fc.property(
        anyPack,
        fc.nat(),
        fc.nat(),
        fc.nat(40),
        fc.string({ maxLength: 12 }),
        (pack, at, from, length, text) => {
          const paths = Object.keys(pack);
          const path = paths[at % paths.length] ?? '';
          const whole = pack[path] ?? '';
          const start = from % (whole.length + 1);
          expectVerdict({ ...pack, [path]: whole.slice(0, start) + text + whole.slice(start + length) });
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each(['""', '" !"', '"\\n"', '"a\\nb"', '"\\u00a0x"'])(
    '[SKB-01] a value under the name %s is told of with the name that it has',
    (name) => {
      const mappings = (HTTP['api_mappings.yaml'] ?? '').replace('{ required: [number] }', `{ ${name}: 0 }`);
      expect(mappings).toContain(`${name}: 0`);
      expectVerdict({ ...HTTP, 'api_mappings.yaml': mappings });
    },
  );

  it('[SKB-01] any value in place of any value gives a verdict', () => {
    fc.assert(
      fc.property(anyPack, fc.nat(), fc.nat(), fc.jsonValue({ maxDepth: 3 }), (pack, at, place, value) => {
        const paths = Object.keys(pack).filter((path) => /\.(yaml|json)$/.test(path));
        const path = paths[at % paths.length] ?? '';
        const whole: unknown = parse(pack[path] ?? '');
        const places = placesOf(whole);
        const [owner, key] = places[place % places.length] ?? [];
        if (owner !== undefined && key !== undefined) Reflect.set(owner, key, value);
        expectVerdict({
          ...pack,
          [path]: path.endsWith('.json') ? JSON.stringify(whole, null, 1) : stringify(whole),
        });
      }),
      { numRuns: 600 },
    );
  });

  it.each([
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((n, i) => `${n}: &${n} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`).join('\n')}\n`,
    ],
    ['an alias to itself', 'id: &a [*a, *a]\n'],
    ['brackets without end', '['.repeat(20_000)],
    ['lists without end', `${'- '.repeat(5_000)}x`],
    ['a key of the prototype', '__proto__: { polluted: true }\nid: x\n'],
    ['a tag of another language', 'id: !!js/function "function(){}"\n'],
    ['a control character', 'id: a\0b\n'],
    ['several documents', 'id: a\n---\nid: b\n'],
    ['numbers that are none', 'id: .nan\nversion: .inf\n'],
    ['keys that are lists', '? [a, b]\n: c\n'],
  ])('[SKB-01] %s', (_, text) => {
    for (const path of [
      'skill.yaml',
      'decision_tree.yaml',
      'api_mappings.yaml',
      'test_cases/no_order.yaml',
    ]) {
      const spent = processorSeconds(() => {
        const { pack, faults } = loadPackFromFiles({ ...TREE, [path]: text });
        expect(pack).toBeNull();
        expect(faults.length).toBeGreaterThan(0);
      });
      expect(spent).toBeLessThan(EXPLOSION_S);
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

/** Every place of a value: what holds it, and its key there. */
function placesOf(value: unknown): [object, string | number][] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [
    [value, key] as [object, string | number],
    ...placesOf(Reflect.get(value, key)),
  ]);
}
