import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder, runCli, runHere } from './cli-process.js';
import { atTheDoor, writePack } from './skill-packs.js';

const folder = makeFolder();
const packs = join(folder.path, 'packs');
const FAULT = expect.stringMatching(/^error: [^\n]+\n$/);
writePack(packs, 'at_the_door', atTheDoor());
afterAll(() => folder.remove());

describe('[SKX-01] npm run skill on the files of packs', () => {
  // A folder that nothing prepares: these commands must not want a database.
  const bare = { dataDir: join(folder.path, 'untouched') };
  const onFiles = (...args: readonly string[]) =>
    runHere('skill', args, { ...bare, env: { HUB_SKILLS_DIR: packs } });

  test('[SKX-01] lists them for people and for programs, safe for the terminal', async () => {
    const [text, machine] = await Promise.all([onFiles('list'), onFiles('list', '--json')]);
    expect(text.code, text.err).toBe(0);
    expect(text.out).toMatch(/^ID +VERSION/);
    expect(text.out).toContain('Refused at the door');
    expect(text.out).not.toContain('\u001b');
    expect(JSON.parse(machine.out)).toEqual([
      expect.objectContaining({ id: 'at_the_door', version: '1.0.0', input_schema: expect.any(Object) }),
    ]);
  });

  test('[SKX-01] draws a tree as Mermaid', async () => {
    const { code, out } = await runCli('skill', ['graph', 'at_the_door'], {
      ...bare,
      env: { HUB_SKILLS_DIR: packs },
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^flowchart TD\n/);
    expect(out).toContain('Ask the venue');
  });

  test('[SKD-02] validates: no fault, or every fault with its line and exit code 1', async () => {
    const broken = join(folder.path, 'broken');
    const files = atTheDoor();
    writePack(broken, 'at_the_door', {
      ...files,
      'skill.yaml': files['skill.yaml']?.replace('owner: test', 'ownr: test') ?? '',
      'decision_tree.yaml':
        files['decision_tree.yaml']
          ?.replace('next_step: ask_venue', 'next_step: ask_nobody')
          .replace('result.open == false', 'result.open ==') ?? '',
    });
    const [whole, faulty, machine] = await Promise.all([
      onFiles('validate'),
      onFiles('validate', join(broken, 'at_the_door')),
      onFiles('validate', broken, '--json'),
    ]);
    expect(whole).toMatchObject({ code: 0, out: '1 pack, no fault\n' });
    expect(faulty.code).toBe(1);
    const lines = faulty.out.trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^\S+\.yaml:\d+ [a-z_]+ \S/);
    expect(faulty.out).toMatch(/skill\.yaml:6 \S+ .*ownr.*owner/);
    expect(faulty.out).toMatch(/decision_tree\.yaml:\d+ \S+ .*ask_nobody/);
    expect(faulty.out).toMatch(/decision_tree\.yaml:\d+ \S+ .*result\.open ==/);
    expect(faulty.err).toBe(`1 pack, ${lines.length} faults\n`);
    expect(machine.code).toBe(1);
    const { faults } = JSON.parse(machine.out);
    expect(faults).toHaveLength(lines.length);
    expect(faults[0]).toEqual({
      file: expect.stringContaining('.yaml'),
      line: expect.any(Number),
      code: expect.any(String),
      message: expect.any(String),
    });
  });

  test('[SKB-01] tells why a skill is not there that has faults', async () => {
    const half = join(folder.path, 'half');
    writePack(half, 'half_a_skill', { 'skill.yaml': 'id: half_a_skill\nversion: 1.0.0\n' });
    const { code, err } = await runHere('skill', ['graph', 'half_a_skill'], {
      ...bare,
      env: { HUB_SKILLS_DIR: `${packs}:${half}` },
    });
    expect({ code, err }).toEqual({ code: 1, err: FAULT });
    expect(err).toMatch(/half_a_skill is left out because of its faults.*skill\.yaml:\d+/);
  });

  test('[SKX-03] a new pack of each type validates, and its test cases pass', async () => {
    const made = join(folder.path, 'made');
    const types = ['decision_tree', 'composite', 'ts_function', 'http_call', 'generation', 'review'];
    const runs = [];
    for (const type of types) runs.push(await onFiles('new', `my_${type}`, '--type', type, '--dir', made));
    for (const { code, out, err } of runs) {
      expect(code, err).toBe(0);
      expect(out).toContain('skill.yaml');
      expect(out.trimEnd().split('\n').every(existsSync)).toBe(true);
    }
    expect(await onFiles('validate', made)).toMatchObject({ code: 0, out: '6 packs, no fault\n' });
    const tested = await runHere('skill', ['test', '--json'], {
      dataDir: folder.dataDir,
      env: { HUB_SKILLS_DIR: made },
    });
    expect(tested.code, tested.err).toBe(0);
    const reports = JSON.parse(tested.out) as { skill_id: string; passed: boolean }[];
    expect(new Set(reports.map(({ skill_id }) => skill_id))).toEqual(
      new Set(types.map((type) => `my_${type}`)),
    );
    expect(reports.every(({ passed }) => passed)).toBe(true);
    const again = await onFiles('new', 'my_review', '--type', 'review', '--dir', made);
    expect(again).toMatchObject({ code: 1, out: '', err: FAULT });
  });

  test('[SKB-03] says what it does not know, with the right code, and prepares nothing', async () => {
    const [unknown, type, id, path, bareCall, help] = await Promise.all([
      onFiles('graph', 'at_the_dor'),
      onFiles('new', 'fine', '--type', 'tre', '--dir', folder.path),
      onFiles('new', '../escape', '--type', 'atomic', '--dir', folder.path),
      onFiles('validate', '/nowhere/at/all'),
      onFiles(),
      onFiles('run', '--help'),
    ]);
    expect(unknown).toMatchObject({ code: 1, out: '', err: FAULT });
    expect(unknown.err).toContain('at_the_door');
    expect(type).toMatchObject({ code: 2, out: '', err: FAULT });
    expect(type.err).toContain('decision_tree');
    expect(id).toMatchObject({ code: 2, out: '', err: FAULT });
    expect(path).toMatchObject({ code: 1, out: expect.stringContaining('/nowhere/at/all') });
    expect(bareCall.code).toBe(2);
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining('--resume') });
    expect(existsSync(bare.dataDir)).toBe(false);
  });
});
