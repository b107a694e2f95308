import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The company that `new` writes, with a change that needs a choice and a look-up that needs a number. */
export function writeVelo(folder: string): void {
  writeNewCompany(folder, {
    ...{ name: 'Velo', about: 'a shop for cyclists', languages: ['en', 'pt-BR'] },
    ...{ currency: 'EUR', time_zone: 'Europe/Lisbon' },
  });
  writeFileSync(join(folder, 'actions', 'change_delivery.yaml'), CHANGE_DELIVERY);
  writeFileSync(join(folder, 'reads', 'delivery_price.yaml'), DELIVERY_PRICE);
}
