import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANDRE = 'andre.vasconcelos@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('words that are read as they are meant', () => {
  it('[DLG-110] ask when people answer, and call none of them', async () => {
    for (const said of [
      'Que horas o atendimento humano funciona?',
      'até que horas tem alguém atendendo?',
      'what time is human support open?',
    ])
      await converse(hub, null, [[said, { says: [/18(?:h|:00)/], escalated: null }]]);
    await converse(hub, null, [
      ['quero falar com um atendente, que horas alguém pode me ligar?', { escalated: 'customer_request' }],
    ]);
  });

  it('[DLG-111] name a day on which nothing is booked, and no title', async () => {
    for (const [said, none] of [
      ['vou ter q cancelar minha reserva de hj, to com febre', 'nenhuma reserva em 11 de março'],
      ['cancel my booking for tomorrow', 'no reservation on 12 March'],
    ] as const)
      await converse(hub, ANDRE, [[said, { says: [none, '1.'], saysNot: ['"'] }]]);
  });

  it('[DLG-112] say that something is great before what is asked, and look for no concert', async () => {
    for (const more of ['show. ela tem q mandar o q?', 'massa! o que ela precisa enviar?'])
      await converse(hub, null, [
        ['e pra estudante tem desconto?', { says: ['30%'] }],
        [more, { says: ['comprovante de matrícula'], saysNot: ['lugares livres'] }],
      ]);
    expect((await hub.say(null, 'show em Recife tem?')).reply).toContain('Recife');
  });
});

describe('what was, asked in few words', () => {
  it('[DLG-113] is told of the bookings of a month that they had, and of the end of a subscription', async () => {
    for (const said of ['quais eu tinha em fevereiro?', 'which ones did I have in february?'])
      await converse(hub, 'sergio.almeida@example.com', [
        [said, { says: [/Anteriores|Earlier/], saysNot: [/plano|your plan/], escalated: null }],
      ]);
    for (const [charge, ended] of [
      ['qual foi a última cobrança?', 'e quando eu cancelei?'],
      ['what was my last charge?', 'and when did I cancel?'],
    ] as const)
      await converse(hub, 'wagner.pinto@example.com', [
        [charge, { says: ['R$'] }],
        [ended, { says: [/terminou em|ended on/], escalated: null }],
      ]);
  });
});
