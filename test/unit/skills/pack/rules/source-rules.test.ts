import { describe, expect, it } from 'vitest';
import { changed, expectFault, faultsOf, HTTP, type RuleCase, TREE } from './pack-files.js';
import { skill, type Texts } from './skill-cases.js';

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
