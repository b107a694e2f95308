import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readStandIns } from '../../../src/company/declared/declare.js';
import { parseConfig } from '../../../src/config/config.js';
import { readSuites, suiteFiles } from '../../../src/eval/run-suites.js';
import { evalFolder } from './eval-command.js';

const SHOP = { HUB_COMPANY: 'shop' };
const own = join(parseConfig(SHOP).company.folder, 'eval');
const folder = evalFolder();
afterAll(() => folder.remove());

const cancelled = { table: 'orders', where: { id: 'so_2001' }, has: { status: 'cancelled' } };
const CANCELS = {
  customer: 'leo@example.com',
  turns: [{ say: 'cancel my order of the black lamp' }, { when_asked: 'confirm', say: 'yes' }],
};

describe('the conversations of a company over its own system', () => {
  test('[BYO-20] look at the tables of that system, which are new for each of them', async () => {
    const suite = folder.suite('systems', {
      first: { ...CANCELS, expect: { database: [cancelled], tools: { called: ['cancel_order'] } } },
      second: { ...CANCELS, expect: { database: [cancelled] } },
      wrong: { ...CANCELS, expect: { unchanged: ['refunds'] } },
    });
    const { code, err, report } = await folder.run([suite], { concurrency: 1 }, SHOP);
    expect(code, err).toBe(0);
    expect(report().failed.map(({ id, failures }) => ({ id, failures }))).toEqual([
      { id: 'wrong', failures: ['The table refunds should be as it was, and has changed.'] },
    ]);
    const unknown = folder.suite('unknown', {
      one: { ...CANCELS, expect: { database: [{ ...cancelled, where: { number: 1 } }] } },
    });
    const refused = await folder.run([unknown], {}, SHOP);
    expect(refused.err).toMatch(/no column of orders "number"; there are: .*placed_at/);
  });

  test('[BYO-20] are a hundred for the shop, in its three languages, over a system that is there', () => {
    const { scenarios, problems } = readSuites(suiteFiles(own, []));
    expect(problems).toEqual([]);
    expect(scenarios).toHaveLength(100);
    expect(new Set(scenarios.map(({ language }) => language))).toEqual(new Set(['en', 'pt-BR', 'es']));
    expect(existsSync(join(own, 'baseline.json'))).toBe(true);
    const standIns = readStandIns(join(own, '..'));
    expect(standIns).toMatchObject([{ source: 'shop', variable: 'SHOP_URL', start: 'startShop' }]);
    expect(existsSync(standIns[0]?.module ?? '')).toBe(true);
  });
});
