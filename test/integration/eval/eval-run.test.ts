import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { startOpenAiServer } from '../../support/openai-server.js';
import { form, PROMPT } from '../online/support.js';
import { evalFolder } from './eval-command.js';

const folder = evalFolder();
afterAll(() => folder.remove());

const ANA = 'ana.souza@example.com';
const CUSTOMER = /^You play a customer/;
const CANCELS = {
  category: 'changes',
  customer: ANA,
  turns: [{ say: 'Cancel my reservation for the Samba Night' }, { when_asked: 'confirm', say: 'yes' }],
  expect: { tools: { called: ['cancel_reservation'] } },
};
const FAILS = {
  category: 'facts',
  turns: [{ say: 'How do I reset my password? <b>&', expect: { contains: ['a word that no article has'] } }],
};
const SIMULATED = {
  category: 'facts',
  goal: 'Learn how to <choose> a new password.',
  persona: 'A pensioner who writes little.',
  expect: { articles: ['kb-reset-password-en'] },
};

describe('npm run eval', () => {
  test('[EVAL-01] a broken file is refused with file, line, what is wrong and what is allowed', async () => {
    const broken = folder.write(
      'broken.yaml',
      [
        'suite: broken',
        'scenarios:',
        '  - { id: a, category: c, language: en, about: "", turns: [{ say: hi, expect: { escalated: never } }] }',
        '  - id: b',
        '    category: c',
        '    language: en',
        '    about: x',
        '    turns:',
        '      - say: hello',
        '        or_skip: true',
        '    expect: { opens: nothing }',
      ].join('\n'),
    );
    const shape = await folder.run([broken]);
    expect(shape.code).toBe(2);
    const lines = shape.err.replaceAll(broken, 'F').split('\n');
    expect(lines[0]).toMatch(/^F:3: scenarios\.0\.about: Too small/);
    expect(shape.err).toMatch(/:3: scenarios\.0\.turns\.0\.expect\.escalated: .*"low_confidence"/);
    expect(shape.err).toMatch(/:9: scenarios\.1\.turns\.0: has or_skip without when_asked/);
    expect(shape.err).toMatch(/:11: scenarios\.1\.expect: .*"opens"/);
    expect(shape.err).toContain('correct what the lines above say (5)');

    const names = folder.suite('names', {
      one: { customer: 'nobody@example.com', turns: [{ say: 'hi', expect: { articles: ['kb-none'] } }] },
      two: {
        language: 'fr',
        turns: [{ say: 'hi' }],
        expect: {
          database: [
            { table: 'reservation', where: {}, none: true },
            { table: 'users', where: { mail: 1 }, none: true },
          ],
          unchanged: ['money'],
          tools: { called: ['cancel'] },
        },
      },
    });
    const unknown = await folder.run([names]);
    expect(unknown.code).toBe(2);
    for (const what of [
      /names\.yaml:7: there is no customer "nobody@example\.com"/,
      /there is no language "fr"; there are: .*pt-BR/,
      /there is no article "kb-none"/,
      /there is no table "reservation"; there are: .*reservations/,
      /there is no column of users "mail"; there are: .*email/,
      /there is no table "money"/,
      /there is no tool "cancel"; there are: .*cancel_reservation/,
    ])
      expect(unknown.err).toMatch(what);

    const nothing = folder.suite('nothing', {
      quiet: { turns: [{ say: 'hi' }] },
      both: { ...CANCELS, goal: 'x' },
    });
    const empty = await folder.run([nothing]);
    expect(empty.err).toMatch(/nothing\.yaml:3: scenarios\.0: expects nothing: it could not fail/);
    expect(empty.err).toMatch(/scenarios\.1: needs either turns, or goal and persona/);
    const twice = await folder.run([
      folder.suite('x', { same: CANCELS }),
      folder.suite('y', { same: CANCELS }),
    ]);
    expect(twice.err).toMatch(/y\.yaml:3: the id "same" is taken by .*x\.yaml:3/);
    const none = await folder.run(['no-such-suite']);
    expect(none.err).toMatch(/There is no suite or file "no-such-suite"; the suites of/);
    const filtered = await folder.run([folder.suite('z', { only: CANCELS })], { filter: 'nothing has this' });
    expect(filtered.err).toMatch(/There is no scenario with "nothing has this"/);
  });

  test('[EVAL-03 EVAL-05 EVAL-06 EVAL-07] runs are apart, reported, compared, and nothing is passed that was not played', async () => {
    const suite = folder.suite('some', { cancels: CANCELS, fails: FAILS, simulated: SIMULATED });
    const out = folder.file('results');
    // A second cancellation of the same booking on the same data would be refused.
    const done = await folder.run([suite], { k: 3, out });
    const report = done.report();
    expect(done.code).toBe(0);
    expect(report.scenarios).toMatchObject([
      { id: 'cancels', passed: 3, runs: 3, category: 'changes', agents: ['action'] },
      { id: 'fails', passed: 0, runs: 3 },
    ]);
    expect(report.skipped).toEqual(['simulated']);
    expect(report.figures).toMatchObject({
      all: { scenarios: 2, pass_at_1: 0.5, pass_all_k: 0.5 },
      by_category: { changes: { pass_at_1: 1 }, facts: { scenarios: 1, pass_at_1: 0 } },
      by_language: { en: { scenarios: 2 } },
      by_agent: { action: { pass_all_k: 1 }, knowledge: { pass_all_k: 0 } },
      turns: 9,
      llm_calls: 0,
      cost_usd: 0,
    });

    const page = readFileSync(`${out}/report.html`, 'utf8');
    expect(page).toContain('id="fails"');
    expect(page).not.toContain('id="cancels"');
    expect(page).toContain('How do I reset my password? &lt;b&gt;&amp;');
    expect(page).not.toContain('password? <b>');
    expect(page).toMatch(/<details class="step blamed" open><summary>retrieval/);
    expect(page).toContain('These need a model to play their customers: simulated.');
    expect(page).not.toMatch(/<script|https?:\/\//);

    const same = await folder.run([suite], { baseline: `${out}/report.json`, json: false });
    expect(same.code).toBe(0);
    expect(same.out).toMatch(/baseline +\S+report\.json, 2 scenarios in both: not undercut/);
    expect(same.out).toMatch(/^all +2 +50\.0 % +50\.0 % +50\.0 % +0\.0$/m);
    expect(same.out).toMatch(/^skipped +1: .*simulated$/m);
    expect(same.out).toMatch(/^fails +retrieval +1 /m);

    const reached = JSON.parse(readFileSync(`${out}/baseline.json`, 'utf8'));
    const better = { ...reached, scenarios: reached.scenarios.map((one: object) => ({ ...one, passed: 3 })) };
    const fallen = await folder.run([suite], {
      baseline: folder.write('better.json', JSON.stringify(better)),
    });
    expect(fallen.code).toBe(1);
    expect(fallen.report().baseline).toMatchObject({
      undercut: ['all', 'category facts', 'language en'],
      worse: ['fails'],
    });
    const wrong = await folder.run([suite], { baseline: folder.write('wrong.json', '{"k":0}') });
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.err).toMatch(/wrong\.json is no baseline/);
  });

  test('[EVAL-03] another company is evaluated on its own data', async () => {
    const suite = folder.suite('gear', {
      lists: {
        customer: 'priya@example.com',
        turns: [{ say: 'what are my bookings?', expect: { asks: 'nothing', escalated: false } }],
        expect: { unchanged: 'all' },
      },
    });
    const done = await folder.run([suite], {}, { HUB_COMPANY: './test/companies/gearhouse' });
    expect(done.report()).toMatchObject({ company: 'gearhouse', scenarios: [{ id: 'lists', passed: 1 }] });
    const mistaken = await folder.run([suite]);
    expect(mistaken.err).toContain('there is no customer "priya@example.com"');
  });

  test('[EVAL-07 EVAL-08] with a model, calls, tokens and cost are counted, and it plays customers', async () => {
    const server = await startOpenAiServer();
    const question = 'How do I reset my password?';
    server
      .reply({ text: question }, CUSTOMER)
      .reply(form([[question, 'knowledge']]), PROMPT.triage)
      .reply({ text: 'Tap "Forgot my password" [kb-reset-password-en].' }, PROMPT.knowledge)
      .reply({ text: '[end]' }, CUSTOMER);
    const env = {
      HUB_MODEL_PROVIDER: 'openai',
      OPENAI_BASE_URL: server.url,
      HUB_EMBEDDING_PROVIDER: 'local',
      HUB_PRICE_INPUT_PER_MTOK: '1',
      HUB_PRICE_OUTPUT_PER_MTOK: '1',
    };
    const done = await folder.run([folder.suite('sim', { simulated: SIMULATED })], { concurrency: 1 }, env);
    await server.close();
    const { figures, ...report } = done.report();
    expect(report).toMatchObject({
      provider: 'openai',
      skipped: [],
      failed: [],
      scenarios: [{ id: 'simulated', passed: 1, runs: 1 }],
    });
    // What the customer's model costs is not the hub's.
    expect(figures).toMatchObject({ llm_calls: 2, turns: 1 });
    expect(figures.prompt_tokens).toBeGreaterThan(100);
    expect(figures.cost_per_solved_usd).toBeGreaterThan(0);
    const said = server.requests
      .filter(({ system }) => CUSTOMER.test(system))
      .map(({ body }) => JSON.stringify(body));
    expect(said).toHaveLength(2);
    expect(said[0]).toContain('Who you are: A pensioner who writes little.');
    expect(said[0]).toContain('What you want: Learn how to <choose> a new password.');
    expect(said[0]).toContain('in English');
    expect(said[0]).not.toContain('Forgot my password');
    expect(said[1]).toContain('Forgot my password');

    const failing = await startOpenAiServer();
    failing.otherwise(() => ({ kind: 'status', status: 400, message: 'no such model' }));
    const broken = await folder.run([folder.file('sim.yaml')], {}, { ...env, OPENAI_BASE_URL: failing.url });
    await failing.close();
    expect(broken.report().failed).toMatchObject([
      {
        id: 'simulated',
        blame: { step: 'simulator' },
        failures: [expect.stringContaining('could not go on')],
      },
    ]);
  });
});
