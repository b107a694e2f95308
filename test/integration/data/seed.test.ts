import { rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { monthInSaoPaulo } from '../../../companies/cultpass/data/records.js';
import { readSeedRows, type SeedRows } from '../../../companies/cultpass/data/seed.js';
import { makeTempDir, openSqliteWorld, SEEDED_AT } from '../../contract/stores/world.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { type CultpassStores, openStores } from '../../support/stores.js';

const HOUR = 3_600_000;
/** Fourteen months in steps of five days and seven hours: all days of a month, all weekdays, all times of day. */
const FIRST_USES = Array.from(
  { length: 80 },
  (_, step) => new Date(Date.UTC(2026, 0, 1) + step * (5 * 24 + 7) * HOUR + 61_000),
);
const COUNTED = ['reserved', 'attended'];

function problemsOf(rows: SeedRows, now: Date): string[] {
  const problems: string[] = [];
  const iso = now.toISOString();
  const require = (holds: boolean, what: string): void => void (holds || problems.push(`${iso}: ${what}`));
  const start = new Map(rows.experiences.map((one) => [one.experienceId, one]));
  const byId = new Map(rows.reservations.map((one) => [one.reservationId, one]));
  const refunded = new Map(rows.refunds.map((one) => [one.reservationId, one]));
  const paid = (id: string): number =>
    rows.payments
      .filter((p) => p.reservationId === id && p.status === 'paid')
      .reduce((sum, p) => sum + p.amountCents, 0);
  for (const one of rows.reservations) {
    const experience = start.get(one.experienceId);
    if (experience === undefined) continue;
    const { startsAt } = experience;
    const [id, refund] = [one.reservationId, refunded.get(one.reservationId)];
    require(one.createdAt <= one.updatedAt &&
      one.updatedAt <= iso, `${id} changed before it was made or in the future`);
    require(one.createdAt < startsAt, `${id} was made after the start`);
    if (one.status === 'attended') require(startsAt < iso, `${id} attended before the start`);
    if (one.status === 'cancelled') require(one.updatedAt < startsAt, `${id} cancelled after the start`);
    if (one.status === 'refunded') require(refund !== undefined, `${id} refunded without a refund`);
    if (COUNTED.includes(one.status)) require(refund === undefined, `${id} is ${one.status} and refunded`);
    require(paid(id) ===
      (experience.priceCents ?? 0), `${id} paid ${paid(id)} for a price of ${experience.priceCents}`);
    if (refund)
      require(refund.amountCents <= paid(id) &&
        refund.createdAt >= one.createdAt &&
        refund.createdAt <= iso, `${id} refund`);
    if (experience.isPremium)
      require(rows.subscriptions.some(
        (s) => s.userId === one.userId && s.tier === 'premium',
      ), `${id} premium without the plan`);
  }
  for (const payment of rows.payments) {
    require(payment.createdAt <= iso, `${payment.paymentId} is in the future`);
    if (payment.reservationId)
      require(byId.get(payment.reservationId)?.userId ===
        payment.userId, `${payment.paymentId} of somebody else`);
  }
  const newest = new Map(
    [...rows.subscriptions]
      .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
      .map((one) => [one.userId, one]),
  );
  for (const { userId, monthlyQuota } of newest.values()) {
    const months = new Map<string, number>();
    for (const one of rows.reservations) {
      if (one.userId !== userId || !COUNTED.includes(one.status)) continue;
      const month = monthInSaoPaulo(new Date(start.get(one.experienceId)?.startsAt ?? 0)).start.toISOString();
      months.set(month, (months.get(month) ?? 0) + 1);
    }
    for (const [month, used] of months)
      require(used <= monthlyQuota, `${userId} used ${used} of ${monthlyQuota} in ${month}`);
  }
  return problems;
}

describe('the seed', () => {
  it('[DATA-07] is consistent on whatever day and hour it is first used', () => {
    const problems = FIRST_USES.flatMap((now) => problemsOf(readSeedRows(now), now));
    expect(problems.slice(0, 10)).toEqual([]);
  });

  it('always has something soon, tomorrow and at the weekend', () => {
    for (const now of FIRST_USES) {
      const starts = readSeedRows(now).experiences.map((one) => Date.parse(one.startsAt) - now.getTime());
      const within = (from: number, to: number): number =>
        starts.filter((at) => at > from * HOUR && at <= to * HOUR).length;
      expect(within(0, 24)).toBeGreaterThanOrEqual(4);
      expect(within(24, 14 * 24)).toBeGreaterThanOrEqual(12);
      const weekend = readSeedRows(now).experiences.filter((one) =>
        [0, 6].includes(new Date(Date.parse(one.startsAt) - 3 * HOUR).getUTCDay()),
      );
      expect(
        weekend.filter(
          (one) =>
            Date.parse(one.startsAt) > now.getTime() &&
            Date.parse(one.startsAt) < now.getTime() + 8 * 24 * HOUR,
        ).length,
      ).toBeGreaterThanOrEqual(4);
    }
  });

  it('[TALK-01] starts experiences at hours when people go out, whenever it is first used', () => {
    for (const now of FIRST_USES) {
      for (const { experienceId, startsAt } of readSeedRows(now).experiences) {
        const minute = (((Date.parse(startsAt) / 60_000 - 3 * 60) % (24 * 60)) + 24 * 60) % (24 * 60);
        const about = `${experienceId} starts at ${startsAt}, seeded at ${now.toISOString()}`;
        expect(minute, about).toBeGreaterThanOrEqual(7 * 60);
        expect(minute, about).toBeLessThanOrEqual(22 * 60);
      }
    }
  });

  it('[DATA-06] is as large and as varied as the demo needs', () => {
    const rows = readSeedRows(new Date(SEEDED_AT));
    expect(rows.users.length).toBeGreaterThanOrEqual(26);
    expect(rows.experiences.length).toBeGreaterThanOrEqual(42);
    expect(rows.reservations.length).toBeGreaterThanOrEqual(110);
    const states = new Set(
      rows.subscriptions.map(
        ({ userId, status, tier }) =>
          `${rows.users.find((u) => u.userId === userId)?.isBlocked ? 'blocked' : status} ${tier}`,
      ),
    );
    for (const status of ['active', 'paused', 'cancelled', 'blocked'])
      for (const tier of ['basic', 'premium']) expect(states).toContain(`${status} ${tier}`);
    expect(rows.users.every((one) => /^[a-z.]+@example\.com$/.test(one.email))).toBe(true);
    expect(new Set(rows.experiences.map((one) => one.location.split(' - ')[0])).size).toBe(10);
    expect(rows.experiences.some((one) => one.slotsAvailable === 0 && one.startsAt > SEEDED_AT)).toBe(true);
    expect(rows.refunds.length).toBeGreaterThan(10);
    const noShow = rows.reservations.filter(
      (one) =>
        one.status === 'reserved' &&
        (rows.experiences.find((e) => e.experienceId === one.experienceId)?.startsAt ?? '') < SEEDED_AT,
    );
    expect(noShow.length).toBeGreaterThan(0);
  });
});

describe('the demo customers', () => {
  let stores: CultpassStores;
  let close: () => Promise<void>;
  const now = new Date(SEEDED_AT);
  beforeAll(async () => ({ stores, close } = await openSqliteWorld()));
  afterAll(() => close());
  const upcoming = async (id: string) =>
    (await stores.customers.listReservations(id)).filter(
      (one) => one.status === 'reserved' && one.experience.startsAt > SEEDED_AT,
    );

  it('has Ana with four upcoming visits of four kinds', async () => {
    const list = await upcoming('usr_001');
    const hours = list.map((one) => (Date.parse(one.experience.startsAt) - now.getTime()) / HOUR);
    expect(hours[0]).toBeGreaterThanOrEqual(3);
    expect(hours[0]).toBeLessThan(24);
    expect(hours.slice(1).every((h) => h > 24)).toBe(true);
    expect(new Set(list.map((one) => one.experience.startsAt.slice(0, 10))).size).toBe(4);
    expect(list.some((one) => one.paidCents > 20_000)).toBe(true);
    expect(list.some((one) => one.paidCents === 0)).toBe(true);
    const samba = list.find((one) => /samba/i.test(one.experience.title));
    expect(samba?.experience.startsAt).toBe('2026-03-14T23:00:00.000Z');
    expect((await stores.customers.getQuotaUsage('usr_001', now))?.remaining).toBeGreaterThan(0);
  });

  it('[DATA-06] has one for each rule', async () => {
    const { customers } = stores;
    expect(await customers.findUserByEmail('bruno.lima@example.com')).toMatchObject({ userId: 'usr_002' });
    expect(await customers.getSubscription('usr_003')).toMatchObject({ status: 'paused' });
    expect(await upcoming('usr_003')).not.toEqual([]);
    expect(await customers.getSubscription('usr_004')).toMatchObject({ status: 'cancelled' });
    expect(await upcoming('usr_004')).not.toEqual([]);
    expect(await customers.getUser('usr_005')).toMatchObject({ isBlocked: true });
    expect(await upcoming('usr_005')).not.toEqual([]);
    const missing = (await customers.listReservations('usr_007')).filter(
      (one) => one.status === 'cancelled' && one.paidCents > 0 && !one.refund,
    );
    expect(missing).toHaveLength(1);
    expect(await customers.getSubscription('usr_008')).toMatchObject({ status: 'paused' });
    expect((await customers.listPayments('usr_008'))[0]).toMatchObject({
      status: 'paid',
      reservationId: null,
    });
    expect(await customers.getSubscription('usr_009')).toBeNull();
    expect(await customers.getQuotaUsage('usr_010', now)).toMatchObject({ remaining: 0 });
    expect((await customers.listPayments('usr_012')).slice(0, 2)).toMatchObject([
      { status: 'failed' },
      { status: 'failed' },
    ]);
  });

  it('stays what it was when the hub is opened later', async () => {
    const dataDir = makeTempDir();
    const clock = createFixedClock(SEEDED_AT);
    const options = { dataDir, clock, ids: createSequentialIds(), log: createRecordingLog() };
    await (await openStores(options)).close();
    clock.advance({ days: 10 });
    await (await openStores(options)).close();
    const sqlite = new BetterSqlite3(join(dataDir, 'cultpass.db'), { readonly: true });
    expect(
      sqlite.prepare(`SELECT starts_at FROM experiences WHERE experience_id = 'exp_025'`).pluck().get(),
    ).toBe('2026-03-14T23:00:00.000Z');
    sqlite.close();
    const hub = new BetterSqlite3(join(dataDir, 'udahub.db'), { readonly: true });
    expect(hub.prepare('SELECT name FROM accounts').pluck().all()).toEqual(['CultPass']);
    expect(hub.prepare(`SELECT name FROM users WHERE external_user_id = 'usr_001'`).pluck().all()).toEqual([
      'Ana Souza',
    ]);
    hub.close();
    rmSync(dataDir, { recursive: true });
  });
});
