import { describe, expect, it } from 'vitest';
import type { AskedInput, InputReading } from '../../../src/core/domain/entity.js';
import { createSlots } from '../../../src/nlu/slots/index.js';

const slots = createSlots({
  ...{ entities: [], companyName: 'Velo', currency: 'BRL', timeZone: 'America/Sao_Paulo' },
  languages: ['en', 'pt-BR'],
});
const now = new Date('2026-03-11T15:00:00Z');
const PLAN: InputReading = {
  kind: 'choice',
  several: false,
  options: new Map([
    ['month', { en: ['monthly'], 'pt-BR': ['mensal'] }],
    ['year', { en: ['yearly', 'annual'], 'pt-BR': ['anual'] }],
  ]),
};
const PAY: InputReading = {
  kind: 'choice',
  several: false,
  options: new Map([
    ['card', {}],
    ['gift_card', {}],
  ]),
};
const read = (
  kind: InputReading | 'number' | 'money' | 'date' | 'yes_no' | 'text',
  text: string,
  asked = false,
) => {
  const input: AskedInput = {
    name: 'it',
    required: true,
    reading: typeof kind === 'string' ? { kind } : kind,
  };
  return slots.readInputs(text, [input], { now, language: 'en', asked: asked ? 'it' : null }).it;
};

describe('inputs in a customer’s words', () => {
  it.each([
    [PLAN, 'change my pass to yearly', 'year'],
    [PLAN, 'quero o plano ANUAL', 'year'],
    [PLAN, 'from monthly to annual please', 'year'],
    [PLAN, 'do mensal para o anual', 'year'],
    [{ ...PLAN, several: true }, 'monthly and yearly', ['month', 'year']],
    [PAY, 'put it on my gift card', 'gift_card'],
    [PAY, 'put it on my card', 'card'],
    ['number', 'send me 3 helmets', 3],
    ['number', 'add three more helmets', 3],
    ['number', 'make that two', 2],
    ['number', 'just one please', 1],
    ['number', 'one helmet, please', 1],
    ['number', 'só uma', 1],
    ['number', 'coloca mais cinco gigas', 5],
    ['money', 'give me R$ 1.250,50 back', 125_050],
    ['money', 'I paid 20 reais too much', 2_000],
    ['date', 'move it to Friday', '2026-03-13'],
    ['date', 'muda para 20/03', '2026-03-20'],
  ] as const)('[BYO-11] reads %o in "%s"', (kind, text, value) => {
    expect(read(kind, text)).toEqual(value);
  });

  it.each([
    ['come every 3 months', 'quarterly'],
    ['come every three months', 'quarterly'],
    ['cada tres meses', 'quarterly'],
    ['something against a bed bug', 'bedbugs'],
    ['bed bugs, I fear', 'bedbugs'],
    ['a foot bath', undefined],
    ['every 4 months', undefined],
  ])(
    '[BYO-122] reads a choice in the singular and plural, and its numbers in words and figures: %s',
    (text, value) => {
      const options = new Map([
        ['quarterly', { en: ['every three months'], es: ['cada 3 meses'] }],
        ['bedbugs', { en: ['bed bugs'] }],
        ['yearly', {}],
      ]);
      expect(read({ kind: 'choice', several: false, options }, text)).toBe(value);
    },
  );

  it.each([
    ['CLP', 'devuélveme 5.000 pesos', 5_000],
    ['JPY', 'give me ¥1,250 back', 1_250],
    ['EUR', 'give me €12.50 back', 1_250],
    ['TND', 'give me 12.5 dinars back', 12_500],
  ])('[BYO-123] reads an amount in the smallest unit of the currency: %s %s', (currency, text, value) => {
    const own = createSlots({
      ...{ entities: [], companyName: 'Velo', timeZone: 'Europe/Paris', currency },
      languages: ['en', 'es'],
    });
    const input: AskedInput = { name: 'it', required: true, reading: { kind: 'money' } };
    expect(own.readInputs(text, [input], { now, language: 'en', asked: null }).it).toBe(value);
  });

  it.each([
    [PLAN, 'monthly or yearly, what is better'],
    [PLAN, 'change my pass'],
    ['number', 'the 2 of my 3 helmets'],
    ['number', 'the Miami one'],
    ['number', 'add bags to that one'],
    ['number', 'os dois'],
    ['number', 'uma mala dos meus pais'],
    ['money', 'send me 3 helmets'],
    ['date', 'the ride of Friday'],
    ['yes_no', 'yes'],
    ['text', 'it was too cold'],
  ] as const)(
    '[BYO-11] takes nothing of %o from "%s", where the words do not say that it is meant',
    (kind, text) => {
      expect(read(kind, text)).toBeUndefined();
    },
  );

  it.each([
    ['money', '12,50', 1_250],
    ['date', 'Friday', '2026-03-13'],
    ['yes_no', 'no', false],
    ['text', ' it was too cold ', 'it was too cold'],
  ] as const)('[BYO-11] takes a bare %s for the one that was asked for', (kind, text, value) => {
    expect(read(kind, text, true)).toEqual(value);
  });
});
