import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const LUCAS = 'lucas.monteiro@example.com';
const JOAO = 'joao.cardoso@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('the programme beside what is booked', () => {
  it('[DLG-263] is what is asked for where the customer has nothing, asks what else there is, or says so', async () => {
    await converse(hub, LUCAS, [
      ['my bookings please', { says: ['Minas Electronic'] }],
      ['anything in Fortaleza?', { says: ['Accordion Masters'], saysNot: ['no reservation'] }],
    ]);
    await converse(hub, BRUNO, [
      ['do I have something booked for friday?', { says: ['Film Club'] }],
      ['what else could I see on saturday in São Paulo?', { says: ['Pinacoteca'], saysNot: ['reservation'] }],
      ['nothing for children?', { says: ['nothing of that kind in São Paulo'], saysNot: ['minor'] }],
    ]);
    await converse(hub, JOAO, [
      ['o que tem de programação em Salvador, não as minhas reservas', { says: ['A Bahia Songbook'] }],
      ['e em qualquer outra cidade?', { saysNot: ['Qualquer', 'minhas reservas'] }],
    ]);
    await converse(hub, 'vanessa.oliveira@example.com', [
      ['what do I have coming up?', {}],
      ['not my bookings, the programme in Rio', { says: ['Giselle'], saysNot: ['Your reservations'] }],
    ]);
  });

  it('[DLG-264] is looked up for the day of what is spoken of, without what the customer has', async () => {
    await converse(hub, 'tatiana.ribeiro@example.com', [
      ['qual minha próxima reserva?', { says: ['quinta-feira, 12 de março'] }],
      ['e o que tem pra ver em BH no mesmo dia?', { says: ['em Belo Horizonte, em 12 de março'] }],
    ]);
    await converse(hub, BRUNO, [
      ['o que eu tenho na sexta?', { says: ['Film Club'] }],
      ['e o que mais rola na sexta no Rio?', { says: ['Não há mais nada'], saysNot: ['Film Club'] }],
    ]);
    await converse(hub, ANA, [
      [
        'I have a booking for the reading in Rio.',
        { says: ['You have it booked', 'Clarice Lispector'], saysNot: ['cannot book'] },
      ],
    ]);
  });

  it('[DLG-265] tells of one event whether it is on another day, and for which ages', async () => {
    await converse(hub, ANA, [
      ['when is Elis?', {}],
      ['other dates for it?', { says: ['on once in our programme', '22 March at 20:00'] }],
      ['can kids go?', { says: ['under 16 only with an adult', '"Elis: The Musical"'] }],
      ['how old do you have to be for it?', { says: ['The age rating', 'set by the organiser'] }],
    ]);
    await converse(hub, ANA, [
      ['quando é o musical da Elis?', {}],
      ['tem outra data?', { says: ['uma vez só', '22 de março'], saysNot: ['remarcar'] }],
      ['dá pra trocar pra outro dia?', { saysNot: ['uma vez só'] }],
    ]);
    await converse(hub, BRUNO, [
      ["what's on in Belém?", { says: ['Carimbó'] }],
      ['is the first one ok for a 4 yr old?', { says: ['"Carimbó Dance Class"', 'age rating'] }],
      ['how much is that one?', { says: ['R$ 20.00'] }],
    ]);
  });

  it('[DLG-266] keeps the language of the conversation where a place has a name of another', async () => {
    await converse(hub, 'karina.alves@example.com', [
      ['show me my bookings', { language: 'en' }],
      ['anything similar in São Paulo?', { language: 'en', says: ['This is what I found'] }],
    ]);
    await converse(hub, 'carla.mendes@example.com', [
      ['quero ver peça em Brasília', { says: ['Dom Casmurro'] }],
      ['e show?', { says: ['Brasília'], saysNot: ['bom ler isso'] }],
    ]);
  });
});
