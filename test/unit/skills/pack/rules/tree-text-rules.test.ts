import { describe, expect, it } from 'vitest';
import { changed, expectFault, faultsOf, type RuleCase, TREE } from './pack-files.js';
import { skill, tree } from './tree-cases.js';

const sql = (title: string, code: string, statement: string, says?: RegExp): RuleCase =>
  tree(
    title,
    code,
    ['"SELECT status FROM orders WHERE id = {order_id}"', JSON.stringify(statement)],
    'query_template',
    says,
  );

const SQL: RuleCase[] = [
  sql(
    'a placeholder in quotes',
    'quoted_placeholder',
    "SELECT status FROM orders WHERE id = '{order_id}'",
    /\{order_id\} without the quotes/,
  ),
  sql('a placeholder for a table', 'pasted_placeholder', 'SELECT status FROM {order_id}'),
  sql('a placeholder after JOIN', 'pasted_placeholder', 'SELECT status FROM orders JOIN {order_id} ON 1 = 1'),
  sql('a placeholder after ORDER BY', 'pasted_placeholder', 'SELECT status FROM orders ORDER BY {order_id}'),
  sql(
    'a placeholder after GROUP BY',
    'pasted_placeholder',
    'SELECT count(*) FROM orders GROUP BY {order_id}',
  ),
  sql(
    'a placeholder for a direction',
    'pasted_placeholder',
    'SELECT status FROM orders ORDER BY id {order_id}',
  ),
  sql('doubled braces', 'pasted_placeholder', 'SELECT status FROM orders WHERE id = {{order_id}}'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what some authors write
  sql('a dollar sign', 'pasted_placeholder', 'SELECT status FROM orders WHERE id = ${order_id}'),
  sql('a statement that writes', 'not_a_read', 'DELETE FROM orders WHERE id = {order_id}', /DELETE/),
  sql(
    'a statement that writes behind WITH',
    'not_a_read',
    'WITH x AS (SELECT 1) DELETE FROM orders WHERE id = {order_id}',
  ),
  sql('several statements', 'several_statements', 'SELECT 1; SELECT 2'),
  sql(
    'a table that is not declared',
    'unknown_table',
    'SELECT status FROM customers WHERE id = {order_id}',
    /customers/,
  ),
  sql(
    'a table that is not declared in a sub-select',
    'unknown_table',
    'SELECT 1 FROM orders WHERE id IN (SELECT id FROM secrets)',
    /secrets/,
  ),
];

const NAMES: RuleCase[] = [
  tree(
    'a condition with an error',
    'invalid_expression',
    ['"result.count == 0"', '"result.count = = 0"'],
    '= = 0',
    /CEL/,
  ),
  tree('a condition that is no yes or no', 'invalid_expression', ['"result.count == 0"', '"1 + 1"'], '1 + 1'),
  tree(
    'a pre-condition with an error',
    'invalid_expression',
    [`["steps.order.status == 'sent'"]`, '["steps.("]'],
    'steps.(',
  ),
  skill(
    'a trigger with an error',
    'invalid_expression',
    ['order.open == true', 'order.open =='],
    'order.open',
  ),
  tree(
    'a condition on a name that can never be',
    'unknown_name',
    ['"result.count == 0"', '"reslt.count == 0"'],
    'reslt',
    /"result"/,
  ),
  tree(
    'a text with a slip in the format of a placeholder',
    'unknown_format',
    ['no order {order_id}.', 'no order {order_id|mony}.'],
    'mony',
    /money, date, datetime/,
  ),
  tree(
    'a message to customers under what is no tag of a language',
    'wrong_name',
    ['explanation: "There is no order {order_id}."', 'customer_message: { Portuguese: "Sim" }'],
    'Portuguese:',
    /language tag such as en or pt-BR/,
  ),
  tree(
    'a condition on a step that is not there',
    'unknown_name',
    ['steps.order.status', 'steps.ordr.status'],
    'ordr',
    /"order"/,
  ),
  tree(
    'a condition on an input that is not there',
    'unknown_name',
    ['"result.count == 0"', '"input.orderid == null"'],
    'orderid',
    /"order_id"/,
  ),
  tree(
    'a field of a closed input',
    'unknown_name',
    ['"result.count == 0"', '"customer.usr_id == null"'],
    'usr_id',
    /"user_id"/,
  ),
  tree(
    'a result before there is one',
    'unknown_name',
    [`["steps.order.status == 'sent'"]`, '["result.count == 1"]'],
    'pre_conditions',
    /not there yet/,
  ),
  tree(
    'a placeholder of a text',
    'unknown_name',
    ['There is no order {order_id}.', 'There is no order {order}.'],
    'explanation',
    /order/,
  ),
  tree(
    'a placeholder without quotes',
    'unquoted_placeholder',
    ['order: "{input.order_id}"', 'order: {order_id}'],
    'order_id',
    /"\{order_id\}"/,
  ),
  tree('a placeholder of an argument', 'unknown_name', ['{input.order_id}', '{input.id}'], 'refund_order'),
  tree(
    'a placeholder of a parameter',
    'unknown_name',
    ['params: { order_id: "{order_id}" }', 'params: { order_id: "{nobody}" }'],
    'nobody',
  ),
  tree(
    'a placeholder of a query',
    'unknown_name',
    ['WHERE id = {order_id}', 'WHERE id = {oder_id}'],
    'oder_id',
    /"order_id"/,
  ),
  tree('a placeholder of a path', 'unknown_name', ['"/orders/{order_id}"', '"/orders/{nr}"'], 'nr'),
];

describe('[SKE-02] the SQL of a tree', () => {
  it.each(SQL)('[SKE-02] $title', (rule) => expectFault(rule));

  it.each([
    "SELECT status FROM orders WHERE note = '{}' AND id = {order_id}",
    'WITH open AS (SELECT id FROM orders) SELECT * FROM open JOIN parcels p ON p.order_id = open.id',
    'SELECT status FROM orders ORDER BY abs(id - {order_id}) LIMIT 1',
    "SELECT status AS \"delete\" FROM orders WHERE note LIKE '%' || {order_id} || '%';",
    'SELECT status -- of today; and more\nFROM orders WHERE id IN ({order_id}, {input.order_id})',
    'VALUES (1)',
  ])('[SKE-02] lets %s pass', (statement) => {
    const files = changed(TREE, {
      'decision_tree.yaml': ['"SELECT status FROM orders WHERE id = {order_id}"', JSON.stringify(statement)],
    });
    expect(faultsOf(files)).toEqual([]);
  });
});

describe('[SKE-01] the expressions of a tree', () => {
  it.each(NAMES)('[SKE-01] $title', (rule) => expectFault(rule));

  it('[SKE-01] nothing is said of names where the input may have any field', () => {
    const open = changed(TREE, {
      'skill.yaml': [
        '  type: object\n  required',
        '  type: object\n  additionalProperties: true\n  required',
      ],
      'decision_tree.yaml': ['"result.count == 0"', '"anything.at_all == 0 && result.count is null"'],
    });
    expect(faultsOf(open)).toEqual([]);
  });
});

describe('[SHF-119] what a tree says in another language', () => {
  it('[SHF-119] is of steps and decisions that there are, and names what was found', () => {
    const texts =
      'names: { order: Ver o pedido, parcell: Ver }\nfindings: { order: { none: "{oder_id}" } }\n';
    const faults = faultsOf({ ...TREE, 'texts/pt-BR.yaml': texts }).map(
      ({ code, message }) => `${code} ${message}`,
    );
    expect(faults).toEqual([
      expect.stringMatching(/^unknown_name .*parcell/),
      expect.stringMatching(/^unfinished .*parcel/),
      expect.stringMatching(/^unfinished .*order\.sent/),
      expect.stringMatching(/^unknown_name oder_id/),
    ]);
  });
});
