import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/domain/json.js';
import { applyDefaults, checkJsonSchema, compileJsonSchema } from '../../../src/skills/json-schema.js';

const PERSON = {
  type: 'object',
  required: ['name', 'age'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer' },
    mail: { type: 'string', format: 'email' },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
    status: { enum: ['new', 'old'] },
    kind: { const: 'person' },
  },
  $defs: { tag: { type: 'string' } },
} satisfies JsonObject;

describe('[SKD-04] validating by JSON Schema', () => {
  it('says nothing about a value that fits', () => {
    expect(compileJsonSchema(PERSON)({ name: 'Ana', age: 3, mail: 'a@b.co', tags: ['x'] })).toEqual([]);
  });

  it('names every fault by its place, and repeats no value', () => {
    const value = { name: 5, mail: 'private', tags: ['x', 7], status: 'lost', kind: 'dog', 'a/b': 1 };
    expect([...compileJsonSchema(PERSON)(value)].sort()).toEqual(
      [
        '/age is missing',
        '/name must be string',
        '/mail must match format "email"',
        '/tags/1 must be string',
        '/status must be one of "new", "old"',
        '/kind must be "person"',
        '/a~1b is not allowed',
      ].sort(),
    );
    expect(compileJsonSchema(PERSON)('text')).toEqual(['the value must be object']);
  });

  it('tells the first twenty faults of many', () => {
    const faults = compileJsonSchema({ items: { type: 'string' } })(Array.from({ length: 500 }, () => 1));
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe('and 480 more');
  });

  it('reads draft 07 where the schema names it', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }, { $ref: '#/definitions/n' }],
      definitions: { n: { type: 'number' } },
    };
    expect(checkJsonSchema(schema)).toEqual([]);
    expect(compileJsonSchema(schema)(['a', 'b'])).toEqual(['/1 must be number']);
  });

  it('keeps schemas with the same id apart', () => {
    const one = { $id: 'https://example.test/s', properties: { a: { type: 'string' } } };
    const two = { $id: 'https://example.test/s', properties: { a: { type: 'number' } } };
    expect(compileJsonSchema(one)({ a: 1 })).toEqual(['/a must be string']);
    expect(compileJsonSchema(two)({ a: 1 })).toEqual([]);
  });

  it('compiles a schema once, also where another object says the same', () => {
    expect(compileJsonSchema({ type: 'string', minLength: 3 })).toBe(
      compileJsonSchema({ type: 'string', minLength: 3 }),
    );
  });

  it('fills in defaults and leaves the value as it was', () => {
    const schema = {
      properties: {
        language: { default: 'en' },
        options: { properties: { tone: { default: 'warm' } } },
        given: { default: 1 },
      },
    };
    const value = { options: {}, given: null };
    expect(applyDefaults(schema, value)).toEqual({ language: 'en', options: { tone: 'warm' }, given: null });
    expect(value).toEqual({ options: {}, given: null });
  });
});

describe('[SKB-03] a schema from a stranger', () => {
  it('is told what is wrong with it, each fault with its place', () => {
    const schema = {
      type: 'strin',
      properties: { a: { type: 5 }, b: { pattern: '(' }, $ref: { type: 'string' } },
      required: 'a',
    };
    const faults = checkJsonSchema(schema);
    for (const place of ['/type ', '/properties/a/type ', '/properties/b/pattern ', '/required '])
      expect(faults.filter((fault) => fault.startsWith(place))).toHaveLength(1);
    expect(() => compileJsonSchema(schema)).toThrow(/This JSON Schema cannot be used/);
  });

  it.each(['file:///etc/passwd', 'https://example.test/schema.json', 'other.json#/a', '../x.json'])(
    'may not refer to %s, and nothing is loaded',
    (reference) => {
      const schema = { properties: { a: { $ref: reference } } };
      expect(checkJsonSchema(schema)).toEqual([
        expect.stringMatching(/^\/properties\/a\/\$ref refers to .* outside/),
      ]);
      expect(() => compileJsonSchema(schema)).toThrow(/outside this schema/);
    },
  );

  it('may refer to a part of itself, by pointer, anchor or id, but not to what is not there', () => {
    expect(checkJsonSchema({ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } })).toEqual([]);
    expect(checkJsonSchema({ $ref: '#a', $defs: { x: { $anchor: 'a' } } })).toEqual([]);
    expect(checkJsonSchema({ $ref: 'part', $defs: { x: { $id: 'part' } } })).toEqual([]);
    expect(checkJsonSchema({ $ref: '#/$defs/b', $defs: { a: {} } })).toEqual([
      expect.stringContaining('is not in this schema'),
    ]);
    expect(checkJsonSchema({ $ref: '#b' })).toEqual([expect.stringContaining('no $anchor')]);
  });

  it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(?:a*)*b', '^((a{1,9}){1,9}){1,9}$', 'a*a*a*a*a*a*a*b'])(
    'does not hang on %s, which backtracks without end',
    (pattern) => {
      const faults = compileJsonSchema({ type: 'string', pattern })(`${'a'.repeat(4000)}!`);
      expect(faults).toEqual([expect.stringContaining('takes too long')]);
    },
  );

  it('does not hang where each of many texts takes a while', () => {
    const schema = { items: { type: 'string', pattern: '^(a+)+$' } };
    const texts = Array.from({ length: 1000 }, () => `${'a'.repeat(22)}!`);
    expect(compileJsonSchema(schema)(texts)).toEqual([expect.stringContaining('takes too long')]);
    // The next value has all the time again.
    expect(compileJsonSchema(schema)(['a'.repeat(100)])).toEqual([]);
  });

  it('tests ordinary patterns as they are meant', () => {
    const slug = compileJsonSchema({ pattern: '^[a-z]+(-[a-z]+)*$' });
    expect(slug('a-slug-of-many-words')).toEqual([]);
    expect(slug('not a slug, but a text')).toHaveLength(1);
    expect(compileJsonSchema({ pattern: '^a' })(`a${'b'.repeat(99_999)}`)).toEqual([]);
    expect(compileJsonSchema({ pattern: '^a' })(`a${'b'.repeat(100_000)}`)).toEqual([
      expect.stringContaining('longer than the 100000 characters'),
    ]);
    const keys = compileJsonSchema({
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
    });
    expect(keys({ 'x-a': 1, y: 2 })).toEqual(['/y is not allowed', '/x-a must be string']);
  });

  it('takes patterns of the older regular expressions too', () => {
    expect(compileJsonSchema({ pattern: '^\\d{4}\\-\\d{2}$' })('2026-03')).toEqual([]);
  });

  it('does not hang or crash on a schema that refers to itself, or is nested without end', () => {
    expect(compileJsonSchema({ $ref: '#' })(1)).toEqual([expect.stringContaining('nested without end')]);
    let deep: JsonObject = { type: 'string' };
    for (let level = 0; level < 5000; level += 1) deep = { properties: { a: deep } };
    expect(checkJsonSchema(deep)).toEqual([expect.stringContaining('nested more than 100 levels')]);
  });
});
