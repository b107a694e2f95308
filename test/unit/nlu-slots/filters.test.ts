import { describe, expect, it } from 'vitest';
import { slotsLike } from './cultpass.js';

const { filters, readList } = slotsLike();
/** A Monday morning in São Paulo. */
const now = new Date('2026-11-23T12:00:00.000Z');
const read = (text: string, language = 'en') => filters.read(text, { now, language }).filters;
const days = (text: string, language?: string) =>
  read(text, language).days.map(({ from, to }) => `${from.slice(5, 10)} ${to.slice(5, 10)}`);

describe('the days that a list is narrowed down to', () => {
  it.each([
    ['what is on between 4 and 18 december?', ['12-04 12-19']],
    ['from the 4th to the 18th of December', ['12-04 12-19']],
    ['dec 4-18', ['12-04 12-19']],
    ['what about the weekend of 5-6 dec', ['12-05 12-07']],
    ['between december 20 and january 5', ['12-20 01-06']],
    ['on the 9th or 10th', ['12-09 12-10', '12-10 12-11']],
    ['4, 5 and 6 december', ['12-04 12-05', '12-05 12-06', '12-06 12-07']],
    ['thursday to sunday', ['11-26 11-30']],
    ['and december?', ['12-01 01-01']],
    ['january or february', ['01-01 02-01', '02-01 03-01']],
    ['before the 10th', ['11-23 12-10']],
    ['in the next two weeks', ['11-23 12-08']],
    ['in the last week of december', ['12-25 01-01']],
    ['first weekend of december', ['12-05 12-07']],
    ['early january', ['01-01 01-11']],
    ['something on at christmas?', ['12-24 12-26']],
    ["and on new year's eve", ['12-31 01-01']],
    ['a table for 4 and 2 tickets', []],
  ])('[RCD-01] %s', (text, expected) => expect(days(text)).toEqual(expected));

  it.each([
    ['entre 4 e 18 de dezembro', ['12-04 12-19']],
    ['de 28 a 30 de novembro', ['11-28 12-01']],
    ['no fim de semana de 5 e 6 de dezembro', ['12-05 12-07']],
    ['dia 9 ou 10', ['12-09 12-10', '12-10 12-11']],
    ['quinta a domingo', ['11-26 11-30']],
    ['e em dez?', ['12-01 01-01']],
    ['na última semana de dezembro', ['12-25 01-01']],
    ['até dia 18', ['11-23 12-19']],
    ['depois de 10 de dezembro', ['12-11 12-31']],
    ['tem algo no natal?', ['12-24 12-26']],
    ['tem algo em natal?', []],
  ])('[RCD-01] %s', (text, expected) => expect(days(text, 'pt-BR')).toEqual(expected));

  it.each([
    ['en', 'I work Saturdays and Sundays, anything on a weekday?', [1, 2, 3, 4, 5]],
    ['en', "I'm busy on Mondays, what is there in Rio?", [0, 2, 3, 4, 5, 6]],
    ['en', 'we work from Monday to Friday, what is on?', [0, 6]],
    ['pt-BR', 'trabalho sábado e domingo, tem alguma coisa no meio da semana?', [1, 2, 3, 4, 5]],
    ['pt-BR', 'tenho aula na terça, o que tem?', [0, 1, 3, 4, 5, 6]],
  ])(
    '[RCD-22] wishes for none of the days on which somebody is busy: %s "%s"',
    (language, text, weekdays) => {
      const found = read(text, language);
      expect([...found.weekdays].sort()).toEqual(weekdays);
      expect(found.days).toEqual([]);
    },
  );

  it('[RCD-22] takes the morning or the afternoon for both, and a month since which for all that follows', () => {
    expect(read('terça ou quarta, de manhã ou de tarde', 'pt-BR').hours).toEqual({ from: 0, to: 18 });
    expect(days('everything I paid since October')).toEqual(['10-01 12-31']);
    expect(
      readList("I'm in Rio from 12 to 15 December, what can I see?", { now, language: 'en' }),
    ).toMatchObject({
      isWhole: true,
      of: 'offered',
    });
  });

  it('[RCD-01] takes days of the week for any of them, within the month that is named', () => {
    expect(read('sundays in december')).toMatchObject({
      weekdays: [0],
      days: [{ from: '2026-12-01T03:00:00.000Z' }],
    });
    expect(read('weekday evenings')).toMatchObject({
      weekdays: [1, 2, 3, 4, 5],
      hours: { from: 17, to: 24 },
    });
    expect(read('aos domingos depois das 19h', 'pt-BR')).toMatchObject({
      weekdays: [0],
      hours: { from: 19, to: 24 },
    });
  });
});

describe('what else a list is narrowed down to', () => {
  it.each([
    ['in SP or Recife', { places: ['São Paulo', 'Recife'] }],
    ['anything under 50?', { price: { least: 0, most: 5000 } }],
    ['between 50 and 100 reais', { price: { least: 5000, most: 10000 } }],
    ['up to R$ 1.200,50', { price: { least: 0, most: 120_050 } }],
    ['only the free ones', { price: { least: 0, most: 0 } }],
    ['with seats left', { left: true }],
    ['that are not sold out', { left: true }],
    ['after 9pm', { hours: { from: 21, to: 24 } }],
    ['I am free on Friday', { price: null }],
    ['under 50 minutes', { price: null }],
    ['are there any seats left?', { left: false }],
  ])('[RCD-01] %s', (text, expected) => expect(read(text)).toMatchObject(expected));

  it('[RCD-01] keeps of records what fits all of it', () => {
    const record = {
      place: 'Recife - Teatro do Parque',
      startsAt: '2026-12-05T22:30:00.000Z',
      attributes: { price: 7000, places_left: 0 },
    };
    const fits = (text: string) => filters.fits(record, read(text), 'experience');
    expect(fits('in Recife on 5 december after 7pm under 80 reais')).toBe(true);
    for (const other of [
      'in Rio',
      'on 6 december',
      'after 8pm',
      'under 50 reais',
      'with places left',
      'on a sunday',
    ])
      expect([other, fits(other)]).toEqual([other, false]);
  });
});

describe('questions for a list', () => {
  const list = (text: string, language = 'en') => readList(text, { now, language });

  it.each([
    ["what's on in Recife in december?", 'offered'],
    ['tickets under R$ 50 in Curitiba', 'offered'],
    ['what can I go to this weekend?', 'offered'],
    ['which of my bookings are in Rio?', 'own'],
    ['do I have anything on the 27th?', 'own'],
    ['and in Rio?', null],
    ['the ones after 8 pm', null],
    ['show me only the ones in Rio', null],
  ])('[RCD-02] knows whose: %s', (text, of) =>
    expect(list(text)).toMatchObject({ of, narrows: true, isWhole: true }),
  );

  it.each([
    'cancel my december bookings',
    'where is my booking on friday?',
    'can I cancel for free?',
    'when do I pay in december?',
    'does Recife need a visa in december?',
  ])('[RCD-02] is none where more is asked: %s', (text) => expect(list(text)?.isWhole).toBe(false));

  it.each(['the one in Rio', 'is it free?'])('[RCD-02] points at one that was shown: %s', (text) =>
    expect(list(text)).toBeNull(),
  );

  it('[RCD-02] hears in the accent whether it asks about one or goes on', () => {
    expect(list('é de graça?', 'pt-BR')).toBeNull();
    expect(list('e de graça?', 'pt-BR')).toMatchObject({ goesOn: true, isWhole: true });
  });
});
