import { describe, expect, it } from 'vitest';
import { call, doubt } from './claims-support.js';

const place = { title: 'Harbour Choir', location: 'Natal - Teatro Alberto Maranhão' };
/** Now is Sunday 22 November 2026, 07:31 in São Paulo. */
const ACCOUNT = call('get_customer_context', {
  subscription: { status: 'active', tier: 'basic', started_at: '2026-01-05T12:00:00Z', ended_at: null },
  reservations: [
    {
      ...{ ...place, reservation_id: 'r1', starts_at: '2026-11-28T22:00:00Z', status: 'reserved' },
      ...{ upcoming: true, paid_cents: 6_500, refund: null },
    },
    {
      ...{ title: 'Clay Workshop', location: 'Olinda - Casa do Barro', reservation_id: 'r2' },
      ...{ starts_at: '2026-11-20T22:00:00Z', status: 'cancelled', upcoming: false, paid_cents: 4_200 },
      refund: { amount_cents: 4_000, status: 'completed', created_at: '2026-11-15T12:00:00Z' },
    },
    {
      ...{ title: 'Print Fair', location: 'Santos - Cadeia Velha', reservation_id: 'r3', upcoming: false },
      ...{ starts_at: '2026-11-19T22:00:00Z', status: 'cancelled', paid_cents: 3_000, refund: null },
    },
  ],
  payments: [
    { amount_cents: 5_990, created_at: '2026-11-21T12:00:00Z', for: null, status: 'failed' },
    { amount_cents: 5_990, created_at: '2026-11-20T12:00:00Z', for: null, status: 'failed' },
    { amount_cents: 6_500, created_at: '2026-11-10T23:10:00Z', for: 'Harbour Choir', status: 'failed' },
    { amount_cents: 6_500, created_at: '2026-11-10T23:14:00Z', for: 'Harbour Choir', status: 'paid' },
    { amount_cents: 4_200, created_at: '2026-11-05T12:00:00Z', for: 'Clay Workshop', status: 'paid' },
    { amount_cents: 3_000, created_at: '2026-11-04T12:00:00Z', for: 'Print Fair', status: 'paid' },
    { amount_cents: 5_990, created_at: '2026-10-18T12:00:00Z', for: null, status: 'paid' },
  ],
});

describe('what is said of money', () => {
  it.each([
    'After a failed try on November 20, the R$ 59.90 went through yesterday.',
    'Your November fee is paid.',
    'Sua mensalidade de novembro foi paga.',
    'Both tries for the Harbour Choir were charged, at 20:10 and at 20:14.',
    'The R$ 30.00 of the Print Fair were refunded when it was cancelled.',
    'O valor do Print Fair foi reembolsado.',
    'The refund of the Clay Workshop came to R$ 42.00.',
    'The payment of October 18 failed.',
  ])('[GRD-04] is doubtful where the payment or refund that is meant does not say it: %s', (text) => {
    expect(doubt(text, [ACCOUNT])).not.toBeNull();
  });

  it.each([
    'The R$ 59.90 charge failed on November 20 and again yesterday.',
    'Your October fee is paid.',
    'The first try for the Harbour Choir failed at 20:10.',
    'You paid R$ 65.00 for the Harbour Choir on November 10.',
    'The refund of the Clay Workshop came to R$ 40.00.',
    'O reembolso do Clay Workshop foi concluído em 15 de novembro.',
    'No refund is recorded for the Print Fair.',
  ])('[GRD-04] goes out where it says it: %s', (text) => {
    expect(doubt(text, [ACCOUNT])).toBeNull();
  });
});

describe('what is said of a booking', () => {
  it.each([
    'The Harbour Choir is on Saturday at 19:00, in Olinda.',
    'The Harbour Choir is on Saturday at 19:00, in Recife.',
    'You have two upcoming bookings: the Harbour Choir and the Print Fair.',
    'The Clay Workshop was refunded on November 15, two weeks ago.',
    'O reembolso do Clay Workshop foi em 15 de novembro, há três dias.',
    'For the Harbour Choir and the Clay Workshop you paid R$ 42.00 each.',
    'The Print Fair was cancelled by the organiser.',
  ])('[GRD-04] is doubtful where place, day, amount or cause are not its own: %s', (text) => {
    expect(doubt(text, [ACCOUNT])).not.toBeNull();
  });

  it('[GRD-04] is doubtful where what came after something came before it', () => {
    const first = 'The Clay Workshop was refunded on November 15.';
    expect(doubt(`${first} After that you paid R$ 65.00 on November 10.`, [ACCOUNT])).not.toBeNull();
  });

  it.each([
    'The Harbour Choir is on Saturday at 19:00, in Natal.',
    'You have one upcoming booking: the Harbour Choir.',
    'The Clay Workshop was refunded on November 15, a week ago.',
    'O reembolso do Clay Workshop foi em 15 de novembro, há uma semana.',
  ])('[GRD-04] goes out where they are: %s', (text) => {
    expect(doubt(text, [ACCOUNT])).toBeNull();
  });
});
