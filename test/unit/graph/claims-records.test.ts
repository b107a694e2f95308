import { describe, expect, it } from 'vitest';
import { loadCompany } from '../../../src/company/company.js';
import { createRoster, toolsOf } from '../../../src/runtime/roster.js';
import { gearhouseTools } from '../../companies/gearhouse/tools.js';
import { call, fault, RECORD } from './claims-support.js';

const USED_UP = call('get_customer_context', {
  quota: { monthly_quota: 2, used: 2, remaining: 0, resets_at: '2026-12-01T03:00:00Z' },
  reservations: [true, true, true, false].map((upcoming, at) => ({
    ...{
      reservation_id: `r${at}`,
      title: `Evening ${'ABCD'[at]}`,
      status: upcoming ? 'reserved' : 'attended',
    },
    ...{ starts_at: `2026-1${upcoming ? 2 : 1}-0${at + 1}T22:00:00Z`, upcoming, paid_cents: 0, refund: null },
  })),
});

describe('a number in words', () => {
  it.each([
    ['You still have one more to spend.', 'figure'],
    ['There is one visit left for you.', 'figure'],
    ['One visit is still available.', 'figure'],
    ['You have used one so far.', 'figure'],
    ['That leaves one for the rest of the month.', 'figure'],
    ['One out of two.', 'figure'],
    ['None of the two visits has been used.', 'figure'],
    ['Ainda resta uma visita neste mês.', 'figure'],
    ['Você usou uma das duas visitas.', 'figure'],
    ['Nenhuma visita foi usada.', 'figure'],
    ['You have four upcoming reservations.', 'figure'],
    ['Você tem quatro reservas futuras.', 'figure'],
    ['This is your only upcoming reservation.', 'figure'],
    ['Não há nenhuma reserva futura.', 'figure'],
    ['No visits are left.', null],
    ['Both visits are used, so none remain.', null],
    ['Nenhuma visita restante: as duas foram usadas.', null],
    ['You have three upcoming reservations.', null],
    ['Duas visitas usadas e nenhuma sobrando.', null],
    ['If you cancel one in time, one visit will be available again.', null],
    ['You have no other upcoming reservation that day.', null],
    ['Please leave one seat free beside you.', null],
  ] as const)('[ATK-06] is compared with what the records count: %s', (text, expected) => {
    expect(fault(text, [USED_UP])).toBe(expected);
  });

  it.each([
    ['You have one upcoming reservation, and one visit left.', null],
    ['This is your only upcoming reservation.', null],
    ['One of your two visits is used.', null],
    ['Você já usou uma e ainda resta uma.', null],
    ['As 2 de novembro são suas.', null],
  ] as const)('[ATK-06] may say what they count: %s', (text, expected) => {
    expect(fault(text, [RECORD])).toBe(expected);
  });
});

const GEARHOUSE = {
  company: loadCompany(new URL('../../companies/gearhouse', import.meta.url).pathname).profile,
  roster: createRoster(
    Object.values(
      gearhouseTools({
        policy: { rental: { free_cancellation_hours: 24, approval_above_cents: 10_000 } },
        cancel: () => Promise.reject(new Error('never called')),
      }),
    ).flatMap(toolsOf),
  ),
};
const RENTALS = call('get_rentals', {
  records: [
    ['Tandem Duet', 'booked', 'Camden', '2026-11-24T12:00:00Z', 4_500, true],
    ['Tourer Alpine', 'booked', 'Hackney', '2026-11-26T12:00:00Z', 15_000, true],
    ['City Classic', 'cancelled', 'Leith', '2026-11-02T12:00:00Z', 1_800, false],
  ].map(([title, status, shop, at, paid_cents, upcoming], place) => ({
    ...{ id: `rnt_00${place}`, title, status, shop, at, paid_cents, upcoming },
  })),
});

describe('an answer about the records of another company', () => {
  it.each([
    ['You have two upcoming rentals.', null],
    ['You have three upcoming rentals.', 'figure'],
    ['You have three upcoming hires.', 'figure'],
    ['This is your only upcoming rental.', 'figure'],
    ['You paid £45.00 for the Tandem Duet.', null],
    ['You paid £150.00 for the Tandem Duet.', 'figure'],
    ['The one in Leith was cancelled.', null],
    ['The one in Hackney was cancelled.', 'claimed_action'],
    ['The Tourer Alpine rental has been cancelled.', 'claimed_action'],
    ['The City Classic rental has been cancelled.', null],
  ] as const)('[ATK-06 COMP-06] %s', (text, expected) => {
    expect(fault(text, [RENTALS], 'And my rentals?', GEARHOUSE)).toBe(expected);
  });
});
