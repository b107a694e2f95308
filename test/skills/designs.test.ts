import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFixtureSources } from '../../src/adapters/sources/fixture-sources.js';
import { createSqliteProcesses } from '../../src/adapters/sources/sqlite-processes.js';
import { loadPackFromFiles } from '../../src/skills/pack/load-pack.js';
import { createCatalog, isFault, type PackFiles } from '../../src/skills/pack/pack.js';
import { readPackFiles } from '../../src/skills/pack/read-files.js';
import { runTestCases, type TestRunDeps } from '../../src/skills/testing/run-test-cases.js';
import { migratePack } from '../../src/skills/workbench.js';
import { createFixedClock } from '../support/fixed-clock.js';
import { createRecordingLog } from '../support/recording-log.js';
import { createOfflineSkillModel } from '../support/scripted-skill-model.js';
import { createSequentialIds } from '../support/sequential-ids.js';
import { HEADLINE, LOST_BAG, MAIL_ROOM } from './older-design.js';

/** Where the designs themselves are kept, beside the repository; read only where they are there. */
const DESIGNS = process.env.DESIGNS_DIR ?? new URL('../../../shared/seeds', import.meta.url).pathname;
const folders: string[] = [];
const processes = createSqliteProcesses();

afterAll(() => {
  processes.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The packs whose files stand in the designs as blocks below a heading that names the file. */
function packsOfDesigns(): Readonly<Record<string, PackFiles>> {
  if (!existsSync(DESIGNS)) return {};
  const found: Record<string, PackFiles> = {};
  for (const name of readdirSync(DESIGNS)) {
    const text = readFileSync(join(DESIGNS, name), 'utf8');
    const blocks = [
      ...text.matchAll(/^#{3,4} (?:\S+\/)?([a-z_]+\.yaml)\b[^\n]*\n+```yaml\n([\s\S]*?)^```$/gm),
    ];
    const files = Object.fromEntries(blocks.map(([, file = '', yaml = '']) => [file, yaml]));
    if (Object.keys(files).length > 0) found[`${name.slice(0, 3)}: ${Object.keys(files).join(', ')}`] = files;
  }
  return found;
}

const OURS = { LOST_BAG, MAIL_ROOM, HEADLINE };
const ALL: Readonly<Record<string, PackFiles>> = { ...OURS, ...packsOfDesigns() };

function write(files: PackFiles): string {
  const folder = mkdtempSync(join(tmpdir(), 'older-design-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function testDeps(files: PackFiles): TestRunDeps {
  const { pack } = loadPackFromFiles(files);
  return {
    catalog: createCatalog(pack === null ? [] : [pack]),
    fixtureSources: (fixtures, own, now) =>
      createFixtureSources(fixtures, own, now === undefined ? { processes } : { now, processes }),
    model: createOfflineSkillModel(),
    clock: createFixedClock(),
    ids: createSequentialIds('designs'),
    log: createRecordingLog(),
    commands: {},
  };
}

describe('packs in the spelling of their designs', () => {
  it.each(Object.entries(ALL))(
    '[SKD-10] %s has no fault, and a warning for each older spelling',
    (_, files) => {
      const { pack, faults } = loadPackFromFiles(files);
      expect(faults.filter(isFault)).toEqual([]);
      expect(pack).not.toBeNull();
      expect(faults.length).toBeGreaterThan(0);
      for (const { file, line, message } of faults) {
        expect(message).toMatch(/\S.{15,}\.$/);
        expect(line).toBeLessThanOrEqual(files[file]?.split('\n').length ?? 0);
      }
    },
  );

  it('[SKD-10] each warning names its line and what to write today', () => {
    const said = loadPackFromFiles(LOST_BAG).faults.map(
      ({ file, line, code }) => `${code}: ${LOST_BAG[file]?.split('\n')[line - 1]?.trim()}`,
    );
    expect(said).toEqual(
      expect.arrayContaining([
        'older_spelling: skill:',
        'older_spelling: name: "Bag is missing"',
        'older_spelling: redshift:',
        'unusable_credentials: credentials: "aws_iam"',
        'older_spelling: apis:',
        'older_spelling: credentials: "env:AIRLINE_USER,AIRLINE_PASSWORD"',
        'quoted_placeholder: query_template: |',
        'unfinished: step_2_load:',
        'unfinished: - "step_scanner_logs"',
        'older_spelling: api: "redshift"',
        'older_spelling: query: "tag_query"',
        'unfinished: query: "loads_query"',
        'older_spelling: service: "belt_scanner"',
        'older_spelling: fields:',
      ]),
    );
  });

  it('[SKD-10] what is read is what today is written', () => {
    const { pack } = loadPackFromFiles(LOST_BAG);
    expect(pack?.summary).toMatchObject({ id: 'lost_bag', title: 'Bag is missing', type: 'decision_tree' });
    expect(pack?.descriptor.data_sources).toMatchObject({
      redshift: { kind: 'postgres', url: 'env:REDSHIFT_URL', credentials: 'env:REDSHIFT_CREDENTIALS' },
      clickhouse: { kind: 'clickhouse', url: 'env:CLICKHOUSE_URL' },
      airline: { kind: 'http', credentials: 'env:AIRLINE_USER,env:AIRLINE_PASSWORD' },
    });
    expect(Object.keys(pack?.tree?.steps.step_1_tag?.decisions ?? {})).toEqual([
      'unknown_tag',
      'inactive_tag',
      'otherwise',
    ]);
    expect(pack?.mappings.get('tag_by_id')).toMatchObject({
      source: 'redshift',
      query: 'SELECT tag_id, is_active FROM bag_tags WHERE tag_id = {tag}',
      response_schema: { properties: { is_active: { type: 'boolean' } } },
    });
    expect(pack?.mappings.get('belt_logs')?.params.defaults).toMatchObject({ keyword: 'MISREAD' });
    const mail = loadPackFromFiles(MAIL_ROOM).pack?.descriptor;
    expect(mail?.routing?.conditions.map((one) => [one.then, one.else])).toEqual([[['courier'], ['cellar']]]);
  });

  it('[SKD-11] values of quoted placeholders are bound, and a BOOLEAN of a fixture is true or false', async () => {
    const reports = await runTestCases(loadWhole(LOST_BAG), testDeps(LOST_BAG));
    expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
    expect(reports).toHaveLength(2);
    const text = LOST_BAG['test_cases/switched_off.yaml']?.replace('tag: T1', `tag: "T1' OR '1'='1"`) ?? '';
    const attacked = {
      ...LOST_BAG,
      'test_cases/switched_off.yaml': text.replace('switched off, path', 'x, path'),
    };
    const after = await runTestCases(loadWhole(attacked), testDeps(attacked));
    const attack = after.find(({ file }) => file.includes('switched_off'));
    expect(attack?.run?.handoff?.proposal?.root_cause, JSON.stringify(attack)).toBe('Tag is unknown');
  });

  it.each(Object.entries(ALL))(
    '[SKD-12] migrate rewrites %s so that no older spelling is left',
    (_, files) => {
      const folder = write(files);
      const { files: written } = migratePack(folder);
      expect(written).toContain(join(folder, 'skill.yaml'));
      const modern = readPackFiles(folder);
      const { pack, faults } = loadPackFromFiles(modern);
      // What was announced and never written is still to be written.
      expect(faults.filter(({ code }) => code !== 'unfinished' && code !== 'missing_sub_skill')).toEqual([]);
      const before = loadPackFromFiles(files).pack;
      if (before?.tree) expect([pack?.tree, pack?.mappings]).toEqual([before.tree, before.mappings]);
      if (pack !== null) expect(pack.descriptor).toEqual(before?.descriptor);
      expect(migratePack(folder).files).toEqual([]);
    },
  );

  it('[SKD-12] migrate keeps comments, and writes nothing where there is no pack', () => {
    const folder = write(LOST_BAG);
    migratePack(folder);
    const text = (file: string) => readFileSync(join(folder, file), 'utf8');
    expect(text('skill.yaml')).toContain('# Who may open a bag');
    expect(text('decision_tree.yaml')).toContain('# nothing else to ask');
    expect(text('decision_tree.yaml')).toContain('-- one row a tag');
    expect(() => migratePack(write({}))).toThrow(/There is no pack/);
  });

  it('[SKD-13] validate names every one of ten faults of a broken pack, the quoted placeholder as a warning', () => {
    const broken: PackFiles = {
      'skill.yaml': `id: broken
version: 1.0
title: Broken
description: Ten faults.
type: decision_tree
colour: red
input_schema: { type: objekt }
data_sources:
  shop: { kind: sqlite, database: shop, tables: [orders] }
  partner: { kind: http, endpoint: https://partner.test, auth: basic }
`,
      'decision_tree.yaml': `entry_point: first
steps:
  first:
    name: First
    action: { type: query, source: shop, query_template: "SELECT a FROM orders WHERE id = '{order_id}'" }
    decisions:
      one: { condition: "result.count = 0", confidence: 0.9, conclusion: { root_cause: one } }
      two: { condition: "result.count > 0", confidence: 2, next_step: secnd }
  second:
    name: Second
    action: { type: query, source: shop, query_template: "DELETE FROM parcels" }
    decisions:
      done: { condition: "true", confidence: 0.5, next_step: second }
`,
    };
    const { pack, faults } = loadPackFromFiles(broken);
    expect(pack).toBeNull();
    const warnings = faults.filter((fault) => !isFault(fault)).map(({ code }) => code);
    expect(warnings).toEqual(['quoted_placeholder']);
    expect(faults.map(({ code }) => code)).toEqual(
      expect.arrayContaining([
        'wrong_type',
        'unknown_key',
        'invalid_schema',
        'missing_credentials',
        'quoted_placeholder',
        'invalid_expression',
        'wrong_value',
        'unknown_step',
        'not_a_read',
        'cycle',
      ]),
    );
  });
});

function loadWhole(files: PackFiles) {
  const { pack, faults } = loadPackFromFiles(files);
  if (pack === null) throw new Error(JSON.stringify(faults));
  return pack;
}
