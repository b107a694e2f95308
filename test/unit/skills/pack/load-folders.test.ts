import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testCasesOf } from '../../../../src/skills/pack/draft.js';
import { loadSkillFolders, validateFolder } from '../../../../src/skills/pack/load-folders.js';
import { loadPackFromFiles } from '../../../../src/skills/pack/load-pack.js';
import { readPackFiles } from '../../../../src/skills/pack/read-files.js';
import { COMPOSITE, FUNCTION, GENERATION, REVIEW, TREE } from './rules/pack-files.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skills-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes files of a pack into a skills folder; `@prompts` and `@rubrics` become its registries. */
function write(dir: string, folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const target = path.startsWith('@') ? join(root, dir, path.slice(1)) : join(root, dir, folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return join(root, dir, folder);
}
const versioned = (version: string, more = ''): Record<string, string> => ({
  'skill.yaml': `${(FUNCTION['skill.yaml'] ?? '').replace('1.0.0', version)}${more}`,
});
const idsOf = (dirs: readonly string[]) =>
  loadSkillFolders(dirs.map((dir) => join(root, dir)))
    .catalog.all()
    .map(({ id, version }) => `${id} ${version}`)
    .sort();
const codesOf = (dirs: readonly string[]) =>
  loadSkillFolders(dirs.map((dir) => join(root, dir))).faults.map(({ code }) => code);

describe('[SKD-01] skills folders', () => {
  it('[SKD-01] give all their packs, with prompts and rubrics, whatever their folders are called', () => {
    write('one', 'a', TREE);
    write('one', 'B and b', COMPOSITE);
    write('one', 'c', GENERATION);
    write('one', 'd', REVIEW);
    write('one', 'not_a_pack', { 'notes.md': 'Nothing.' });
    expect(codesOf(['one'])).toEqual([]);
    expect(idsOf(['one'])).toEqual([
      'answer_mail 1.0.0',
      'judge_note 1.0.0',
      'late_parcel 1.0.0',
      'write_note 1.0.0',
    ]);
  });

  it('[SKD-87] are loaded to be run without their test cases, whose faults are told where they are looked at', () => {
    write('one', 'a', { ...FUNCTION, 'test_cases/broken.yaml': 'name: broken\ninput: {}\nexpcet: {}\n' });
    const dir = join(root, 'one');
    const toRun = loadSkillFolders([dir], 'to_run');
    expect(toRun.faults).toEqual([]);
    const [pack] = toRun.catalog.all();
    const [read] = pack === undefined ? [] : testCasesOf(pack);
    const told = validateFolder(dir).faults;
    expect(told.map(({ file, line }) => [file, line])).toContainEqual([
      join(dir, 'a', 'test_cases/broken.yaml'),
      3,
    ]);
    expect(read).toMatchObject({ file: 'test_cases/broken.yaml', case: null });
    expect(told).toEqual(expect.arrayContaining([...(read?.faults ?? [])]));
    expect(read?.faults.length).toBeGreaterThan(0);
  });

  it('[SKD-03] hold several versions of one skill, and several folders add up', () => {
    write('one', 'leaf', versioned('1.0.0'));
    write('one', 'leaf_new', versioned('1.1.0'));
    write('two', 'leaf', versioned('2.0.0'));
    expect(idsOf(['one', 'two'])).toEqual(['plain_leaf 1.0.0', 'plain_leaf 1.1.0', 'plain_leaf 2.0.0']);
  });

  it('[SKD-03] share their registries', () => {
    write('one', 'c', { 'skill.yaml': GENERATION['skill.yaml'] ?? '' });
    write('two', 'unused', { '@prompts/note/1.0.0.yaml': GENERATION['@prompts/note/1.0.0.yaml'] ?? '' });
    expect(codesOf(['one'])).toEqual(['missing_prompt']);
    expect(codesOf(['one', 'two'])).toEqual([]);
  });

  it('[SKD-03] the newest prompt that fits is taken', () => {
    const prompt = GENERATION['@prompts/note/1.0.0.yaml'] ?? '';
    const at = (version: string) => prompt.replace('version: 1.0.0', `version: ${version}`);
    write('one', 'c', {
      ...GENERATION,
      '@prompts/note/1.2.0.yaml': at('1.2.0'),
      '@prompts/note/2.0.0.yaml': at('2.0.0'),
    });
    const { catalog, faults } = loadSkillFolders([join(root, 'one')]);
    expect(faults).toEqual([]);
    expect(catalog.get('write_note').prompt?.version).toBe('1.2.0');
  });
});

describe('[SKX-05] a pack made of its stored files', () => {
  it.each([
    ['tree', TREE],
    ['composite', COMPOSITE],
    ['generation', GENERATION],
    ['review', REVIEW],
  ])('[SKX-05] is the very same: %s', (_, files) => {
    write('one', 'x', files);
    const [loaded] = loadSkillFolders([join(root, 'one')]).catalog.all();
    const stored = JSON.parse(JSON.stringify(loaded?.files)) as Record<string, string>;
    const restored = loadPackFromFiles(stored);
    expect(restored.faults).toEqual([]);
    expect(restored.pack?.hash).toBe(loaded?.hash);
    expect({ ...restored.pack, folder: '' }).toEqual({ ...loaded, folder: '', parts: restored.pack?.parts });
    expect([...(restored.pack?.parts.keys() ?? [])]).toEqual([...(loaded?.parts.keys() ?? [])]);
  });
});

describe('[SKB-01] folders with something wrong', () => {
  it('[SKB-01] a faulty pack is left out with its faults, and the others are there', () => {
    write('one', 'good', TREE);
    const bad = write('one', 'bad', versioned('1.0.0', 'zebra: 1\n'));
    const { catalog, faults, packs } = loadSkillFolders([join(root, 'one')]);
    expect(catalog.all().map(({ id }) => id)).toEqual(['late_parcel']);
    expect(faults).toEqual([
      expect.objectContaining({ file: join(bad, 'skill.yaml'), line: 8, code: 'unknown_key' }),
    ]);
    expect(packs).toBe(2);
  });

  it('[SKB-01] the same id and version twice is a fault of the second, which is left out', () => {
    write('one', 'a', versioned('1.0.0'));
    const second = write('two', 'a', versioned('1.0.0', 'owner: somebody\n'));
    const { catalog, faults } = loadSkillFolders([join(root, 'one'), join(root, 'two')]);
    expect(faults).toEqual([
      expect.objectContaining({ file: join(second, 'skill.yaml'), line: 2, code: 'duplicate_version' }),
    ]);
    expect(faults[0]?.message).toContain(join(root, 'one', 'a'));
    expect(catalog.get('plain_leaf').descriptor.owner).toBe('unowned');
  });

  it('[SKB-01] a folder that is not there is a fault, and the others count', () => {
    write('one', 'a', FUNCTION);
    expect(codesOf(['nowhere', 'one'])).toEqual(['missing_folder']);
    expect(idsOf(['nowhere', 'one'])).toEqual(['plain_leaf 1.0.0']);
  });

  it('[SKB-01] a faulty prompt is told of once, and leaves out only the skills that name it', () => {
    write('one', 'c', GENERATION);
    write('one', 'a', FUNCTION);
    write('one', 'c', { '@prompts/note/1.0.0.yaml': `${GENERATION['@prompts/note/1.0.0.yaml']}zebra: 1\n` });
    const { catalog, faults } = loadSkillFolders([join(root, 'one')]);
    expect(catalog.all().map(({ id }) => id)).toEqual(['plain_leaf']);
    const inPrompt = faults.filter(({ file }) => file.includes('prompts'));
    expect(inPrompt).toEqual([
      expect.objectContaining({ file: join(root, 'one', 'prompts/note/1.0.0.yaml'), code: 'unknown_key' }),
    ]);
  });

  it('[SKB-01] a link out of the pack is refused, and nothing of it is read', () => {
    writeFileSync(join(root, 'secret.md'), 'TOP SECRET');
    const folder = write('one', 'a', FUNCTION);
    symlinkSync(join(root, 'secret.md'), join(folder, 'knowledge_base.md'));
    symlinkSync('/', join(folder, 'root'));
    symlinkSync('.', join(folder, 'circle'));
    const { catalog, faults } = loadSkillFolders([join(root, 'one')]);
    expect(catalog.all()).toEqual([]);
    expect(faults.map(({ code }) => code)).toEqual(['unsafe_path', 'unsafe_path', 'unsafe_path']);
    expect(JSON.stringify(faults)).not.toContain('TOP SECRET');
  });

  it('[SKB-01] folders that links show a million times end the reading', () => {
    const folder = write('one', 'a', FUNCTION);
    for (let level = 0; level < 10; level += 1) {
      mkdirSync(join(folder, `level${level}`));
      for (let at = 0; at < 8; at += 1)
        symlinkSync(`../level${level + 1}`, join(folder, `level${level}`, `link${at}`));
    }
    mkdirSync(join(folder, 'level10'));
    expect(codesOf(['one'])).toEqual(['pack_too_large']);
  });

  it('[SKB-01] a link within the pack saves a copy', () => {
    const folder = write('one', 'a', { ...FUNCTION, 'README.md': 'What experts know.' });
    symlinkSync('README.md', join(folder, 'knowledge_base.md'));
    expect(loadSkillFolders([join(root, 'one')]).catalog.get('plain_leaf').knowledge).toBe(
      'What experts know.',
    );
  });

  it('[SKB-01] a pipe, a picture and hidden files are no part of a pack', () => {
    const folder = write('one', 'a', {
      ...FUNCTION,
      '.git/config.yaml': ': : :',
      'node_modules/x/skill.yaml': 'no',
    });
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0, 0xff]));
    expect(codesOf(['one'])).toEqual([]);
    expect(Object.keys(readPackFiles(folder))).toEqual(['skill.yaml']);
  });

  it('[SKB-01] a file that is too large, no text, or one of too many is told of', () => {
    const folder = write('one', 'a', { ...FUNCTION, 'large.md': 'x'.repeat(600_000) });
    writeFileSync(join(folder, 'bytes.md'), Buffer.from([0xff, 0xfe, 0x00]));
    expect(codesOf(['one']).sort()).toEqual(['file_too_large', 'unreadable']);
    rmSync(join(root, 'one'), { recursive: true });
    write('one', 'a', {
      ...FUNCTION,
      ...Object.fromEntries(Array.from({ length: 1_010 }, (_, at) => [`notes/${at}.md`, ''])),
    });
    expect(codesOf(['one'])).toEqual(['pack_too_large']);
  });

  it('[SKB-01] a folder of the pack called like a registry is none', () => {
    write('one', 'c', { 'skill.yaml': GENERATION['skill.yaml'] ?? '' });
    mkdirSync(join(root, 'one/c/@prompts/note'), { recursive: true });
    writeFileSync(join(root, 'one/c/@prompts/note/1.0.0.yaml'), GENERATION['@prompts/note/1.0.0.yaml'] ?? '');
    expect(codesOf(['one'])).toEqual(['missing_prompt']);
  });
});

describe('[SKD-02] validate', () => {
  it('[SKD-02] looks at one pack, or at all of a folder', () => {
    const tree = write('one', 'a', TREE);
    write('one', 'b', COMPOSITE);
    expect(validateFolder(tree)).toEqual({ packs: 1, faults: [] });
    expect(validateFolder(`${tree}/`)).toEqual({ packs: 1, faults: [] });
    expect(validateFolder(join(root, 'one'))).toEqual({ packs: 2, faults: [] });
  });

  it('[SKD-02] of one pack knows the skills, prompts and rubrics beside it, and tells only its own faults', () => {
    const note = write('one', 'c', GENERATION);
    write('one', 'broken', { 'skill.yaml': ': : :' });
    const composite = write('one', 'd', {
      'skill.yaml':
        'id: both\nversion: 1.0.0\ntitle: Both\ndescription: Both.\ntype: composite\nsub_skills:\n  - { name: note, skill: write_note }\n  - { name: other, skill: wrote_note }\n',
    });
    expect(validateFolder(note)).toEqual({ packs: 1, faults: [] });
    const { faults } = validateFolder(composite);
    expect(faults).toEqual([expect.objectContaining({ line: 8, code: 'unknown_skill' })]);
    expect(faults[0]?.message).toContain('Did you mean "write_note"?');
  });

  it('[SKD-02] tells all faults of all files at once', () => {
    const folder = write('one', 'a', {
      ...TREE,
      'skill.yaml': (TREE['skill.yaml'] ?? '').replace('title:', 'tilte:'),
      'decision_tree.yaml': (TREE['decision_tree.yaml'] ?? '').replace(
        'next_step: parcel',
        'next_step: parcl',
      ),
      'api_mappings.yaml': (TREE['api_mappings.yaml'] ?? '').replace('source: shop', 'source: shp'),
      'test_cases/no_order.yaml': 'name: [',
    });
    const { faults } = validateFolder(folder);
    expect(faults.map(({ file, code }) => `${file.slice(folder.length + 1)} ${code}`)).toEqual(
      expect.arrayContaining([
        'api_mappings.yaml unknown_source',
        'decision_tree.yaml unknown_step',
        'skill.yaml missing_key',
        'skill.yaml unknown_key',
        'test_cases/no_order.yaml yaml_syntax',
      ]),
    );
  });

  it('[SKD-02] of nothing is a fault and no success', () => {
    mkdirSync(join(root, 'empty'));
    writeFileSync(join(root, 'a-file'), '');
    for (const path of ['empty', 'nowhere', 'a-file']) {
      const report = validateFolder(join(root, path));
      expect(report.packs).toBe(0);
      expect(report.faults).toHaveLength(1);
      expect(report.faults[0]?.message).toMatch(/\.$/);
    }
  });

  it('[SKD-02] of a folder with a tree but no skill.yaml says that it is missing', () => {
    const folder = write('one', 'a', { 'decision_tree.yaml': TREE['decision_tree.yaml'] ?? '' });
    expect(validateFolder(folder).faults.map(({ code }) => code)).toContain('missing_descriptor');
  });
});
