import { describe, expect, it } from 'vitest';
import { readTextFile } from '../../../../src/skills/pack/text-file.js';

const yaml = (text: string) => readTextFile('skill.yaml', text);
const codes = (text: string, path = 'skill.yaml') => readTextFile(path, text).faults.map(({ code }) => code);

describe('[SKD-02] a YAML file of a pack', () => {
  it('[SKD-02] is read as YAML 1.2, where no and on are words', () => {
    const { file, faults } = yaml('a: no\nb: on\nc: 0o17\nd: 012\ne: 1_000\nf: ~\n');
    expect(faults).toEqual([]);
    expect(file.value).toEqual({ a: 'no', b: 'on', c: 15, d: 12, e: '1_000', f: null });
  });

  it('[SKD-02] knows the line of every key, entry and value', () => {
    const { file } = yaml(
      'id: x\n\nsteps:\n  one:\n    name: >-\n      a\n      b\n  two: { a: 1, b: [1,\n    2] }\nlist:\n  - a\n  - b: 1\n',
    );
    expect(file.lineOf([])).toBe(1);
    expect(file.lineOf(['id'])).toBe(1);
    expect(file.lineOf(['steps', 'one', 'name'])).toBe(5);
    expect(file.lineOf(['steps', 'two', 'b', 1])).toBe(9);
    expect(file.lineOf(['list', 1, 'b'])).toBe(12);
  });

  it('[SKD-02] names the line of what should hold a thing that is not there', () => {
    const { file } = yaml('id: x\nsteps:\n  one:\n    name: a\n');
    expect(file.lineOf(['steps', 'one', 'action', 'type'])).toBe(3);
    expect(file.lineOf(['nothing', 'at', 'all'])).toBe(1);
  });

  it('[SKD-02] cannot be changed once it is read', () => {
    const { value } = yaml('a: { b: [1] }').file as unknown as { value: { a: { b: number[] } } };
    expect(() => value.a.b.push(2)).toThrow(TypeError);
  });

  it('[SKD-02] is read again as it stands where its text is another', () => {
    expect(yaml('a: 1').file.value).toEqual({ a: 1 });
    expect(yaml('a: 2').file.value).toEqual({ a: 2 });
    expect(readTextFile('x.json', '{"a": 1}').file.value).toEqual({ a: 1 });
    expect(codes('a: 1', 'x.json')).toEqual(['json_syntax']);
  });
});

describe('[SKB-01] a file of a pack that cannot be read', () => {
  it('[SKB-01] tells the line of what is broken', () => {
    const { file, faults } = yaml('id: x\nsteps:\n  - a: [1, 2\nend: 1\n');
    expect(file.value).toBeUndefined();
    expect(faults[0]?.code).toBe('yaml_syntax');
    expect(faults[0]?.line).toBeGreaterThanOrEqual(3);
  });

  it('[SKB-01] tells each key that stands twice, with its line, and still reads the rest', () => {
    const { file, faults } = yaml('id: x\ntitle: a\nid: y\nsteps: { a: 1, a: 2 }\n');
    expect(faults).toEqual([
      expect.objectContaining({ line: 3, code: 'duplicate_key' }),
      expect.objectContaining({ line: 4, code: 'duplicate_key' }),
    ]);
    expect(file.value).toMatchObject({ title: 'a' });
  });

  it('[SKB-01] is told once more where it is read once more', () => {
    expect(codes('a: 1\na: 2\n')).toEqual(['duplicate_key']);
    expect(codes('a: 1\na: 2\n')).toEqual(['duplicate_key']);
  });

  it.each([
    ['a: !!js/function "() => 1"', 'yaml_syntax'],
    ['a: !custom x', 'yaml_syntax'],
    ['a: !!binary aGk=', 'yaml_syntax'],
    ['a: !!set { x, y }', 'yaml_syntax'],
    ['a: 1\n---\nb: 2', 'yaml_syntax'],
    ['? [a, b]\n: 1', 'yaml_syntax'],
    ['a: *nobody', 'yaml_syntax'],
    ['\ta: 1', 'yaml_syntax'],
    ['a: .nan', 'value_not_json'],
    ['a: [1, -.inf]', 'value_not_json'],
    ['__proto__: { polluted: true }', 'value_not_json'],
    [`${'a: {'.repeat(1)}${'b: {'.repeat(100)}${'}'.repeat(101)}`, 'value_not_json'],
    ['['.repeat(100_000), 'yaml_syntax'],
  ])('[SKB-01] is refused: %#', (text, code) => {
    const { faults, file } = yaml(text);
    expect(faults[0]?.code).toBe(code);
    expect(faults[0]?.message).toMatch(/\.$/);
    expect(file.value).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('[SKB-01] does not grow without end by its aliases', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]`,
    );
    const { faults } = yaml(`a0: &a0 [x]\n${levels.join('\n')}\n`);
    expect(faults.map(({ code }) => code)).toEqual(['yaml_syntax']);
  });

  it('[SKB-01] as JSON tells line and doubles, and takes no YAML', () => {
    expect(readTextFile('r.json', '{\n  "a": 1,\n  "b": }\n').faults).toEqual([
      expect.objectContaining({ line: 3, code: 'json_syntax' }),
    ]);
    expect(readTextFile('r.json', '{\n\t"a": 1,\n\t"a": 2\n}').faults).toEqual([
      expect.objectContaining({ line: 3, code: 'duplicate_key' }),
    ]);
    expect(codes('{"a": 1,}', 'r.json')).toEqual(['json_syntax']);
    expect(codes("{'a': 1}", 'r.json')).toEqual(['json_syntax']);
    expect(codes('', 'r.json')).toEqual(['json_syntax']);
  });
});
