import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { CustomerMemory, Preference, Resolution } from '../../src/core/domain/customer.js';
import { LANGUAGE_TAG } from '../../src/core/domain/language.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { Ids } from '../../src/core/ports/ids.js';
import type { MemoryStore, NewResolution } from '../../src/core/ports/thread-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareInsert, prepareUpsert, unsynced } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { customerPreferences, ticketResolutions } from './schema.js';

const LANGUAGE_KEY = 'language';

/** Preferences and resolutions in udahub.db. */
export function createMemoryStore(
  { path, orm, sqlite }: DatabaseHandle,
  clock: Clock,
  ids: Ids,
): MemoryStore {
  const { seq: _seq, ...resolutionColumns } = getTableColumns(ticketResolutions);
  const customer = sql.placeholder('customerId');
  const preferencesOf = orm
    .select()
    .from(customerPreferences)
    .where(eq(customerPreferences.customerId, customer))
    .orderBy(asc(customerPreferences.key))
    .prepare();
  const resolutionsOf = orm
    .select(resolutionColumns)
    .from(ticketResolutions)
    .where(eq(ticketResolutions.customerId, customer))
    .orderBy(desc(ticketResolutions.seq))
    .limit(sql.placeholder('limit'))
    .prepare();
  const insertResolution = prepareInsert(orm, ticketResolutions, { omit: ['seq'] });
  const upsert = prepareUpsert(orm, customerPreferences, [
    customerPreferences.customerId,
    customerPreferences.key,
  ]);

  const recall = (customerId: string, resolutionLimit: number): CustomerMemory => {
    const preferences = preferencesOf.all({ customerId });
    const resolutions = resolutionsOf.all({ customerId, limit: Math.max(0, Math.trunc(resolutionLimit)) });
    const stored = preferences.find(({ key }) => key === LANGUAGE_KEY)?.value;
    return {
      preferredLanguage: stored !== undefined && LANGUAGE_TAG.test(stored) ? stored : null,
      preferences,
      resolutions,
    };
  };
  const setPreference = (customerId: string, key: string, value: string): Preference => {
    const preference: Preference = { customerId, key, value, updatedAt: clock.now().toISOString() };
    upsert(preference);
    return preference;
  };
  const addResolution = (resolution: NewResolution): Resolution => {
    const stored: Resolution = {
      ...resolution,
      resolutionId: ids.next('rsl'),
      createdAt: clock.now().toISOString(),
    };
    // Of a turn: what was promised in it is kept with its messages.
    unsynced(sqlite, () => insertResolution(stored));
    return stored;
  };

  return withTranslatedErrors<MemoryStore>(
    { path },
    {
      recall: async (customerId, resolutionLimit) => recall(customerId, resolutionLimit),
      setPreference: async (customerId, key, value) => setPreference(customerId, key, value),
      addResolution: async (resolution) => addResolution(resolution),
    },
  );
}
