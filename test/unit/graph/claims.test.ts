import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cultpassPolicySchema } from '../../../companies/cultpass/policy/policy.js';
import { readPolicy } from '../../../src/company/company.js';
import type { Session, ToolTrace } from '../../../src/core/domain/session.js';
import { TimeFormat } from '../../../src/core/i18n/index.js';
import { unsupportedIn } from '../../../src/graph/claims/check.js';
import { figuresIn } from '../../../src/graph/claims/figures.js';
import { TurnEvidence } from '../../../src/graph/claims/turn-evidence.js';
import { createStatementReader } from '../../../src/nlu/index.js';
import { ROSTER } from '../../support/roster.js';

const statements = await createStatementReader();
const policy = readPolicy(
  new URL('../../../companies/cultpass/policy.yaml', import.meta.url).pathname,
  cultpassPolicySchema,
);
const session: Session = {
  turnId: 't1',
  ticketId: 'k1',
  threadId: 'h1',
  graphThreadId: 'h1',
  channel: 'chat',
  identity: { kind: 'anonymous' },
  customerName: null,
  language: 'en',
  unsupportedLanguage: null,
  memory: null,
  lastReply: null,
  previousMessage: null,
};
const call = (tool: string, result: unknown, ok = true): ToolTrace => ({
  ...{ callId: tool, agent: 'action', task: 0, tool, args: {}, ok, result, paused: false },
});
const RECORD = call('get_customer_context', {
  subscription: {
    status: 'active',
    tier: 'basic',
    monthly_quota: 2,
    started_at: '2026-01-05T12:00:00Z',
    ended_at: null,
  },
  quota: { monthly_quota: 2, used: 1, remaining: 1, resets_at: '2026-12-01T03:00:00Z' },
  reservations: [
    {
      reservation_id: 'r1',
      title: 'Lisbon Fado Hour',
      starts_at: '2026-11-28T22:00:00Z',
      status: 'reserved',
      upcoming: true,
      paid_cents: 8_500,
      refund: null,
    },
    {
      ...{
        reservation_id: 'r2',
        title: 'Tango Matinee',
        starts_at: '2026-11-20T22:00:00Z',
        status: 'cancelled',
        upcoming: false,
      },
      ...{
        paid_cents: 4_200,
        refund: { amount_cents: 4_200, status: 'completed', created_at: '2026-11-18T12:00:00Z' },
      },
    },
  ],
});
const CANCELLED = call('cancel_reservation', {
  reservation_id: 'r1',
  title: 'Lisbon Fado Hour',
  status: 'cancelled',
  refund_cents: 8_500,
});

const fault = (text: string, trace: readonly ToolTrace[], asked = 'And my bookings?') => {
  const now = new Date('2026-11-22T10:31:00Z');
  const time = new TimeFormat('America/Sao_Paulo');
  return (
    unsupportedIn(
      text,
      new TurnEvidence({
        trace,
        session,
        asked,
        now,
        time,
        policy,
        currency: 'BRL',
        roster: ROSTER,
        statements,
      }),
    )?.kind ?? null
  );
};

describe('a deed that an answer claims', () => {
  it.each([
    ["I've cancelled the Lisbon Fado Hour and refunded R$ 85.00.", [RECORD, CANCELLED], null],
    ["I've cancelled the Tango Matinee.", [RECORD, CANCELLED], 'claimed_action'],
    ["I've cancelled the Lisbon Fado Hour.", [RECORD], 'claimed_action'],
    ["I've cancelled the Lisbon Fado Hour.", [RECORD, { ...CANCELLED, ok: false }], 'claimed_action'],
    ['Your Tango Matinee booking has been cancelled.', [RECORD], null],
    ['Your Lisbon Fado Hour booking has been cancelled.', [RECORD], 'claimed_action'],
    ['A sua reserva do Tango Matinee foi cancelada.', [RECORD], null],
    ['A sua reserva do Lisbon Fado Hour foi cancelada.', [RECORD], 'claimed_action'],
    ['Nothing has been cancelled.', [RECORD], null],
    ['Cancelei o Lisbon Fado Hour.', [RECORD, CANCELLED], null],
    [
      'I have saved that you prefer e-mail.',
      [call('record_customer_preference', { key: 'contact_method', value: 'email', updated_at: '' })],
      null,
    ],
    ['I have saved that you prefer e-mail.', [RECORD], 'claimed_action'],
    ['We will call you back.', [RECORD], 'promise'],
  ] as const)('[ATK-06] %s', (text, trace, expected) => {
    expect(fault(text, trace)).toBe(expected);
  });
});

describe("the customer's own matter, where no record was read", () => {
  it.each([
    ['Yours cleared our side this morning.', 'claimed_action'],
    ['The lock on your profile is gone.', 'claimed_action'],
    ['Your access stands restored.', 'claimed_action'],
    ['O seu saiu daqui agorinha.', 'claimed_action'],
    ['O acesso encontra-se liberado.', 'claimed_action'],
    ['A antecipação foi efetivada.', 'claimed_action'],
    ["I've booked it for you, okay?", 'claimed_action'],
    ['Mexi no sistema por aqui.', 'claimed_action'],
    ['They wired it to you.', 'claimed_action'],
    ['Your reservations are unaffected.', null],
    ['If your booking was cancelled by the organiser, you need do nothing.', null],
    ["Tell me which one it is and I'll take a look.", null],
    ["It could be one of these causes:\n- the subscription is on pause\n- it's full", null],
  ] as const)('[ATK-06] %s', (text, expected) => {
    expect(fault(text, [])).toBe(expected);
  });

  it("[ATK-06] may be repeated in the customer's own words", () => {
    const asked = 'My booking was cancelled by the organiser.';
    expect(fault("I'm sorry your booking was cancelled.", [], asked)).toBe(null);
    expect(fault("I'm sorry your booking was cancelled.", [], 'Was my booking cancelled?')).toBe(
      'claimed_action',
    );
  });
});

describe('what an answer says of one record', () => {
  it.each([
    ['The R$ 42.00 for the Tango Matinee were refunded on 18 November.', null],
    ['Your refund for the Tango Matinee is still under review.', 'claimed_action'],
    ['O reembolso do Tango Matinee ainda está em análise.', 'claimed_action'],
    ['No refund has been made for the Tango Matinee.', 'claimed_action'],
    ['The Lisbon Fado Hour was refunded in full.', 'claimed_action'],
    ['The Lisbon Fado Hour is reserved for you.', null],
    ['Your place at the Tango Matinee is confirmed.', 'claimed_action'],
    ['Sua reserva do Tango Matinee está confirmada.', 'claimed_action'],
    ['You are on the Basic plan.', null],
    ['Ready, Ana, you are Premium now!', 'claimed_action'],
    ['Você está no plano Premium.', 'claimed_action'],
    ['Your subscription is paused.', 'claimed_action'],
    ['The Lisbon Fado Hour is on Saturday at 7 pm.', null],
    ['The Lisbon Fado Hour is tonight at 7 pm.', 'figure'],
    ['You paid R$ 42.00 for the Lisbon Fado Hour.', 'figure'],
    ['Would you like me to cancel the Lisbon Fado Hour?', null],
  ] as const)('[ATK-06] is compared with that very record: %s', (text, expected) => {
    expect(fault(text, [RECORD])).toBe(expected);
  });
});

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

describe('a figure of an answer', () => {
  it.each([
    ['Two out of two.', null],
    ['Uma das duas visitas foi usada; as duas são deste mês.', null],
    ['You can cancel it until 27 November.', null],
    ['You can cancel it until 26 November.', 'figure'],
    ['You have two visits left.', 'figure'],
  ] as const)('[ATK-06] that follows from others: %s', (text, expected) => {
    expect(fault(text, [RECORD])).toBe(expected);
  });

  it.each([
    ['It is on Saturday 28 November at 7 pm.', null],
    ['É no sábado, 28/11, às 19h.', null],
    ['It is on Friday 28 November at 7 pm.', 'figure'],
    ['It is at 8 pm.', 'figure'],
    ['You paid eighty-five reais.', null],
    ['You paid R$ 127.00 in total: R$ 85.00 and R$ 42.00.', null],
    ['You paid R$ 127.50 in total: R$ 85.00 and R$ 42.00.', 'figure'],
    ['Você pagou oitenta e seis reais.', 'figure'],
    ['You have one of two visits left.', null],
    ['You have four visits left.', 'figure'],
    ['Write to help@else.example.', 'figure'],
  ] as const)('[ATK-06] %s', (text, expected) => {
    expect(fault(text, [RECORD])).toBe(expected);
  });

  it.each([
    ['R$ 1.200,00 or R$ 1,200.00 or 1200 reais', ['money:120000', 'money:120000', 'money:120000']],
    ['half an hour, 24h, two days', ['span:30', 'span:1440', 'span:2880']],
    ['vinte e cinco de dezembro às sete e meia da noite', ['date:12-25', 'time:1170']],
    ['5 to 10 business days', ['business_days:5', 'business_days:10']],
  ])('[ATK-06] is read however it is written: %s', (text, expected) => {
    expect(figuresIn(text, 'BRL').map(({ kind, values }) => `${kind}:${values[0]}`)).toEqual(expected);
  });
});

describe('an amount', () => {
  it.each([
    ['£45 or GBP 45.00 or 45 pounds', 'GBP', ['money:4500', 'money:4500', 'money:4500']],
    ['45 € or €45,00', 'EUR', ['money:4500', 'money:4500']],
    ['$45, not R$ 45', 'USD', ['money:4500', 'money:r$45']],
    ['£45, not R$ 45', 'BRL', ['money:£45', 'money:4500']],
  ])('[COMP-06] is one of the company’s own currency: %s', (text, currency, expected) => {
    expect(figuresIn(text, currency).map(({ kind, values }) => `${kind}:${values[0]}`)).toEqual(expected);
  });
});

describe('the check of an answer', () => {
  it.each([
    'a',
    '.',
    '1.',
    'a@',
    'a.',
    '"',
    '\n',
    'R$ 1.1 ',
    'we will ',
    'vinte e ',
    'free of ',
    'it is now ',
    '- two:\n',
  ])('[ATK-06] ends on 100,000 characters of %j', (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(['figure', 'promise', 'claimed_action', null]).toContain(fault(text, [RECORD]));
  });

  it.each(['30 February', '30 de fevereiro', '31/04', '29/02/2027', '2026-99-99', '32 December'])(
    '[ATK-06] ends with a verdict on %s, which is no day',
    (day) => {
      const lastDays = call('search_knowledge', {
        articles: [{ content: 'You pay on the 30th or the 31st.' }],
      });
      expect(['figure', 'promise', 'claimed_action', null]).toContain(
        fault(`Você paga em ${day}. You pay on ${day}, ten days from now.`, [RECORD, lastDays]),
      );
    },
  );

  it('[ATK-06] ends with a verdict on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        expect(['figure', 'promise', 'claimed_action', null]).toContain(fault(text, [RECORD]));
      }),
      { numRuns: 100 },
    );
  });
});
