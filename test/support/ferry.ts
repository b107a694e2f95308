import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeNewCompany } from '../../src/company/company-folder.js';

const FILES: Readonly<Record<string, string>> = {
  'data/tables/002_ferry.sql': `
CREATE TABLE crossings (crossing_id text PRIMARY KEY NOT NULL, title text NOT NULL, sails_at text NOT NULL, price_cents integer NOT NULL, seats integer NOT NULL);
CREATE TABLE tiers (tier_id text PRIMARY KEY NOT NULL, title text NOT NULL, price_cents integer NOT NULL);
CREATE TABLE tickets (ticket_id text PRIMARY KEY NOT NULL, customer_id text NOT NULL, title text NOT NULL, crossing_id text NOT NULL, sails_at text NOT NULL, bags integer NOT NULL, insured text NOT NULL, status text NOT NULL, cabin text NOT NULL DEFAULT 'inside');
CREATE TABLE travellers (customer_id text NOT NULL, crossing_id text NOT NULL, name text NOT NULL, born text NOT NULL);
CREATE TABLE passes (pass_id text PRIMARY KEY NOT NULL, customer_id text NOT NULL, title text NOT NULL, tier_id text NOT NULL, rides_left integer NOT NULL);
`,
  'data/seed/002_ferry.sql': `
INSERT INTO crossings VALUES
  ('crs_101', 'Holm – Vard, morning', strftime('%Y-%m-%dT07:00:00Z', now(), '+1 days'), 4900, 12),
  ('crs_102', 'Holm – Vard, evening', strftime('%Y-%m-%dT18:00:00Z', now(), '+9 days'), 3900, 30),
  ('crs_103', 'Holm – Skagen, night', strftime('%Y-%m-%dT21:00:00Z', now(), '+12 days'), 7900, 3);
INSERT INTO tiers VALUES ('tier_01', 'Basic', 1900), ('tier_02', 'Plus', 2900), ('tier_03', 'Max', 4900);
INSERT INTO tickets VALUES
  ('tkt_001', 'c_01', 'Vard weekend', 'crs_101', strftime('%Y-%m-%dT07:00:00Z', now(), '+5 days'), 2, 'no', 'booked', 'inside'),
  ('tkt_002', 'c_01', 'Skagen holiday', 'crs_103', strftime('%Y-%m-%dT21:00:00Z', now(), '+20 days'), 1, 'yes', 'booked', 'inside');
INSERT INTO passes VALUES
  ('pas_001', 'c_01', 'Work', 'tier_01', 7),
  ('pas_002', 'c_01', 'Private', 'tier_02', 3);
`,
  'entities/crossing.yaml': `
id: crossing
nouns: { en: [crossing] }
also: { en: [sailing, ferry] }
ids: { prefixes: [crs], digits: 3 }
titles: { never: [crossing, ticket, move, book, change] }
records:
  read: { query: 'SELECT * FROM crossings ORDER BY sails_at', public: true }
  label: { en: Crossings }
  empty: { en: No crossings }
  fields: { id: row.crossing_id, title: row.title, starts_at: row.sails_at, amount: row.price_cents }
  attributes: { seats: row.seats }
attributes:
  - { id: when, of: starts_at, as: time, asked: { en: ['when', 'what time'] } }
  - { id: price, of: amount, as: money, asked: { en: ['how much', 'cost', 'price'] } }
  - { id: seats, of: seats, as: number, asked: { en: ['seats?', 'how full'] } }
`,
  'entities/tier.yaml': `
id: tier
nouns: { en: [tier] }
ids: { prefixes: [tier], digits: 2 }
titles: { never: [tier, pass, put, change] }
records:
  read: { query: 'SELECT * FROM tiers ORDER BY price_cents', public: true }
  label: { en: Tiers of passes }
  empty: { en: No tiers }
  fields: { id: row.tier_id, title: row.title, amount: row.price_cents }
attributes:
  - { id: price, of: amount, as: money, asked: { en: ['how much', 'cost', 'price'] } }
`,
  'entities/ticket.yaml': `
id: ticket
nouns: { en: [ticket] }
also: { en: [trip, booking] }
ids: { prefixes: [tkt], digits: 3 }
titles: { never: [ticket, trip, move, change, crossing] }
records:
  read: { query: 'SELECT * FROM tickets WHERE customer_id = {customer_id} ORDER BY sails_at' }
  label: { en: Tickets }
  empty: { en: No tickets }
  fields: { id: row.ticket_id, title: row.title, status: row.status, starts_at: row.sails_at, upcoming: row.status == 'booked' }
  attributes: { bags: row.bags, insured: row.insured }
  statuses: { booked: { label: { en: booked }, tone: good } }
attributes:
  - { id: when, of: starts_at, as: time, asked: { en: ['when', 'what time'] } }
  - { id: bags, of: bags, as: number, asked: { en: ['bags?', 'luggage'] } }
  - { id: insured, of: insured, as: text, asked: { en: ['insured', 'insurance'] } }
`,
  'entities/pass.yaml': `
id: pass
nouns: { en: [pass] }
ids: { prefixes: [pas], digits: 3 }
titles: { never: [pass, tier, put, change] }
records:
  read: { query: 'SELECT passes.*, tiers.title AS tier FROM passes JOIN tiers USING (tier_id) WHERE customer_id = {customer_id} ORDER BY pass_id' }
  label: { en: Passes }
  empty: { en: No passes }
  fields: { id: row.pass_id, title: row.title }
  attributes: { rides: row.rides_left, tier: row.tier }
attributes:
  - { id: rides, of: rides, as: left, asked: { en: ['rides?', 'left'] } }
  - { id: tier, of: tier, as: text, asked: { en: ['which tier', 'what tier'] } }
`,
  'actions/move_ticket.yaml': `
name: move_ticket
label: { en: Move a ticket to another crossing }
description: Moves a ticket to another crossing.
issue_type: trip
kind: change
input:
  ticket_id: { type: record, entity: ticket }
  crossing_id: { type: record, entity: crossing }
target: { input: ticket_id, eligible: record.upcoming }
read:
  ticket: { query: 'SELECT * FROM tickets WHERE ticket_id = {input.ticket_id} AND customer_id = {customer_id}', one: true }
  crossing: { query: 'SELECT * FROM crossings WHERE crossing_id = {input.crossing_id}', one: true, public: true }
terms: { crossing_id: crossing.crossing_id }
values: { title: ticket.title, crossing: crossing.title, price: crossing.price_cents | money }
perform:
  sql: ['UPDATE tickets SET crossing_id = {input.crossing_id} WHERE ticket_id = {input.ticket_id} AND customer_id = {customer_id}']
says:
  request: { en: move my ticket to another crossing }
  ask_crossing_id: { en: Which crossing shall it be? }
  confirm: { en: 'Move "{title}" to {crossing}, for {price}?' }
  done: { en: 'Done: "{title}" is on {crossing}.' }
  matter: { en: 'the crossing of "{title}"' }
  unchanged: { en: Nothing was moved. }
`,
  'actions/book_crossing.yaml': `
name: book_crossing
label: { en: Book a crossing }
description: Books a crossing for one or more travellers.
issue_type: trip
kind: change
input:
  crossing_id: { type: record, entity: crossing }
  travellers: { type: list, max: 4, of: { type: object, fields: { name: { type: text, max: 60 }, born: { type: date } } } }
  meals: { type: list, of: { type: choice, of: [breakfast, dinner] } }
read:
  crossing: { query: 'SELECT * FROM crossings WHERE crossing_id = {input.crossing_id}', one: true, public: true }
terms: { total_cents: crossing.price_cents * size(input.travellers) }
values: { crossing: crossing.title, total: terms.total_cents | money, names: 'input.travellers.map(one, one.name) | list', meals: input.meals | list }
perform:
  sql: ["INSERT INTO travellers SELECT {customer_id}, {input.crossing_id}, value ->> 'name', value ->> 'born' FROM json_each({input.travellers})"]
says:
  request: { en: book a crossing }
  ask_crossing_id: { en: Which crossing would you like? }
  ask_travellers: { en: 'Who travels? Please give name and date of birth.' }
  more_travellers: { en: Does anybody else travel? }
  ask_meals: { en: 'Which meals: breakfast, dinner or both?' }
  confirm: { en: 'Book {crossing} for {names}, with {meals}, for {total}?' }
  done: { en: 'Booked: {crossing} for {names}.' }
  matter: { en: 'the booking of {crossing}' }
  unchanged: { en: Nothing was booked. }
`,
  'actions/change_tier.yaml': `
name: change_tier
label: { en: Change the tier of a pass }
description: Puts a pass on another tier.
issue_type: pass
kind: change
input:
  pass_id: { type: record, entity: pass }
  tier_id: { type: record, entity: tier }
target: { input: pass_id }
read:
  pass: { query: 'SELECT * FROM passes WHERE pass_id = {input.pass_id} AND customer_id = {customer_id}', one: true }
  tier: { query: 'SELECT * FROM tiers WHERE tier_id = {input.tier_id}', one: true, public: true }
terms: { tier_id: tier.tier_id }
values: { title: pass.title, tier: tier.title, price: tier.price_cents | money }
perform:
  sql: ['UPDATE passes SET tier_id = {input.tier_id} WHERE pass_id = {input.pass_id} AND customer_id = {customer_id}']
says:
  request: { en: put my pass on another tier }
  ask_tier_id: { en: Which tier shall it be? }
  confirm: { en: 'Put the pass "{title}" on {tier}, for {price} a month?' }
  done: { en: 'Done: "{title}" is on {tier}.' }
  matter: { en: 'the tier of the pass "{title}"' }
  unchanged: { en: The pass stays as it is. }
`,
  'actions/change_cabin.yaml': `
name: change_cabin
label: { en: Change the cabin of a ticket }
description: Puts a ticket into another cabin.
issue_type: trip
kind: change
input:
  ticket_id: { type: record, entity: ticket }
  cabin: { type: choice, of: [inside, sea_view, suite], words: { inside: { en: [inside cabin] }, sea_view: { en: [window] } } }
target: { input: ticket_id, eligible: record.upcoming }
read:
  ticket: { query: 'SELECT * FROM tickets WHERE ticket_id = {input.ticket_id} AND customer_id = {customer_id}', one: true }
values: { title: ticket.title, cabin: input.cabin }
perform:
  sql: ['UPDATE tickets SET cabin = {input.cabin} WHERE ticket_id = {input.ticket_id} AND customer_id = {customer_id}']
says:
  request: { en: change the cabin of my ticket }
  ask_cabin: { en: 'Which cabin: inside, sea view or suite?' }
  confirm: { en: 'Put "{title}" into {cabin, select, sea_view {sea view} other {{cabin}}}?' }
  done: { en: 'Done: "{title}" has another cabin.' }
  matter: { en: 'the cabin of "{title}"' }
  unchanged: { en: The cabin stays as it is. }
`,
  'articles/pets.en.md': '# Pets on board\n\nDogs and cats travel in the pet cabins on deck 3, on a lead.\n',
  'articles/bags.en.md':
    '# Lost bags\n\nTell the crew before you leave the ship. We look for a lost bag for ten days.\n',
};

/** A ferry line: crossings and tiers are the same for everybody, tickets and passes a customer's own. */
export function writeFerry(folder: string): void {
  writeNewCompany(folder, {
    ...{ name: 'Northline', about: 'a ferry line', languages: ['en'] },
    ...{ currency: 'EUR', time_zone: 'Europe/Lisbon' },
  });
  const gone = [
    ...['entities/order.yaml', 'actions/cancel_order.yaml', 'reads/next_delivery.yaml'],
    ...[
      'articles',
      'data/seed/001_orders.sql',
      'data/tables/001_orders.sql',
      'company.yaml',
      'customers.yaml',
    ],
  ];
  for (const path of gone) rmSync(join(folder, path), { recursive: true });
  for (const [path, text] of Object.entries({
    ...FILES,
    'company.yaml': COMPANY,
    'customers.yaml': CUSTOMERS,
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const COMPANY = `
name: Northline
about: { en: a ferry line }
languages: [en]
time_zone: Europe/Lisbon
time_zone_name: { en: Lisbon time }
currency: EUR
welcome: { text: { en: Ask about crossings and tickets. }, starters: { en: [Show me my tickets] } }
issue_types:
  - { id: trip, label: { en: Trip }, about: 'crossings, tickets', ask: { en: Which trip is it about? } }
  - { id: pass, label: { en: Pass }, about: 'passes, tiers', ask: { en: Which pass is it about? } }
  - { id: other, label: { en: Other }, ask: { en: Could you tell us a little more? }, otherwise: true }
`;
const CUSTOMERS = `
by_id: { query: 'SELECT * FROM customers WHERE customer_id = {customer_id}' }
by_email: { query: 'SELECT * FROM customers WHERE lower(email) = lower({email})' }
fields: { id: row.customer_id, name: row.name, email: row.email, is_blocked: row.is_blocked == 1, created_at: row.created_at }
tables:
  customers: 'customer_id = :customer_id'
  tickets: 'customer_id = :customer_id'
  passes: 'customer_id = :customer_id'
  travellers: 'customer_id = :customer_id'
erase:
  - DELETE FROM tickets WHERE customer_id = {customer_id}
  - DELETE FROM passes WHERE customer_id = {customer_id}
  - DELETE FROM travellers WHERE customer_id = {customer_id}
  - UPDATE customers SET customer_id = {pseudonym}, name = 'Erased customer', email = {address}, is_blocked = 1 WHERE customer_id = {customer_id}
`;
