import { describe, expect, it } from 'vitest';
import { applyDefaults, compileJsonSchema } from '../../../../src/skills/json-schema.js';
import { loadPackFromFiles } from '../../../../src/skills/pack/load-pack.js';

/** A pack whose input_schema is this, with further files. */
function load(schema: string, files: Readonly<Record<string, string>> = {}) {
  const head = 'id: x\nversion: 1.0.0\ntitle: X\ndescription: X.\ntype: atomic\n';
  const work = 'implementation: { type: ts_function, handler: pass_through }\n';
  return loadPackFromFiles({ 'skill.yaml': `${head}${work}input_schema: ${schema}\n`, ...files });
}

function validatorOf(schema: string, files: Readonly<Record<string, string>>) {
  const { pack, faults } = load(schema, files);
  expect(faults).toEqual([]);
  return compileJsonSchema(pack?.descriptor.input_schema ?? {});
}

const PERSON = '{ "type": "object", "properties": { "name": { "type": "string", "default": "nobody" } } }';

describe('[SKD-01] schemas in files of a pack', () => {
  it('[SKD-01] the whole schema may be a file', () => {
    const { pack } = load('{ $ref: schemas/person.json }', { 'schemas/person.json': PERSON });
    expect(pack?.descriptor.input_schema).toEqual(JSON.parse(PERSON));
    expect(pack?.summary.inputSchema).toEqual(JSON.parse(PERSON));
  });

  it('[SKD-01] or a part of it, with its defaults', () => {
    const { pack } = load('{ properties: { person: { $ref: ./schemas/person.yaml } } }', {
      'schemas/person.yaml': PERSON,
    });
    expect(applyDefaults(pack?.descriptor.input_schema ?? {}, { person: {} })).toEqual({
      person: { name: 'nobody' },
    });
  });

  it('[SKD-01] files refer to each other, relative to themselves or to the pack, and to parts of each other', () => {
    const check = validatorOf('{ properties: { a: { $ref: schemas/a.json } } }', {
      'schemas/a.json':
        '{ "properties": { "b": { "$ref": "b.json#/$defs/short" }, "c": { "$ref": "schemas/b.json" } } }',
      'schemas/b.json': '{ "type": "object", "$defs": { "short": { "type": "string", "maxLength": 2 } } }',
    });
    expect(check({ a: { b: 'xy', c: {} } })).toEqual([]);
    expect(check({ a: { b: 'xyz', c: 1 } })).toHaveLength(2);
  });

  it('[SKD-01] a reference within a file stays within it', () => {
    const check = validatorOf(
      '{ $defs: { n: { type: boolean } }, properties: { a: { $ref: a.json }, b: { $ref: "#/$defs/n" } } }',
      {
        'a.json': '{ "$ref": "#/$defs/n", "$defs": { "n": { "type": "integer" } } }',
      },
    );
    expect(check({ a: 1, b: true })).toEqual([]);
    expect(check({ a: true, b: 1 })).toHaveLength(2);
  });

  it('[SKD-01] a schema may hold itself', () => {
    const tree =
      '{ "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "tree.json" } } }, "additionalProperties": false }';
    for (const schema of ['{ $ref: tree.json }', '{ properties: { root: { $ref: tree.json } } }']) {
      const check = validatorOf(schema, { 'tree.json': tree });
      const value = { children: [{ children: [] }, { other: 1 }] };
      expect(check(schema.includes('root') ? { root: value } : value)).toHaveLength(1);
    }
  });

  it('[SKD-01] a field may be called like a keyword', () => {
    const check = validatorOf('{ properties: { default: { $ref: a.json } } }', {
      'a.json': '{ "type": "string" }',
    });
    expect(check({ default: 1 })).toHaveLength(1);
  });

  it('[SKD-01] a file may be a reference and more', () => {
    const check = validatorOf('{ $ref: a.json }', {
      'a.json': '{ "$ref": "b.json#/$defs/n", "required": ["x"] }',
      'b.json': '{ "$defs": { "n": { "type": "object", "properties": { "x": { "type": "string" } } } } }',
    });
    expect(check({ x: 'a' })).toEqual([]);
    expect(check({})).toHaveLength(1);
    expect(check({ x: 1 })).toHaveLength(1);
  });

  it('[SKD-01] data that looks like a reference is data', () => {
    expect(load('{ properties: { a: { const: { $ref: nowhere.json } } } }').faults).toEqual([]);
  });
});

describe('[SKB-01] schemas in files that cannot be used', () => {
  it.each([
    ['{ $ref: schemas/persn.json }', 'missing_schema', 'schemas/person.json'],
    ['{ $ref: ../x.json }', 'unsafe_path', '..'],
    ['{ $ref: /etc/passwd }', 'unsafe_path', '/etc/passwd'],
    ['{ $ref: "https://x.test/y.json" }', 'invalid_schema', 'outside this schema'],
    ['{ properties: { a: { $ref: schemas/person.json#/nowhere } } }', 'invalid_schema', 'not in this schema'],
  ])('[SKB-01] %s', (schema, code, says) => {
    const { faults } = load(schema, { 'schemas/person.json': PERSON });
    expect(faults).toEqual([expect.objectContaining({ file: 'skill.yaml', line: 7, code })]);
    expect(faults[0]?.message).toContain(says);
  });

  it.each([
    ['{\n"type":\n}', 3, 'json_syntax'],
    ['[]', 1, 'invalid_schema'],
  ])('[SKB-01] a file is told of in itself: %j', (text, line, code) => {
    const { faults } = load('{ $ref: a.json }', { 'a.json': text });
    expect(faults).toEqual([expect.objectContaining({ file: 'a.json', line, code })]);
  });

  it('[SKB-01] files that are nothing but a reference to each other end', () => {
    const { faults } = load('{ $ref: a.json }', {
      'a.json': '{ "$ref": "b.json" }',
      'b.json': '{ "$ref": "a.json" }',
    });
    expect(faults).toEqual([expect.objectContaining({ line: 7, code: 'invalid_schema' })]);
  });

  it('[SKB-01] files that multiply each other do not', () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => {
        const refs = Array.from({ length: 10 }, () => ({ $ref: `${at + 1}.json` }));
        return [`${at}.json`, JSON.stringify({ allOf: refs })];
      }),
    );
    const { pack } = load('{ properties: { a: { $ref: 0.json } } }', {
      ...files,
      '20.json': '{ "type": "string" }',
    });
    expect(JSON.stringify(pack?.descriptor.input_schema).length).toBeLessThan(20_000);
  });
});
