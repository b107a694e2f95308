import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNewCompany } from '../../src/company/company-folder.js';

/** A change that needs a choice beside its order. */
const CHANGE_DELIVERY = `
name: change_delivery
label: { en: Change how fast an order comes, pt-BR: Mudar a rapidez de um pedido }
description: Sends one order by another delivery.
issue_type: order
kind: change
input:
  order_id: { type: record, entity: order }
  speed:
    type: choice
    of: [standard, express]
    words: { standard: { en: [normal], pt-BR: [normal] }, express: { en: [faster], pt-BR: [expressa, rápida] } }
target: { input: order_id, eligible: record.upcoming }
read:
  order: { query: 'SELECT * FROM orders WHERE order_id = {input.order_id} AND customer_id = {customer_id}', one: true }
values: { title: order.title, fast: input.speed == 'express' }
perform:
  sql: ["UPDATE orders SET total_cents = total_cents + 500 WHERE order_id = {input.order_id} AND customer_id = {customer_id}"]
says:
  request: { en: change the delivery of an order, pt-BR: mudar a entrega de um pedido }
  ask_speed: { en: 'How shall it come: standard or express?', pt-BR: 'Como ele deve ir: normal ou expressa?' }
  confirm: { en: 'Send {title} by {fast, select, yes {express} other {standard}} delivery?', pt-BR: 'Envio {title} por entrega {fast, select, yes {expressa} other {normal}}?' }
  done: { en: 'Done: {title} comes that way.', pt-BR: 'Pronto: {title} vai assim.' }
  matter: { en: 'the delivery of {title}', pt-BR: 'a entrega de {title}' }
  unchanged: { en: Nothing has changed., pt-BR: Nada mudou. }
`;
/** A look-up that needs a number. */
const DELIVERY_PRICE = `
name: delivery_price
label: { en: What delivery costs by weight, pt-BR: Quanto custa a entrega por peso }
description: What delivery of a parcel costs.
access: anyone
agents: [account]
input: { kilos: { type: number, min: 1, max: 50 } }
read:
  price: { query: 'SELECT {input.kilos} * 200 AS cents', one: true, public: true }
output: { cents: price.cents, kilos: input.kilos }
values: { cost: cents | money, kilos: kilos }
says:
  ask_kilos: { en: How many kilos does it weigh?, pt-BR: Quantos quilos ele pesa? }
  answer: { en: '{kilos} kilos cost {cost}.', pt-BR: '{kilos} quilos custam {cost}.' }
`;

/** A look-up that needs a record. */
const INVOICE = `
name: invoice_of
label: { en: The invoice number of an order, pt-BR: O número da nota fiscal de um pedido }
description: The number of the invoice of one order.
input: { order_id: { type: record, entity: order } }
read:
  order: { query: 'SELECT * FROM orders WHERE order_id = {input.order_id} AND customer_id = {customer_id}', one: true }
values: { title: order.title, number: "'F-' + order.order_id" }
says:
  ask_order_id: { en: Which order is it about?, pt-BR: De qual pedido se trata? }
  answer: { en: 'The invoice of {title} is {number}.', pt-BR: 'A nota fiscal de {title} é {number}.' }
`;

/** Whose statements forget whose orders they are: the type of their inputs holds them to the customer all the same. */
const WRAP_ORDERS = `
name: wrap_orders
label: { en: Wrap up as a present, pt-BR: Embrulhar para presente }
description: Wraps orders as presents.
issue_type: order
kind: change
input:
  presents: { type: list, of: { type: object, fields: { order_id: { type: record, entity: order }, words: { type: text } } } }
  together_with: { type: record, entity: order, optional: true }
read:
  wrapped: { query: "SELECT * FROM orders WHERE order_id IN (SELECT value ->> 'order_id' FROM json_each({input.presents}))", public: true }
values: { titles: "wrapped.map(one, one.title) | list" }
perform:
  sql:
    - >-
      UPDATE orders SET title = title || ' (present)' WHERE order_id IN (SELECT value ->> 'order_id' FROM json_each({input.presents}))
      AND EXISTS (SELECT 1 FROM customers WHERE customer_id = {customer_id})
says:
  request: { en: wrap up a present, pt-BR: embrulhar um presente }
  ask_presents: { en: 'Which orders, with which words?', pt-BR: 'Quais pedidos, com que palavras?' }
  confirm: { en: 'Wrap up {titles}?', pt-BR: 'Embrulho {titles}?' }
  done: { en: 'Wrapped: {titles}.', pt-BR: 'Embrulhado: {titles}.' }
  matter: { en: 'the present of {titles}', pt-BR: 'o presente de {titles}' }
  unchanged: { en: Nothing was wrapped., pt-BR: Nada foi embrulhado. }
`;
const WEIGHT_OF = `
name: weight_of
label: { en: How heavy a parcel is, pt-BR: Quanto pesa uma encomenda }
description: How heavy a parcel is.
access: anyone
input: { order_id: { type: record, entity: order } }
read:
  order: { query: 'SELECT title FROM orders WHERE order_id = {input.order_id}', public: true }
values: { titles: "order.map(one, one.title) | list" }
says:
  ask_order_id: { en: Which order?, pt-BR: Qual pedido? }
  answer: { en: 'There is no weight of {titles} yet.', pt-BR: 'Ainda não há peso de {titles}.' }
`;

/** The courier's MCP server, a program. */
export const COURIER = fileURLToPath(new URL('courier.mjs', import.meta.url));
const SOURCES = `
sources:
  courier:
    kind: mcp
    command: [node, ${COURIER}]
    env: { COURIER_ROOM: env:COURIER_ROOM }
    timeout: 20
`;
const WHERE_IS = `
name: where_is
label: { en: In which town the parcel is, pt-BR: Em que cidade está a encomenda }
description: The town that an order has reached.
input: { order_id: { type: text } }
read:
  found: { source: courier, tool: where_is, args: { customer_id: '{customer_id}', order_id: '{input.order_id}' }, one: true }
output: { town: found.town }
values: { town: town }
says:
  ask_order_id: { en: Which order?, pt-BR: Qual pedido? }
  answer: { en: 'It is in {town}.', pt-BR: 'Está em {town}.' }
`;
/** A change that the courier makes. */
const INSURE_ORDER = `
name: insure_order
label: { en: Insure an order, pt-BR: Segurar um pedido }
description: Insures one order on its way.
issue_type: order
kind: change
input: { order_id: { type: record, entity: order } }
target: { input: order_id, eligible: record.upcoming }
read:
  order: { query: 'SELECT * FROM orders WHERE order_id = {input.order_id} AND customer_id = {customer_id}', one: true }
values: { title: order.title, policy: result.policy }
perform:
  source: courier
  tool: insure
  args: { customer_id: '{customer_id}', order_id: '{input.order_id}' }
  idempotency_arg: key
find_outcome: { source: courier, tool: policy_of, args: { key: '{idempotency_key}' } }
says:
  request: { en: insure an order, pt-BR: segurar um pedido }
  confirm: { en: 'Insure {title}?', pt-BR: 'Seguro {title}?' }
  done: { en: 'Insured: {title}, {policy}.', pt-BR: 'Segurado: {title}, {policy}.' }
  matter: { en: 'the insurance of {title}', pt-BR: 'o seguro de {title}' }
  unchanged: { en: Nothing has changed., pt-BR: Nada mudou. }
`;

/** Items, of which several are exchanged at once, with the difference on a payment method; and a trip for several people. */
const ITEMS = `
CREATE TABLE variants (variant_id text PRIMARY KEY NOT NULL, product text NOT NULL, price_cents integer NOT NULL, stock integer NOT NULL);
CREATE TABLE order_items (item_id text PRIMARY KEY NOT NULL, order_id text NOT NULL REFERENCES orders (order_id), variant_id text NOT NULL);
CREATE TABLE payment_methods (method_id text PRIMARY KEY NOT NULL, customer_id text NOT NULL, kind text NOT NULL, balance_cents integer);
CREATE TABLE riders (trip_id text NOT NULL, customer_id text NOT NULL, name text NOT NULL, insured integer NOT NULL, UNIQUE (trip_id, name));
`;
/** Those of them whose rows are customers'. */
const HELD = ['payment_methods', 'riders'];
const ITEM_ROWS = `
INSERT INTO variants VALUES ('v_s', 'Helmet', 4000, 3), ('v_l', 'Helmet', 4500, 1), ('g_s', 'Gloves', 900, 5), ('g_l', 'Gloves', 1100, 5);
INSERT INTO order_items VALUES ('i_1', 'ord_003', 'v_s'), ('i_2', 'ord_003', 'g_s');
INSERT INTO payment_methods VALUES ('gift_1', 'c_01', 'gift_card', 500), ('card_1', 'c_01', 'card', NULL), ('gift_2', 'c_01', 'gift_card', 5000);
`;
const EXCHANGE_ITEMS = `
name: exchange_items
label: { en: Exchange items of an order, pt-BR: Trocar itens de um pedido }
description: Exchanges items of one delivered order for other variants of the same products; the difference goes to a payment method.
issue_type: order
kind: change
input:
  order_id: { type: record, entity: order }
  item_ids: { type: list, of: { type: text, max: 20 } }
  new_variant_ids: { type: list, of: { type: text, max: 20 }, about: 'One for each item, in the same order.' }
  method_id: { type: text, max: 20 }
target: { input: order_id, eligible: "record.status == 'delivered'" }
read:
  order: { query: 'SELECT * FROM orders WHERE order_id = {input.order_id} AND customer_id = {customer_id}', one: true }
  pairs:
    query: >-
      SELECT item.item_id, old.product, old.price_cents AS was, new.product AS becomes, new.price_cents AS cost, new.stock
      FROM json_each({input.item_ids}) AS given
      JOIN json_each({input.new_variant_ids}) AS wanted ON wanted.key = given.key
      JOIN order_items AS item ON item.item_id = given.value AND item.order_id = {order.order_id}
      JOIN variants AS old ON old.variant_id = item.variant_id
      JOIN variants AS new ON new.variant_id = wanted.value
  method: { query: 'SELECT * FROM payment_methods WHERE method_id = {input.method_id} AND customer_id = {customer_id}', one: true }
deny:
  - { when: "pairs.size() != input.item_ids.size() || input.new_variant_ids.size() != input.item_ids.size()", code: not_found }
  - { when: "pairs.exists(one, one.product != one.becomes || one.stock < 1)", say: no_variant }
  - { when: "method.kind == 'gift_card' && method.balance_cents < pairs.map(one, one.cost - one.was).sum()", say: too_little }
terms:
  difference_cents: pairs.map(one, one.cost - one.was).sum()
values:
  items: pairs.map(one, one.product) | list
  difference: terms.difference_cents | money
perform:
  sql:
    - >-
      UPDATE order_items SET variant_id = (SELECT wanted.value FROM json_each({input.item_ids}) AS given
      JOIN json_each({input.new_variant_ids}) AS wanted ON wanted.key = given.key WHERE given.value = item_id)
      WHERE item_id IN (SELECT value FROM json_each({input.item_ids}))
      AND order_id IN (SELECT order_id FROM orders WHERE customer_id = {customer_id})
    - run: 'UPDATE payment_methods SET balance_cents = balance_cents - {terms.difference_cents} WHERE method_id = {input.method_id} AND customer_id = {customer_id}'
      when: method.kind == 'gift_card'
says:
  request: { en: exchange items, pt-BR: trocar itens }
  ask_item_ids: { en: Which items?, pt-BR: Quais itens? }
  ask_new_variant_ids: { en: For which?, pt-BR: Por quais? }
  ask_method_id: { en: On which payment method?, pt-BR: Em qual meio de pagamento? }
  confirm: { en: 'Exchange {items} for {difference} more?', pt-BR: 'Troco {items} por mais {difference}?' }
  done: { en: 'Exchanged: {items}, {difference} more.', pt-BR: 'Trocado: {items}, mais {difference}.' }
  no_variant: { en: We do not have that one., pt-BR: Não temos esse. }
  too_little: { en: 'The gift card holds less than that.', pt-BR: 'O vale-presente tem menos que isso.' }
  matter: { en: 'the exchange of {items}', pt-BR: 'a troca de {items}' }
  unchanged: { en: Nothing was exchanged., pt-BR: Nada foi trocado. }
`;
const BOOK_TRIP = `
name: book_trip
label: { en: Book a guided trip, pt-BR: Reservar um passeio guiado }
description: Books a guided trip for several riders.
issue_type: order
kind: change
input:
  riders: { type: list, max: 5, of: { type: object, fields: { name: { type: text }, insured: { type: yes_no } } } }
  day: { type: date, optional: true }
  tip: { type: money, optional: true, about: For the guide. }
terms: { total_cents: "input.riders.map(one, one.insured ? 2500 : 2000).sum()" }
values: { names: "input.riders.map(one, one.name) | list", total: terms.total_cents | money }
perform:
  sql:
    - INSERT INTO riders SELECT {idempotency_key}, {customer_id}, value ->> 'name', value ->> 'insured' FROM json_each({input.riders})
says:
  request: { en: book a guided trip, pt-BR: reservar um passeio guiado }
  ask_riders: { en: Who rides?, pt-BR: Quem vai? }
  confirm: { en: 'Book for {names} at {total}?', pt-BR: 'Reservo para {names} por {total}?' }
  done: { en: 'Booked for {names}.', pt-BR: 'Reservado para {names}.' }
  matter: { en: 'the trip of {names}', pt-BR: 'o passeio de {names}' }
  unchanged: { en: Nothing was booked., pt-BR: Nada foi reservado. }
`;

/** A procedure that its keywords alone bring customers to: no intent is declared for it. */
const DAMAGED = {
  'skill.yaml': `
id: damaged
version: 1.0.0
title: A parcel came damaged
description: Something arrived broken. Looks for the newest delivery.
owner: support
status: active
tags: []
type: decision_tree
triggers: { keywords: [came damaged, arrived damaged, chegou danificado, chegou quebrado] }
capabilities: [{ id: damaged, description: Says what happens to what came damaged, confidence: high }]
input_schema: { type: object, required: [message], properties: { message: { type: string }, order_id: { type: string } } }
output_schema: {}
data_sources: { orders: { kind: sqlite, database: velo, access: read } }
decision_tree: { path: decision_tree.yaml, entry_point: find }
policy: { effect: read, approval: none }
`,
  'decision_tree.yaml': `
entry_point: find
steps:
  find:
    name: Find the newest delivery
    action: { type: query, mapping: delivered }
    decisions:
      none:
        condition: result.count == 0
        confidence: 0.9
        conclusion:
          root_cause: nothing_delivered
          explanation: Nothing was delivered.
          customer_message: { en: Nothing of yours was delivered so far., pt-BR: Nada seu foi entregue até agora. }
      found:
        condition: result.count > 0
        confidence: 0.95
        conclusion:
          root_cause: damaged
          explanation: The newest delivery is {result.title}.
          customer_message:
            en: Sorry that "{result.title}" came damaged. We send you a label for it.
            pt-BR: Sentimos que "{result.title}" chegou danificado. Vamos enviar uma etiqueta.
`,
  'api_mappings.yaml': `
mappings:
  delivered:
    source: orders
    query: >-
      SELECT title FROM orders WHERE order_id = {order_id} OR ({order_id} IS NULL AND status = 'delivered')
      ORDER BY arrives_at DESC LIMIT 1
    params: { optional: [order_id] }
`,
};

/** A fix in steps: it asks which one, says what to try, and what follows where that did not help. */
const WOBBLES = {
  'skill.yaml': DAMAGED['skill.yaml']
    .replaceAll('damaged', 'wobbles')
    .replace(/keywords: .*/, 'keywords: [wobbles, balança] }'),
  'decision_tree.yaml': `
entry_point: find
steps:
  find:
    name: Find the order
    action: { type: query, source: orders, query_template: "SELECT title FROM orders WHERE order_id = {order_id}" }
    decisions:
      none:
        condition: result.count == 0
        confidence: 0.95
        conclusion: { root_cause: which, customer_message: { en: Which of your orders is it?, pt-BR: Qual dos seus pedidos? } }
      first:
        condition: result.count > 0 && !message.contains('still')
        confidence: 0.95
        conclusion:
          root_cause: loose
          customer_message: { en: 'Please tighten the screws of "{result.title}".', pt-BR: 'Aperte "{result.title}".' }
      again:
        condition: result.count > 0 && message.contains('still')
        confidence: 0.95
        conclusion:
          root_cause: broken
          customer_message: { en: 'Then please send "{result.title}" to us.', pt-BR: 'Envie "{result.title}".' }
`,
};

/** The company that `new` writes, with a change that needs a choice, a look-up that needs a number, and a courier's tools. */
export function writeVelo(folder: string): void {
  writeNewCompany(folder, {
    ...{ name: 'Velo', about: 'a shop for cyclists', languages: ['en', 'pt-BR'] },
    ...{ currency: 'EUR', time_zone: 'Europe/Lisbon' },
  });
  writeFileSync(join(folder, 'actions', 'change_delivery.yaml'), CHANGE_DELIVERY);
  writeFileSync(join(folder, 'reads', 'delivery_price.yaml'), DELIVERY_PRICE);
  writeFileSync(join(folder, 'reads', 'invoice_of.yaml'), INVOICE);
  writeFileSync(join(folder, 'actions', 'exchange_items.yaml'), EXCHANGE_ITEMS);
  writeFileSync(join(folder, 'actions', 'book_trip.yaml'), BOOK_TRIP);
  writeFileSync(join(folder, 'actions', 'wrap_orders.yaml'), WRAP_ORDERS);
  writeFileSync(join(folder, 'reads', 'weight_of.yaml'), WEIGHT_OF);
  writeFileSync(join(folder, 'data', 'tables', '002_items.sql'), ITEMS);
  writeFileSync(join(folder, 'data', 'seed', '002_items.sql'), ITEM_ROWS);
  const customers = join(folder, 'customers.yaml');
  const before = readFileSync(customers, 'utf8')
    .replace(
      'tables:\n',
      `tables:\n${HELD.map((table) => `  ${table}: "customer_id = :customer_id"\n`).join('')}`,
    )
    .replace(
      'erase:\n',
      `erase:\n${HELD.map((table) => `  - DELETE FROM ${table} WHERE customer_id = {customer_id}\n`).join('')}`,
    );
  writeFileSync(
    customers,
    `${before}by_name: { query: "SELECT * FROM customers WHERE name = {name} AND 'P-' || customer_id = {postal_code} OR {name} = 'Two Demo'" }\n`,
  );
  writeFileSync(join(folder, 'sources.yaml'), SOURCES);
  writeFileSync(join(folder, 'reads', 'where_is.yaml'), WHERE_IS);
  writeFileSync(join(folder, 'actions', 'insure_order.yaml'), INSURE_ORDER);
  for (const [id, files] of Object.entries({ damaged: DAMAGED, wobbles: WOBBLES })) {
    const skill = join(folder, 'skills', id);
    mkdirSync(skill, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(skill, file), text);
  }
}
