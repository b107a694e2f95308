import { eq } from 'drizzle-orm';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { prepareInsert } from '../../../data/statements.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import { experiences, meta, payments, refunds, reservations, subscriptions, users } from './schema.js';
import { readSeedRows } from './seed-rows.js';

const MARKER = 'seeded_at';

/**
 * Fills an empty cultpass.db with the demo data, once: rows and marker are one transaction, so that a process
 * killed half-way leaves a database that the next start fills.
 * @returns whether it seeded
 */
export function seedCultpass({ orm, sqlite }: DatabaseHandle, clock: Clock): boolean {
  return sqlite
    .transaction((): boolean => {
      if (orm.select().from(meta).where(eq(meta.key, MARKER)).get() !== undefined) return false;
      const now = clock.now();
      const rows = readSeedRows(now);
      rows.users.forEach(prepareInsert(orm, users));
      rows.subscriptions.forEach(prepareInsert(orm, subscriptions));
      rows.experiences.forEach(prepareInsert(orm, experiences));
      rows.reservations.forEach(prepareInsert(orm, reservations));
      rows.payments.forEach(prepareInsert(orm, payments));
      rows.refunds.forEach(prepareInsert(orm, refunds));
      orm.insert(meta).values({ key: MARKER, value: now.toISOString() }).run();
      return true;
    })
    .immediate();
}
