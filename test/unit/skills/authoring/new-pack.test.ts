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
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSkillModel } from '../../../../src/adapters/models/skill-model.js';
import { createPrices } from '../../../../src/adapters/models/usage.js';
import { createFixtureSources } from '../../../../src/adapters/sources/fixture-sources.js';
import { createSqliteProcesses } from '../../../../src/adapters/sources/sqlite-processes.js';
import { parseConfig } from '../../../../src/config/config.js';
import { draftFrom, newPack, PACK_TYPES } from '../../../../src/skills/authoring/new-pack.js';
import { testCasesOf } from '../../../../src/skills/pack/draft.js';
import { loadSkillFolders, validateFolder } from '../../../../src/skills/pack/load-folders.js';
import { runTestCases } from '../../../../src/skills/testing/run-test-cases.js';
import { createFixedClock } from '../../../support/fixed-clock.js';
import { createRecordingLog } from '../../../support/recording-log.js';
import { createSequentialIds } from '../../../support/sequential-ids.js';

const processes = createSqliteProcesses();
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'new-pack-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
afterAll(() => processes.close());

async function testReports(id: string) {
  const log = createRecordingLog();
  const { models } = parseConfig({});
  const { catalog } = loadSkillFolders([dir]);
  return runTestCases(catalog.get(id), {
    catalog,
    fixtureSources: (fixtures, pack, now) =>
      createFixtureSources(fixtures, pack, now === undefined ? { processes } : { now, processes }),
    model: createSkillModel({ models, log, prices: createPrices({ ...models, log }) }),
    clock: createFixedClock(),
    ids: createSequentialIds('new'),
    log,
    commands: {},
    currency: 'BRL',
  });
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('[SKX-03] a new pack', () => {
  it.each(PACK_TYPES)('[SKX-03] of type %s validates, and its test cases pass', async (type) => {
    const { files } = newPack({ id: 'lost_parcel', type, dir });
    for (const file of files) expect(existsSync(file)).toBe(true);
    expect(validateFolder(dir)).toEqual({ packs: 1, faults: [] });
    expect(validateFolder(join(dir, 'lost_parcel'))).toEqual({ packs: 1, faults: [] });
    const reports = await testReports('lost_parcel');
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
  });

  it('[SKX-03] of a tree has three steps, a parallel check, a critical decision and a source with fixtures', () => {
    newPack({ id: 'lost_parcel', type: 'decision_tree', dir });
    const pack = loadSkillFolders([dir]).catalog.get('lost_parcel');
    expect(pack.summary.title).toBe('Lost parcel');
    expect(Object.keys(pack.tree?.steps ?? {})).toHaveLength(3);
    expect(pack.tree?.parallel_checks).toHaveLength(1);
    expect(pack.descriptor.human_handoff?.triggers.critical_decision?.actions).toHaveLength(1);
    expect(Object.keys(testCasesOf(pack)[0]?.case?.fixtures ?? {})).toEqual(['orders']);
  });

  it.each([
    ['atomic', 'ts_function'],
    ['LLM_JSON_GENERATION', 'generation'],
    ['LLM_REVIEW', 'review'],
  ])('[SKX-03] may be asked for as %s', (other, type) => {
    newPack({ id: 'first', type: other, dir });
    newPack({ id: 'second', type, dir });
    const names = (id: string) => readdirSync(join(dir, id)).sort();
    expect(names('first')).toEqual(names('second'));
  });

  it('[SKX-03] teaches the format in comments, and holds no name of the scaffold', () => {
    for (const type of PACK_TYPES) {
      const { files } = newPack({ id: `my_${type}`, type, dir });
      const texts = files.map((file) => readFileSync(file, 'utf8'));
      expect(texts.join('')).not.toMatch(/SKILL_(?:ID|TITLE)/);
      expect(texts.filter((text) => text.includes('# ')).length).toBeGreaterThan(1);
    }
  });

  it('[SKX-03] is written to a skills folder that does not exist yet', () => {
    newPack({ id: 'first', type: 'composite', dir: join(dir, 'a', 'b') });
    expect(validateFolder(join(dir, 'a', 'b')).faults).toEqual([]);
  });
});

const PROCEDURE = `# Parcel does not arrive

What the depot does when somebody asks for a parcel {tracking}.

1. **Look the order up.** If the order is unknown, ask for the number again. If it was paid, go on.
2. Look at the carrier's page.
   - If the parcel is lost, refund the order
   - If it usually comes late, go to step 3
   - Otherwise, tell the customer to wait
3. Call the carrier
`;

describe('[SKD-60] a draft from what people wrote down', () => {
  const drafted = (text: string, kind: 'procedure' | 'tickets' = 'procedure') => {
    const { files } = draftFrom({ id: 'lost_parcel', dir }, { kind, text });
    const read = (name: string) => readFileSync(files.find((file) => file.endsWith(name)) ?? '', 'utf8');
    return { tree: read('decision_tree.yaml'), skill: read('skill.yaml') };
  };
  const steps = () => loadSkillFolders([dir]).catalog.get('lost_parcel').tree?.steps ?? {};

  it('[SKD-60] has the steps of the procedure, its ifs as answers, and validates and passes its case', async () => {
    const { skill } = drafted(PROCEDURE);
    expect(validateFolder(dir)).toEqual({ packs: 1, faults: [] });
    expect(skill).toContain('Parcel does not arrive');
    const [first, second, third] = Object.values(steps());
    expect(first?.options.map(({ label }) => label)).toEqual([
      'the order is unknown',
      'it was paid',
      'none of the above',
    ]);
    const led = Object.values(second?.decisions ?? {}).map(
      ({ next_step, conclusion }) => next_step ?? conclusion?.root_cause,
    );
    expect(led).toEqual(['the parcel is lost', 'step_3_call_the_carrier', 'none of the above']);
    expect(third?.name).toBe('Call the carrier');
    const reports = await testReports('lost_parcel');
    expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
    expect(reports).toHaveLength(1);
  });

  it('[SKD-60] says its doubts in comments', () => {
    const { tree } = drafted(PROCEDURE);
    expect(tree).toMatch(/# DOUBT: Step 1 .*Which source or API/);
    expect(tree).toMatch(/# DOUBT: Step 2 is vague \("usually"\)/);
    expect(tree).toMatch(/# DOUBT: Step 3 decides nothing/);
  });

  it('[SKD-60] reads Portuguese, and headings where nothing is numbered', () => {
    drafted(
      '# Reembolso\n\n## Ver o pagamento\nSe o pagamento falhou, peça outro cartão. Senão, siga.\n\n## Devolver\nDevolva.\n',
    );
    expect(validateFolder(dir).faults).toEqual([]);
    const [first] = Object.values(steps());
    expect(first?.options.map(({ label }) => label)).toEqual(['o pagamento falhou', 'none of the above']);
    expect(Object.values(first?.decisions ?? {}).at(-1)?.next_step).toBe('step_2_devolver');
  });

  it('[SKD-60] orders the causes of tickets by how often they were, with what was mostly done', () => {
    const ticket = (root_cause: string, resolution: string) => JSON.stringify({ root_cause, resolution });
    const rows = [
      ticket('card expired', 'ask for a card'),
      ticket('double charge', 'refund'),
      ticket('double charge', 'refund'),
      'no json',
    ];
    drafted(rows.join('\n'), 'tickets');
    expect(validateFolder(dir).faults).toEqual([]);
    const [only] = Object.values(steps());
    expect(only?.options.map(({ label }) => label)).toEqual([
      'double charge',
      'card expired',
      'none of the above',
    ]);
  });

  it.each(['', 'Only words, and no step.'])('[SKD-60] refuses %j and writes nothing', (text) => {
    expect(codeOf(() => draftFrom({ id: 'mine', dir }, { kind: 'procedure', text }))).toBe('input_invalid');
    expect(codeOf(() => draftFrom({ id: 'mine', dir }, { kind: 'tickets', text }))).toBe('input_invalid');
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('[SKB-03] a pack that cannot be begun', () => {
  it.each(['decision_tree', 'review'])('[SKB-03] leaves an existing %s as it is', (type) => {
    const { files } = newPack({ id: 'mine', type, dir });
    const file = files[0] ?? '';
    writeFileSync(file, 'my own words');
    expect(codeOf(() => newPack({ id: 'mine', type, dir }))).toBe('already_done');
    expect(readFileSync(file, 'utf8')).toBe('my own words');
  });

  it('[SKB-03] leaves a prompt of the same name as it is, and writes no half pack beside it', () => {
    mkdirSync(join(dir, 'prompts', 'mine'), { recursive: true });
    expect(codeOf(() => newPack({ id: 'mine', type: 'generation', dir }))).toBe('already_done');
    expect(readdirSync(dir)).toEqual(['prompts']);
  });

  it.each(['', 'My Skill', '../out', 'a/b', '1st', 'a'.repeat(65), 'prompts', 'rubrics', '__proto__', 'é'])(
    '[SKB-03] refuses the id %j and writes nothing',
    (id) => {
      expect(codeOf(() => newPack({ id, type: 'composite', dir }))).toBe('input_invalid');
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  it('[SKB-03] names the nearest type where there is no such one', () => {
    expect(() => newPack({ id: 'mine', type: 'desicion_tree', dir })).toThrow(/Did you mean "decision_tree"/);
    expect(() => newPack({ id: 'mine', type: 'cli_command', dir })).toThrow(/HUB_SKILL_COMMANDS/);
    expect(codeOf(() => newPack({ id: 'mine', type: 'constructor', dir }))).toBe('input_invalid');
  });

  it('[SKB-03] says that a folder cannot be written to', () => {
    const file = join(dir, 'a-file');
    writeFileSync(file, '');
    expect(() => newPack({ id: 'mine', type: 'composite', dir: file })).toThrow(/cannot be written/);
    expect(readdirSync(dir)).toEqual(['a-file']);
  });
});
