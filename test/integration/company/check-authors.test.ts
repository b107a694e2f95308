import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { parseConfig } from '../../../src/config/config.js';
import { makeTempDir } from '../../support/hub.js';
import { writeVelo } from '../../support/velo.js';

const room = makeTempDir();
const folder = join(room, 'velo');
const config = () => parseConfig({ HUB_COMPANY: folder, COURIER_ROOM: room });
beforeAll(() => writeVelo(folder));
afterAll(() => rmSync(room, { recursive: true, force: true }));

const SUITE = (more: string) => `suite: own
scenarios:
  - id: one
    category: orders
    language: en
    about: Asks for the orders.
    turns: [{ say: show my orders, expect: { contains: [Blue] } }]
${more}`;

/**
 * Something an author gets wrong: the file, what stands there and what is written instead (the whole file where nothing stands
 * there), and what is said of it, with the line of `at` where the file as such is not meant.
 */
type Slip = readonly [file: string, from: string | null, to: string, told: RegExp, at?: string];

const SLIPS: readonly Slip[] = [
  [
    'actions/change_delivery.yaml',
    'en: Nothing has changed.',
    'en: Nothing has changed, as it was.',
    /says\.unchanged\.as it was\..* is no name\. Put a text that has a comma or a colon in quotation marks\./,
    'unchanged:',
  ],
  [
    'entities/order.yaml',
    "'cost', 'price'",
    "'cost', '(?:price|deliver)'",
    /"deliver" finds only that word, and not "deliver\w{2,}"\. Write .*deliver\\w\{0,6\}/,
    'price|deliver',
  ],
  [
    'reads/how_far.yaml',
    null,
    `name: how_far
label: { en: How far it is, pt-BR: A que distância está }
description: How far the order is.
read: { next: { query: "SELECT title FROM orders WHERE customer_id = {customer_id}" } }
`,
    /has no sentence to answer with/,
    'name: how_far',
  ],
  [
    'actions/cancel_order.yaml',
    'code: wrong_status',
    'code: too_late',
    /code .*such as not_found, already_done, wrong_status or policy_denied; .*`say`/,
    'code: too_late',
  ],
  ['policy.yaml', 'pending: {', 'pending: {{', /no YAML/],
  ['policy.yaml', 'top_k: 3', 'top_k: 300', /retrieval\.top_k/, 'top_k'],
  ['policy.yaml', 'opens: "09:00"', 'opens: "9"', /opens.*time of the day/, 'opens'],
  ['company.yaml', 'currency: "EUR"', 'currency: "XYZ"', /currency must be an ISO 4217/, 'currency:'],
  [
    'company.yaml',
    'time_zone: "Europe/Lisbon"',
    'time_zone: "Lisbon"',
    /time_zone must be an IANA/,
    'time_zone:',
  ],
  ['company.yaml', '  account:', '  acount:', /agents\.acount .*"account"/, 'acount:'],
  ['company.yaml', 'otherwise: true', 'otherwise: false', /exactly one with/, 'issue_types'],
  [
    'company.yaml',
    'label: { en: Order, pt-BR: Pedido',
    'label: { en: Order, pt: Pedido',
    /label\.pt-BR is missing/,
    'en: Order',
  ],
  ['company.yaml', 'welcome:', 'welcom:', /"welcome"/, 'welcom:'],
  ['entities/order.yaml', 'records:', 'records: ][', /no YAML/, 'records:'],
  ['entities/order.yaml', 'id: order\n', 'id: orders\n', /not the name of the file/, 'id: orders'],
  ['entities/order.yaml', 'tone: good', 'tone: fine', /tone/, 'tone: fine'],
  ['entities/order.yaml', 'upcoming: row.status', 'upcoming: row.state', /row\.state.*"status"/, 'row.state'],
  ['entities/order.yaml', 'pt-BR: [ pedido ]', 'pt-BR: [ Pedidó ]', /lower case/, 'Pedidó'],
  ['reads/next_delivery.yaml', 'read:', 'read: }', /no YAML/, 'read:'],
  [
    'reads/next_delivery.yaml',
    'description:',
    'agents: [acount]\ndescription:',
    /"acount".*"account"/,
    'acount',
  ],
  ['reads/next_delivery.yaml', 'name: next_delivery', 'name: next_delivry', /name of the file/, 'name:'],
  ['reads/next_delivery.yaml', 'when: arrives_at', 'when: arrive_at', /arrive_at.*"arrives_at"/, 'arrive_at'],
  ['reads/delivery_price.yaml', 'ask_kilos', 'ask_kilo', /says\.ask_kilos/, undefined],
  ['reads/invoice_of.yaml', 'type: record', 'type: recrd', /input\.order_id/, 'recrd'],
  ['actions/cancel_order.yaml', 'deny:', 'deny: {]', /no YAML/, 'deny:'],
  ['actions/cancel_order.yaml', 'kind: cancel', 'kind: cancle', /kind/, 'cancle'],
  [
    'actions/cancel_order.yaml',
    'order.total_cents',
    'order.total_cent',
    /total_cent,.*"total_cents"/,
    'refund_cents:',
  ],
  ['actions/cancel_order.yaml', 'deed: cancel', 'deed: cancels', /deed/, 'deed: cancels'],
  ['actions/cancel_order.yaml', 'code: already_done', 'code: allready_done', /code/, 'allready_done'],
  ['actions/cancel_order.yaml', '  done:', '  don:', /says\.done/, undefined],
  [
    'actions/cancel_order.yaml',
    'refund, select, none {}',
    'refund, select, none {',
    /no ICU message|ICU/,
    undefined,
  ],
  [
    'actions/change_delivery.yaml',
    "pt-BR: 'Envio {title}",
    "pt: 'Envio {title}",
    /confirm is missing/,
    'confirm:',
  ],
  [
    'actions/insure_order.yaml',
    'source: courier\n  tool: insure',
    'source: curier\n  tool: insure',
    /curier/,
    undefined,
  ],
  ['customers.yaml', 'name: row.name', 'name: row.nam', /row\.nam.*"name"/, 'row.nam'],
  ['customers.yaml', '  orders: "customer_id = :customer_id"\n', '', /lacks orders/, 'tables:'],
  ['customers.yaml', '  - DELETE FROM riders', '  # ', /no statement for riders/, 'erase:'],
  ['sources.yaml', 'env:COURIER_ROOM', 'env:NOPE', /NOPE, which is not set/, 'NOPE'],
  ['sources.yaml', 'kind: mcp', 'kind: mpc', /kind/, undefined],
  ['sources.yaml', 'timeout: 20', 'timout: 20', /"timeout"/, 'timout'],
  [
    'articles/returns.en.md',
    null,
    '# Returns\n\nSend it back within 30 days.\n',
    /"returns" is not there in pt-BR/,
  ],
  ['articles/returns.en.md', null, 'no title\n', /needs a title/],
  [
    'articles/delivery.fr.md',
    null,
    '# Livraison\n\nDeux jours.\n',
    /is in fr, which the company does not speak/,
  ],
  ['articles/knowledge.jsonl', null, '{"article_id":"x"\n', /no JSON/, '{"article_id"'],
  ['articles/delivery.txt', null, 'Delivery\n', /Nothing reads it/],
  [
    'texts/en/own.yaml',
    null,
    'gretings: Hello\nrefusal:\n  customer_blocked: Your account is blocked.\n',
    /Nothing says gretings/,
    'gretings',
  ],
  ['texts/en/own.yaml', null, 'refusal: [\n', /no YAML/, ''],
  ['texts/pt/own.yaml', null, 'a: b\n', /Nothing reads it/],
  ['eval/own.yaml', null, SUITE('    langage: en\n'), /langage/, 'id: one'],
  [
    'eval/own.yaml',
    null,
    SUITE('    expect: { tools: { called: [list_ordr] } }\n'),
    /no tool "list_ordr"/,
    'list_ordr',
  ],
  ['eval/own.yaml', null, SUITE('  - [\n'), /flow|collection|sequence/i, ''],
  ['actions/refund.yml', null, 'name: refund\n', /Nothing reads it/],
  ['action/refund.yaml', null, 'name: refund\n', /Nothing reads it.*"actions"/],
  ['polices.yaml', null, 'a: 1\n', /Nothing reads it.*"policy\.yaml"|Nothing reads it/],
  [
    'intents/utterances.en.jsonl',
    null,
    '{"text":"where is it","intent":"list_oder"}\n',
    /no intent "list_oder"/,
    'list_oder',
  ],
  ['data/tables/003_more.sql', null, 'CREATE TABEL x (a text);\n', /database refuses/, 'TABEL'],
];

describe('npm run company -- check, of what an author gets wrong in YAML', () => {
  it.each(SLIPS.map(([file, from, to, told, at]) => ({ file, from, to, told, at })))(
    '[BYO-30 BYO-48 BYO-93] names in $file what is wrong with $to',
    async ({ file, from, to, told, at }) => {
      const path = join(folder, file);
      const had = existsSync(path) ? readFileSync(path, 'utf8') : null;
      const isRoom = existsSync(dirname(path));
      if (from !== null) expect(had).toContain(from);
      const now = from === null ? to : (had ?? '').replace(from, () => to);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, now);
      const findings = await checkCompany(config());
      if (had === null) rmSync(isRoom ? path : dirname(path), { recursive: true });
      else writeFileSync(path, had);
      const own = findings.filter((one) => one.file === path || path.startsWith(`${one.file}/`));
      const found = own.filter((one) => told.test(`${one.problem} ${one.remedy}`));
      expect(found, JSON.stringify(findings, null, 1)).toHaveLength(1);
      // With suites it is also said that nothing stands in for the courier while they run.
      const others = findings.filter((one) => !own.includes(one));
      // Skills that read a table which customers.yaml lacks are named beside it.
      const follows = /^Nothing stands in|which is not there for a customer/;
      expect(others.filter(({ problem }) => !follows.test(problem))).toEqual([]);
      if (from !== null || at !== undefined) expect(found[0]?.line, JSON.stringify(found)).toBeGreaterThan(0);
      if (at) expect(now.split('\n')[(found[0]?.line ?? 0) - 1], JSON.stringify(found)).toContain(at);
    },
  );
});
