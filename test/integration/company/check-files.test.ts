import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { openSkillPacks } from '../../../src/app/skill-packs.js';
import { parseConfig } from '../../../src/config/config.js';
import { writeClinic } from '../../support/clinic.js';
import { makeTempDir } from '../../support/hub.js';

const room = makeTempDir();
const folder = join(room, 'vets');
const database = join(room, 'clinic.db');
const config = parseConfig({ HUB_COMPANY: folder });
afterAll(() => rmSync(room, { recursive: true, force: true }));
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(new URL('../../companies/clinic', import.meta.url).pathname, folder, { recursive: true });
  rmSync(database, { force: true });
  writeClinic(database);
});

/** Writes something else in a file. */
function changed(file: string, from: string | RegExp, to: string): void {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

/** What check finds, by file and line. */
async function found(): Promise<readonly string[]> {
  const all = await checkCompany(config);
  return all.map(
    ({ severity, file, line, problem, remedy }) =>
      `${severity} ${basename(file)}:${line ?? ''} ${problem} ${remedy}`,
  );
}

describe('company check over a SQLite file of the company', () => {
  it.each([
    ['customers.yaml', 'FROM tutors', 'FROM tutor', /customers\.yaml:\d+ .*no such table: tutor\..*"tutors"/],
    ['entities/visit.yaml', /p\.name/, 'p.names', /visit\.yaml:\d+ .*no such column: p\.names\..*"name"/],
    [
      'actions/cancel_visit.yaml',
      /UPDATE visits/,
      'UPDATE visit',
      /cancel_visit\.yaml:\d+ perform\.sql\.0 .*no such table: visit/,
    ],
    ['entities/visit.yaml', /row\.(\w+)/, 'row.nothing_such', /visit\.yaml:\d+ .*looks at row\.nothing_such/],
    [
      'sources.yaml',
      /(tables:\n +\w+:) \w+ =/,
      '$1 nobody =',
      /sources\.yaml:\d+ sources\.clinic\.tables\.\w+ does not fit the file: no such column: nobody/,
    ],
  ])('[BYO-111] names what a statement asks for that is not there: %s %s', async (file, from, to, told) => {
    changed(file, from, to);
    const [first = '', ...more] = await found();
    expect(first).toMatch(/^fault /);
    expect(first).toMatch(told);
    expect(more.filter((one) => one.startsWith('fault ') && !told.test(one))).toEqual([]);
  });

  it('[BYO-111] holds the statements of skills against it too, and names a table that no customer sees', async () => {
    const packs = await openSkillPacks(config);
    await packs.create({ id: 'missed_visit', type: 'decision_tree' });
    expect(await found()).toEqual([]);
    const mappings = 'skills/missed_visit/api_mappings.yaml';
    const whole = readFileSync(join(folder, mappings), 'utf8');
    changed(mappings, 'FROM visits', 'FROM visitz');
    expect(await found()).toEqual([
      expect.stringMatching(/^fault api_mappings\.yaml:\d+ .*no such table: visitz\..*"visits"/),
    ]);
    writeFileSync(join(folder, mappings), whole);
    changed('sources.yaml', / +visits: .*\n/, '');
    expect(await found()).toEqual([
      expect.stringMatching(
        /^warning api_mappings\.yaml:\d+ .* reads visits, which is not there for a customer/,
      ),
    ]);
    changed('sources.yaml', /\n +tables:[\s\S]*$/, '\n');
    expect(await found()).toContainEqual(
      expect.stringMatching(/^fault skill\.yaml:\d+ Nothing says which rows of clinic are a customer's/),
    );
  });

  it('[BYO-111] says that a file is not there or is no database, and writes nothing into one', async () => {
    const before = readFileSync(database);
    expect(await found()).toEqual([]);
    expect(readFileSync(database)).toEqual(before);
    rmSync(database);
    expect(await found()).toEqual([
      expect.stringMatching(/^warning sources\.yaml:\d+ There is no file .*clinic\.db here/),
    ]);
    writeFileSync(database, 'no database'.repeat(200));
    expect(await found()).toEqual([
      expect.stringMatching(/^fault sources\.yaml:\d+ .*cannot be read: file is not a database/),
    ]);
  });
});
