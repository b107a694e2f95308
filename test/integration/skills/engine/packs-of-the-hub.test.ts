import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../../support/hub.js';
import { door, echo } from '../../../unit/skills/engine/packs.js';

const OPERATOR = { kind: 'operator', operatorId: 'op_1' } as const;

describe('[SKD-01] [SKB-01] the packs of a hub', () => {
  const folders: string[] = [];
  const hubs: Hub[] = [];
  afterEach(async () => {
    for (const hub of hubs.splice(0)) await hub.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const folderWith = (packs: Readonly<Record<string, Readonly<Record<string, string>>>>): string => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-packs-'));
    folders.push(folder);
    for (const [name, files] of Object.entries(packs)) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name, file)), { recursive: true });
        writeFileSync(join(folder, name, file), text);
      }
    }
    return folder;
  };
  const open = async (dirs: string): Promise<Hub> => {
    const hub = await openHub({ env: { HUB_SKILLS_DIR: dirs } });
    hubs.push(hub);
    return hub;
  };
  const refused = (hub: Hub) => hub.log.entries.filter(({ action }) => action === 'pack_refused');

  it('come from every folder that is named, and run', async () => {
    const hub = await open(`${folderWith({ echo: echo().files })}:${folderWith({ door: door().files })}`);
    expect(hub.app.skills.list().map(({ id }) => id)).toEqual(['echo', 'door']);
    const run = await hub.app.skills.run({ skillId: 'echo', input: { text: 'hi' }, caller: OPERATOR });
    expect(run).toMatchObject({ status: 'done', result: { value: { text: 'hi' } } });
    expect(await hub.app.workbench.stats()).toMatchObject([{ skillId: 'echo', uses: 1 }]);
    expect(refused(hub)).toEqual([]);
  });

  it('stay out where they are faulty; the others run, and so does the chat', async () => {
    const broken = { 'skill.yaml': 'id: broken\nversion: [1.0.0\n' };
    const hub = await open(folderWith({ broken, echo: echo().files }));
    const { reply } = await hub.say('ana.souza@example.com', 'I was turned away at the door');
    expect(reply).not.toBe('');
    expect(hub.app.skills.list().map(({ id }) => id)).toEqual(['echo']);
    expect(refused(hub)).toEqual([
      expect.objectContaining({
        level: 'error',
        details: expect.objectContaining({
          file: expect.stringContaining('skill.yaml'),
          line: expect.any(Number),
        }),
      }),
    ]);
  });

  it('are not read for a question that needs none of them', async () => {
    const hub = await open(folderWith({ broken: { 'skill.yaml': 'id: broken' } }));
    await hub.say(null, 'How do I pause my plan?');
    expect(refused(hub)).toEqual([]);
    expect(hub.app.skills.list()).toEqual([]);
    expect(refused(hub).length).toBeGreaterThan(0);
  });

  it('may be missing altogether', async () => {
    const hub = await open('/nowhere/skills');
    expect(hub.app.skills.list()).toEqual([]);
    const { reply } = await hub.say('ana.souza@example.com', 'They did not let me in');
    expect(reply).not.toBe('');
  });
});
