import { describe, expect, it } from 'vitest';
import {
  COMMAND,
  changed,
  expectFault,
  FUNCTION,
  faultsOf,
  HTTP,
  type RuleCase,
  TREE,
} from './pack-files.js';
import { skill } from './skill-cases.js';

const WORK: RuleCase[] = [
  skill(
    'a function that is not there',
    'unknown_handler',
    ['pass_through', 'pas_through'],
    'pas_through',
    FUNCTION,
    /"pass_through"/,
  ),
  skill(
    'an atomic skill that does nothing',
    'nothing_to_run',
    ['implementation: { type: ts_function, handler: pass_through }\n', ''],
    'type: atomic',
    FUNCTION,
  ),
  skill(
    'arguments of a function',
    'unused_key',
    ['handler: pass_through', 'handler: pass_through, args: [a]'],
    'args',
    FUNCTION,
  ),
  skill('a program that is a path', 'wrong_handler', ['handler: jq', 'handler: /bin/sh'], '/bin/sh', COMMAND),
  skill(
    'a program with its arguments',
    'wrong_handler',
    ['handler: jq', 'handler: "jq -r ."'],
    'jq -r',
    COMMAND,
  ),
  skill(
    'an argument that the input does not have',
    'unknown_name',
    ['{text}', '{txt}'],
    'args',
    COMMAND,
    /"text"/,
  ),
  skill(
    'a request without its mapping',
    'unknown_mapping',
    ['handler: state', 'handler: stat'],
    'stat',
    HTTP,
    /"state"/,
  ),
  skill(
    'a request whose parameter is no input',
    'missing_param',
    ['properties: { number', 'properties: { numero'],
    'handler',
    HTTP,
    /number/,
  ),
  skill(
    'an implementation of a tree',
    'not_atomic',
    ['human_handoff:', 'implementation: { type: ts_function, handler: pass_through }\nhuman_handoff:'],
    'implementation',
  ),
  skill(
    'a tree of an atomic skill',
    'tree_not_used',
    ['type: atomic', 'type: atomic\ndecision_tree: { entry_point: a }'],
    'decision_tree',
    FUNCTION,
  ),
  skill(
    'sub-skills of an atomic skill',
    'not_a_composite',
    ['type: atomic', 'type: atomic\nsub_skills: [{ name: a, skill: b }]'],
    'sub_skills',
    FUNCTION,
  ),
  skill(
    'a slip in a critical action',
    'unknown_action',
    ['actions: [refund_order]', 'actions: [refund_ordr]'],
    'refund_ordr',
    TREE,
    /"refund_order"/,
  ),
];

const SCHEMAS: RuleCase[] = [
  skill(
    'an input_schema that is none',
    'invalid_schema',
    ['order_id: { type: string }', 'order_id: { type: strng }'],
    'strng',
  ),
  skill(
    'an input that is no object',
    'invalid_schema',
    ['  type: object\n  required: [order_id]', '  type: array\n  required: [order_id]'],
    'type: array',
  ),
  skill(
    'an output_schema that is none',
    'invalid_schema',
    ['data_sources:', 'output_schema: { required: yes }\ndata_sources:'],
    'output_schema',
  ),
  skill(
    'a schema file that is not there',
    'missing_schema',
    ['order_id: { type: string }', 'order_id: { $ref: schemas/id.json }'],
    'schemas/id.json',
  ),
  skill(
    'a schema file outside of the pack',
    'unsafe_path',
    ['order_id: { type: string }', 'order_id: { $ref: ../../id.json }'],
    'id.json',
  ),
];

describe('[SKI-01] how a skill does its work', () => {
  it.each(WORK)('[SKI-01] $title', (rule) => expectFault(rule));
});

describe('[SKD-02 SKD-04] JSON Schemas of a pack', () => {
  it.each(SCHEMAS)('[SKD-02] $title', (rule) => expectFault(rule));

  it('[SKD-02] a schema in a file of the pack is read as if it stood in skill.yaml', () => {
    const files = changed(TREE, {
      'skill.yaml': ['order_id: { type: string }', 'order_id: { $ref: ./schemas/id.json }'],
      'schemas/id.json': '{ "type": "integer" }',
    });
    expect(faultsOf(files).map(({ file, code }) => [file, code])).toEqual([
      ['test_cases/no_order.yaml', 'input_breaks_schema'],
    ]);
    const circle = changed(files, { 'schemas/id.json': '{ "items": { "$ref": "schemas/id.json" } }' });
    expect(faultsOf(circle)).toEqual([]);
    const broken = changed(files, { 'schemas/id.json': '{\n "type": ' });
    expect(faultsOf(broken)).toEqual([
      expect.objectContaining({ file: 'schemas/id.json', line: 2, code: 'json_syntax' }),
    ]);
  });
});
