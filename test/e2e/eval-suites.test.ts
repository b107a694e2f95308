import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config.js';
import { readSuites, suiteFiles } from '../../src/eval/run-suites.js';
import { evalFolder } from '../integration/eval/eval-command.js';

const own = join(parseConfig({}).company.folder, 'eval');
const files = suiteFiles(own, []);
const folder = evalFolder();
afterAll(() => folder.remove());

describe('the conversations of the company that ships', () => {
  test('[EVAL-09] there are 250 and more, in both languages, and each has an id of its own', () => {
    const { scenarios, problems } = readSuites(files);
    expect(problems).toEqual([]);
    const scripted = scenarios.filter(({ turns }) => turns !== undefined);
    expect(scripted.length).toBeGreaterThanOrEqual(250);
    for (const language of ['en', 'pt-BR'])
      expect(scripted.filter((one) => one.language === language).length).toBeGreaterThan(100);
  });

  // All at once: the company is read and seeded anew for each run of the command.
  test('[EVAL-09] held without a model, they pass as often as the baseline says, in all and by group', async () => {
    const { code, err, report } = await folder.run(files, { baseline: join(own, 'baseline.json') });
    const compared = code === 2 ? err : report().baseline;
    expect({ code, compared }).toMatchObject({ code: 0, compared: { undercut: [] } });
  }, 1_800_000);
});

describe('a subset of the conversations of the shop', () => {
  // All hundred are for `HUB_COMPANY=shop npm run eval`.
  test('[BYO-38] held without a model, they pass as often as its baseline says', async () => {
    const shop = parseConfig({ HUB_COMPANY: 'shop' }).company.folder;
    const suites = ['articles', 'cancel'].map((name) => join(shop, 'eval', `${name}.yaml`));
    const baseline = join(shop, 'eval', 'baseline.json');
    const { code, err, report } = await folder.run(suites, { baseline }, { HUB_COMPANY: 'shop' });
    const compared = code === 2 ? err : report().baseline;
    expect({ code, compared }).toMatchObject({ code: 0, compared: { compared: 23, undercut: [] } });
  }, 600_000);
});
