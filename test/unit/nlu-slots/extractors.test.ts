import { describe, expect, it } from 'vitest';
import { findPreference } from '../../../src/nlu/slots/index.js';
import { findDays, findReservationIds } from './cultpass.js';

describe('findReservationIds', () => {
  it.each([
    ['cancel res_014', ['res_014']],
    ['#RES-014 please', ['res_014']],
    ['res 14', ['res_014']],
    ['Res014', ['res_014']],
    ['R014', ['res_014']],
    ['r-014', ['res_014']],
    ['reserva 014', ['res_014']],
    ['reserva nº 014', ['res_014']],
    ['booking number 102', ['res_102']],
    ['reservation #007', ['res_007']],
    ['res_1234', ['res_1234']],
    ['res_00012', ['res_012']],
    ['res_001, res_002 e res_001', ['res_001', 'res_002']],
    ['#014', ['res_014']],
    ['reservation 2', []],
    ['R$ 200', []],
    ['R200,00', []],
    ['reserva 150 reais', []],
    ['restaurant 12', []],
    ['address 123', []],
    ['progress 100', []],
    ['', []],
    ['res_', []],
  ])('"%s": %j', (text, ids) => expect(findReservationIds(text)).toEqual(ids));
});

describe('findDays', () => {
  it.each([
    ['pause for 2 weeks', 14],
    ['por um mês', 30],
    ['30 dias', 30],
    ['pausar por duas semanas', 14],
    ['for a month', 30],
    ['three months', 90],
    ['1 month and a half', 45],
    ['um mês e meio', 45],
    ['uma quinzena', 15],
    ['a fortnight', 14],
    ['1 mês e 10 dias', 40],
    ['a couple of weeks', 14],
    ['for ten days', 10],
    ['60 days pls', 60],
    ['por 1 ano', 365],
    ['2-week pause', 14],
    ['in 3 days', null],
    ['daqui a 3 dias', null],
    ['há 2 meses', null],
    ['2 months ago', null],
    ['até janeiro', null],
    ['pause my plan', null],
    ['0 days', null],
    ['999 years', null],
    ['last 2 weeks', null],
    ['', null],
  ])('"%s": %s', (text, days) => expect(findDays(text)).toBe(days));
});

describe('findPreference', () => {
  it.each([
    ['answer me in Portuguese', 'language', 'pt-BR'],
    ['pode falar em inglês?', 'language', 'en'],
    ['Please reply in English from now on', 'language', 'en'],
    ['in english please', 'language', 'en'],
    ['português, por favor', 'language', 'pt-BR'],
    ['prefiro que respondam em português', 'language', 'pt-BR'],
    ['can we switch to English?', 'language', 'en'],
    ['vocês podem me atender em português?', 'language', 'pt-BR'],
    ['contact me by WhatsApp', 'contact_method', 'whatsapp'],
    ['prefiro e-mail', 'contact_method', 'email'],
    ['I prefer email over phone', 'contact_method', 'email'],
    ['please reach me by phone', 'contact_method', 'phone'],
    ['me avisa pelo zap', 'contact_method', 'whatsapp'],
    ['entrem em contato por telefone', 'contact_method', 'phone'],
    ["don't call me, contact me by email", 'contact_method', 'email'],
    ['call me instead', 'contact_method', 'phone'],
    ['me chama no whats', 'contact_method', 'whatsapp'],
    ['notify me via e-mail', 'contact_method', 'email'],
    ['please remember that I use a wheelchair', 'accessibility', 'I use a wheelchair'],
    ['anota aí: gosto de jazz e choro', 'favourites', 'jazz e choro'],
  ])('"%s": %s = %s', (text, key, value) => expect(findPreference(text)).toEqual({ key, value }));

  it.each([
    'is the tour in English?',
    'o show é em inglês?',
    'email me the receipt',
    'do you speak English?',
    "don't answer in English",
    'não me liguem por telefone',
    'change my phone number',
    'my email is ana@example.com',
    'cancel my booking',
    '',
    'is there wheelchair access at the theatre?',
    'I love jazz',
    'I could not go and would like my money back, remember?',
  ])('no wish in "%s"', (text) => expect(findPreference(text)).toBeNull());
});
