import { describe, expect, it } from 'vitest';
import type { SkillCaller } from '../../../../src/core/domain/skill.js';
import { HubError } from '../../../../src/core/errors.js';
import type { SkillEvent } from '../../../../src/core/ports/index.js';
import { createMemoryRunStore } from '../../../../src/skills/run/detached-runs.js';
import { answering, loadPack, openEngine } from '../../../support/skill-engine.js';
import { both, door, echo, mirror } from './packs.js';

const OPERATOR: SkillCaller = { kind: 'operator', operatorId: 'op_1' };
const ANA: SkillCaller = { kind: 'customer', customerId: 'usr_ana' };
const EVE: SkillCaller = { kind: 'customer', customerId: 'usr_eve' };
const never = () => new Promise<never>(() => undefined);
const nobody = answering({ shop: [] });

describe('[SKD-03] a skill is found', () => {
  it('by its id and version; the newest where none is named', async () => {
    const { skills } = openEngine({ packs: [door('1.2.0'), door('1.10.0', 'other'), echo()] });
    expect(skills.list().map(({ id, version }) => `${id} ${version}`)).toEqual(['door 1.10.0', 'echo 1.0.0']);
    expect(skills.get('door', '~1.2.0').version).toBe('1.2.0');
    const run = await openEngine({
      packs: [door('1.2.0'), door('1.10.0', 'other')],
      sources: nobody,
    }).skills.run({
      skillId: 'door',
      version: '1.2.0',
      input: { booking: 'b' },
      caller: OPERATOR,
    });
    expect(run).toMatchObject({ skillVersion: '1.2.0', status: 'done' });
    expect(run.result).toMatchObject({ kind: 'investigation', value: { root_cause: 'no_booking' } });
  });

  it('and where it is not, that is said before anything is stored', async () => {
    const store = createMemoryRunStore();
    const { skills } = openEngine({ packs: [door()], store });
    const call = { skillId: 'dor', input: {}, caller: OPERATOR, runId: 'r1' };
    await expect(skills.run(call)).rejects.toMatchObject({ code: 'skill_unknown' });
    await expect(skills.run({ ...call, skillId: 'door', version: '7.0.0' })).rejects.toMatchObject({
      code: 'skill_unknown',
    });
    expect(await store.get('r1')).toBeNull();
    expect(skills.pick({ text: 'I was turned away' })).toMatchObject({ kind: 'one' });
  });
});

describe('[SKB-03] input', () => {
  it.each([
    [{}, /booking/],
    [{ booking: 7 }, /booking.*string/],
    [{ booking: '' }, /booking/],
  ])('%j is refused with the name of the field', async (input, words) => {
    const { skills } = openEngine({ packs: [door()] });
    const refused = skills.run({ skillId: 'door', input, caller: OPERATOR });
    await expect(refused).rejects.toMatchObject({ code: 'input_invalid' });
    await expect(refused).rejects.toThrow(words);
  });

  it('gets the defaults of its schema', async () => {
    const { skills } = openEngine({ packs: [echo()] });
    const run = await skills.run({ skillId: 'echo', input: { text: 'hi' }, caller: OPERATOR });
    expect(run.result).toEqual({ kind: 'plain', value: { text: 'hi', times: 1 } });
  });
});

describe('[SKX-05] a run', () => {
  it('is stored with what it took', async () => {
    const { skills, store } = openEngine({ packs: [door()], sources: nobody });
    const run = await skills.run({
      skillId: 'door',
      input: { booking: 'b1' },
      caller: ANA,
      runId: 'r1',
      ticketId: 'tkt_1',
    });
    expect(run).toMatchObject({
      runId: 'r1',
      status: 'done',
      usage: { steps: 1, api_calls: 1, llm_calls: 0 },
    });
    expect(await store.get('r1')).toMatchObject({
      caller: 'customer:usr_ana',
      ticketId: 'tkt_1',
      input: { booking: 'b1' },
      result: run.result,
      usage: run.usage,
    });
    expect(await skills.forTicket('tkt_1')).toEqual([run]);
  });

  it('of an id that is known is not made twice, one after another or at once', async () => {
    const sources = answering({ shop: [] });
    const { skills } = openEngine({ packs: [door()], sources });
    const call = { skillId: 'door', input: { booking: 'b1' }, caller: ANA, runId: 'r1' };
    const [first, second] = await Promise.all([skills.run(call), skills.run(call)]);
    expect(second).toEqual(first);
    expect(await skills.run(call)).toEqual(first);
    expect(sources.asked).toHaveLength(1);
    await expect(skills.run({ ...call, caller: EVE })).rejects.toMatchObject({ code: 'run_unknown' });
  });

  it('is another customer’s secret, also while it is under way', async () => {
    const { skills } = openEngine({ packs: [door()], sources: answering({ shop: [{ status: 'odd' }] }) });
    const call = { skillId: 'door', input: { booking: 'b1' }, caller: ANA, runId: 'r1' };
    const under = skills.run(call);
    await expect(skills.run({ ...call, caller: EVE })).rejects.toMatchObject({ code: 'run_unknown' });
    await under;
    expect(await skills.show('r1', EVE)).toBeNull();
    expect(await skills.show('r1', ANA)).toMatchObject({ status: 'waiting' });
    expect(await skills.show('r1', OPERATOR)).toMatchObject({ status: 'waiting' });
    const answer = { choice: 'A', by: 'customer:usr_eve' };
    await expect(skills.resume('r1', answer, { caller: EVE })).rejects.toMatchObject({ code: 'run_unknown' });
    await expect(skills.resume('none', answer)).rejects.toMatchObject({ code: 'run_unknown' });
  });

  it('that fails is stored with its error and thrown at nobody', async () => {
    const broken = echo('output_schema: { type: object, required: [nothing] }');
    const { skills, store, log } = openEngine({ packs: [broken] });
    const run = await skills.run({ skillId: 'echo', input: { text: 'x' }, caller: OPERATOR, runId: 'r1' });
    expect(run).toMatchObject({ status: 'failed', result: null, error: { code: 'skill_failed' } });
    expect(await store.get('r1')).toMatchObject({ status: 'failed', error: run.error });
    expect(log.entries).toContainEqual(expect.objectContaining({ level: 'error', action: 'run_failed' }));
  });

  it('tells who watches, and is not broken by it', async () => {
    const events: SkillEvent[] = [];
    const { skills, log } = openEngine({ packs: [door()], sources: nobody });
    const run = await skills.run({
      skillId: 'door',
      input: { booking: 'b1' },
      caller: OPERATOR,
      onEvent: (event) => {
        events.push(event);
        throw new Error('the screen is gone');
      },
    });
    expect(run.status).toBe('done');
    expect(events.map(({ type, step }) => `${type} ${step}`)).toEqual([
      'step_started look',
      'step_finished look',
    ]);
    expect(events[0]?.runId).toBe(run.runId);
    expect(log.entries.some(({ action }) => action === 'watcher_failed')).toBe(true);
  });
});

describe('[SKB-03] a run ends', () => {
  it('when its time is up, also where a program does not listen', async () => {
    const slow = loadPack({
      'skill.yaml': `
id: slow
version: 1.0.0
title: Slow
description: Sleeps.
type: atomic
execution: { timeout_per_skill: 0.2 }
implementation: { type: cli_command, handler: sleep, args: ["3600"] }
`,
    });
    const { skills } = openEngine({ packs: [slow], commands: { sleep: '/bin/sleep' } });
    const run = await skills.run({ skillId: 'slow', input: {}, caller: OPERATOR });
    expect(run).toMatchObject({ status: 'failed', result: null, error: { code: 'skill_timeout' } });
    expect(run.error?.message).toMatch(/0\.2 s/);
  });

  it('of a tree with a question about what was found by then, where a source does not answer', async () => {
    let asked = 0;
    const slow = answering({ shop: () => (asked++ === 0 ? [{ status: 'odd' }] : never()) });
    const { skills } = openEngine({ packs: [door()], sources: slow });
    await skills.run({ skillId: 'door', input: { booking: 'b1' }, caller: OPERATOR, runId: 'r1' });
    const run = await skills.resume('r1', { choice: 'B', by: 'operator:op_1' });
    expect(run).toMatchObject({
      status: 'waiting',
      handoff: {
        at: 'gate',
        trigger: 'stuck',
        found: [
          { step: 'look', decision: 'odd' },
          { step: 'gate', decision: null, error: { code: 'skill_timeout' } },
        ],
      },
    });
  });

  it('when its caller stops it', async () => {
    const stop = new AbortController();
    const { skills, store } = openEngine({ packs: [door()], sources: answering({ shop: never }) });
    const running = skills.run({
      skillId: 'door',
      input: { booking: 'b1' },
      caller: OPERATOR,
      runId: 'r1',
      signal: stop.signal,
    });
    stop.abort(new HubError('skill_failed', 'The run was stopped by its caller.'));
    expect(await running).toMatchObject({ status: 'failed', error: { code: 'skill_failed' } });
    expect((await store.get('r1'))?.status).toBe('failed');
  });
});

describe('[SKC-03] parts', () => {
  const PARTS = `
  - { name: say, skill: echo, inputs: { text: "{input.booking}" } }
  - { name: look, skill: door, dependencies: [say], inputs: { booking: "{say.output.text}" } }`;

  it('count into the run they belong to, and are stored under its id', async () => {
    const { skills, store } = openEngine({
      packs: [both(PARTS), echo(), door()],
      sources: nobody,
    });
    const run = await skills.run({ skillId: 'both', input: { booking: 'b1' }, caller: ANA, runId: 'r1' });
    expect(run).toMatchObject({ status: 'done', usage: { steps: 2, api_calls: 1 } });
    expect(await store.get('r1.look')).toMatchObject({
      parentRunId: 'r1',
      caller: 'customer:usr_ana',
      input: { booking: 'b1' },
      status: 'done',
    });
    expect(await skills.show('r1.look', EVE)).toBeNull();
  });

  it('that ask make the run wait, which is answered in their place', async () => {
    const sources = answering({ shop: (text) => (text.includes('gates') ? [] : [{ status: 'odd' }]) });
    const { skills, store } = openEngine({ packs: [both(PARTS), echo(), door()], sources });
    const waiting = await skills.run({ skillId: 'both', input: { booking: 'b1' }, caller: ANA, runId: 'r1' });
    expect(waiting).toMatchObject({ status: 'waiting', handoff: { run_id: 'r1', skill_id: 'door' } });
    const answer = { choice: 'B', by: 'operator:op_1' };
    await expect(skills.resume('r1.look', answer)).rejects.toMatchObject({ code: 'run_not_waiting' });
    const done = await skills.resume('r1', answer);
    expect(done.result).toMatchObject({
      kind: 'composite',
      value: { output: { root_cause: 'gate_broken' } },
    });
    // What was done before the question is not done again.
    expect(sources.asked).toHaveLength(2);
    expect(await store.get('r1.look')).toMatchObject({ status: 'done', handoffs: 1 });
    expect(done.usage).toMatchObject({ steps: 3, api_calls: 2 });
  });

  it('may not lie deeper than the composite allows', async () => {
    const self = both('  - { name: again, skill: both, inputs: { booking: "{input.booking}" } }');
    const { skills } = openEngine({ packs: [self] });
    const run = await skills.run({ skillId: 'both', input: { booking: 'b1' }, caller: OPERATOR });
    expect(run.result).toMatchObject({ value: { partial_failures: [{ code: 'skill_too_deep' }] } });
  });

  it('may not run each other without end', async () => {
    const { skills, store } = openEngine({ packs: [mirror()] });
    const run = await skills.run({ skillId: 'mirror', input: {}, caller: OPERATOR, runId: 'r1' });
    // The deepest one asks what to do about it, and so all of them wait.
    expect(run).toMatchObject({
      status: 'waiting',
      handoff: { found: [{ error: { code: 'skill_too_deep' } }] },
    });
    expect(await store.get(`r1${'.look'.repeat(10)}`)).not.toBeNull();
    expect(await store.get(`r1${'.look'.repeat(11)}`)).toBeNull();
    const done = await skills.resume('r1', { choice: 'C', by: 'operator:op_1' });
    expect(done.status).toBe('done');
  });
});
