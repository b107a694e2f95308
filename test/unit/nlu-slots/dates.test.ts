import { describe, expect, it } from 'vitest';
import { findDates, slotsLike } from './cultpass.js';

/** Wednesday, 2026-06-10, 15:00 in São Paulo (UTC-3, no summer time). */
const NOW = new Date('2026-06-10T18:00:00Z');
const localDay = (iso: string | undefined): string | null =>
  iso === undefined ? null : new Date(Date.parse(iso) - 3 * 3_600_000).toISOString().slice(0, 10);
const first = (text: string, language?: 'en' | 'pt-BR') =>
  findDates(text, { now: NOW, ...(language ? { language } : {}) })[0];

const ENGLISH: readonly (readonly [string, string | null])[] = [
  ['cancel my booking for today', '2026-06-10'],
  ['the concert tomorrow', '2026-06-11'],
  ['is it on tonight?', '2026-06-10'],
  ['my Thursday booking', '2026-06-11'],
  ['the show on thu', '2026-06-11'],
  ['cancel thurs pls', '2026-06-11'],
  ['last Saturday', '2026-06-06'],
  ['this weekend', '2026-06-13'],
  ['next week', '2026-06-15'],
  ['the 12th', '2026-06-12'],
  ['on 12/07', '2026-07-12'],
  ['2026-12-01', '2026-12-01'],
  ['Dec 3', '2026-12-03'],
  ['3 December', '2026-12-03'],
  ['december 3rd', '2026-12-03'],
  ['in 3 days', '2026-06-13'],
  ['yesterday', '2026-06-09'],
  ['yesterdays show', '2026-06-09'],
  ['the one on sunday', '2026-06-14'],
  ['saturday night', '2026-06-13'],
  ['day after tomorrow', '2026-06-12'],
  ['tmrw', '2026-06-11'],
  ['tommorow', '2026-06-11'],
  ['two weeks from now', '2026-06-24'],
  ['in a week', '2026-06-17'],
  ['next month', '2026-07-01'],
  ['on the 5th of July', '2026-07-05'],
  ['25/12/2026', '2026-12-25'],
  ['25.12.2026', '2026-12-25'],
  ['13/6', '2026-06-13'],
  ['saterday', '2026-06-13'],
  ['wensday', '2026-06-10'],
  ['this friday', '2026-06-12'],
  ['3 days ago', '2026-06-07'],
  ['last night', '2026-06-09'],
  ['next weekend', '2026-06-20'],
  ['I may cancel', null],
  ['I have 2 bookings', null],
  ['can you help me', null],
  ['march with me', null],
  ['the second one', null],
  ['my plan costs 45.90', null],
  ['I sat down', null],
  ['res_012', null],
  ['I want 2 tickets', null],
  ['it says error 500', null],
  ['now I cannot book', null],
  ['my quota is 4/10', null],
];
const PORTUGUESE: readonly (readonly [string, string | null])[] = [
  ['cancela a reserva de hoje', '2026-06-10'],
  ['o show de amanhã', '2026-06-11'],
  ['o show de amanha', '2026-06-11'],
  ['hoje à noite', '2026-06-10'],
  ['hoje a noite tem?', '2026-06-10'],
  ['hj', '2026-06-10'],
  ['depois de amanhã', '2026-06-12'],
  ['quinta', '2026-06-11'],
  ['na quinta-feira', '2026-06-11'],
  ['5a feira', '2026-06-11'],
  ['5ª feira', '2026-06-11'],
  ['reserva de sabado', '2026-06-13'],
  ['sábado que vem', '2026-06-13'],
  ['semana que vem', '2026-06-15'],
  ['próxima semana', '2026-06-15'],
  ['fim de semana', '2026-06-13'],
  ['no fds', '2026-06-13'],
  ['3 de dezembro', '2026-12-03'],
  ['dia 12', '2026-06-12'],
  ['dia 12/07', '2026-07-12'],
  ['25/12/2026', '2026-12-25'],
  ['daqui a 3 dias', '2026-06-13'],
  ['em 3 dias', '2026-06-13'],
  ['ontem', '2026-06-09'],
  ['anteontem', '2026-06-08'],
  ['sábado passado', '2026-06-06'],
  ['sexta passada', '2026-06-05'],
  ['terça', '2026-06-16'],
  ['terca', '2026-06-16'],
  ['seg', '2026-06-15'],
  ['domingo à tarde', '2026-06-14'],
  ['mês que vem', '2026-07-01'],
  ['daqui a duas semanas', '2026-06-24'],
  ['1º de julho', '2026-07-01'],
  ['5 de jul', '2026-07-05'],
  ['13/6', '2026-06-13'],
  ['há 3 dias', '2026-06-07'],
  ['3 dias atrás', '2026-06-07'],
  ['próximo domingo', '2026-06-14'],
  ['ontem à noite', '2026-06-09'],
  ['a segunda da lista', null],
  ['quero a segunda opção', null],
  ['de segunda mão', null],
  ['tenho 2 reservas', null],
  ['sexta reserva da lista', null],
  ['paguei 45,90', null],
  ['agora não consigo', null],
  ['me ajuda por favor', null],
  ['não sai da tela', null],
  ['no mar tem museu?', null],
];

describe('findDates', () => {
  it.each(ENGLISH)('English: "%s" is %s', (text, day) => expect(localDay(first(text, 'en')?.from)).toBe(day));
  it.each(PORTUGUESE)('Portuguese: "%s" is %s', (text, day) =>
    expect(localDay(first(text, 'pt-BR')?.from)).toBe(day),
  );

  it.each([
    ['tomorrow', 'day', 24],
    ['this weekend', 'weekend', 48],
    ['next week', 'week', 168],
    ['semana que vem', 'week', 168],
    ['next month', 'month', 31 * 24],
    ['em dezembro', 'month', 31 * 24],
    ['hoje à noite', 'hour', 10],
    ['in 3 hours', 'hour', 1],
    ['fds', 'weekend', 48],
  ] as const)('"%s" is a %s of %i hours', (text, grain, hours) => {
    const date = first(text);
    expect(date?.grain).toBe(grain);
    expect((Date.parse(date?.to ?? '') - Date.parse(date?.from ?? '')) / 3_600_000).toBe(hours);
  });

  it.each([
    // 23:30 on the 10th in São Paulo is the 11th in UTC; 00:30 on the 11th is the 11th in both.
    ['2026-06-11T02:30:00Z', 'today', '2026-06-10T03:00:00.000Z'],
    ['2026-06-11T02:30:00Z', 'amanhã', '2026-06-11T03:00:00.000Z'],
    ['2026-06-11T03:30:00Z', 'today', '2026-06-11T03:00:00.000Z'],
    ['2026-06-11T03:30:00Z', 'ontem', '2026-06-10T03:00:00.000Z'],
    ['2026-01-01T02:59:59Z', 'tomorrow', '2026-01-01T03:00:00.000Z'],
    ['2026-12-31T18:00:00Z', 'next week', '2027-01-04T03:00:00.000Z'],
    ['2028-02-28T18:00:00Z', 'amanhã', '2028-02-29T03:00:00.000Z'],
    ['2026-01-31T18:00:00Z', 'in a month', '2026-02-28T03:00:00.000Z'],
    ['2026-06-13T18:00:00Z', 'this weekend', '2026-06-13T03:00:00.000Z'],
    ['2026-06-14T18:00:00Z', 'no fim de semana', '2026-06-13T03:00:00.000Z'],
    // Within a weekend the next one is never the one that runs; a Sunday begins the week that people speak of.
    ['2026-06-14T18:00:00Z', 'no próximo fim de semana', '2026-06-20T03:00:00.000Z'],
    ['2026-06-13T18:00:00Z', 'fim de semana que vem', '2026-06-20T03:00:00.000Z'],
    ['2026-06-14T18:00:00Z', 'next weekend', '2026-06-20T03:00:00.000Z'],
    ['2026-06-14T18:00:00Z', 'essa semana', '2026-06-14T03:00:00.000Z'],
    ['2026-06-14T18:00:00Z', 'this week', '2026-06-14T03:00:00.000Z'],
    ['2026-06-13T18:00:00Z', 'this week', '2026-06-08T03:00:00.000Z'],
    ['2026-06-14T18:00:00Z', 'next week', '2026-06-15T03:00:00.000Z'],
  ])('at %s "%s" begins %s', (now, text, from) => {
    expect(findDates(text, { now: new Date(now) })[0]?.from).toBe(from);
  });

  it('resolves in the zone it is given, and over a change of summer time', () => {
    const now = new Date('2026-03-28T12:00:00Z');
    const [day] = slotsLike({ timeZone: 'Europe/Lisbon' }).findDates('tomorrow', { now });
    expect(day).toMatchObject({ from: '2026-03-29T00:00:00.000Z', to: '2026-03-29T23:00:00.000Z' });
    expect(() => slotsLike({ timeZone: 'Mars/Olympus' })).toThrow(RangeError);
  });

  it('gives the words as written and where they stand', () => {
    const text = 'Olá! A reserva de AMANHÃ à noite, não a de sábado.';
    const dates = findDates(text, { now: NOW, language: 'pt-BR' });
    expect(dates.map((date) => date.text)).toEqual(['AMANHÃ à noite', 'de sábado']);
    for (const date of dates) expect(text.slice(date.start, date.end)).toBe(date.text);
  });

  it('keeps the other readings of what is ambiguous', () => {
    const days = (text: string, language?: 'en' | 'pt-BR') =>
      [first(text, language), ...(first(text, language)?.alternatives ?? [])].map((range) =>
        localDay(range?.from),
      );
    expect(days('next Friday', 'en')).toEqual(['2026-06-19', '2026-06-12']);
    expect(days('próxima sexta', 'pt-BR')).toEqual(['2026-06-12', '2026-06-19']);
    expect(days('12/05', 'pt-BR')).toEqual(['2026-05-12', '2027-05-12']);
    expect(days('12/05', 'en')).toContain('2026-12-05');
    expect(days('12/25', 'en')[0]).toBe('2026-12-25');
    expect(days('Thursday', 'en').slice(0, 2)).toEqual(['2026-06-11', '2026-06-04']);
    expect(days('25/12/2026')).toEqual(['2026-12-25']);
  });

  it.each([
    ['Friday the 19th', '2026-06-19'],
    ['sexta, dia 19', '2026-06-19'],
    ['sábado 20/06', '2026-06-20'],
    ['20/06 (sábado)', '2026-06-20'],
  ])('"%s" is one day said twice', (text, day) => {
    const dates = findDates(text, { now: NOW });
    expect(dates.map((date) => localDay(date.from))).toEqual([day]);
    expect(dates[0]?.alternatives).toEqual([]);
  });

  it.each([
    '31/02/2026',
    '99/99',
    '0/0',
    'every friday',
    'toda sexta',
    'used 4/10',
    '24/7',
    'R$ 12,05',
    'version 1.2.3',
    'tel 11-99999',
    'sex appeal',
    'vou ter que ir',
    'I sat there',
    'the sun was out',
    '2 out of 3',
    'Marco foi embora',
    'hi, I am June',
    'refund in 5 business days',
    'em 5 dias úteis',
    '2a via da fatura',
    '',
  ])('finds no date in "%s"', (text) =>
    expect(
      findDates(text, {
        now: NOW,
        language: /[a-z] /.test(text) && !/ter|via|dias|foi|toda/.test(text) ? 'en' : 'pt-BR',
      }),
    ).toEqual([]),
  );

  it('finds several', () => {
    expect(
      findDates('from 12/06 to 14/06 or next monday', { now: NOW }).map((date) => localDay(date.from)),
    ).toEqual(['2026-06-12', '2026-06-14', '2026-06-15']);
  });
});

describe('dates in a language that is added by files', () => {
  const spanish = slotsLike({ languages: ['es'] });
  const trilingual = slotsLike({ languages: ['en', 'pt-BR', 'es'] });

  it.each([
    ['la reserva de mañana por la tarde', '2026-06-11'],
    ['pasado mañana', '2026-06-12'],
    ['anoche no me dejaron entrar', '2026-06-09'],
    ['hoy por la mañana', '2026-06-10'],
    ['por la mañana', null],
    ['el viernes que viene', '2026-06-12'],
    ['el jueves de la semana pasada', '2026-06-04'],
    ['cancela la del miercoles', '2026-06-10'],
    ['este fin de semana', '2026-06-13'],
    ['la semana que viene', '2026-06-15'],
    ['el mes pasado', '2026-05-01'],
    ['el 3 de diciembre', '2026-12-03'],
    ['el día 12', '2026-06-12'],
    ['12/07', '2026-07-12'],
    ['hace dos semanas', '2026-05-27'],
    ['dentro de tres días', '2026-06-13'],
    ['en 3 días hábiles', null],
    ['en marzo de 2027', '2027-03-01'],
    ['el sabdo', '2026-06-13'],
    ['quiero cancelar', null],
    ['todos los lunes', null],
  ])('[SPK-02] "%s" in Spanish: %s', (text, day) => {
    for (const slots of [spanish, trilingual])
      expect(localDay(slots.findDates(text, { now: NOW, language: 'es' })[0]?.from)).toBe(day);
  });

  it.each([
    ['por dos semanas', 14],
    ['un mes y medio', 45],
    ['hace dos meses', null],
    ['una quincena', 15],
  ])('[SPK-02] "%s" is %s days', (text, count) => expect(spanish.findDays(text)).toBe(count));

  it('[SPK-01] reads no day in a language that the company does not list', () => {
    expect(spanish.findDates('the concert tomorrow', { now: NOW })).toEqual([]);
    expect(findDates('pasado mañana', { now: NOW })).toEqual([]);
    expect(() => slotsLike({ languages: ['nl'] })).toThrow(/no words of nl: .*words\/nl\/.* is missing/);
  });
});
