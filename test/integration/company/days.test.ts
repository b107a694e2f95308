import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCompany } from '../../../src/app/company.js';
import { checkCompany } from '../../../src/app/company-check.js';
import { parseConfig } from '../../../src/config/config.js';
import { makeTempDir, openHub } from '../../support/hub.js';

const room = makeTempDir();
afterAll(() => rmSync(room, { recursive: true, force: true }));

/** A company whose orders are due on a day, and were made on one. */
function companyOfDays(name: string, timeZone: string) {
  const folder = join(room, name);
  const env = { HUB_COMPANY: folder, HUB_DATA_DIR: join(room, `${name}-data`) };
  const config = parseConfig(env);
  createCompany(config, { name: 'Forge', time_zone: timeZone });
  const edit = (file: string, ...changes: readonly (readonly [string, string])[]) => {
    const path = join(folder, file);
    const text = changes.reduce((all, [from, to]) => all.replaceAll(from, to), readFileSync(path, 'utf8'));
    writeFileSync(path, text);
  };
  edit(
    'entities/order.yaml',
    ['upcoming: row.status', 'upcoming: row.arrives_at >= today && row.status'],
    [
      '  statuses:',
      '  attributes: { made: "row.arrives_at + \'T23:30:00Z\'", age: "now - timestamp(row.arrives_at) > duration(\'24h\')" }\n  statuses:',
    ],
  );
  edit('entities/order.yaml', [
    'attributes:\n  - {',
    "attributes:\n  - { id: made, of: made, as: day, asked: { en: ['made'] } }\n  - {",
  ]);
  edit('reads/next_delivery.yaml', ['arrives_at | date', 'arrives_at | month'], ['arrives on', 'is of']);
  return { config, env };
}

describe('days of the calendar in a company of YAML', () => {
  it.each([['Pacific/Auckland'], ['America/Toronto']])(
    '[BYO-91] are said as days, without a time, and are the same in every zone: %s',
    async (zone) => {
      const { config, env } = companyOfDays(zone.split('/')[1] ?? '', zone);
      expect(await checkCompany(config)).toEqual([]);
      const hub = await openHub({ dataDir: env.HUB_DATA_DIR, env });
      const rows = hub.query(
        config.company.folder.split('/').at(-1) ?? '',
        'SELECT * FROM orders ORDER BY 1',
      );
      const day = new Date(String(rows[0]?.arrives_at));
      const said = new Intl.DateTimeFormat('en-GB', {
        ...{ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' },
      } as const).format(day);
      const { reply } = await hub.say('ana@example.com', 'show me my orders');
      expect(reply).toContain(`- Blue backpack, ${said} (placed)`);
      expect(reply).not.toMatch(/\d:\d\d/);
      expect((await hub.say('ana@example.com', 'when was the blue backpack made?')).reply).toContain(
        `"Blue backpack": ${said}.`,
      );
      const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(day);
      expect((await hub.say('ana@example.com', 'when is my next delivery?')).reply).toContain(
        `is of ${month}.`,
      );
      await hub.close();
    },
  );
});
