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
  it('[DLG-120] ask when people answer, and call none of them', async () => {
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

  it('[DLG-121] name a day on which nothing is booked, and no title', async () => {
    for (const [said, none] of [
      ['vou ter q cancelar minha reserva de hj, to com febre', 'nenhuma reserva em 11 de março'],
      ['cancel my booking for tomorrow', 'no reservation on 12 March'],
    ] as const)
      await converse(hub, ANDRE, [[said, { says: [none, '1.'], saysNot: ['"'] }]]);
  });

  it('[DLG-122] say that something is great before what is asked, and look for no concert', async () => {
    for (const more of ['show. ela tem q mandar o q?', 'massa! o que ela precisa enviar?'])
      await converse(hub, null, [
        ['e pra estudante tem desconto?', { says: ['30%'] }],
        [more, { says: ['comprovante de matrícula'], saysNot: ['lugares livres'] }],
      ]);
    expect((await hub.say(null, 'show em Recife tem?')).reply).toContain('Recife');
  });
});

describe('what was, asked in few words', () => {
  it('[DLG-123] is told of the bookings of a month that they had, and of the end of a subscription', async () => {
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
        [ended, { says: [/terminou em|ended on/] }],
      ]);
  });
});

describe('what waits, is late or was offered', () => {
  it('[DLG-124] is told when the team answers, also after more was told', async () => {
    for (const [wish, asked] of [
      ['quero falar com uma pessoa', 'Cheguei às 15h50. Quando vou receber resposta?'],
      ['quero falar com uma pessoa', 'em quanto tempo me respondem?'],
      ['I want to talk to a person', 'when will I get an answer?'],
    ] as const)
      await converse(hub, ANDRE, [
        [wish, { escalated: 'customer_request' }],
        [asked, { says: [/no máximo até|at the latest/], escalated: null }],
      ]);
  });

  it('[DLG-125] is looked into where the term of a refund that was spoken of is over', async () => {
    hub.exec('cultpass', "UPDATE refunds SET created_at = '2026-02-02T12:00:00.000Z', status = 'completed'");
    for (const [asked, late] of [
      ['quando cai o meu reembolso?', 'Já se passaram mais de dez dias úteis e nada consta em minha fatura.'],
      ['quando cai o meu reembolso?', 'mas já faz mais de duas semanas e não caiu nada'],
      ['when will my refund arrive?', 'that is over three weeks ago and nothing arrived'],
    ] as const)
      await converse(hub, 'sergio.almeida@example.com', [
        [asked, { says: ['Maracatu'], escalated: null }],
        [late, { says: [/comprovante do reembolso|proof of the refund/], agents: ['investigation'] }],
      ]);
  });

  it('[DLG-126] is shown to who takes up the offer to show it', async () => {
    for (const [list, shown] of [
      ['quais minhas reservas?', 'mostra a anterior'],
      ['quais minhas reservas?', 'sim'],
      ['do I have any bookings?', 'yes show me'],
    ] as const)
      await converse(hub, 'nelson.duarte@example.com', [
        [list, { saysNot: ['MASP'] }],
        [shown, { says: ['Modernism at MASP'] }],
      ]);
  });
});

describe('what comes of a change, asked in its own words', () => {
  it('[DLG-127] is told of what waits for the team, and asks for no other change', async () => {
    for (const [order, yes, asked, back] of [
      ['quero cancelar a Elis', 'sim', 'e volta a visita?', 'retira o meu pedido, não cancela'],
      ['cancel Elis: The Musical', 'yes', 'and the visit returns?', 'take my request back, do not cancel'],
    ] as const)
      await converse(hub, 'ana.souza@example.com', [
        [order, { pending: 'confirmation' }],
        [yes, { pending: 'approval' }],
        [asked, { says: [/Se concordarem|If they agree/], saysNot: [/sim ou não|yes or no/] }],
        [back, { pending: null }],
      ]);
  });

  it('[DLG-128] says when the money comes, and not once more what was done', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['quero cancelar a reserva do samba', { pending: 'confirmation' }],
      ['sim', { pending: null }],
      ['e qnd cai o dinheiro?', { says: ['5 a 10 dias úteis'], saysNot: ['Pronto'] }],
    ]);
  });
});
