import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, startHttpServer, type TestHttpServer } from '../support/http-server.js';
import { type Finished, finished, makeFolder, runCli, runHere, startCli } from './cli-process.js';
import { atTheDoor, writePack } from './skill-packs.js';

const folder = makeFolder();
const { dataDir } = folder;
const packs = join(folder.path, 'packs');
const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
/** A reservation of Ana's. */
const RESERVATION = '{"reservation_id": "res_001"}';
let venue: TestHttpServer;
const env = () => ({ HUB_SKILLS_DIR: packs, VENUE_URL: venue.url });
const skill = (...args: readonly string[]) => runHere('skill', args, { dataDir, env: env() });
/** The same in a process of its own. */
const elsewhere = (...args: readonly string[]) => runCli('skill', args, { dataDir, env: env() });
const FAULT = expect.stringMatching(/^error: [^\n]+\n$/);

/** Begins a run that waits for a person. */
async function waiting(): Promise<string> {
  const { code, out, err } = await skill('run', 'at_the_door', '--input', RESERVATION, '--json');
  expect(code, err).toBe(0);
  const run = JSON.parse(out);
  expect(run).toMatchObject({ status: 'waiting', handoff: { at: 'look', trigger: 'low_confidence' } });
  return run.run_id;
}

function answer(runId: string, choice: string, ...more: readonly string[]): Promise<Finished> {
  return skill('run', '--resume', runId, '--choose', choice, '--json', ...more);
}

beforeAll(async () => {
  venue = await startHttpServer((_request, response) => json(response, { open: false }));
  writePack(packs, 'at_the_door', atTheDoor());
  expect((await skill('stats')).out).toBe('No skill has run yet.\n');
});
afterAll(async () => {
  await venue.close();
  folder.remove();
});

describe('npm run skill -- run', () => {
  test('[SKD-83] takes a request in plain words, and has the skills run that it needs', async () => {
    const dirs = { HUB_SKILLS_DIR: `${packs}:${join(process.cwd(), 'skills')}`, VENUE_URL: venue.url };
    const run = (...args: readonly string[]) => runHere('skill', ['run', ...args], { dataDir, env: dirs });
    const found = await run('--text', 'I was turned away', '--fact', 'reservation_id=res_001', '--json');
    expect(JSON.parse(found.out), found.err).toMatchObject({
      skill_id: 'handle_request',
      status: 'waiting',
      handoff: { at: 'look', trigger: 'low_confidence', skill_id: 'at_the_door' },
    });
    const none = await run('--text', 'Good morning');
    expect(none).toMatchObject({ code: 1, out: expect.stringContaining('No skill is certain to fit') });
    for (const wrong of [
      ['at_the_door', '--text', 'I was turned away'],
      ['at_the_door', '--fact', 'a=b'],
    ])
      expect(await run(...wrong)).toMatchObject({ code: 2, err: FAULT });
  });

  test('[SKX-01 SKT-07] prints what was found, and the same as JSON from standard input', async () => {
    const text = await skill('run', 'at_the_door', '--input', '{"reservation_id": "res_\\u001b[31mnone"}');
    expect(text.code, text.err).toBe(0);
    expect(text.out).toMatch(/no_booking.*0\.95/);
    expect(text.out).toMatch(/create_booking/);
    expect(text.out).toMatch(/Path +look\n/);
    expect(text.out).not.toContain('\u001b');
    const piped = await runCli('skill', ['run', 'at_the_door', '--input', '-', '--json', '--version', '^1'], {
      dataDir,
      env: env(),
      input: '\uFEFF{"reservation_id": "nothing"}',
    });
    expect(JSON.parse(piped.out)).toMatchObject({
      skill_id: 'at_the_door',
      skill_version: '1.0.0',
      status: 'done',
      kind: 'investigation',
      result: { root_cause: 'no_booking', path: ['look'], recommended_action: { action: 'create_booking' } },
    });
  });

  test('[SKX-02 SKT-06] asks in one process and goes on in another', async () => {
    const asked = await elsewhere('run', 'at_the_door', '--input', RESERVATION);
    expect(asked.code, asked.err).toBe(0);
    const command = /npm run skill -- (run --resume (\S+) --choose B)\n/.exec(asked.out);
    expect(asked.out).toMatch(/A +Accept the finding: booking_looks_fine/);
    expect(asked.out).toContain('Ask the customer for the ticket.');
    expect(command).not.toBeNull();
    const runId = command?.[2] ?? '';
    const open = await skill('runs', '--json');
    expect(JSON.parse(open.out)).toContainEqual(
      expect.objectContaining({ run_id: runId, status: 'waiting' }),
    );
    const goneOn = await skill(...(command?.[1] ?? '').split(' '));
    expect(goneOn.code, goneOn.err).toBe(0);
    expect(goneOn.out).toMatch(/door_was_closed.*0\.90/);
    expect(goneOn.out).toMatch(/Path +look > ask_venue/);
    expect(await answer(runId, 'A')).toMatchObject({ code: 1, out: '', err: FAULT });
  });

  test('[SKX-02 SKT-04] survives kill -9 of who asked, and of who answered', async () => {
    const options = { dataDir, env: env() };
    const asking = startCli('skill', ['run', 'at_the_door', '--input', RESERVATION, '--json'], options);
    const [first] = (await once(asking.stdout.setEncoding('utf8'), 'data')) as [string];
    asking.kill('SIGKILL');
    expect((await finished(asking)).code).toBe(137);
    const runId = /"run_id": "([^"]+)"/.exec(first)?.[1] ?? '';
    // The venue takes the request and says nothing, so that the answer dies on its way.
    const reached = new Promise<void>((resolve) => venue.answer(() => resolve()));
    const answering = startCli('skill', ['run', '--resume', runId, '--choose', 'b'], options);
    await reached;
    answering.kill('SIGKILL');
    expect((await finished(answering)).code).toBe(137);
    venue.answer((_request, response) => json(response, { open: false }));
    const { code, out, err } = await answer(runId, 'B');
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      status: 'done',
      result: { root_cause: 'door_was_closed', path: ['look', 'ask_venue'], handoffs: [{ choice: 'B' }] },
    });
  });

  test('[SKX-02] lets one of several answers win that come at once', async () => {
    const runId = await waiting();
    const choices = ['A', 'B', 'C'];
    const all = await Promise.all(
      choices.map((choice) => elsewhere('run', '--resume', runId, '--choose', choice, '--json')),
    );
    const won = all.filter(({ code }) => code === 0);
    expect(won, all.map(({ err }) => err).join('')).toHaveLength(1);
    expect(JSON.parse(won[0]?.out ?? '')).toMatchObject({ run_id: runId, status: 'done' });
    for (const { code, err } of all) if (code !== 0) expect({ code, err }).toEqual({ code: 1, err: FAULT });
  });

  test('[SKX-05] goes on with the version it began with', async () => {
    const runId = await waiting();
    writePack(packs, 'at_the_door', atTheDoor('2.0.0', 'changed_meanwhile'));
    const { out, err } = await answer(runId, 'A');
    expect(JSON.parse(out), err).toMatchObject({
      skill_version: '1.0.0',
      result: { root_cause: 'booking_looks_fine' },
    });
    writePack(packs, 'at_the_door', atTheDoor());
  });

  test('[SKS-05] on behalf of a customer sees that customer only, and nobody else answers it', async () => {
    const as = (email: string) =>
      skill('run', 'at_the_door', '--input', RESERVATION, '--json', '--as', email);
    const [own, other, nobody] = await Promise.all([as(ANA), as(BRUNO), as('nobody@example.com')]);
    expect(JSON.parse(own.out)).toMatchObject({ status: 'waiting' });
    expect(JSON.parse(other.out), other.out).toMatchObject({
      status: 'done',
      result: { root_cause: 'no_booking' },
    });
    expect(nobody).toMatchObject({ code: 2, out: '', err: FAULT });
    const { run_id } = JSON.parse(own.out);
    const stranger = await answer(run_id, 'A', '--as', BRUNO);
    expect(stranger).toMatchObject({ code: 1, out: '', err: FAULT });
    expect(JSON.parse((await answer(run_id, 'A', '--as', ANA)).out)).toMatchObject({ status: 'done' });
  });

  test('[SKB-03] names what is wrong, with the right code', async () => {
    const list = join(folder.path, 'list.json');
    writeFileSync(list, '[1, 2]');
    const runId = await waiting();
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['run', 'nothing', '--input', '{}'], 1, /nothing/],
      [['run', 'at_the_door', '--input', RESERVATION, '--version', '9.9.9'], 1, /9\.9\.9.*1\.0\.0/],
      [['run', 'at_the_door', '--input', '{"reservation_id": 5}'], 2, /reservation_id/],
      [['run', 'at_the_door', '--input', '{oops'], 2, /--input/],
      [['run', 'at_the_door', '--input', `@${list}`], 2, /list\.json/],
      [['run', 'at_the_door', '--input', '@/nowhere.json'], 2, /nowhere\.json/],
      [['run'], 2, /ID/],
      [['run', '--resume', runId], 2, /--choose/],
      [['run', '--resume', runId, '--choose', 'Z'], 1, /Z.*A .*B .*C /],
      [['run', '--resume', 'run_nothing', '--choose', 'A'], 1, /run_nothing/],
    ];
    for (let at = 0; at < cases.length; at += 4) {
      const few = cases.slice(at, at + 4);
      const ends = await Promise.all(few.map(([args]) => skill(...args)));
      for (const [index, { code, out, err }] of ends.entries()) {
        const [args, wanted, words] = few[index] ?? [[], 0, /./];
        expect({ args, code, out, err }).toEqual({ args, code: wanted, out: '', err: FAULT });
        expect(err).toMatch(words);
      }
    }
    expect(JSON.parse((await answer(runId, 'C')).out)).toMatchObject({ result: { partial: true } });
  });
});

describe('npm run skill, tests, routes and figures', () => {
  test('[SKX-01] runs test cases and says what differs', async () => {
    expect(await skill('test', 'at_the_door')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^ok +at_the_door 1\.0\.0 +there is no such reservation .*\n1 case, all passed\n$/,
      ),
    });
    const wrong = join(folder.path, 'wrong');
    mkdirSync(wrong);
    const files = atTheDoor();
    const expected =
      files['test_cases/none.yaml']?.replace('no_booking, path: [look]', 'bad_luck, path: [luck]') ?? '';
    writePack(wrong, 'at_the_door', {
      ...files,
      'test_cases/none.yaml': expected.replace('[luck]', '[ask_venue]'),
    });
    const { code, out } = await runHere('skill', ['test'], { dataDir, env: { HUB_SKILLS_DIR: wrong } });
    expect(code).toBe(1);
    expect(out).toMatch(/^FAIL +at_the_door/);
    expect(out).toContain('root_cause: expected "bad_luck", got "no_booking"');
    expect(out).toContain('path: expected ["ask_venue"], got ["look"]');
    expect(out).toMatch(/1 case, 1 failed\n$/);
  });

  test('[SKD-86] drafts a pack from a written procedure and says who read it', async () => {
    const written = join(folder.path, 'parcel.md');
    writeFileSync(
      written,
      '# Late parcel\n\n1. Look the order up. If it is unknown, ask again.\n2. Ring the carrier\n',
    );
    const dir = join(folder.path, 'drafts');
    const drafted = await skill('new', 'late_parcel', '--from', written, '--dir', dir);
    expect(drafted).toMatchObject({
      code: 0,
      out: expect.stringContaining(join('late_parcel', 'skill.yaml')),
    });
    expect(drafted.err).toContain('Rules drafted it, and not the model: there is no model (offline).');
    expect(await skill('validate', dir)).toMatchObject({ code: 0, out: '1 pack, no fault\n' });
  });

  test('[SKX-01 SKR-01] tells where a request would go', async () => {
    const { out } = await skill('route', 'I was turned away', '--category', 'reservation', '--json');
    expect(JSON.parse(out)).toMatchObject({
      kind: 'run',
      by: 'rule',
      skills: [{ skill_id: 'at_the_door', version: '1.0.0' }],
    });
  });

  test('[SKD-14] on behalf of a customer fills in who they are, in place of what was typed', async () => {
    const typed = JSON.stringify({ message: 'I was charged twice', customer: { user_id: 'usr_999' } });
    const args = ['run', 'resolve_ticket', '--as', ANA, '--json', '--input'];
    const [own, spoofed] = await Promise.all(
      ['{"message": "I was charged twice"}', typed].map((input) =>
        runHere('skill', [...args, input], { dataDir }),
      ),
    );
    for (const { code, out, err } of [own, spoofed].map((one) => one ?? { code: -1, out: '', err: '' })) {
      expect(code, err).toBe(0);
      const { detailed_results: steps } = JSON.parse(out).result;
      const draft = steps.find(({ step }: { step: string }) => step === 'draft');
      expect(draft).toMatchObject({ status: 'done', output: { reply: expect.stringContaining('Ana') } });
    }
  });

  test('[SKD-15] finds a new pack by the words of its name', async () => {
    const made = await skill('new', 'late_parcel', '--type', 'decision_tree', '--dir', packs);
    expect(made.code, made.err).toBe(0);
    for (const text of ['my parcel is late', 'a late parcel', 'parcel late again']) {
      const { out } = await skill('route', text, '--json');
      expect(JSON.parse(out)).toMatchObject({ kind: 'run', skills: [{ skill_id: 'late_parcel' }] });
    }
  });

  test('[SKD-17] looks at facts where a request is routed', async () => {
    const files = atTheDoor();
    const conditions =
      'triggers: { conditions: ["load.mode == \'OCEAN\'", "load.count > 1"], keywords: [vessel] }';
    const descriptor = files['skill.yaml']
      ?.replace(/triggers:.*/, conditions)
      .replace('id: at_the_door', 'id: ship');
    writePack(packs, 'ship', { ...files, 'skill.yaml': descriptor ?? '' });
    const route = async (...facts: readonly string[]) => {
      const given = facts.flatMap((fact) => ['--fact', fact]);
      return JSON.parse((await skill('route', 'where is the vessel', '--json', ...given)).out);
    };
    expect(await route('load.mode=OCEAN', 'load.count=2')).toMatchObject({ skills: [{ skill_id: 'ship' }] });
    expect(await route('load.mode=ROAD', 'load.count=2')).toMatchObject({ kind: 'none' });
    expect(await skill('route', 'vessel', '--fact', 'OCEAN')).toMatchObject({ code: 2, err: FAULT });
  });

  test('[SKX-04] shows what each version took', async () => {
    const stats = JSON.parse((await skill('stats', '--json')).out);
    expect(stats).toContainEqual(
      expect.objectContaining({ skill_id: 'at_the_door', skill_version: '1.0.0', failed: 0 }),
    );
    const own = stats.find((one: { skill_id: string }) => one.skill_id === 'at_the_door');
    expect(own.uses).toBeGreaterThan(5);
    expect(own.handoffs).toBeGreaterThan(3);
    expect(own.api_calls).toBeGreaterThan(5);
    expect(own.accuracy).toBeGreaterThan(0);
    expect((await skill('stats')).out).toMatch(/^SKILL +VERSION +USES[\s\S]*at_the_door +1\.0\.0/);
  });
});
