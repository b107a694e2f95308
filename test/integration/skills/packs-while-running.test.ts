import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atTheDoor, writePack } from '../../e2e/skill-packs.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const packs = join(makeTempDir(), 'packs');
const OPERATOR = { kind: 'operator', operatorId: 'op_1' } as const;
let hub: Hub;

beforeAll(async () => {
  mkdirSync(packs, { recursive: true });
  writePack(packs, 'at_the_door', atTheDoor());
  hub = await openHub({ env: { HUB_SKILLS_DIR: packs, VENUE_URL: 'http://127.0.0.1:9' } });
});
afterAll(() => hub.close());

const versions = () => hub.app.skills.list().map(({ id, version }) => `${id} ${version}`);

it('[SKD-16] a pack that is copied while the hub runs is there without a restart, and picked', async () => {
  expect(versions()).toEqual(['at_the_door 1.0.0']);
  const files = atTheDoor();
  const renamed = files['skill.yaml']
    ?.replaceAll('at_the_door', 'on_the_roof')
    .replaceAll('turned away', 'on the roof');
  writePack(packs, 'on_the_roof', { ...files, 'skill.yaml': renamed ?? '' });
  await until(() => versions().includes('on_the_roof 1.0.0'), 'the copied pack');
  const pick = hub.app.skills.pick({ text: 'they stood on the roof' });
  expect(pick).toMatchObject({ kind: 'one', ranked: [{ skillId: 'on_the_roof' }] });
});

it('[SKD-16] a run that waits goes on with the pack it began with, and the next one with the new', async () => {
  const begin = () =>
    hub.app.skills.run({ skillId: 'at_the_door', input: { reservation_id: 'res_001' }, caller: OPERATOR });
  const waiting = await begin();
  expect(waiting.status).toBe('waiting');
  writePack(packs, 'at_the_door', atTheDoor('2.0.0', 'changed_meanwhile'));
  await until(() => versions().includes('at_the_door 2.0.0'), 'the new version');
  const old = await hub.app.skills.resume(waiting.runId, { choice: 'A', by: 'operator:op_1' });
  expect(old).toMatchObject({
    skillVersion: '1.0.0',
    result: { value: { root_cause: 'booking_looks_fine' } },
  });
  expect((await begin()).handoff?.proposal?.root_cause).toBe('changed_meanwhile');
});

it('[SKD-16] a pack that is broken meanwhile is left out and told, the others stay', async () => {
  writePack(packs, 'on_the_roof', { 'skill.yaml': 'id: on_the_roof' });
  await until(() => !versions().some((one) => one.startsWith('on_the_roof')), 'the broken pack to go');
  expect(() => hub.app.skills.get('on_the_roof')).toThrow(/left out because of its faults/);
  expect(versions()).toEqual(['at_the_door 2.0.0']);
});
