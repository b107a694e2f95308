import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSkillModel } from '../../src/adapters/models/skill-model.js';
import { createPrices } from '../../src/adapters/models/usage.js';
import { createFixtureSources } from '../../src/adapters/sources/fixture-sources.js';
import { createSqliteProcesses } from '../../src/adapters/sources/sqlite-processes.js';
import { parseConfig } from '../../src/config/config.js';
import { HANDLERS } from '../../src/skills/handlers/index.js';
import { descriptorSchema, sourceSchema, subSkillSchema } from '../../src/skills/pack/descriptor-schema.js';
import { testCasesOf } from '../../src/skills/pack/draft.js';
import {
  actionSchema,
  conclusionSchema,
  criterionSchema,
  decisionSchema,
  mappingSchema,
  promptSchema,
  rubricSchema,
  stepSchema,
  testCaseSchema,
  treeSchema,
} from '../../src/skills/pack/file-schemas.js';
import { loadSkillFolders, validateFolder } from '../../src/skills/pack/load-folders.js';
import { MAX_BYTES, MAX_ROWS } from '../../src/skills/sources/call-source.js';
import { runTestCases, type TestRunDeps } from '../../src/skills/testing/run-test-cases.js';
import { createFixedClock } from '../support/fixed-clock.js';
import { createRecordingLog } from '../support/recording-log.js';
import { createSequentialIds } from '../support/sequential-ids.js';
import { SKILLS_DIR } from './cultpass.js';

const reference = readFileSync(join(SKILLS_DIR, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'skill-reference-'));
const processes = createSqliteProcesses();
const log = createRecordingLog();
const { models } = parseConfig({});

/** The fenced blocks by the file they are: named by their first line, or where that cannot be a comment, after ```json. */
const blocks = [...reference.matchAll(/^```(yaml|json)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
  ([, , named, text = '']) => ({ path: named ?? /^# (\S+)\n/.exec(text)?.[1] ?? '', text }),
);

const deps = (): TestRunDeps => ({
  catalog: loadSkillFolders([folder]).catalog,
  fixtureSources: (fixtures, pack, now) =>
    createFixtureSources(fixtures, pack, now === undefined ? { processes } : { now, processes }),
  model: createSkillModel({ models, log, prices: createPrices({ ...models, log }) }),
  clock: createFixedClock(),
  ids: createSequentialIds('reference'),
  log,
  commands: {},
  currency: 'BRL',
});

beforeAll(() => {
  for (const { path, text } of blocks) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});

afterAll(() => {
  processes.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('[SKD-01] the reference for authors of packs', () => {
  it('[SKD-01] says of every example which file it is', () => {
    expect(blocks.length).toBeGreaterThan(10);
    for (const { path, text } of blocks) expect(path, text).toMatch(/^[a-z0-9_./]+\.(yaml|json)$/);
    expect(new Set(blocks.map(({ path }) => path)).size).toBe(blocks.length);
  });

  it('[SKD-01] has examples that are whole packs without a fault', () => {
    const { faults, packs } = validateFolder(folder);
    expect(faults).toEqual([]);
    expect(packs).toBeGreaterThanOrEqual(4);
  });

  it('[SKD-01] has files that an editor validates by themselves: as their pack, those of a registry as the folder', () => {
    const part = join(folder, 'answer_parcel/sub_skills/count/skill.yaml');
    for (const file of [join(folder, 'late_parcel/test_cases/late.yaml'), part]) {
      expect(validateFolder(file), file).toEqual({ packs: 1, faults: [] });
    }
    const prompt = join(folder, 'prompts/parcel_reply/1.0.0.yaml');
    expect(validateFolder(prompt)).toEqual(validateFolder(folder));
  });

  it('[SKP-05] has test cases that pass', async () => {
    const given = deps();
    const cases = given.catalog.all().flatMap(testCasesOf);
    expect(cases.length).toBeGreaterThanOrEqual(4);
    for (const pack of given.catalog.all()) {
      for (const { name, differences } of await runTestCases(pack, given)) {
        expect(differences, `${pack.id}: ${name}`).toEqual([]);
      }
    }
  });

  it.each([
    ['skill.yaml', descriptorSchema.shape],
    ['routing', descriptorSchema.shape.routing.unwrap().shape],
    ['execution', descriptorSchema.shape.execution.unwrap().shape],
    ['implementation', descriptorSchema.shape.implementation.unwrap().shape],
    ['template_config', descriptorSchema.shape.template_config.unwrap().shape],
    ['triggers', descriptorSchema.shape.triggers.unwrap().shape],
    ['human_handoff', descriptorSchema.shape.human_handoff.unwrap().shape.triggers.unwrap().shape],
    ['a source', Object.assign({}, ...sourceSchema.options.map((option) => option.shape))],
    ['a part', subSkillSchema.shape],
    ['decision_tree.yaml', treeSchema.shape],
    ['a step', stepSchema.shape],
    ['an action', Object.assign({}, ...actionSchema.options.map((option) => option.shape))],
    ['a decision', decisionSchema.shape],
    ['a conclusion', conclusionSchema.shape],
    ['a mapping', mappingSchema.shape],
    ['a test case', testCaseSchema.shape],
    ['expect', testCaseSchema.shape.expect.shape],
    ['a prompt', promptSchema.shape],
    ['a rubric', rubricSchema.shape],
    ['a criterion', criterionSchema.shape],
  ])('[SKD-01] names every key of %s', (_what, shape) => {
    const code = [...reference.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).join(' ');
    const words = new Set(code.match(/\w+/g));
    expect(Object.keys(shape).length).toBeGreaterThan(0);
    expect(Object.keys(shape).filter((key) => !words.has(key))).toEqual([]);
  });

  it('[SKI-01] names every handler, and no other', () => {
    const [row = ''] = /^\| `type: ts_function`.*$/m.exec(reference) ?? [];
    const [, list = ''] = /handlers`: (.*?) \|/.exec(row) ?? [];
    expect([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(Object.keys(HANDLERS));
  });

  it('[SKS-01] says how much an answer of a source may hold', () => {
    expect(reference).toContain(`${MAX_ROWS.toLocaleString('en')} rows and ${MAX_BYTES / 1_000_000} MB`);
  });
});
