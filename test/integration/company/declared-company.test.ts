import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openMcp } from '../../../src/adapters/sources/mcp-source.js';
import { checkCompany } from '../../../src/app/company-check.js';
import { companyOverview, importMcp } from '../../../src/app/company-commands.js';
import { openPrivacy } from '../../../src/app/privacy.js';
import { readResources } from '../../../src/app/resources.js';
import { loadCompany } from '../../../src/company/company.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { parseConfig } from '../../../src/config/config.js';
import { contentOf } from '../../../src/nlu/utterances.js';
import { callCommand } from '../../../src/surfaces/cli/company/call-tool.js';
import { showCommand } from '../../../src/surfaces/cli/company/company.js';
import type { ConfigContext } from '../../../src/surfaces/command.js';
import { makeTempDir } from '../../support/hub.js';
import { connectMcp } from '../../support/mcp.js';
import { openServer, type TestServer } from '../../support/server.js';
import { COURIER, writeVelo } from '../../support/velo.js';

const ANA = 'ana@example.com';
const BEN = 'ben@example.com';
const OLGA = { operatorId: 'op_1', name: 'Olga' };

const room = makeTempDir();
const folder = join(room, 'velo');
const dataDir = join(room, 'data');
const env = { HUB_COMPANY: folder, COURIER_ROOM: room };
const config = () => parseConfig({ ...env, HUB_DATA_DIR: dataDir });
let at: TestServer;

beforeAll(async () => {
  writeVelo(folder);
  at = await openServer({ dataDir, env });
});
afterAll(async () => {
  await at.close();
  rmSync(room, { recursive: true, force: true });
});

const ACTION = (action: string, input: string) =>
  `root_cause: damaged\n          recommended_action: { action: ${action}, arguments: { ${input}: ord_003 } }`;
const order = (id: string) => at.hub.query('velo', 'SELECT status FROM orders WHERE order_id = ?', id)[0];
const effects = () => at.hub.query('velo', 'SELECT tool, outcome FROM action_ledger');

describe('a company in YAML alone', () => {
  it('[BYO-01] is written by one command, without a fault and without code', async () => {
    expect(await checkCompany(config())).toEqual([]);
    expect(existsSync(join(folder, 'company.ts'))).toBe(false);
    expect(() => writeNewCompany(folder, { name: 'Velo' })).toThrow(/already/);
    expect(() => writeNewCompany(join(room, 'other'), { name: 'Velo', languages: ['fi'] })).toThrow(/fi/);
  });

  it('[BYO-01] shows no pack of another trade, on any surface', async () => {
    const surfaces = ['/', '/desk', '/openapi.json', '/.well-known/agent-card.json'];
    const shown = await Promise.all(surfaces.map(async (path) => (await at.get(path)).text));
    const skills = (await at.get('/api/desk/skills', await at.operator())).text;
    expect(skills).toContain('handle_request');
    expect([...shown, skills].join('\n')).not.toMatch(/ocean|email_workflow|cultpass|ana\.souza/i);
  });

  it('[BYO-01] answers at once, in each of its languages, from articles, records and look-ups', async () => {
    const article = await at.hub.say(null, 'How long does delivery take?');
    expect(article.reply).toContain('two to four working days');
    expect(article.citations.map(({ articleId }) => articleId)).toEqual(['delivery-en']);
    const listed = await at.hub.say(ANA, 'Quais são os meus pedidos?');
    expect(listed.reply).toMatch(/Blue backpack.*\(feito\)/);
    expect(listed.reply).not.toContain('Camping stove');
    const next = await at.hub.say(ANA, 'Quando chega a próxima entrega?');
    expect(next.reply).toMatch(/"Blue backpack" chega em .*13 de março/);
    const visitor = await at.hub.say(null, 'show me my orders');
    expect(visitor.reply).not.toContain('backpack');
  });

  it('[BYO-02] makes a change once, after a yes to exactly its terms', async () => {
    const asked = await at.hub.say(ANA, 'Please cancel the blue backpack');
    expect(asked.pending).toMatchObject({ tool: 'cancel_order', args: { order_id: 'ord_001' } });
    expect(asked.pending?.question).toContain('€49.00');
    expect(order('ord_001')).toEqual({ status: 'placed' });
    const done = await at.hub.say(ANA, 'yes', asked.threadId);
    expect(done.reply).toContain('€49.00 is on its way back');
    expect(order('ord_001')).toEqual({ status: 'cancelled' });
    await at.hub.say(ANA, 'yes', asked.threadId);
    expect(effects()).toEqual([{ tool: 'cancel_order', outcome: expect.stringContaining('4900') }]);
  });

  it('[BYO-02] says in the words of the company why it is denied', async () => {
    const denied = await at.hub.say(ANA, 'cancel the rain jacket');
    expect(denied.reply).toBe('"Rain jacket" was delivered already, so it cannot be cancelled any more.');
    expect(denied.pending).toBeNull();
  });

  it('[BYO-02] tells a blocked customer that, and not what a rule says that was never asked', async () => {
    at.hub.exec('velo', `UPDATE customers SET is_blocked = 1 WHERE customer_id = 'c_02'`);
    const denied = await at.hub.say(BEN, 'cancel the camping stove');
    const why = await at.hub.say(BEN, 'why?', denied.threadId);
    const inPortuguese = await at.hub.say(BEN, 'quero cancelar o pedido camping stove');
    at.hub.exec('velo', `UPDATE customers SET is_blocked = 0 WHERE customer_id = 'c_02'`);
    expect(denied.reply).toMatch(/^Your account is blocked/);
    expect(why.reply).not.toContain('delivered');
    expect(inPortuguese.reply).toMatch(/conta está bloqueada/);
    expect(inPortuguese.pending).toBeNull();
  });

  it('[BYO-02] refuses what changed after it was agreed to', async () => {
    const asked = await at.hub.say(BEN, 'cancel my camping stove');
    at.hub.exec('velo', `UPDATE orders SET total_cents = 9000 WHERE order_id = 'ord_004'`);
    const refused = await at.hub.say(BEN, 'yes', asked.threadId);
    expect(refused.reply).not.toContain('Done');
    expect(order('ord_004')).toEqual({ status: 'placed' });
  });

  it('[BYO-02] waits for an operator where its policy says so, and tells what a yes does', async () => {
    const asked = await at.hub.say(ANA, 'cancel the walking boots');
    const waiting = await at.hub.say(ANA, 'yes', asked.threadId);
    expect(waiting.pending?.kind).toBe('approval');
    const ticket = await at.get(`/api/desk/tickets/${waiting.ticketId}`, await at.operator());
    expect(ticket.text).toContain('€159.00 goes back, once.');
    const outcome = await at.hub.app.desk.approve(waiting.pending?.id ?? '', OLGA);
    expect(outcome.reply).toContain('€159.00');
    expect(order('ord_002')).toEqual({ status: 'cancelled' });
  });

  it('[BYO-11] asks for what the words leave open of a change, and keeps what they said', async () => {
    const asked = await at.hub.say(BEN, 'I want to change the delivery of my camping stove');
    expect(asked.reply).toBe('How shall it come: standard or express?');
    const ready = await at.hub.say(BEN, 'the second one', asked.threadId);
    expect(ready.pending).toMatchObject({ args: { order_id: 'ord_004', speed: 'express' } });
    expect(ready.reply).toBe('Send Camping stove by express delivery?');
    const other = await at.hub.say(BEN, 'não, a normal', ready.threadId);
    expect(other.pending).toMatchObject({ args: { order_id: 'ord_004', speed: 'standard' } });
    const atOnce = await at.hub.say(BEN, 'quero mudar a entrega do meu pedido para expressa');
    expect(atOnce.pending).toMatchObject({ args: { order_id: 'ord_004', speed: 'express' } });
    await at.hub.say(BEN, 'não', atOnce.threadId);
  });

  it('[BYO-11] asks for what a look-up needs, and looks it up with the reply', async () => {
    const asked = await at.hub.say(ANA, 'what does delivery cost by weight');
    expect(asked.reply).toBe('How many kilos does it weigh?');
    expect((await at.hub.say(ANA, '12', asked.threadId)).reply).toBe('12 kilos cost €24.00.');
    expect((await at.hub.say(ANA, 'what does delivery cost by weight, for 3 kilos')).reply).toBe(
      '3 kilos cost €6.00.',
    );
  });

  it.each([
    ['as expressly as you can', 'express'],
    ['a mais rápida que tiver', 'express'],
    ['the normal one is good enough, thank you', 'standard'],
    ['oh sorry, faster!', 'express'],
  ])('[BYO-11] takes "%s" for the reply to its question', async (reply, speed) => {
    const asked = await at.hub.say(BEN, 'I want to change the delivery of my camping stove');
    const ready = await at.hub.say(BEN, reply, asked.threadId);
    expect(ready.pending).toMatchObject({ tool: 'change_delivery', args: { speed } });
    await at.hub.say(BEN, 'no', asked.threadId);
  });

  it.each([
    ['never mind, leave it', /not changed anything|nothing/i],
    ['how long does delivery take?', /two to four working days/],
    ['cancel my camping stove instead', /Shall I cancel "Camping stove"/],
  ])('[BYO-11] takes "%s" for no reply to its question', async (text, told) => {
    const asked = await at.hub.say(BEN, 'I want to change the delivery of my camping stove');
    const other = await at.hub.say(BEN, text, asked.threadId);
    expect(other.reply).toMatch(told);
    if (other.pending) await at.hub.say(BEN, 'no', asked.threadId);
  });

  it('[BYO-11] lists all of what a noun means, also where a title has it, and says that nothing was paid', async () => {
    at.hub.exec('velo', `UPDATE orders SET title = 'Order book', total_cents = 0 WHERE order_id = 'ord_003'`);
    const listed = await at.hub.say(ANA, 'Please list all of my orders');
    const paid = await at.hub.say(ANA, 'how much was the order book?', listed.threadId);
    at.hub.exec(
      'velo',
      `UPDATE orders SET title = 'Rain jacket', total_cents = 8900 WHERE order_id = 'ord_003'`,
    );
    expect(listed.reply.match(/^- /gm)).toHaveLength(3);
    expect(paid.reply).toBe('You paid nothing for "Order book".');
  });

  it('[BYO-11] makes a look-up that needs a record with the one that is named, or asks which one', async () => {
    const named = await at.hub.say(ANA, 'What is the invoice number of the walking boots?');
    expect(named.reply).toBe('The invoice of Walking boots is F-ord_002.');
    const asked = await at.hub.say(ANA, 'What is the invoice number of an order?');
    expect(asked.reply).toMatch(/^Which order is it about\?\n\n1\. .*\n2\. /);
    const told = await at.hub.say(ANA, 'the walking boots', asked.threadId);
    expect(told.reply).toBe('The invoice of Walking boots is F-ord_002.');
    const again = await at.hub.say(ANA, 'What is the invoice number of an order?');
    const third = /3\. (.+)/.exec(again.reply)?.[1] ?? '';
    expect((await at.hub.say(ANA, 'the third one', again.threadId)).reply).toContain(
      `invoice of ${third} is`,
    );
  });

  it.each([
    ['{fast, select, yes {express}', '{fast, select, true {express}', /yes and no/],
    ['  ask_speed: {', '  ask_pace: {', /says\.ask_speed/],
  ])('[BYO-11] says of %s in a file that it would not be said right', async (from, to, told) => {
    const path = join(folder, 'actions', 'change_delivery.yaml');
    const before = readFileSync(path, 'utf8');
    expect(before).toContain(from);
    writeFileSync(path, before.replace(from, to));
    const findings = await checkCompany(config());
    writeFileSync(path, before);
    expect(findings.map((one) => `${one.file} ${one.problem}`).join('\n')).toMatch(told);
  });

  it('[BYO-22] names by file and line what tools, entities and scripts name that there is not', async () => {
    const slips = [
      [
        'actions/cancel_order.yaml',
        'eligible: record.upcoming',
        'eligible: record.amount_cents > 0',
        /record\.amount_cents/,
      ],
      [
        'actions/cancel_order.yaml',
        'policy.orders.approval_above_cents',
        'policy.orders.approval_above',
        /"approval_above_cents"/,
      ],
      ['actions/cancel_order.yaml', 'title: order.title', 'title: order.titel', /order\.titel.*"title"/],
      ['actions/cancel_order.yaml', 'say: too_late', 'say: to_late', /"to_late".*"too_late"/],
      ['actions/cancel_order.yaml', 'UPDATE orders SET', 'UPDATE oders SET', /no such table: oders/],
      ['actions/cancel_order.yaml', 'issue_type: order', 'issue_type: orders', /"orders"/],
      ['actions/change_delivery.yaml', 'entity: order }', 'entity: ordr }', /"ordr".*"order"/],
      ['entities/order.yaml', 'row.total_cents', 'row.total', /row\.total .*"total_cents"|row\.total,/],
      ['customers.yaml', 'UPDATE orders SET', 'UPDATE oders SET', /no such table: oders/],
      // Whose data are shown matters more than a name in another file, and is not hidden by one.
      ['reads/next_delivery.yaml', 'customer_id = {customer_id} AND ', '', /does not name \{customer_id\}/],
      ['actions/exchange_items.yaml', 'one.cost - one.was', 'one.cost - one.wos', /pairs\[\]\.wos/],
      ['actions/book_trip.yaml', 'one.insured ?', 'one.insurd ?', /riders\[\]\.insurd.*"insured"/],
    ] as const;
    const before = new Map(slips.map(([file]) => [file, readFileSync(join(folder, file), 'utf8')] as const));
    for (const [file, from, to] of slips) {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      expect(text).toContain(from);
      writeFileSync(path, text.replace(from, to));
    }
    const findings = await checkCompany(config());
    for (const [file, text] of before) writeFileSync(join(folder, file), text);
    for (const [file, , to, told] of slips) {
      const line = findings.find(
        (one) => one.file === join(folder, file) && told.test(`${one.problem} ${one.remedy}`),
      )?.line;
      expect(line, `${file}: ${to}`).toBeGreaterThan(1);
    }
    const seed = join(folder, 'data', 'seed', '002_items.sql');
    const rows = readFileSync(seed, 'utf8');
    writeFileSync(seed, `-- One; two.\n${rows.replace("('i_1', 'ord_003', 'v_s')", "('i_1', 'ord_003')")}`);
    const refused = await checkCompany(config());
    writeFileSync(seed, rows);
    const at = `-- One; two.\n${rows}`.split('\n').findIndex((line) => line.includes("'i_1'")) + 1;
    expect(refused).toMatchObject([{ file: seed, line: at, severity: 'fault' }]);
  });

  it.each([
    ['actions/cancel_order.yaml', /^approval:/m, 'aproval:', 'Did you mean "approval"?'],
    ['actions/cancel_order.yaml', / {2}- \{ when:/, '  - { wenn:', 'Did you mean "when"?'],
    ['entities/order.yaml', /starts_at: row/, 'start_at: row', 'Did you mean "starts_at"?'],
    ['company.yaml', /^languages: .*$/m, 'languages: [en, pt-PT]', 'Write pt-BR in `languages`'],
  ])('[BYO-22] tells for a slip in %s what was meant', async (file, from, to, told) => {
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace(from, to));
    const findings = await checkCompany(config());
    writeFileSync(path, before);
    const line = before.slice(0, before.search(from)).split('\n').length;
    expect(findings).toContainEqual(
      expect.objectContaining({ file: path, line, remedy: expect.stringContaining(told) }),
    );
  });

  it('[BYO-22] names an action that gives no reason, and what is wrong in the packs of a company', async () => {
    const path = join(folder, 'actions', 'cancel_order.yaml');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace('code: already_done', 'code: nothing_paid'));
    const pack = join(folder, 'skills', 'late');
    mkdirSync(pack, { recursive: true });
    writeFileSync(
      join(pack, 'skill.yaml'),
      'id: late\ndata_sources:\n  own: { kind: sqlite, database: vello, access: read }\n',
    );
    const findings = await checkCompany(config());
    rmSync(pack, { recursive: true });
    writeFileSync(path, before);
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        file: path,
        problem: expect.stringContaining('nothing_paid'),
      }),
    );
    const own = findings.filter(({ file }) => file.startsWith(pack));
    expect(own).toContainEqual(
      expect.objectContaining({ line: 3, remedy: 'Correct the name. Did you mean "velo"?' }),
    );
    expect(own.length).toBeGreaterThan(1);
  });

  it.each([
    ['a column', '{result.title}" came', '{result.titel}" came', 'Did you mean "title"?'],
    [
      'a place in a list',
      '{result.title}" came',
      '{result.rows[0].title}" came',
      'Name a column of a single row',
    ],
    ['an action', 'root_cause: damaged', ACTION('replace_goods', 'order_id'), 'cancel_order'],
    ['an input', 'root_cause: damaged', ACTION('cancel_order', 'oder_id'), 'Did you mean "order_id"?'],
  ])('[BYO-22] names %s that the tree of a pack names and there is not', async (_what, from, to, told) => {
    const path = join(folder, 'skills', 'damaged', 'decision_tree.yaml');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace(from, to));
    const findings = await checkCompany(config());
    writeFileSync(path, before);
    const own = findings.filter(({ file }) => file === path);
    expect(own).toEqual([expect.objectContaining({ remedy: expect.stringContaining(told) })]);
    expect(own[0]?.line).toBeGreaterThan(18);
  });

  it('[BYO-22] names the language in which a pack cannot say what it finds', async () => {
    const path = join(folder, 'skills', 'damaged', 'decision_tree.yaml');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace(/^( +)pt-BR: /m, '$1es: '));
    const findings = await checkCompany(config());
    writeFileSync(path, before);
    expect(findings).toMatchObject([
      { file: path, severity: 'warning', problem: '1 of its 2 messages are not there in pt-BR.' },
    ]);
  });

  it('[BYO-22] reaches a skill by its keywords alone, and names one that no message can reach', async () => {
    const hurt = await at.hub.say(ANA, 'My jacket came damaged, what now?');
    expect(hurt.reply).toBe('Sorry that "Rain jacket" came damaged. We send you a label for it.');
    const inPortuguese = await at.hub.say(ANA, 'O casaco que comprei chegou quebrado');
    expect(inPortuguese.reply).toContain('chegou danificado. Vamos enviar');
    expect((await at.hub.say(ANA, 'How long does delivery take?')).reply).toContain('two to four');
    const path = join(folder, 'skills', 'damaged', 'skill.yaml');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace(/triggers: .*/, 'triggers: { issue_categories: [order] }'));
    const findings = await checkCompany(config());
    writeFileSync(path, before);
    expect(findings).toMatchObject([{ file: path, line: 10, severity: 'warning' }]);
    expect(findings[0]?.problem).toContain('No message of a customer can reach the skill damaged');
  });

  it('[BYO-27] gives a skill the record that the words name, by its title or its id', async () => {
    expect((await at.hub.say(ANA, 'My blue backpack arrived damaged')).reply).toContain('"Blue backpack"');
    expect((await at.hub.say(ANA, 'ord_002 came damaged')).reply).toContain('"Walking boots"');
    expect((await at.hub.say(ANA, 'ord_004 came damaged')).reply).not.toContain('Camping stove');
  });

  it('[BYO-28] goes on with a skill by the reply to its question, and where its advice did not help', async () => {
    const asked = await at.hub.say(ANA, 'it wobbles');
    expect(asked.reply).toBe('Which of your orders is it?');
    const first = await at.hub.say(ANA, 'the walking boots', asked.threadId);
    expect(first.reply).toBe('Please tighten the screws of "Walking boots".');
    const next = await at.hub.say(ANA, 'it still does not work', asked.threadId);
    expect(next.reply).toBe('Then please send "Walking boots" to us.');
    const last = await at.hub.say(ANA, 'that did not help either', asked.threadId);
    expect(last.escalated).toBe(true);
  });

  it('[BYO-116] is glad where the reply to the question of a skill says that all is well now', async () => {
    const asked = await at.hub.say(ANA, 'it wobbles');
    const { reply, escalated } = await at.hub.say(ANA, 'yes, it works now, thanks!', asked.threadId);
    expect({ reply, escalated }).toEqual({ reply: 'I am glad that it works now.', escalated: false });
  });

  it('[BYO-29] takes a wish that names an own record for one, though an article has the title of it', async () => {
    expect((await at.hub.say(BEN, 'cancelling my camping stove')).reply).toContain('Shall I cancel "Camping');
    expect((await at.hub.say(ANA, 'how does cancelling work?')).reply).toContain('free of charge until');
  });

  it('[BYO-13] asks the tool of an MCP server with the customer of the session', async () => {
    const mcp = await connectMcp(at.hub, { as: ANA });
    expect(await mcp.call('where_is', { order_id: 'ord_001' })).toMatchObject({ data: { town: 'Porto' } });
    expect((await mcp.call('where_is', { order_id: 'ord_001', customer_id: 'c_02' })).isError).toBe(true);
    await mcp.close();
  });

  it('[BYO-13] has an MCP server make a change once, though it dies right after', async () => {
    const asked = await at.hub.say(BEN, 'insure my camping stove please');
    expect(asked.reply).toBe('Insure Camping stove?');
    writeFileSync(join(room, 'mode'), 'dies');
    const done = await at.hub.say(BEN, 'yes', asked.threadId);
    expect(done.reply).toBe('Insured: Camping stove, of ord_004.');
    expect(readFileSync(join(room, 'done'), 'utf8').split('\n')).toEqual([
      expect.stringMatching(/^c_02 ord_004 \S+$/),
      '',
    ]);
  });

  it.each([
    ['an error', 'fails'],
    ['an internal error of the protocol', 'breaks'],
  ])('[BYO-19] looks up what an MCP server did that answers %s afterwards', async (_what, mode) => {
    const before = readFileSync(join(room, 'done'), 'utf8').split('\n').length;
    const asked = await at.hub.say(BEN, 'insure my camping stove please');
    writeFileSync(join(room, 'mode'), mode);
    const done = await at.hub.say(BEN, 'yes', asked.threadId);
    expect(done.reply).toBe('Insured: Camping stove, of ord_004.');
    expect(readFileSync(join(room, 'done'), 'utf8').split('\n')).toHaveLength(before + 1);
  });

  it('[BYO-13] calls no tool that takes something else than when it was asked about, and says so', async () => {
    const asked = await at.hub.say(BEN, 'insure my camping stove please');
    writeFileSync(join(room, 'mode'), 'newer');
    process.kill(Number(readFileSync(join(room, 'pid'), 'utf8')));
    const before = readFileSync(join(room, 'done'), 'utf8');
    const refused = await at.hub.say(BEN, 'yes', asked.threadId);
    writeFileSync(join(room, 'mode'), '');
    expect(refused.reply).not.toMatch(/Insured/);
    expect(refused.reply.length).toBeGreaterThan(18);
    expect(readFileSync(join(room, 'done'), 'utf8')).toBe(before);
  });

  it('[BYO-13] is given tools drafted from an MCP server: read-only ones to look up, the others gated', async () => {
    const drafts = await importMcp(config(), null, { source: 'courier', identity: [], only: [] });
    expect(drafts).toMatchObject([
      { tool: 'where_is', kind: 'read', file: null },
      { tool: 'policy_of', kind: 'read' },
      { tool: 'insure', kind: 'action', identity: ['customer_id'], undecided: null },
    ]);
    const path = join(folder, 'actions', 'insure.yaml');
    expect(parse(readFileSync(path, 'utf8'))).toMatchObject({
      input: { order_id: { type: 'record', entity: 'order' } },
      perform: { tool: 'insure', args: { customer_id: '{customer_id}' }, repeatable: true },
    });
    expect(await checkCompany(config())).toEqual([]);
    rmSync(path);
  });

  it('[BYO-13] reads nothing from a tool that may change something, nor from a server that is not there', async () => {
    const of = (command: readonly string[]) =>
      openMcp(
        { name: 'courier', kind: 'mcp', command, env: { COURIER_ROOM: 'env:ROOM' }, retries: 0 },
        () => room,
      );
    const request = { method: 'READ', path: '/insure', body: {} };
    const limits = { signal: new AbortController().signal, maxRows: 1 };
    const there = of([process.execPath, COURIER]);
    await expect(there.request(request, limits)).rejects.toMatchObject({ code: 'source_rejected' });
    await there.close();
    const gone = of([join(room, 'nothing')]);
    await expect(gone.request(request, limits)).rejects.toMatchObject({ code: 'source_unavailable' });
    await gone.close();
  });

  it('[BYO-13] asks an MCP server over HTTP too, with its token from the environment', async () => {
    const scopes = ['account:read'] as const;
    const { token } = await at.hub.app.sessions.issueFor({ email: ANA }, { scopes });
    const spec = {
      name: 'hub',
      kind: 'mcp',
      url: `${at.url}/mcp`,
      auth: 'bearer',
      credentials: 'env:T',
    } as const;
    const limits = { signal: new AbortController().signal, maxRows: 1 };
    const server = openMcp(spec, () => token);
    const answer = await server.request({ method: 'READ', path: '/list_order', body: {} }, limits);
    await server.close();
    expect(JSON.stringify(answer)).toContain('Walking boots');
    const stranger = openMcp(spec, () => 'no token');
    const refused = stranger.request({ method: 'READ', path: '/list_order', body: {} }, limits);
    await expect(refused).rejects.toMatchObject({ code: 'source_rejected' });
    await stranger.close();
  });

  it('[BYO-14] exchanges several items of an order at once, with the difference on the method that is named', async () => {
    let holds = 5000;
    const mcp = await connectMcp(at.hub, {
      as: ANA,
      elicit: () => {
        at.hub.exec('velo', `UPDATE payment_methods SET balance_cents = ${holds} WHERE method_id = 'gift_2'`);
        return { action: 'accept', content: { confirm: true } };
      },
    });
    const exchange = (method_id: string, variants = ['v_l', 'g_l']) =>
      mcp.call('exchange_items', {
        order_id: 'ord_003',
        item_ids: ['i_1', 'i_2'],
        new_variant_ids: variants,
        method_id,
      });
    expect(JSON.parse((await exchange('gift_1')).text)).toMatchObject({
      error: { code: 'policy_denied', rule: 'too_little', said: 'The gift card holds less than that.' },
    });
    expect((await exchange('gift_2', ['g_l', 'v_l'])).text).toContain('policy_denied');
    expect((await exchange('nobody')).isError).toBe(true);
    // Between the question and the yes the gift card is used up.
    holds = 0;
    expect(JSON.parse((await exchange('gift_2')).text)).toMatchObject({
      error: { code: 'policy_denied', rule: 'too_little', said: 'The gift card holds less than that.' },
    });
    holds = 5000;
    at.hub.exec('velo', `UPDATE payment_methods SET balance_cents = 5000 WHERE method_id = 'gift_2'`);
    expect((await exchange('gift_2')).text).toContain('"difference_cents":700');
    expect(at.hub.query('velo', 'SELECT variant_id FROM order_items')).toEqual([
      { variant_id: 'v_l' },
      { variant_id: 'g_l' },
    ]);
    expect(at.hub.query('velo', 'SELECT method_id, balance_cents FROM payment_methods')).toEqual([
      { method_id: 'gift_1', balance_cents: 500 },
      { method_id: 'card_1', balance_cents: null },
      { method_id: 'gift_2', balance_cents: 4300 },
    ]);
    await mcp.close();
  });

  it('[BYO-14] books for several people, is told what is no day and what the tables forbid, and knows a customer by name and postal code where the company says so', async () => {
    expect(await at.hub.app.signIn('Ben Demo, P-c_02')).toMatchObject({ customerId: 'c_02' });
    await expect(at.hub.app.signIn('Ben Demo, P-c_01')).rejects.toMatchObject({
      code: 'customer_unknown',
      message: 'There is no customer "Ben Demo, P-c_01".',
    });
    await expect(at.hub.app.signIn('Two Demo, P')).rejects.toMatchObject({
      code: 'customer_unknown',
      message: expect.stringMatching(/^There are 2 customers "Two Demo, P".*address/),
    });
    const mcp = await connectMcp(at.hub, {
      as: BEN,
      elicit: () => ({ action: 'accept', content: { confirm: true } }),
    });
    const riders = [
      { name: 'Ben', insured: true },
      { name: 'Eva', insured: false },
    ];
    expect((await mcp.call('book_trip', { riders })).text).toContain('"total_cents":4500');
    for (const day of ['2012-13-45', '2026-02-30', '2027-02-29', '2026-00-10', '26-03-11'])
      expect((await mcp.call('book_trip', { riders, day })).text, day).toContain('input_invalid');
    expect(mcp.questions).toHaveLength(1);
    const { tools } = await mcp.client.listTools();
    expect(tools.find(({ name }) => name === 'book_trip')?.inputSchema.properties).toMatchObject({
      tip: { description: 'For the guide. In minor units of EUR, as a whole number: 1250 is EUR 12.50.' },
      day: { description: 'A day as YYYY-MM-DD.' },
    });
    const twice = await mcp.call('book_trip', { riders: [...riders, { name: 'Eva', insured: true }] });
    expect(twice).toMatchObject({ isError: true });
    expect(twice.text).toContain('constraint_failed');
    expect(twice.text).not.toMatch(/UNIQUE|riders\./);
    expect(at.hub.log.entries.filter(({ action }) => action === 'constraint_failed')).toMatchObject([
      { details: { tool: 'book_trip', reason: expect.stringContaining('UNIQUE') } },
    ]);
    await mcp.close();
    expect(at.hub.query('velo', 'SELECT customer_id, name, insured FROM riders')).toEqual([
      { customer_id: 'c_02', name: 'Ben', insured: 1 },
      { customer_id: 'c_02', name: 'Eva', insured: 0 },
    ]);
  });

  it('[BYO-03] shows and changes nothing of another customer, whoever calls', async () => {
    const foreign = await at.hub.say(BEN, 'cancel ord_003');
    expect(foreign.reply).not.toContain('Rain jacket');
    const mcp = await connectMcp(at.hub, { as: BEN });
    expect(await mcp.call('cancel_order', { order_id: 'ord_003' })).toMatchObject({ isError: true });
    const { tools } = await mcp.client.listTools();
    await mcp.close();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_order', 'next_delivery', 'cancel_order']),
    );
    const desk = await at.get('/api/desk/customers/c_01', await at.operator());
    expect(desk.body).toMatchObject({ sections: [{ id: 'order', label: 'Orders' }] });
  });

  it('[BYO-05] shows what a call would do on standard output, and takes the end of the input for no answer', async () => {
    const called = async (options: { readonly dryRun?: boolean }) => {
      const out = new PassThrough();
      const io = { in: Readable.from([]), out, err: new PassThrough() };
      const context = {
        config: config(),
        io,
        stop: new AbortController().signal,
      } as unknown as ConfigContext;
      const given = { as: BEN, input: '{"order_id":"ord_004"}', ...options };
      const code = await callCommand(context, 'cancel_order', given);
      return { code, printed: JSON.parse(String(out.read() ?? 'null')) };
    };
    expect(await called({ dryRun: true })).toMatchObject({
      code: 0,
      printed: {
        kind: 'dry_run',
        tool: 'cancel_order',
        asked: { en: { question: expect.stringContaining('Camping stove') } },
      },
    });
    expect(await called({})).toMatchObject({
      printed: { kind: 'refused', error: { code: 'confirmation_rejected' } },
    });
    expect(order('ord_004')).toEqual({ status: 'placed' });
  });

  it('[BYO-24] takes no record of another customer, in lists of objects neither, though every statement forgets whose it is', async () => {
    const orders = () => at.hub.query('velo', 'SELECT order_id, title FROM orders ORDER BY order_id');
    const before = orders();
    const given = (id: string) =>
      at.hub.exec('velo', `UPDATE orders SET customer_id = '${id}' WHERE order_id = 'ord_004'`);
    let asked = 0;
    const mcp = await connectMcp(at.hub, {
      as: BEN,
      elicit: () => {
        asked += 1;
        // Between the question and the yes the order becomes somebody else's.
        if (asked === 1) given('c_01');
        return { action: 'accept', content: { confirm: true } };
      },
    });
    const wrap = (ids: readonly string[], more = {}) =>
      mcp.call('wrap_orders', { presents: ids.map((order_id) => ({ order_id, words: 'For you' })), ...more });
    for (const refused of [
      await wrap(['ord_003']),
      await wrap(['ord_004', 'ord_003']),
      await wrap(['ord_004'], { together_with: 'ord_003' }),
      await wrap(['c_02']),
      await mcp.call('weight_of', { order_id: 'ord_003' }),
    ]) {
      expect(refused).toMatchObject({ isError: true });
      expect(refused.text).toContain('not_found');
      expect(refused.text).not.toContain('Rain jacket');
    }
    expect(asked).toBe(0);
    expect((await wrap(['ord_004'])).text).toContain('not_found');
    expect(asked).toBe(1);
    given('c_02');
    expect(orders()).toEqual(before);
    expect((await mcp.call('weight_of', { order_id: 'ord_004' })).text).toContain('Camping stove');
    expect((await wrap(['ord_004'])).isError).toBe(false);
    expect(orders()).toContainEqual({ order_id: 'ord_004', title: 'Camping stove (present)' });
    at.hub.exec('velo', `UPDATE orders SET title = 'Camping stove' WHERE order_id = 'ord_004'`);
    await mcp.close();
    const visitor = await connectMcp(at.hub);
    expect((await visitor.call('weight_of', { order_id: 'ord_004' })).text).toContain('not_signed_in');
    await visitor.close();
  });

  it('[BYO-24] says by line which record nobody knows the owner of, and takes one that is everybody’s', async () => {
    const town = join(folder, 'entities', 'town.yaml');
    const price = join(folder, 'reads', 'delivery_price.yaml');
    const before = readFileSync(price, 'utf8');
    const input = 'stops: { type: list, of: { type: record, entity: town }, optional: true }';
    writeFileSync(
      price,
      before
        .replace('input: {', `input:\n  ${input}\n  kilos: {`)
        .replace('{ kilos: {', '{')
        .replace('max: 50 } }', 'max: 50 }'),
    );
    writeFileSync(town, 'id: town\nnouns: { en: [town], pt-BR: [cidade] }\n');
    const unknown = await checkCompany(config());
    const records =
      'records: { read: { query: "SELECT 1 AS id", public: true }, label: { en: Towns, pt-BR: Cidades }, empty: { en: None, pt-BR: Nenhuma }, fields: { id: row.id, title: row.id } }\n';
    writeFileSync(town, `${readFileSync(town, 'utf8')}${records}`);
    const shared = await checkCompany(config());
    writeFileSync(price, before);
    rmSync(town);
    expect(unknown).toMatchObject([
      {
        file: price,
        severity: 'fault',
        problem: expect.stringContaining('whose it is'),
        remedy: expect.stringContaining('public: true'),
      },
    ]);
    expect(unknown[0]?.line).toBe(before.split('\n').findIndex((line) => line.startsWith('input:')) + 2);
    expect(shared.filter(({ severity }) => severity === 'fault')).toEqual([]);
  });

  it.each([
    ['reads/next_delivery.yaml', 'customer_id = {customer_id} AND ', '', /read\.next.*customer_id/],
    [
      'actions/cancel_order.yaml',
      'AND customer_id = {customer_id} AND status',
      'AND status',
      /perform\.sql\.0/,
    ],
    [
      'actions/cancel_order.yaml',
      '  order_id: { type',
      '  customer_id: { type: text }\n  order_id: { type',
      /input/,
    ],
    ['actions/cancel_order.yaml', "order.status == 'cancelled'", "order.status == 'cancelled", /not valid/],
    ['customers.yaml', 'by_email:', 'by_mail:', /by_email/],
    ['entities/order.yaml', 'query:', 'source: nowhere, query:', /nowhere/],
  ])(
    '[BYO-03] refuses %s where it is not held to the customer or cannot be read',
    async (file, from, to, told) => {
      const path = join(folder, file);
      const before = readFileSync(path, 'utf8');
      expect(before).toContain(from);
      writeFileSync(path, before.replace(from, to));
      const findings = await checkCompany(config());
      writeFileSync(path, before);
      expect(findings.map((one) => `${one.file} ${one.problem}`).join('\n')).toMatch(told);
      expect(findings.some(({ severity, file: named }) => severity === 'fault' && named === path)).toBe(true);
    },
  );

  it('[BYO-04] fits its language layer by itself, and again only where its files have changed', async () => {
    const model = join(folder, 'intents', 'model.bin');
    const before = statSync(model).mtimeMs;
    const said: string[] = [];
    await readResources(config(), (line) => said.push(line));
    expect(statSync(model).mtimeMs).toBe(before);
    expect(said).toEqual([]);
    const sentences = join(folder, 'intents', 'utterances.en.jsonl');
    writeFileSync(
      sentences,
      `${JSON.stringify({ text: 'get rid of that thing', intent: 'cancel_order' })}\n`,
    );
    const fitted = readFileSync(model);
    const { nlu } = await readResources(config(), (line) => said.push(line));
    rmSync(sentences);
    writeFileSync(model, fitted);
    expect(said).toEqual([expect.stringContaining('its files have changed')]);
    expect(nlu.classifyIntent('get rid of that thing').intent).toBe('cancel_order');
  });

  it('[BYO-04] is stale where the sentences change that the engine brings', () => {
    const { nlu } = loadCompany(folder);
    const [engine, other] = [join(room, 'engine'), join(room, 'engine-other')];
    for (const [at, text] of [
      [engine, 'hi'],
      [other, 'hello'],
    ] as const) {
      mkdirSync(at);
      writeFileSync(join(at, 'engine-utterances.en.jsonl'), `{"text":"${text}","intent":"greeting"}\n`);
    }
    expect(contentOf(nlu, ['en'], engine)).not.toBe(contentOf(nlu, ['en'], other));
  });

  it('[BYO-04] takes sentences of the intents that follow from its tools, and keeps those that follow beside them', async () => {
    const rows = join(folder, 'intents', 'utterances.en.jsonl');
    const table = join(folder, 'intents', 'intents.yaml');
    const countOf = async (intent: string) =>
      (await companyOverview(config())).intents.find(({ name }) => name === intent)?.sentences.en ?? 0;
    const derived = await countOf('cancel_order');
    writeFileSync(
      rows,
      ['list_order', 'cancel_order', 'lst_order']
        .map((intent) => `{"text":"where is my stuff","intent":"${intent}"}\n`)
        .join(''),
    );
    const strange = (await checkCompany(config())).map(({ line, problem }) => `${line} ${problem}`);
    writeFileSync(
      table,
      'intents: [{ name: drop_it, group: action, issue_type: order, route: action, needs_sign_in: true, tool: cancel_order, entity: order }]',
    );
    writeFileSync(rows, '{"text":"drop it","intent":"drop_it"}\n');
    const [own, findings] = [await countOf('drop_it'), await checkCompany(config())];
    rmSync(rows);
    rmSync(table);
    expect(strange).toEqual(['3 There is no intent "lst_order".']);
    expect(own).toBe(derived + 1);
    expect(findings).toEqual([]);
  });

  it('[BYO-05] is shown as the hub understands it', async () => {
    const { entities, tools, intents } = await companyOverview(config());
    expect(entities).toEqual([
      { id: 'order', listed_by: 'list_order', attributes: ['when', 'paid', 'status'] },
    ]);
    expect(tools).toContainEqual({
      ...{ name: 'cancel_order', effect: 'irreversible', gate: 'customer' },
      ...{ agents: ['action'], input: ['order_id'] },
    });
    const cancel = intents.find(({ name }) => name === 'cancel_order');
    expect(cancel).toMatchObject({ route: 'action', tool: 'cancel_order' });
    expect(Object.values(cancel?.sentences ?? {}).every((count) => count > 0)).toBe(true);
  });

  it('[BYO-05] is shown with the intents that a language has no sentence for', async () => {
    const table = join(folder, 'intents', 'intents.yaml');
    writeFileSync(
      table,
      'intents: [{ name: warranty, group: knowledge, issue_type: order, route: knowledge, sentences: { en: [how long is the warranty] } }]',
    );
    const out = new PassThrough();
    const err = new PassThrough();
    const io = { in: Readable.from([]), out, err } as unknown as ConfigContext['io'];
    const context = { config: config(), io, stop: new AbortController().signal };
    const [{ gaps }] = [await companyOverview(config()), await showCommand(context, {})];
    rmSync(table);
    expect(gaps).toEqual({ en: [], 'pt-BR': ['warranty'] });
    expect(String(out.read())).toMatch(/^warranty +knowledge +- +1 +gap$/m);
    expect(String(err.read())).toContain('pt-BR has no sentence for warranty');
  });

  it('[BYO-06] gives a customer’s data out, and forgets the person', async () => {
    await at.close();
    const privacy = await openPrivacy(config());
    const exported = await privacy.export(ANA);
    expect(exported.velo).toMatchObject({ orders: [{ order_id: 'ord_001' }, {}, {}] });
    const report = await privacy.erase(ANA);
    await privacy.close();
    expect(report.status).toBe('erased');
    expect(report.proof.leftovers).toEqual([]);
    at = await openServer({ dataDir, env });
    await expect(at.hub.app.signIn(ANA)).rejects.toMatchObject({ code: 'customer_unknown' });
    expect(at.hub.query('velo', 'SELECT count(*) AS count FROM orders')).toEqual([{ count: 4 }]);
  });
});
