import { describe, expect, it } from 'vitest';
import { changed, expectFault, FUNCTION, faultsOf, type RuleCase, TREE } from './pack-files.js';

type Texts = readonly [string, string];
const CASE = 'test_cases/no_order.yaml';
const rule = (
  title: string,
  code: string,
  change: Texts,
  line: string,
  says?: RegExp,
  file = CASE,
): RuleCase => ({
  title,
  pack: TREE,
  change: { [file]: change },
  code,
  file,
  line,
  ...(says ? { says } : {}),
});

const CASES: RuleCase[] = [
  rule(
    'an input that breaks input_schema',
    'input_breaks_schema',
    ['order_id: A1', 'order_id: 5'],
    'order_id',
    /string/,
  ),
  rule(
    'an input without what is required',
    'input_breaks_schema',
    ['{ order_id: A1 }', '{}'],
    'input',
    /order_id/,
  ),
  rule(
    'fixtures of a source that is not there',
    'unknown_source',
    ['  shop: [', '  shp: ['],
    'shp',
    /"shop"/,
  ),
  rule(
    'a fixture file that is not there',
    'missing_fixture',
    ['fixtures/shop.sql', 'fixtures/shp.sql'],
    'shp',
    /"fixtures\/shop.sql"/,
  ),
  rule(
    'a fixture file outside of the pack',
    'unsafe_path',
    ['fixtures/shop.sql', '../../etc/passwd'],
    'passwd',
  ),
  rule(
    'SQL for an http source',
    'wrong_fixture',
    [
      'carrier: [{ request: { method: GET, path: /orders/A1 }, response: { status: 404 } }]',
      'carrier: [{ sql: SELECT 1 }]',
    ],
    'carrier',
  ),
  rule(
    'a request for a SQL source',
    'wrong_fixture',
    ['shop: [{ file: fixtures/shop.sql }]', 'shop: [{ request: { path: /x }, response: {} }]'],
    'shop',
  ),
  rule(
    'rows of a mapping that is not there',
    'unknown_mapping',
    ['shop: [{ file: fixtures/shop.sql }]', 'shop: [{ mapping: parcel_of_ordr, rows: [] }]'],
    'parcel_of_ordr',
  ),
  rule(
    'a path by a step that is not there',
    'unknown_step',
    ['path: [order]', 'path: [ordr]'],
    'ordr',
    /"order"/,
  ),
  rule(
    'an answer at a step that is not there',
    'unknown_step',
    ['at: parcel', 'at: parcl'],
    'parcl',
    /"parcel"/,
  ),
  rule('a time that is none', 'wrong_value', ['2026-03-14T20:00:00Z', 'yesterday'], 'yesterday', /ISO/),
  rule('a key that is mistyped', 'unknown_key', ['root_cause', 'root_caus'], 'root_caus', /"root_cause"/),
  rule(
    'a fixture that is of no kind',
    'unknown_key',
    ['{ file: fixtures/shop.sql }', '{ fil: fixtures/shop.sql, file: fixtures/shop.sql }'],
    'fil',
    /"file"/,
  ),
];

describe('[SKD-02 SKD-04] test cases', () => {
  it.each(CASES)('[SKD-02] $title', (one) => expectFault(one));

  it('[SKB-01] a case that expects a failure may have a wrong input', () => {
    const files = changed(TREE, { [CASE]: ['{ order_id: A1 }', '{}'] });
    expect(
      faultsOf(
        changed(files, { [CASE]: ['{ root_cause: no_order', '{ status: failed, root_cause: no_order'] }),
      ),
    ).toEqual([]);
  });
});

const SKILL = 'skill.yaml';
const KEYS: RuleCase[] = [
  rule('an unknown key', 'unknown_key', ['title:', 'titel: x\ntitle:'], 'titel', /"title"/, SKILL),
  rule('a key that is missing', 'missing_key', ['title: Parcel is late\n', ''], 'id:', /"title"/, SKILL),
  rule(
    'an id that is none',
    'wrong_value',
    ['id: late_parcel', 'id: Late-Parcel'],
    'Late-Parcel',
    /snake_case/,
    SKILL,
  ),
  rule(
    'a version that is a number',
    'wrong_type',
    ['version: 1.0.0', 'version: 1.0'],
    'version',
    /quotes/,
    SKILL,
  ),
  rule(
    'a version that is none',
    'wrong_value',
    ['version: 1.0.0', 'version: "1"'],
    'version',
    /1\.0\.0/,
    SKILL,
  ),
  rule(
    'a version with a leading zero',
    'wrong_value',
    ['version: 1.0.0', 'version: 01.0.0'],
    'version',
    /zero/,
    SKILL,
  ),
  rule(
    'a type that is none',
    'wrong_value',
    ['type: decision_tree', 'type: decision_tre'],
    'decision_tre',
    /decision_tree/,
    SKILL,
  ),
  rule(
    'a list that is a text',
    'wrong_type',
    ['keywords: [parcel is late]', 'keywords: parcel is late'],
    'keywords',
    /list/,
    SKILL,
  ),
  rule(
    'a key that stands twice',
    'duplicate_key',
    ['title: Parcel is late', 'title: Parcel is late\ntitle: Again'],
    'title: Again',
    /twice/,
    SKILL,
  ),
  rule(
    'a tab',
    'yaml_syntax',
    ['  type: object\n  required: [order_id]', '\ttype: object'],
    'type: object',
    undefined,
    SKILL,
  ),
  rule(
    'a confidence above one',
    'wrong_value',
    ['confidence: 0.9', 'confidence: 90'],
    '90',
    /at most 1/,
    'decision_tree.yaml',
  ),
  rule(
    'an action of no type',
    'wrong_value',
    ['type: query, source: shop', 'type: qery, source: shop'],
    'qery',
    /query/,
    'decision_tree.yaml',
  ),
  rule(
    'a key of an action',
    'unknown_key',
    ['query_template:', 'query_templat: x, query_template:'],
    'query_templat',
    /"query_template"/,
    'decision_tree.yaml',
  ),
  rule(
    'a step id that is none',
    'wrong_name',
    [
      '  carrier_state:\n',
      '  Carrier-State: { name: X, action: { type: ask, question: Q? } }\n  carrier_state:\n',
    ],
    'Carrier-State',
    undefined,
    'decision_tree.yaml',
  ),
  rule(
    'a key of a conclusion',
    'unknown_key',
    ['partial_finding: Known.', 'partial_findin: Known., partial_finding: K'],
    'partial_findin',
    /"partial_finding"/,
    'decision_tree.yaml',
  ),
];

describe('[SKD-02 SKD-04] the keys of the files', () => {
  it.each(KEYS.filter(({ code }) => code !== 'yaml_syntax'))('[SKD-02] $title', (one) => expectFault(one));

  it('[SKB-01] broken YAML is told with its line, and hides no fault of another file', () => {
    const files = changed(TREE, {
      'decision_tree.yaml': 'entry_point: order\nsteps:\n  order: [\n',
      [CASE]: ['now: 2026', 'when: 2026'],
    });
    const faults = faultsOf(files);
    expect(faults.map(({ file }) => file)).toEqual(expect.arrayContaining(['decision_tree.yaml', CASE]));
    expect(faults.every(({ line }) => line >= 1)).toBe(true);
  });

  it('[SKD-02] a missing skill.yaml is told, with its other spelling', () => {
    expect(faultsOf({}).map(({ code }) => code)).toEqual(['missing_descriptor']);
    expect(faultsOf({ 'skill.yml': FUNCTION['skill.yaml'] ?? '' })[0]?.message).toContain('Rename');
  });

  it('[SKD-02] tells all faults at once: one of each file, and of each rule', () => {
    const files = changed(TREE, {
      'skill.yaml': ['title: Parcel is late', 'titel: Parcel is late'],
      'decision_tree.yaml': ['next_step: parcel', 'next_step: parcl'],
      'api_mappings.yaml': ['source: shop', 'source: shp'],
      [CASE]: ['at: parcel', 'at: parcl'],
    });
    const more = changed(files, { 'decision_tree.yaml': ['confidence: 0.5', 'confidence: high'] });
    const codes = faultsOf(more).map(({ file, code }) => `${file} ${code}`);
    expect(codes).toEqual(
      expect.arrayContaining([
        'api_mappings.yaml unknown_source',
        'decision_tree.yaml unknown_step',
        'decision_tree.yaml wrong_type',
        'skill.yaml missing_key',
        'skill.yaml unknown_key',
        `${CASE} unknown_step`,
      ]),
    );
  });
});
