import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import { createNames } from '../../../../src/skills/pack/checks/variable-checks.js';

const inputSchema: JsonObject = {
  type: 'object',
  properties: {
    customer: {
      type: 'object',
      additionalProperties: false,
      properties: { user_id: { type: 'string' }, subscription: { type: 'object' } },
    },
    order: { type: 'object', properties: { id: { type: 'string' } } },
    message: { type: 'string' },
  },
};
const names = createNames({
  inputSchema,
  roots: ['input', 'now', 'steps', 'result'],
  steps: ['find', 'follow'],
});

describe('[SKE-01] names that expressions may use', () => {
  it.each([
    'message',
    'customer.user_id',
    'customer.subscription.status',
    'order.anything',
    'input',
    'input.message',
    'input.customer.user_id',
    'now',
    'result.status',
    'steps',
    'steps.find.count',
    'string',
  ])('[SKE-01] %s can have a value', (name) => {
    expect(names.problem(name)).toBeNull();
  });

  it.each([
    ['mesage', 'message'],
    ['custmer.user_id', 'customer'],
    ['customer.usr_id', 'user_id'],
    ['input.mesage', 'message'],
    ['steps.folow.count', 'follow'],
    ['reslt.count', 'result'],
  ])('[SKE-01] %s never has one, and %s was meant', (name, meant) => {
    expect(names.problem(name)).toContain(`Did you mean "${meant}"?`);
  });

  it('[SKE-01] a result before the action, and a step without steps, are told apart from typing errors', () => {
    const before = createNames({ inputSchema, roots: ['input', 'now', 'steps'], steps: ['find'] });
    expect(before.problem('result.count')).toContain('result is what the step itself finds');
    expect(before.problem('find.count')).toContain('Write steps.find.count.');
  });

  it.each<[string, JsonObject]>([
    ['no schema', {}],
    ['further fields', { ...inputSchema, additionalProperties: true }],
    ['further fields of a kind', { ...inputSchema, additionalProperties: { type: 'string' } }],
    ['alternatives', { ...inputSchema, anyOf: [] }],
    ['patterns', { ...inputSchema, patternProperties: {} }],
  ])('[SKE-01] with %s nobody can know, so nothing is said', (_, schema) => {
    const open = createNames({ inputSchema: schema, roots: ['input', 'steps'], steps: [] });
    expect(open.problem('anything.at.all')).toBeNull();
    expect(open.problem('input.anything')).toBeNull();
    expect(open.problem('steps.nowhere')).not.toBeNull();
  });

  it('[SKE-01] names of every object are no names of a pack', () => {
    for (const name of [
      'constructor',
      '__proto__',
      'toString.call',
      'customer.constructor',
      'steps.constructor',
    ])
      expect(names.problem(name)).not.toBeNull();
  });
});
