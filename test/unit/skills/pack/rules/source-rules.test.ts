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

type Texts = readonly [string, string];
const skill = (
  title: string,
  code: string,
  change: Texts,
  line: string,
  pack = TREE,
  says?: RegExp,
): RuleCase => ({
  title,
  pack,
  change: { 'skill.yaml': change },
  code,
  file: 'skill.yaml',
  line,
  ...(says ? { says } : {}),
});
const mapping = (
  title: string,
  code: string,
  change: Texts,
  line: string,
  pack = TREE,
  says?: RegExp,
): RuleCase => ({
  ...skill(title, code, change, line, pack, says),
  change: { 'api_mappings.yaml': change },
  file: 'api_mappings.yaml',
});

const SOURCES: RuleCase[] = [
  skill(
    'credentials that are no env:NAME',
    'wrong_value',
    ['credentials: env:CARRIER_KEY', 'credentials: s3cret'],
    's3cret',
    TREE,
    /env:NAME/,
  ),
  skill(
    'auth without credentials',
    'missing_credentials',
    [', credentials: env:CARRIER_KEY', ''],
    'carrier',
    TREE,
    /env:NAME/,
  ),
  skill('credentials without auth', 'unused_credentials', ['auth: bearer, ', ''], 'carrier'),
  skill(
    'a header without api_key',
    'unused_header',
    ['auth: bearer,', 'auth: bearer, header: x-key,'],
    'carrier',
  ),
  skill(
    'an endpoint that is no URL',
    'wrong_address',
    ['https://carrier.test/v1', 'carrier.test'],
    'carrier.test',
    TREE,
    /URL/,
  ),
  skill(
    'an endpoint that is nearly env:NAME',
    'wrong_address',
    ['https://carrier.test/v1', 'env:carrier_url'],
    'carrier',
    TREE,
    /capital/,
  ),
  skill(
    'an endpoint of another protocol',
    'wrong_address',
    ['https://carrier.test/v1', 'ftp://carrier.test'],
    'ftp',
  ),
  skill(
    'an endpoint with a password',
    'secret_in_pack',
    ['https://carrier.test/v1', 'https://me:pw@carrier.test/v1'],
    'me:pw',
  ),
  skill(
    'a database of another protocol',
    'wrong_address',
    ['data_sources:\n', 'data_sources:\n  lake: { kind: postgres, url: https://lake.test }\n'],
    'lake',
  ),
  skill(
    'a source of an unknown kind',
    'wrong_value',
    ['kind: sqlite', 'kind: sqllite'],
    'sqllite',
    TREE,
    /sqlite/,
  ),
  skill('a database that is a path', 'wrong_value', ['database: shop', 'database: ../shop'], '../shop'),
];

const MAPPINGS: RuleCase[] = [
  mapping(
    'a mapping of a source that is not there',
    'unknown_source',
    ['source: shop', 'source: shopp'],
    'shopp',
    TREE,
    /"shop"/,
  ),
  mapping(
    'a mapping of SQL with a path',
    'request_on_sql',
    ['    cache_ttl', '    path: /x\n    cache_ttl'],
    'path',
  ),
  mapping(
    'a mapping of SQL without a query',
    'missing_query',
    ['    query: "SELECT lost FROM parcels WHERE order_id = {order_id}"\n', ''],
    'parcel_of_order',
  ),
  mapping(
    'a mapping of HTTP with SQL',
    'query_on_http',
    ['query: { lang: en }', 'query: SELECT 1'],
    'SELECT',
    HTTP,
  ),
  mapping('a mapping of HTTP without a path', 'missing_path', ['    path: /states\n', ''], 'state', HTTP),
  mapping(
    'a mapping of HTTP with a secret',
    'secret_in_pack',
    ['accept: application/json', 'Authorization: Bearer abc'],
    'Authorization',
    HTTP,
  ),
  mapping(
    'a parameter that nothing uses',
    'unused_param',
    ['required: [order_id]', 'required: [order_id], optional: [day]'],
    'day',
  ),
  mapping(
    'a parameter that is named twice',
    'duplicate_param',
    ['required: [order_id]', 'required: [order_id], optional: [order_id]'],
    'order_id',
  ),
  mapping(
    'a placeholder that params do not name',
    'undeclared_param',
    ['order_id = {order_id}"', 'order_id = {order_id} AND day = {day}"'],
    'params',
    TREE,
    /day/,
  ),
  mapping(
    'a placeholder in quotes',
    'quoted_placeholder',
    ['order_id = {order_id}"', "order_id = '{order_id}'\""],
    'query',
  ),
  mapping(
    'a response_schema that is none',
    'invalid_schema',
    ['response_schema: { type: array }', 'response_schema: { type: aray }'],
    'aray',
  ),
  mapping('a cache_ttl below zero', 'wrong_value', ['cache_ttl: 60', 'cache_ttl: -1'], '-1'),
];

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

describe('[SKS-02] the sources of a pack', () => {
  it.each(SOURCES)('[SKS-02] $title', (rule) => expectFault(rule));

  it.each(['postgres://db.test/x', 'env:LAKE_URL'])('[SKS-02] %s is an address', (url) => {
    const more = `data_sources:\n  lake: { kind: postgres, url: "${url}" }\n  logs: { kind: clickhouse, url: https://logs.test }\n`;
    expect(faultsOf(changed(TREE, { 'skill.yaml': ['data_sources:\n', more] }))).toEqual([]);
  });
});

describe('[SKD-02 SKD-04] api_mappings.yaml', () => {
  it.each(MAPPINGS)('[SKD-02] $title', (rule) => expectFault(rule));

  it('[SKD-02] without params the placeholders are names that the step sees', () => {
    const free = changed(TREE, {
      'api_mappings.yaml': ['    params: { required: [order_id] }\n', ''],
      'decision_tree.yaml': [', params: { order_id: "{order_id}" }', ''],
    });
    expect(faultsOf(free)).toEqual([]);
    const missing = changed(free, { 'api_mappings.yaml': ['{order_id}', '{nobody}'] });
    expect(faultsOf(missing).map(({ code }) => code)).toEqual(['missing_param']);
  });
});

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
