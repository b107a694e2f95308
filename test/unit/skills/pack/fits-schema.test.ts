import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/core/domain/json.js';
import { compileJsonSchema } from '../../../../src/skills/json-schema.js';
import { schemaFaults, surelyFits } from '../../../../src/skills/pack/checks/test-case-checks.js';

const type = fc.constantFrom('null', 'array', 'object', 'integer', 'string', 'number', 'boolean');
const simple = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 3 }),
);
const unlike = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const properties = fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 });
  const required = fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 });
  const list = fc.uniqueArray(simple, { minLength: 1, maxLength: 4, comparator: unlike });
  return {
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
      fc.record({ enum: list, description: fc.string() }),
      fc.record({ const: simple }),
      fc.record({ minLength: fc.nat(2), maxLength: fc.nat(3) }),
      fc.record({ minimum: fc.integer({ min: -3, max: 1 }), maximum: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ minItems: fc.nat(1), maxItems: fc.nat(3) }),
      fc.record({ items: tie('schema') }),
      fc.record({ properties, required }),
      fc.record({ properties, additionalProperties: fc.boolean() }),
      fc.constant({ not: { const: 'x' } }),
    ) as fc.Arbitrary<JsonObject>,
  };
});
const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    simple,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ) as fc.Arbitrary<JsonValue>,
})).value;

describe('[SKD-02] the quick look at a JSON Schema', () => {
  it('[SKD-02] is never surer than Ajv', () => {
    let fitting = 0;
    fc.assert(
      fc.property(schema, value, (one, data) => {
        if (!surelyFits(one, data)) return;
        fitting += 1;
        expect(compileJsonSchema(one)(data)).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(fitting).toBeGreaterThan(10);
  });

  it('[SKD-02] settles an ordinary input without Ajv', () => {
    const ordinary: JsonObject = {
      type: 'object',
      required: ['order_id'],
      additionalProperties: false,
      properties: { order_id: { type: 'string', minLength: 1 }, kind: { enum: ['a', 'b'] } },
    };
    expect(surelyFits(ordinary, { order_id: 'o1', kind: 'a' })).toBe(true);
    expect(surelyFits(ordinary, { order_id: 'o1', other: 1 })).toBe(false);
  });

  it('[SKD-02] says what does not fit, and that a schema cannot be used', () => {
    expect(schemaFaults({ required: ['a'] }, {})).toEqual(['/a is missing']);
    expect(schemaFaults({ pattern: '^x' }, 'y')).toHaveLength(1);
    expect(schemaFaults({ pattern: '(' }, 'y')[0]).toContain('cannot be used');
    expect(schemaFaults({ type: 'strng' }, 'y')[0]).toContain('cannot be used');
  });
});
