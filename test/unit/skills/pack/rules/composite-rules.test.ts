import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadSkillFolders } from '../../../../../src/skills/pack/load-folders.js';
import {
  COMPOSITE,
  changed,
  expectFault,
  FUNCTION,
  faultsOf,
  type RuleCase,
  TREE,
  writeFiles,
} from './pack-files.js';

const rule = (
  title: string,
  code: string,
  change: readonly [string, string],
  line: string,
  says?: RegExp,
): RuleCase => ({
  title,
  pack: COMPOSITE,
  change: { 'skill.yaml': change },
  code,
  file: 'skill.yaml',
  line,
  ...(says ? { says } : {}),
});

const RULES: RuleCase[] = [
  rule(
    'a dependency on nothing',
    'unknown_dependency',
    ['dependencies: [sort]', 'dependencies: [sortt]'],
    'sortt',
    /"sort"/,
  ),
  rule(
    'dependencies that go round',
    'dependency_cycle',
    ['    path: ./sub_skills/sort\n', '    path: ./sub_skills/sort\n    dependencies: [answer]\n'],
    'dependencies',
    /sort -> answer -> sort/,
  ),
  rule(
    'a part that waits for itself',
    'dependency_cycle',
    ['dependencies: [sort]', 'dependencies: [sort, answer]'],
    'dependencies',
    /answer -> answer/,
  ),
  rule('a folder that is not there', 'missing_sub_skill', ['./sub_skills/sort', './sub_skills/srt'], 'srt'),
  rule('a folder outside of the pack', 'unsafe_path', ['./sub_skills/sort', '../sort'], '../sort'),
  rule('an absolute folder', 'unsafe_path', ['./sub_skills/sort', '/etc'], '/etc'),
  rule(
    'a part with neither path nor skill',
    'path_or_skill',
    ['    path: ./sub_skills/sort\n', ''],
    'name: sort',
    /neither/,
  ),
  rule(
    'a part with path and skill',
    'path_or_skill',
    ['    path: ./sub_skills/sort\n', '    path: ./sub_skills/sort\n    skill: other\n'],
    'skill: other',
    /both/,
  ),
  rule(
    'a name that means something else',
    'reserved_name',
    ['routing:', '  - { name: step_9, path: ./sub_skills/sort }\nrouting:'],
    'step_9',
  ),
  rule(
    'an input that the part does not have',
    'unknown_input',
    ['inputs: { text: "{input.body}" }', 'inputs: { txt: "{input.body}" }'],
    'txt',
    /"text"/,
  ),
  rule(
    'an input from a part that is not there',
    'unknown_name',
    ['{sort.output.tone}', '{srt.output.tone}'],
    'tone',
    /"sort"/,
  ),
  rule(
    'an input from a field that is not there',
    'unknown_name',
    ['{input.body}', '{input.boddy}'],
    'boddy',
    /"body"/,
  ),
  rule(
    'a condition that chooses nothing that is there',
    'unknown_sub_skill',
    ['then: [answer]', 'then: [anser]'],
    'anser',
    /"answer"/,
  ),
  rule('an else that is not there', 'unknown_sub_skill', ['else: []', 'else: [nobody]'], 'nobody'),
  rule(
    'a condition that chooses nothing',
    'empty_condition',
    ['then: [answer], else: []', 'then: [], else: []'],
    'if:',
  ),
  rule(
    'a condition with an error',
    'invalid_expression',
    ["step_1.output.tone == 'warm'", 'step_1.output.tone =='],
    'if:',
  ),
  rule(
    'a condition on a step that is not there',
    'unknown_name',
    ['step_1.output', 'step_3.output'],
    'step_3',
  ),
  rule(
    'a loop with an error',
    'invalid_expression',
    ['when: "answer.output.text == null"', 'when: "("'],
    'when',
  ),
  rule('a loop after nothing', 'unknown_sub_skill', ['after: answer', 'after: answr'], 'answr'),
  rule('a loop back to nothing', 'unknown_sub_skill', ['back_to: sort', 'back_to: start'], 'start'),
  rule(
    'conditional without conditions',
    'missing_conditions',
    [
      `  conditions:\n    - { if: "step_1.output.tone == 'warm' || steps.sort.status == 'done'", then: [answer], else: [] }\n`,
      '',
    ],
    'strategy',
  ),
  rule(
    'an unknown strategy',
    'wrong_value',
    ['strategy: conditional', 'strategy: conditionl'],
    'conditionl',
    /conditional/,
  ),
  rule(
    'a range that is none',
    'wrong_value',
    ['    path: ./sub_skills/sort\n', '    path: ./sub_skills/sort\n    version: newest\n'],
    'newest',
  ),
];

describe('[SKC-03] the parts of a composite', () => {
  it.each(RULES)('[SKC-03] $title', (one) => expectFault(one));

  it('[SKC-03] two parts of one name, and a composite without parts', () => {
    const twice = changed(COMPOSITE, {
      'skill.yaml': ['routing:', '  - { name: sort, path: ./sub_skills/sort }\nrouting:'],
    });
    expect(faultsOf(twice).map(({ code }) => code)).toEqual(['duplicate_sub_skill']);
    const bare = 'id: a\nversion: 1.0.0\ntitle: A\ndescription: A.\ntype: composite\n';
    expect(faultsOf({ 'skill.yaml': bare }).map(({ code }) => code)).toEqual(['no_sub_skills']);
  });

  it('[SKC-03] faults of nested packs are told with their place', () => {
    const files = changed(COMPOSITE, { 'sub_skills/sort/skill.yaml': ['pass_through', 'pass_trough'] });
    expect(faultsOf(files)).toMatchObject([
      { file: 'sub_skills/sort/skill.yaml', line: 7, code: 'unknown_handler' },
    ]);
  });

  it('[SKC-03] nesting deeper than max_depth', () => {
    const inner = (COMPOSITE['skill.yaml'] ?? '').replace('id: answer_mail', 'id: inner');
    const nested = Object.fromEntries(
      Object.entries(COMPOSITE).map(([path, text]) => [`sub_skills/sort/${path}`, text]),
    );
    const outer = {
      ...COMPOSITE,
      ...nested,
      'sub_skills/sort/skill.yaml': inner.replace('{ body: {', '{ text: { type: string }, body: {'),
    };
    expect(faultsOf(outer)).toEqual([]);
    const shallow = changed(outer, { 'skill.yaml': ['max_depth: 2', 'max_depth: 1'] });
    expect(faultsOf(shallow).map(({ code, line }) => [code, line])).toEqual([['too_deep', 8]]);
  });
});

describe('[SKC-03] skills that refer to each other', () => {
  let dir = join(tmpdir(), 'packs-none');
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const load = (packs: Readonly<Record<string, string>>) => {
    rmSync(dir, { recursive: true, force: true });
    dir = writeFiles(packs);
    const { catalog, faults } = loadSkillFolders([dir]);
    return {
      ids: catalog.list().map(({ id }) => id),
      faults: faults.map((fault) => ({ ...fault, file: fault.file.slice(dir.length + 1) })),
    };
  };
  const by = (id: string, sub: string): string =>
    `id: ${id}\nversion: 1.0.0\ntitle: T\ndescription: D.\ntype: composite\nsub_skills:\n  - { name: part, ${sub} }\n`;
  const leaf = FUNCTION['skill.yaml'] ?? '';

  it('[SKC-03] a skill that is there is found, by version and range too', () => {
    const { ids, faults } = load({
      'a/skill.yaml': by('a', 'skill: plain_leaf, version: ^1.0.0, inputs: { text: x }'),
      'b/skill.yaml': leaf,
    });
    expect(faults).toEqual([]);
    expect(ids).toEqual(['a', 'plain_leaf']);
  });

  it.each([
    ['a skill that is not there', 'skill: plain_leef', 'unknown_skill', /"plain_leaf"/],
    ['a version that is not there', 'skill: plain_leaf, version: ^2.0.0', 'unknown_version', /1\.0\.0/],
    ['an input it does not have', 'skill: plain_leaf, inputs: { txet: x }', 'unknown_input', /"text"/],
  ])('[SKC-03] %s', (_, sub, code, says) => {
    const { ids, faults } = load({ 'a/skill.yaml': by('a', sub), 'b/skill.yaml': leaf });
    expect(ids).toEqual(['plain_leaf']);
    expect(faults).toMatchObject([{ file: 'a/skill.yaml', line: 7, code }]);
    expect(faults[0]?.message).toMatch(says);
  });

  it('[SKC-03] skills that contain each other', () => {
    const { ids, faults } = load({
      'a/skill.yaml': by('a', 'skill: b'),
      'b/skill.yaml': by('b', 'skill: a'),
    });
    expect(ids).toEqual([]);
    expect(faults.map(({ file, code }) => [file, code])).toEqual([
      ['a/skill.yaml', 'skill_cycle'],
      ['b/skill.yaml', 'skill_cycle'],
    ]);
    expect(faults[0]?.message).toContain('a -> b -> a');
  });

  it('[SKC-03] a skill with faults is left out; one that refers to it is not', () => {
    const { ids, faults } = load({
      'a/skill.yaml': by('a', 'skill: plain_leaf'),
      'b/skill.yaml': leaf.replace('pass_through', 'nobody'),
    });
    expect(ids).toEqual(['a']);
    expect(faults.map(({ file }) => file)).toEqual(['b/skill.yaml']);
  });

  it('[SKC-03] a step of a tree that runs a skill gives it what it needs', () => {
    const called = (input: string): Readonly<Record<string, string>> => {
      const files = changed(TREE, {
        'decision_tree.yaml': [
          '{ type: query, mapping: parcel_of_order, params: { order_id: "{order_id}" } }',
          `{ type: skill, skill: plain_leaf, input: ${input} }`,
        ],
      });
      const tree = Object.fromEntries(Object.entries(files).map(([path, text]) => [`t/${path}`, text]));
      return {
        ...tree,
        'b/skill.yaml': leaf.replace(
          '{ type: object, properties',
          '{ type: object, required: [text], properties',
        ),
      };
    };
    expect(load(called('{ text: "{order_id}" }')).faults).toEqual([]);
    expect(load(called('{ tone: warm }')).faults.map(({ code }) => code)).toEqual(['missing_input']);
    expect(load(called('{ text: x, colour: red }')).faults.map(({ code }) => code)).toEqual([
      'unknown_input',
    ]);
  });
});
