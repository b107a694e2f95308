import { describe, expect, it } from 'vitest';
import { call, doubt } from './claims-support.js';

/** Now is Sunday 22 November 2026, 07:31 in São Paulo. */
const ACCOUNT = call('get_customer_context', {
  subscription: {
    status: 'paused',
    tier: 'basic',
    started_at: '2026-01-05T12:00:00Z',
    ended_at: '2026-12-10T12:00:00Z',
  },
  user: { full_name: 'Rosa Prado', is_blocked: false, created_at: '2025-12-30T12:00:00Z' },
  reservations: [
    {
      ...{ title: 'Harbour Choir', location: 'Natal - Teatro Alberto Maranhão', reservation_id: 'r1' },
      ...{
        starts_at: '2026-11-28T22:00:00Z',
        status: 'reserved',
        upcoming: true,
        paid_cents: 6_500,
        refund: null,
      },
    },
    {
      ...{
        title: 'Clay Workshop',
        location: 'Olinda - Casa do Barro',
        reservation_id: 'r2',
        paid_cents: 4_200,
      },
      ...{ starts_at: '2026-12-20T21:30:00Z', status: 'cancelled', upcoming: false },
      refund: { amount_cents: 4_000, status: 'completed', created_at: '2026-11-15T12:00:00Z' },
    },
    {
      ...{ title: 'Print Fair', location: 'Santos - Cadeia Velha', reservation_id: 'r3', upcoming: false },
      ...{ starts_at: '2026-11-19T22:00:00Z', status: 'attended', paid_cents: 0, refund: null },
    },
  ],
  payments: [
    { amount_cents: 5_990, created_at: '2026-11-20T12:00:00Z', for: null, status: 'paid' },
    { amount_cents: 6_500, created_at: '2026-11-10T23:14:00Z', for: 'Harbour Choir', status: 'paid' },
    { amount_cents: 4_200, created_at: '2026-11-05T12:00:00Z', for: 'Clay Workshop', status: 'paid' },
    { amount_cents: 5_990, created_at: '2026-10-20T12:00:00Z', for: null, status: 'paid' },
  ],
});

describe('a sentence on records', () => {
  it.each([
    ['a day of another record', 'The Harbour Choir is on November 19 at 19:00.'],
    [
      'an hour of another record in a list',
      'You have Harbour Choir (November 28, 18:30) and Clay Workshop (December 20, 18:30).',
    ],
    ['one place for two', 'Harbour Choir and Clay Workshop are both in Olinda.'],
    ['the day of another field', 'Your Basic plan is paused until January 5.'],
    ['the day of a payment for that of the plan', 'Your plan started on October 20.'],
    ['a state of another record', 'The Print Fair is marked as missed.'],
    ['a refund that is over as one that is not', 'The refund of the Clay Workshop is still being processed.'],
    ['an earlier one as the last', 'The last monthly charge was on October 20.'],
    ['none where there is one', 'No refund is recorded for the Clay Workshop.'],
    ['a sum that nothing comes to', 'You paid R$ 107.00 for Harbour Choir and R$ 42.00 for Clay Workshop.'],
    ['an order of events', 'The Clay Workshop precedes the Harbour Choir.'],
    ['what no field says', 'The Harbour Choir comes with a glass of wine.'],
    [
      'a later one as the next',
      'Your next booking is the Clay Workshop on December 20, which was cancelled.',
    ],
    [
      'a cancelled one without saying so',
      'You have Harbour Choir on November 28 and Print Fair, and Clay Workshop on December 20.',
    ],
    ['of each what is of one', 'All of your payments were R$ 65.00 each.'],
    ['that a paused plan is active', 'Your Basic plan is active.'],
    ['that a paid one was free', 'Your Harbour Choir booking was free.'],
    ['more of them than there are', 'Three fees of R$ 59.90 are on record.'],
    [
      'a month for two that is of one',
      'In November you have Harbour Choir and Clay Workshop, which is cancelled.',
    ],
    ['a place of another', 'Harbour Choir: November 28 at 19:00, Casa do Barro.'],
    ['places of two for one', 'Your show is at Teatro Alberto Maranhão in Olinda.'],
    ['the days until it wrongly', 'The Harbour Choir is in 5 days.'],
    ['a day of another record, in Portuguese', 'O Harbour Choir foi em 20 de dezembro.'],
  ])('[GRD-08] is doubtful where it says %s', (_name, text) => {
    expect(doubt(text, [ACCOUNT])).not.toBeNull();
  });

  it.each([
    'Your booking of Harbour Choir is on Saturday, November 28 at 19:00, in Natal.',
    'The last monthly charge was R$ 59.90 on November 20.',
    'The Clay Workshop is cancelled, and its refund of R$ 40.00 is completed.',
    'You attended the Print Fair on November 19.',
    'Your plan is paused until December 10.',
    'I see two fees of R$ 59.90 on record.',
    'The Print Fair was free.',
    'Sua reserva do Harbour Choir foi paga em 10 de novembro, no valor de R$ 65,00.',
    'You paid R$ 65.00 for Harbour Choir and R$ 42.00 for Clay Workshop, R$ 107.00 in total.',
  ])('[GRD-08] goes out where one record says it: %s', (text) => {
    expect(doubt(text, [ACCOUNT])).toBeNull();
  });
});
