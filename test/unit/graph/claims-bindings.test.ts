import { describe, expect, it } from 'vitest';
import { call, wrong } from './claims-support.js';

/** Now is Sunday 22 November 2026, 07:31 in São Paulo. */
const ACCOUNT = call('get_customer_context', {
  subscription: { status: 'active', tier: 'basic', started_at: '2026-01-05T12:00:00Z', ended_at: null },
  reservations: [
    {
      ...{ title: 'Harbour Choir', location: 'Natal - Teatro Alberto Maranhão', reservation_id: 'r1' },
      ...{ starts_at: '2026-11-28T22:00:00Z', status: 'reserved', upcoming: true, paid_cents: 6_500 },
      refund: null,
    },
    {
      ...{ title: 'Clay Workshop', location: 'Olinda - Casa do Barro', reservation_id: 'r2' },
      ...{ starts_at: '2026-12-20T21:30:00Z', status: 'cancelled', upcoming: false, paid_cents: 4_200 },
      refund: { amount_cents: 4_000, status: 'completed', created_at: '2026-11-15T12:00:00Z' },
    },
    {
      ...{ title: 'Print Fair', location: 'Santos - Cadeia Velha', reservation_id: 'r3', upcoming: false },
      ...{ starts_at: '2026-11-19T22:00:00Z', status: 'attended', paid_cents: 3_000, refund: null },
    },
  ],
  payments: [
    { amount_cents: 5_990, created_at: '2026-11-20T12:00:00Z', for: null, status: 'paid' },
    { payment_id: 'p1', amount_cents: 6_500, paid_on: '2026-11-10', reservation_id: 'r1', status: 'paid' },
    { amount_cents: 4_200, created_at: '2026-11-05T12:00:00Z', for: 'Clay Workshop', status: 'paid' },
    { amount_cents: 3_000, created_at: '2026-11-04T12:00:00Z', for: 'Print Fair', status: 'paid' },
  ],
});
const PROGRAMME = call('find_experiences', {
  experiences: [
    { title: 'Harbour Choir', starts_at: '2026-11-28T22:00:00Z', price_cents: 6_500, slots_available: 12 },
    { title: 'Clay Workshop', starts_at: '2026-12-20T21:30:00Z', price_cents: 4_200, slots_available: 31 },
  ],
});

describe('a figure of a record', () => {
  it.each([
    ['a day of another', 'The Harbour Choir is on November 19 at 19:00.'],
    [
      'an hour of another in a list',
      'You have Harbour Choir (November 28, 18:30) and Clay Workshop (December 20, 18:30).',
    ],
    ['an amount of another', 'You paid R$ 42.00 for the Harbour Choir.'],
    ['amounts the wrong way round', 'R$ 42.00 for the Harbour Choir and R$ 65.00 for the Clay Workshop.'],
    ['one amount for each of two', 'For the Harbour Choir and the Clay Workshop you paid R$ 42.00 each.'],
    ['an amount of none', 'The Harbour Choir cost you R$ 58.00.'],
    ['the day of its payment', 'The Harbour Choir takes place on November 10.'],
    ['a day of a record as that of the fee', 'Your last monthly fee came on November 10.'],
    ['its own day as that of its refund', 'The Clay Workshop was refunded on December 20.'],
    ['the days since then wrongly', 'The Clay Workshop was refunded on November 15, two weeks ago.'],
    ['the days until it wrongly', 'The Harbour Choir is in 5 days.'],
    ['a day of another, in Portuguese', 'O Harbour Choir foi em 20 de dezembro.'],
  ])('[GRD-04] is not sent where it is %s', (_name, text) => {
    expect(wrong(text, [ACCOUNT])).not.toBeNull();
  });

  it('[GRD-04] is not sent where it is another’s number', () => {
    expect(wrong('Harbour Choir: Saturday, 31 places left.', [PROGRAMME])).not.toBeNull();
    expect(wrong('Harbour Choir: Saturday, 12 places left.', [PROGRAMME])).toBeNull();
  });

  it.each([
    'Your booking of Harbour Choir is on Saturday, November 28 at 19:00, in Natal.',
    'R$ 65.00 for Harbour Choir on 10 November and R$ 42.00 for Clay Workshop on 5 November.',
    'You paid R$ 65.00 for Harbour Choir and R$ 42.00 for Clay Workshop, R$ 107.00 in total.',
    'On 28 November, at 19:00, there is the Harbour Choir; the Clay Workshop of 20 December was cancelled.',
    'You can cancel the Harbour Choir until Friday, 27 November, at 19:00.',
    'The last monthly charge was R$ 59.90 on November 20.',
    'The Clay Workshop was refunded on November 15, a week ago.',
    'O reembolso do Clay Workshop foi em 15 de novembro, há uma semana.',
    'Sua reserva do Harbour Choir foi paga em 10 de novembro, no valor de R$ 65,00.',
  ])('[GRD-04 GRD-11] goes out where it is its own: %s', (text) => {
    expect(wrong(text, [ACCOUNT])).toBeNull();
  });
});

describe('what an answer says of the records', () => {
  it.each([
    ['the fee as what one thing cost', 'Did I get my choir money?', 'The R$ 59.90 came back to you.'],
    ['the price of another, without its name', 'Can I drop the choir?', 'You would get R$ 42.00 back.'],
    ['a sum on the day of another', 'What did you charge?', 'R$ 65.00, paid on 5 November.'],
    ['what one thing cost as the price of a month', 'My plan?', 'It is Basic, at R$ 65.00 a month.'],
    ['its own day as until when it can be dropped', 'Choir?', 'Cancel it by 28 November at 19:00.'],
    ['a day of another as that of a deed', 'The workshop?', 'The Clay Workshop was refunded on 19 November.'],
  ])('[GRD-60] is not sent where it gives %s', (_name, asked, text) => {
    expect(wrong(text, [ACCOUNT], asked)).not.toBeNull();
  });

  it.each([
    ['Can I drop the choir?', 'You would get R$ 65.00 back if you cancel by 27 November at 19:00.'],
    ['My plan?', 'It is Basic, at R$ 59.90 a month.'],
    ['Which was dearer, the choir or the workshop?', 'The choir, at R$ 65.00. The workshop was R$ 42.00.'],
    ['When did I book the workshop?', 'You paid R$ 42.00 for it on 5 November.'],
  ])('[GRD-60 GRD-11] goes out where its sentence speaks of what has it: %s', (asked, text) => {
    expect(wrong(text, [ACCOUNT], asked)).toBeNull();
  });

  it('[GRD-60] is not sent where a pause ends on a day that follows from a rule, and not on that of the record', () => {
    const paused = call('get_customer_context', {
      subscription: { status: 'paused', tier: 'basic', resumes_on: '2026-12-12' },
    });
    const rule = { article_id: 'a2', title: 'Pausing', confidence: 0.9, content: 'A pause lasts 30 days.' };
    const read = [paused, call('search_knowledge', { articles: [rule] })];
    expect(wrong('Your pause now runs until 22 December.', read)).not.toBeNull();
    expect(wrong('A sua pausa agora vai até 22 de dezembro.', read)).not.toBeNull();
    expect(wrong('Your pause runs until 12 December.', read)).toBeNull();
  });

  it.each([
    'The Harbour Choir is on 28 November at 19:00, at Casa do Barro.',
    'The Harbour Choir sings in Olinda, and the Clay Workshop was in Olinda too.',
    'You are on Premium.',
    'Your Premium subscription is active, so nothing is open.',
  ])('[GRD-62] is not sent where a place or a plan is not that of its record: %s', (text) => {
    expect(wrong(text, [ACCOUNT], 'And?')).not.toBeNull();
  });

  it.each([
    'The Harbour Choir is in Natal and the Clay Workshop was in Olinda.',
    'The Harbour Choir sings at the Teatro Alberto Maranhão.',
    'You are on Basic.',
    'If you were on Premium, you would pay more.',
  ])('[GRD-62 GRD-11] goes out where it is that of its record: %s', (text) => {
    expect(wrong(text, [ACCOUNT], 'And with Premium?')).toBeNull();
  });

  it.each([
    'You have two cancelled bookings.',
    'There were three charges in October.',
    'Four bookings are ahead:\n- Harbour Choir',
  ])('[GRD-61] is not sent where it counts what no words of it account for: %s', (text) =>
    expect(wrong(text, [ACCOUNT], 'How many?')).not.toBeNull(),
  );

  it.each([
    'You have three bookings in all.',
    'There were four payments in November.',
    'Three of the payments are for bookings.',
  ])('[GRD-61 GRD-11] goes out where they are so many: %s', (text) =>
    expect(wrong(text, [ACCOUNT], 'How many?')).toBeNull(),
  );
});

const RULES = call('search_knowledge', {
  articles: [
    {
      ...{ article_id: 'a1', title: 'Plans', confidence: 0.9 },
      content:
        'Bronze costs R$ 30.00 a month and gives you 4 lessons.\n\nSilver costs R$ 55.00 a month and gives you 9 lessons.\n\nPupils pay R$ 18.00 for Bronze, with the same 4 lessons.\n\nVoucher: up to 6 business days. Wallet: up to 2 business days, in the account that paid.\n\nWhoever is late 3 times within 60 days waits outside for 20 days.',
    },
  ],
});

describe('a figure of an article', () => {
  it.each([
    ['of the other plan', 'Silver gives you 4 lessons.'],
    ['of the other price', 'With proof of enrolment you pay R$ 18.00 and get nine lessons.'],
    ['of what the customer did not pay with', 'It takes up to six business days.'],
    [
      'where the article has the other one',
      'Whoever is late 3 times within 20 days waits outside for 60 days.',
    ],
  ])('[GRD-08] is not sent where it is that %s', (_name, text) => {
    expect(wrong(text, [RULES], 'I paid by wallet.')).not.toBeNull();
  });

  it.each([
    'Silver gives you 9 lessons, five more than Bronze.',
    'Bronze is R$ 30.00 with four lessons, and Silver R$ 55.00 with nine.',
    'A pupil pays R$ 18.00 and keeps the four lessons.',
    'By wallet you have it within two business days.',
    'Late three times within sixty days, and you wait outside for twenty.',
  ])('[GRD-08 GRD-11] goes out where it is its own: %s', (text) => {
    expect(wrong(text, [RULES], 'How is it?')).toBeNull();
  });
});
