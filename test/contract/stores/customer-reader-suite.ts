import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExperienceQuery } from '../../../companies/cultpass/data/records.js';
import { readKinds } from '../../../companies/cultpass/data/search-words.js';
import type { CompanyWorld, OpenCompanyWorld } from './world.js';

/** What every CustomerReader must do, on the demo seed. */
export function customerReaderSuite(name: string, open: OpenCompanyWorld): void {
  describe(`CustomerReader: ${name}`, () => {
    let world: CompanyWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const reader = () => world.stores.customers;
    const now = () => world.clock.now();

    it('finds a user by e-mail whatever the case, and nobody for an unknown one', async () => {
      const ana = await reader().findUserByEmail(' ANA.Souza@Example.com ');
      expect(ana).toMatchObject({
        userId: 'usr_001',
        fullName: 'Ana Souza',
        email: 'ana.souza@example.com',
        isBlocked: false,
      });
      expect(ana?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(await reader().findUserByEmail('nobody@example.com')).toBeNull();
      expect(await reader().findUserByEmail("' OR 1=1 --")).toBeNull();
      expect(await reader().getUser('usr_005')).toMatchObject({ isBlocked: true });
      expect(await reader().getUser('usr_999')).toBeNull();
    });

    it('reads the newest subscription', async () => {
      expect(await reader().getSubscription('usr_001')).toMatchObject({
        status: 'active',
        tier: 'premium',
        monthlyQuota: 5,
        endedAt: null,
      });
      expect(await reader().getSubscription('usr_018')).toMatchObject({ status: 'active', tier: 'premium' });
      expect(await reader().getSubscription('usr_009')).toBeNull();
    });

    it('reads a pause that has run out as active', async () => {
      expect(await reader().getSubscription('usr_003')).toMatchObject({ status: 'paused' });
      world.clock.advance({ days: 21 });
      expect(await reader().getSubscription('usr_003')).toMatchObject({ status: 'active', endedAt: null });
    });

    it('lists reservations: soonest upcoming first, then past ones newest first', async () => {
      const list = await reader().listReservations('usr_001');
      const upcoming = list.filter((one) => one.experience.startsAt > now().toISOString());
      expect(list.slice(0, upcoming.length)).toEqual(upcoming);
      const starts = list.map((one) => one.experience.startsAt);
      const past = starts.slice(upcoming.length);
      expect(starts.slice(0, upcoming.length)).toEqual([...starts.slice(0, upcoming.length)].sort());
      expect(past).toEqual([...past].sort().reverse());
      expect(upcoming).toHaveLength(4);
      expect(list.every((one) => one.userId === 'usr_001')).toBe(true);
    });

    it('gives a reservation with experience, payment and refund', async () => {
      const [first] = await reader().listReservations('usr_001');
      expect(await reader().getReservation('usr_001', first?.reservationId ?? '')).toEqual(first);
      expect(first).toMatchObject({
        status: 'reserved',
        paidCents: 9000,
        refund: null,
        experience: { isPremium: false, priceCents: 9000 },
      });
      const refunded = (await reader().listReservations('usr_001')).find((one) => one.refund !== null);
      expect(refunded).toMatchObject({
        status: 'cancelled',
        refund: { status: 'completed', amountCents: refunded?.paidCents },
      });
    });

    it('does not count a failed payment as paid', async () => {
      const list = await reader().listReservations('usr_012');
      const payments = await reader().listPayments('usr_012');
      const retried = list.find((one) =>
        payments.some((p) => p.reservationId === one.reservationId && p.status === 'failed'),
      );
      expect(retried?.paidCents).toBe(retried?.experience.priceCents);
    });

    it('lists payments newest first, a real double charge included', async () => {
      const payments = await reader().listPayments('usr_006');
      const times = payments.map((one) => one.createdAt);
      expect(times).toEqual([...times].sort().reverse());
      const charges = payments.filter((one) => one.reservationId === null && one.status === 'paid');
      const gapMs = Date.parse(charges[0]?.createdAt ?? '') - Date.parse(charges[1]?.createdAt ?? '');
      expect(gapMs).toBeLessThan(10 * 60_000);
    });

    it('counts the visits of the calendar month in São Paulo', async () => {
      const list = await reader().listReservations('usr_001');
      const inMonth = (from: string, to: string) =>
        list.filter(
          ({ status, experience: { startsAt } }) =>
            ['reserved', 'attended'].includes(status) && startsAt >= from && startsAt < to,
        ).length;
      const march = await reader().getQuotaUsage('usr_001', new Date('2026-03-11T15:00:00.000Z'));
      const used = inMonth('2026-03-01T03:00:00.000Z', '2026-04-01T03:00:00.000Z');
      expect(march).toEqual({
        monthlyQuota: 5,
        used,
        remaining: 5 - used,
        resetsAt: '2026-04-01T03:00:00.000Z',
      });
      const lastHour = await reader().getQuotaUsage('usr_001', new Date('2026-04-01T02:59:59.999Z'));
      expect(lastHour).toEqual(march);
      const next = await reader().getQuotaUsage('usr_001', new Date('2026-04-01T03:00:00.000Z'));
      expect(next?.resetsAt).toBe('2026-05-01T03:00:00.000Z');
      expect((await reader().getQuotaUsage('usr_001', new Date('2026-12-31T12:00:00.000Z')))?.resetsAt).toBe(
        '2027-01-01T03:00:00.000Z',
      );
      expect(await reader().getQuotaUsage('usr_009', now())).toBeNull();
    });

    it('finds upcoming experiences only, soonest first, up to the limit', async () => {
      const all = await reader().findExperiences({ limit: 100 }, now());
      const starts = all.map((one) => one.startsAt);
      expect(starts).toEqual([...starts].sort());
      expect(starts.every((at) => at > now().toISOString())).toBe(true);
      expect(all.length).toBeGreaterThan(25);
      expect(await reader().findExperiences({ limit: 3 }, now())).toEqual(all.slice(0, 3));
    });

    it('finds by words without accents and case, by place, time and plan', async () => {
      const titles = async (query: object) =>
        (await reader().findExperiences({ limit: 50, ...query }, now())).map((one) => one.title);
      expect(await titles({ text: 'SAMBA night' })).toEqual(['Samba Night at Pedra do Sal']);
      expect(await titles({ text: 'tropicalia concerts' })).toEqual(['Tropicália Film Concert']);
      expect(await titles({ text: 'forro' })).toEqual(['Forró Night at the Northeastern Fair']);
      expect(await titles({ text: '100% _ \' " samba' })).toEqual([]);
      const inSaoPaulo = await reader().findExperiences({ location: 'sao paulo', limit: 50 }, now());
      expect(inSaoPaulo.length).toBeGreaterThan(4);
      expect(inSaoPaulo.every((one) => one.location.startsWith('São Paulo'))).toBe(true);
      const premium = await reader().findExperiences({ isPremium: true, limit: 50 }, now());
      expect(premium.length).toBeGreaterThan(4);
      expect(premium.every((one) => one.isPremium)).toBe(true);
      const free = await reader().findExperiences({ isFree: true, limit: 50 }, now());
      expect(free.length).toBeGreaterThan(4);
      expect(free.every((one) => one.priceCents === 0)).toBe(true);
      const [from, to] = ['2026-03-14T03:00:00Z', '2026-03-16T03:00:00Z'];
      const weekend = await reader().findExperiences({ from, to, limit: 50 }, now());
      expect(weekend.length).toBeGreaterThanOrEqual(5);
      expect(
        weekend.every(
          (one) => one.startsAt >= '2026-03-14T03:00:00.000Z' && one.startsAt < '2026-03-16T03:00:00.000Z',
        ),
      ).toBe(true);
    });

    it('[DLG-32] every entry of the catalogue is found by its title, by its city and day, and by a kind', async () => {
      const found = async (query: Partial<ExperienceQuery>) =>
        (await reader().findExperiences({ limit: 500, ...query }, now())).map((one) => one.experienceId);
      const byKind = new Set<string>();
      for (const kind of readKinds().found.keys())
        for (const id of await found({ text: kind })) byKind.add(id);
      for (const { experienceId, title, location, startsAt } of await reader().findExperiences(
        { limit: 500 },
        now(),
      )) {
        const to = new Date(Date.parse(startsAt) + 1).toISOString();
        expect(await found({ text: title }), title).toEqual([experienceId]);
        const city = location.split(' - ')[0] ?? '';
        expect(await found({ location: city, from: startsAt, to }), title).toContain(experienceId);
        expect(byKind, title).toContain(experienceId);
      }
    });

    it('refuses a time that is none', async () => {
      await expect(reader().findExperiences({ from: 'tomorrow', limit: 1 }, now())).rejects.toMatchObject({
        code: 'input_invalid',
      });
    });
  });
}
