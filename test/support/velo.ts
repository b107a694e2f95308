import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNewCompany } from '../../src/company/new-company.js';

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
says:
  request: { en: insure an order, pt-BR: segurar um pedido }
  confirm: { en: 'Insure {title}?', pt-BR: 'Seguro {title}?' }
  done: { en: 'Insured: {title}, {policy}.', pt-BR: 'Segurado: {title}, {policy}.' }
  matter: { en: 'the insurance of {title}', pt-BR: 'o seguro de {title}' }
  unchanged: { en: Nothing has changed., pt-BR: Nada mudou. }
`;

/** The company that `new` writes, with a change that needs a choice, a look-up that needs a number, and a courier's tools. */
export function writeVelo(folder: string): void {
  writeNewCompany(folder, {
    ...{ name: 'Velo', about: 'a shop for cyclists', languages: ['en', 'pt-BR'] },
    ...{ currency: 'EUR', time_zone: 'Europe/Lisbon' },
  });
  writeFileSync(join(folder, 'actions', 'change_delivery.yaml'), CHANGE_DELIVERY);
  writeFileSync(join(folder, 'reads', 'delivery_price.yaml'), DELIVERY_PRICE);
  writeFileSync(join(folder, 'sources.yaml'), SOURCES);
  writeFileSync(join(folder, 'reads', 'where_is.yaml'), WHERE_IS);
  writeFileSync(join(folder, 'actions', 'insure_order.yaml'), INSURE_ORDER);
}
