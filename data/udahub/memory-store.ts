import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { CustomerMemory, Preference, Resolution } from '../../src/core/domain/customer.js';
import { LANGUAGE_TAG } from '../../src/core/domain/language.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import type { MemoryStore } from '../../src/core/ports/thread-store.js';
import { type Database, storeOf, type Work } from '../database.js';
import { insertInto, upsertInto } from '../statements.js';
import { customerPreferences, ticketResolutions } from './schema.js';

const LANGUAGE_KEY = 'language';

/** Preferences and resolutions. */
export function createMemoryStore(database: Database, clock: Clock, ids: Ids): MemoryStore {
  const { seq: _seq, ...resolutionColumns } = getTableColumns(ticketResolutions);
  const customer = sql.placeholder('customerId');
  const preferencesOf = database.query((orm) =>
    orm
      .select()
      .from(customerPreferences)
      .where(eq(customerPreferences.customerId, customer))
      .orderBy(asc(customerPreferences.key)),
  );
  const resolutionsOf = database.query((orm) =>
    orm
      .select(resolutionColumns)
      .from(ticketResolutions)
      .where(eq(ticketResolutions.customerId, customer))
      .orderBy(desc(ticketResolutions.seq))
      .limit(sql.placeholder('limit')),
  );
  const insertResolution = insertInto(database, ticketResolutions, { omit: ['seq'] });
  const upsert = upsertInto(database, customerPreferences, [
    customerPreferences.customerId,
    customerPreferences.key,
  ]);

  return storeOf<MemoryStore>(database, {
    *recall(customerId, resolutionLimit): Work<CustomerMemory> {
      const preferences = yield* preferencesOf.all({ customerId });
      const limit = Math.max(0, Math.trunc(resolutionLimit));
      const resolutions = yield* resolutionsOf.all({ customerId, limit });
      const stored = preferences.find(({ key }) => key === LANGUAGE_KEY)?.value;
      return {
        preferredLanguage: stored !== undefined && LANGUAGE_TAG.test(stored) ? stored : null,
        preferences,
        resolutions,
      };
    },
    *setPreference(customerId, key, value): Work<Preference> {
      const preference = { customerId, key, value, updatedAt: clock.now().toISOString() };
      yield* upsert(preference);
      return preference;
    },
    *addResolution(resolution): Work<Resolution> {
      const resolutionId = ids.next('rsl');
      const stored = { ...resolution, resolutionId, createdAt: clock.now().toISOString() };
      // Of a turn: what was promised in it is kept with its messages.
      yield* database.unsynced(() => insertResolution(stored));
      return stored;
    },
  });
}
