import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figuresIn } from '../../../src/graph/claims/figures.js';
import { EXPLOSION_S, processorSeconds } from '../../support/processor-time.js';
import { CANCELLED, call, fault, RECORD } from './claims-support.js';

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
    ['The Lisbon Fado Hour cost R$ 170.00 for two hours.', 'figure'],
    ['The Lisbon Fado Hour was R$ 43.00 more than the other one.', null],
    ['With the Tango Matinee you have spent R$ 127.00.', null],
    ['Would you like me to cancel the Lisbon Fado Hour?', null],
  ] as const)('[ATK-06] is compared with that very record: %s', (text, expected) => {
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

describe('a day that a rule names', () => {
  const rule = call('search_knowledge', {
    articles: [{ content: 'Visits come back on the 1st of each month.' }],
  });
  const sobre = call('search_knowledge', { articles: [{ content: 'A cota volta no dia 1º de cada mês.' }] });
  it.each([
    ['They come back on 1 December, in nine days.', rule, null],
    ['They come back on 2 December.', rule, 'figure'],
    ['Ela volta em 1º de dezembro.', sobre, null],
    ['Ela volta em 3 de dezembro.', sobre, 'figure'],
  ] as const)('[ATK-06] is meant in any month: %s', (text, source, expected) => {
    expect(fault(text, [source])).toBe(expected);
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
    const seconds = processorSeconds(() => {
      expect(['figure', 'promise', 'claimed_action', null]).toContain(fault(text, [RECORD]));
    });
    expect(seconds).toBeLessThan(EXPLOSION_S);
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
