import { describe, expect, it } from 'vitest';
import { changed, expectFault, faultsOf, type RuleCase, TREE } from './pack-files.js';
import { skill, tree } from './tree-cases.js';

const LOST = 'next_step: null\n    options';

const SHAPE: RuleCase[] = [
  {
    ...tree(
      'an entry_point that is no step',
      'unknown_step',
      ['entry_point: order', 'entry_point: ordr'],
      'entry_point',
    ),
    change: {
      'decision_tree.yaml': ['entry_point: order', 'entry_point: ordr'],
      'skill.yaml': [', entry_point: order', ''],
    },
    says: /"order"/,
  },
  tree(
    'a next_step that is no step',
    'unknown_step',
    [LOST, 'next_step: parcle\n    options'],
    'parcle',
    /"parcel"/,
  ),
  tree(
    'a parallel check that is no step',
    'unknown_step',
    ['checks: [carrier_state]', 'checks: [carrier_state, x_ray]'],
    'x_ray',
  ),
  tree(
    'an option that leads nowhere',
    'unknown_step',
    ['carrier, next_step: null', 'carrier, next_step: nowhere'],
    'nowhere',
  ),
  tree(
    'a step that is never reached',
    'unreachable_step',
    ['parallel_checks: [carrier_state]', ''],
    'carrier_state',
  ),
  tree(
    'a circle of two steps',
    'cycle',
    [LOST, 'next_step: order\n    options'],
    'next_step: order',
    /order -> parcel -> order/,
  ),
  tree(
    'a step that leads to itself',
    'cycle',
    [LOST, 'next_step: parcel\n    options'],
    'next_step: parcel',
    /parcel -> parcel/,
  ),
  tree(
    'a check that is the entry point too',
    'entry_is_check',
    ['checks: [carrier_state]', 'checks: [carrier_state, order]'],
    'order',
  ),
  tree(
    'a check that is named twice',
    'duplicate_check',
    ['checks: [carrier_state]', 'checks: [carrier_state, carrier_state]'],
    'checks',
  ),
  tree('an option with a letter that is taken', 'option_taken', ['id: D,', 'id: B,'], 'id: B'),
  tree(
    'two options with one letter',
    'duplicate_option',
    ['    options:\n', '    options:\n      - { id: D, label: Wait }\n'],
    'Ask the carrier',
  ),
  tree(
    'a decision that neither ends nor leads on',
    'decision_without_end',
    ['        conclusion: { root_cause: no_order, explanation: "There is no order {order_id}." }\n', ''],
    'none:',
  ),
  skill(
    'an entry point that differs from the tree',
    'entry_point_mismatch',
    ['entry_point: order', 'entry_point: parcel'],
    'entry_point: parcel',
    /order/,
  ),
];

const CALLS: RuleCase[] = [
  tree(
    'a mapping that is not there',
    'unknown_mapping',
    ['mapping: parcel_of_order', 'mapping: parcel_of_ordr'],
    'parcel_of_ordr',
    /"parcel_of_order"/,
  ),
  tree(
    'a source that is not there',
    'unknown_source',
    ['source: shop', 'source: shp'],
    'source: shp',
    /"shop"/,
  ),
  tree(
    'a mapping beside a source',
    'mapping_and_source',
    ['mapping: parcel_of_order,', 'mapping: parcel_of_order, source: shop,'],
    'source: shop',
  ),
  tree(
    'a query without mapping or source',
    'missing_call',
    ['source: shop, query_template: "SELECT status FROM orders WHERE id = {order_id}"', 'params: {}'],
    'action',
  ),
  tree(
    'a source without a query',
    'missing_call',
    [', query_template: "SELECT status FROM orders WHERE id = {order_id}"', ''],
    'action',
    /no query_template/,
  ),
  tree(
    'a query on an http source',
    'query_on_http',
    ['source: shop,', 'source: carrier,'],
    'carrier',
    /type: api/,
  ),
  tree(
    'a request to a SQL source',
    'api_on_sql',
    ['source: carrier,', 'source: shop,'],
    'shop',
    /type: query/,
  ),
  tree(
    'a parameter that the mapping does not have',
    'unknown_param',
    ['params: { order_id: "{order_id}" }', 'params: { order_id: "{order_id}", colour: red }'],
    'colour',
  ),
  {
    ...tree(
      'a required parameter that nothing gives',
      'missing_param',
      ['params: { order_id: "{order_id}" } }', 'params: {} }'],
      'parcel_of_order',
    ),
    change: {
      'decision_tree.yaml': ['params: { order_id: "{order_id}" } }', 'params: {} }'],
      'api_mappings.yaml':
        'mappings:\n  parcel_of_order:\n    source: shop\n    query: "SELECT lost FROM parcels WHERE n = {parcel_no}"\n    params: { required: [parcel_no] }\n',
    },
    says: /parcel_no/,
  },
  tree(
    'a path with a host',
    'unsafe_path',
    ['"/orders/{order_id}"', '"https://evil.test/{order_id}"'],
    'evil',
  ),
  tree('a path that leads up', 'unsafe_path', ['"/orders/{order_id}"', '"/orders/../../{order_id}"'], '..'),
  tree(
    'a pasted placeholder in a path',
    'pasted_placeholder',
    ['"/orders/{order_id}"', '"/orders/{{order_id}}"'],
    'orders',
  ),
  tree(
    'a body on GET',
    'body_on_get',
    ['path: "/orders/{order_id}" }', 'path: "/orders/{order_id}", body: { a: 1 } }'],
    'carrier',
  ),
];

describe('[SKD-02 SKD-04] the shape of a tree', () => {
  it.each(SHAPE)('[SKD-02] $title', (rule) => expectFault(rule));

  it('[SKD-02] a tree whose file is missing', () => {
    expectFault({
      title: '',
      pack: TREE,
      change: { 'decision_tree.yaml': null, 'test_cases/no_order.yaml': null },
      code: 'missing_tree',
      file: 'skill.yaml',
      line: 'path: decision_tree.yaml',
      says: /decision_tree\.yaml/,
    });
  });

  it('[SKD-02] a tree whose path leads out of the pack', () => {
    const faults = faultsOf(
      changed(TREE, { 'skill.yaml': ['path: decision_tree.yaml', 'path: ../other/decision_tree.yaml'] }),
    );
    expect(faults.map(({ code }) => code)).toContain('unsafe_path');
  });

  it('[SKD-02] an option may lead back, since a person takes it', () => {
    const again = {
      'decision_tree.yaml': ['carrier, next_step: null', 'carrier, next_step: order'] as const,
    };
    expect(faultsOf(changed(TREE, again))).toEqual([]);
  });

  it('[SKD-02] a tree without steps, and a step without decisions', () => {
    const empty = changed(TREE, {
      'decision_tree.yaml': 'entry_point: order\nsteps: {}\n',
      'test_cases/no_order.yaml': null,
    });
    expect(faultsOf(empty).map(({ code }) => code)).toEqual(['no_steps']);
    const silent =
      'entry_point: order\nsteps:\n  order:\n    name: Ask\n    action: { type: query, mapping: parcel_of_order }\n';
    const codes = faultsOf(changed(TREE, { 'decision_tree.yaml': silent, 'test_cases/no_order.yaml': null }));
    expect(codes.map(({ code }) => code)).toEqual(['no_decisions']);
  });

  it('[SKD-02] a chain of a thousand steps is no circle, and is read in no time', () => {
    const steps = Array.from({ length: 1000 }, (_, at) => {
      const next = at === 999 ? 'null' : `s${at + 1}`;
      return `  s${at}:\n    name: S\n    action: { type: query, mapping: parcel_of_order }\n    decisions:\n      on: { condition: "true", confidence: 1, conclusion: { partial_finding: On. }, next_step: ${next} }\n`;
    });
    const files = changed(TREE, {
      'decision_tree.yaml': `entry_point: s0\nsteps:\n${steps.join('')}`,
      'skill.yaml': [', entry_point: order', ''],
      'test_cases/no_order.yaml': null,
      'fixtures/shop.sql': null,
    });
    expect(faultsOf(files)).toEqual([]);
  });

  it('[SKD-02] a step reached through an option alone, and a check that the main path meets too, are fine', () => {
    const files = changed(TREE, {
      'decision_tree.yaml': ['carrier, next_step: null', 'carrier, next_step: carrier_state'],
    });
    expect(faultsOf(files)).toEqual([]);
  });
});

describe('[SKD-02 SKD-04] the actions of a tree', () => {
  it.each(CALLS)('[SKD-02] $title', (rule) => expectFault(rule));
});
