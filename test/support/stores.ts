import { CULTPASS_DATABASE } from '../../companies/cultpass/data/database.js';
import { createCustomerReader } from '../../companies/cultpass/data/reader.js';
import type { CustomerReader, CustomerWriter } from '../../companies/cultpass/data/records.js';
import { createCustomerWriter } from '../../companies/cultpass/data/writer.js';
import type { CompanyDatabase } from '../../data/company-database.js';
import { openStores as openAll, type Stores, type StoresOptions } from '../../data/index.js';
import type { EffectLedger } from '../../src/core/ports/effect-ledger.js';

/** What stores need to know of the company that ships. */
const CULTPASS_STORAGE = {
  database: CULTPASS_DATABASE,
  name: 'CultPass',
  articles: new URL('../../companies/cultpass/articles/knowledge.jsonl', import.meta.url),
};

/** The stores, and over them what CultPass reads and does. */
export interface CultpassStores extends Stores {
  readonly customers: CustomerReader;
  readonly customerWrites: CustomerWriter & EffectLedger;
}

/** Opens the stores of the company that ships. */
export async function openStores(options: Omit<StoresOptions, 'company'>): Promise<CultpassStores> {
  const stores = await openAll({ ...options, company: CULTPASS_STORAGE });
  return { ...stores, ...cultpassOver(stores.company, stores.effects, options) };
}

/** What CultPass reads and does over its opened database. */
export function cultpassOver(
  { reader, writer, ledger, waiting }: CompanyDatabase,
  effects: EffectLedger,
  { clock, ids }: Pick<StoresOptions, 'clock' | 'ids'>,
): Pick<CultpassStores, 'customers' | 'customerWrites'> {
  return {
    customers: waiting(createCustomerReader(reader, clock)),
    customerWrites: { ...waiting(createCustomerWriter(writer, ledger, ids)), ...effects },
  };
}
