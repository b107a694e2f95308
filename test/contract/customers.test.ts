import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores, type Stores } from '../../data/index.js';
import { companySources, openCompany, readCompany, storageOf } from '../../src/app/company.js';
import type { CompanyBackend } from '../../src/company/company-code.js';
import { writeNewCompany } from '../../src/company/company-folder.js';
import { parseConfig } from '../../src/config/config.js';
import type { DataSources } from '../../src/core/ports/data-source.js';
import { writeClinic } from '../support/clinic.js';
import { createFixedClock } from '../support/fixed-clock.js';
import { makeTempDir, SEEDED_AT } from '../support/hub.js';
import { createRecordingLog } from '../support/recording-log.js';
import { createSequentialIds } from '../support/sequential-ids.js';
import { openShopLine, type ShopLine } from '../support/shop.js';

/** A company, two of its customers who have records, and words by which operators find the first. */
interface Case {
  readonly name: string;
  readonly emails: readonly [string, string];
  readonly found: readonly string[];
  readonly open: () => Promise<Opened>;
}

type Opened = Pick<CompanyBackend, 'customers' | 'records'> & {
  readonly texts: Awaited<ReturnType<typeof readCompany>>['texts'];
  readonly languages: readonly string[];
  readonly entities: readonly string[];
  close(): Promise<void>;
};

const room = makeTempDir();
afterAll(() => rmSync(room, { recursive: true, force: true }));

async function opened(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const dataDir = makeTempDir();
  const config = parseConfig({ ...env, HUB_COMPANY: folder, HUB_DATA_DIR: dataDir });
  const [clock, ids, log] = [createFixedClock(SEEDED_AT), createSequentialIds('c'), createRecordingLog()];
  const company = await readCompany(config);
  const stores: Stores = await openStores({
    dataDir,
    demo: true,
    clock,
    ids,
    log,
    company: storageOf(company),
  });
  const sources: DataSources = companySources(config, log);
  const { customers, records } = openCompany(company, { stores, clock, ids, log, sources });
  return {
    ...{ customers, records, texts: company.texts, languages: company.profile.languages },
    entities: company.nlu.entities.map(({ id }) => id),
    async close() {
      await sources.close();
      await stores.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let shop: ShopLine;
const CASES: readonly Case[] = [
  {
    name: 'in TypeScript',
    emails: ['ana.souza@example.com', 'bruno.lima@example.com'],
    found: ['souza', 'ANA', 'ana.souza@example'],
    open: () => opened('cultpass'),
  },
  {
    name: 'in YAML over a database of the hub',
    emails: ['ana@example.com', 'ben@example.com'],
    found: ['ANA', 'ana@example'],
    open: () => {
      const folder = join(room, 'mine');
      const about = { name: 'Mine', about: 'a shop', languages: ['en'] };
      writeNewCompany(folder, { ...about, currency: 'EUR', time_zone: 'Europe/Lisbon' });
      return opened(folder);
    },
  },
  {
    name: 'in YAML over a SQLite file of its own',
    emails: ['marina@example.com', 'tom@example.com'],
    found: ['alves', 'MARINA', 'marina@'],
    open: () => {
      const folder = join(room, 'clinic');
      cpSync(new URL('../companies/clinic', import.meta.url).pathname, folder, { recursive: true });
      writeClinic(join(room, 'clinic.db'));
      return opened(folder);
    },
  },
  {
    name: 'in YAML over a service of its own',
    emails: ['mia@example.com', 'leo@example.com'],
    found: ['MIA', 'mia@'],
    open: async () => {
      shop = await openShopLine(room);
      return opened('shop', { SHOP_URL: shop.url });
    },
  },
];

describe.each(CASES)(
  '[BYO-127] Customers and CustomerRecords: a company $name',
  ({ emails, found, open }) => {
    let company: Opened;
    beforeAll(async () => {
      company = await open();
    });
    afterAll(() => company.close());
    const idOf = async (email: string): Promise<string> =>
      (await company.customers.findByEmail(email))?.customerId ?? '';

    it('find a customer by the address whatever its case, and nobody by another', async () => {
      const { customers } = company;
      const one = await customers.findByEmail(emails[0].toUpperCase());
      expect(one).toMatchObject({ email: emails[0], isBlocked: false });
      expect(await customers.get(one?.customerId ?? '')).toEqual(one);
      for (const other of ['nobody@example.com', "' OR 1=1 --", '%', ''])
        expect(await customers.findByEmail(other)).toBeNull();
      for (const id of ['nobody', "' OR 1=1 --"]) expect(await customers.get(id)).toBeNull();
    });

    it('are found by operators by words of name and address and by id, by name and no more than asked for', async () => {
      const { customers } = company;
      const id = await idOf(emails[0]);
      for (const text of [...found, id])
        expect(
          (await customers.search(text, 10)).map(({ customerId }) => customerId),
          text,
        ).toContain(id);
      const all = await customers.search('example.com', 50);
      expect(all.length).toBeGreaterThan(1);
      expect(all.map(({ name }) => name)).toEqual(all.map(({ name }) => name).sort());
      expect(await customers.search('example.com', 1)).toEqual(all.slice(0, 1));
      expect(await customers.search('nobody of that name', 10)).toEqual([]);
      const [first] = all;
      expect([...(await customers.names([first?.customerId ?? '', 'nobody']))]).toEqual([
        [first?.customerId, first?.name],
      ]);
      expect(await customers.facts('nobody')).toBeNull();
    });

    it('give of a customer every record and nothing of another, those to come first', async () => {
      const { records, entities } = company;
      const [own, other] = [await idOf(emails[0]), await idOf(emails[1])];
      const [mine, theirs] = [await records.list(own), await records.list(other)];
      expect(mine.length).toBeGreaterThan(0);
      expect(theirs.length).toBeGreaterThan(0);
      for (const entity of entities) {
        const some = await records.list(own, entity);
        expect(some.every((one) => one.entity === entity)).toBe(true);
        const comes = some.map(({ upcoming }) => upcoming);
        expect(comes, entity).toEqual([...comes].sort((one, two) => Number(two) - Number(one)));
        for (const one of some) expect(await records.find(entity, own, one.id)).toEqual(one);
      }
      const isShared = ({ entity, id }: (typeof mine)[number]) =>
        mine.some((one) => one.entity === entity && one.id === id);
      for (const one of theirs.filter((record) => !isShared(record)))
        expect(await records.find(one.entity, own, one.id), one.id).toBeNull();
      for (const id of ['nothing', "' OR 1=1 --"])
        expect(await records.find(entities[0] ?? '', own, id)).toBeNull();
      expect(await records.list('nobody')).toEqual([]);
    });

    it('show operators all of it in sections, the empty ones too, in every language', async () => {
      const { records, texts, languages } = company;
      const own = await idOf(emails[0]);
      for (const language of languages) {
        const some = await records.sections(own, texts.for(language));
        const none = await records.sections('nobody', texts.for(language));
        expect(none.map(({ label }) => label)).toEqual(some.map(({ label }) => label));
        expect(some.length).toBeGreaterThan(0);
      }
    });
  },
);
