import { expect, it } from 'vitest';
import { parseYaml } from '../../../src/company/yaml-text.js';

it('a text that was read before says the same again, and what one reader changes no other one sees', () => {
  const text =
    'one: &it { a: [1, "2", null, ~, 2024-01-01, 0x10, yes] }\nother: *it\n"__proto__": { b: 1 }\n';
  const [first, again] = [parseYaml(text), parseYaml(text)] as { one: { a: unknown[] } }[];
  expect(again).toEqual(first);
  expect(again?.one.a).toEqual([1, '2', null, null, '2024-01-01', 16, 'yes']);
  first?.one.a.push('more');
  expect(parseYaml(text)).toEqual(again);
});

it('a number that JSON has none of stays one', () => {
  for (let time = 0; time < 2; time += 1)
    expect(parseYaml('a: -.inf\nb: .NaN')).toEqual({ a: -Infinity, b: NaN });
});

it('a text without anything says nothing, and one that is no YAML is refused each time', () => {
  for (let time = 0; time < 2; time += 1) {
    expect(parseYaml('')).toBeNull();
    expect(() => parseYaml('a: [1')).toThrow();
  }
});
