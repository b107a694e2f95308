import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

const cancelled = () =>
  hub.query('cultpass', "SELECT reservation_id FROM reservations WHERE status = 'cancelled'").length;

describe('a question that waits for a yes or no', () => {
  it.each([
    [
      'cancela o samba',
      'Sim, pode cancelar. Ah não, espera! E se a minha irmã quiser ir? Melhor deixar como está',
    ],
    ['cancel the samba', "yes cancel it. Hmm, what if my sister comes? No, leave it as it is, don't cancel"],
    ['cancel the samba', "Yes, go ahead... on second thought I'd rather keep it"],
    ['cancela o samba', 'sim, pode. ai, mudei de ideia, vou manter a reserva'],
  ])('[DLG-543] is turned down by what takes the yes back: %s, %s', async (order, said) => {
    const before = cancelled();
    await converse(hub, ANA, [
      [order, { pending: 'confirmation' }],
      [said, { says: [/not changed|não mudei/], pending: null }],
    ]);
    expect(cancelled()).toBe(before);
  });

  it('[DLG-543] is agreed to where a yes stands after doubts or beside what is not needed', async () => {
    await converse(hub, ANA, [
      ['cancel the samba', { pending: 'confirmation' }],
      ['yes please. Never mind the receipt.', { says: ['Done: "Samba'] }],
    ]);
  });

  it.each([
    ['cancela o rock gaúcho', 'Pera, pera. Antes do sim: esses 110 voltam pro cartão ou viram créditos?'],
    ['cancel rock gaucho', 'Before I say yes: does the money go back to my card or is it credit?'],
    ['cancel rock gaucho', 'wait, do those 110 go back to my card or do they become credits?'],
    ['cancela o rock gaúcho', 'calma, antes de eu responder: o dinheiro volta inteiro?'],
  ])('[DLG-544] stays open beside a question about its money: %s, %s', async (order, said) => {
    await converse(hub, DIEGO, [
      [order, { pending: 'confirmation' }],
      [
        said,
        {
          says: ['110', /on with the cancellation|o cancelamento/],
          saysNot: ['Bossa'],
          pending: 'confirmation',
        },
      ],
      ['yes', { says: [/Done|Pronto/] }],
    ]);
  });

  it('[DLG-544] leaves a question about money that came back before to the record', async () => {
    await converse(hub, DIEGO, [
      ['cancel rock gaucho', { pending: 'confirmation' }],
      ['did my refund for the Bossa Nova arrive already?', { says: ['120'], pending: 'confirmation' }],
    ]);
  });

  it.each([
    ['Hang on, could I bring my niece with me? If so I keep it.', 'guest pass'],
    ['pera, posso levar minha sobrinha comigo? se puder eu fico com a reserva', 'passe de convidado'],
  ])('[DLG-545] waits for the answer that it is made to hang on: %s', async (said, answer) => {
    await converse(hub, GABRIELA, [
      ['cancel the Sunday Concert for Families', { pending: 'confirmation' }],
      [said, { says: [answer], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-546] is agreed to beside a question of when, and words that only tell how it was paid', async () => {
    await converse(hub, GABRIELA, [
      ['cancelei uma reserva e o dinheiro nao caiu', { pending: 'confirmation' }],
      [
        'sim por favor!! e em qto tempo cai? paguei no cartao acho',
        { says: ['Pronto: R$ 70,00'], pending: null },
      ],
    ]);
    await converse(hub, ANA, [
      ['cancel the samba', { pending: 'confirmation' }],
      ['yes please!! and how long does it take? It was my visa I think', { says: ['Done: "Samba'] }],
    ]);
    await converse(hub, ANA, [
      ['cancel the Clarice reading', { pending: 'confirmation' }],
      ['yes if it is free I think', { saysNot: ['Done'] }],
    ]);
  });

  it('[DLG-547] is left, and another question beside that is answered', async () => {
    await converse(hub, CARLA, [
      ['quero reservar um passeio e nao deixa', { pending: 'confirmation' }],
      [
        'Deixa, esquece. Me fala outra coisa: criança de 6 anos paga?',
        { says: ['não mudei nada', '16 anos'], pending: null },
      ],
    ]);
  });

  it('[DLG-548] is asked of a change that is to be made now, whatever day its reason names', async () => {
    await converse(hub, CARLA, [
      [
        "On second thoughts resume it now, there's a show on the 18th my sister wants.",
        { says: ['resume your subscription now'], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, CARLA, [['resume my plan on the 18th', { says: ['18 March'], pending: null }]]);
    await converse(hub, 'felipe.araujo@example.com', [
      [
        "pause my plan now, I'm back on the 20th of April",
        { says: ['until 20 April'], pending: 'confirmation' },
      ],
    ]);
  });
});

describe('a request that waits for people', () => {
  it.each([
    [
      'You can tell your team to stay in bed then, nothing to check. Do I have anything booked next?',
      'Sunday Concert',
    ],
    [
      "There is nothing for the team. Please withdraw that request. And cancel the kids' concert",
      'Shall I cancel',
    ],
    ['Please withdraw that request.', 'no longer need'],
    ['retira esse pedido, por favor. E cancela o concerto infantil', 'Posso cancelar'],
    ['diz pra equipe que podem continuar dormindo. o que eu tenho marcado?', 'Sunday Concert'],
  ])('[DLG-549] is taken back, and what else is asked for answered: %s', async (said, answer) => {
    await converse(hub, GABRIELA, [
      ['I want to talk to a person', { escalated: 'customer_request' }],
      [said, { says: [/no longer need|não precisa mais/, answer], escalated: null }],
    ]);
  });

  it('[DLG-549] is added to where the team is to be told something', async () => {
    await converse(hub, GABRIELA, [
      ['I want to talk to a person', { escalated: 'customer_request' }],
      ['can you tell your team to check my last payment too?', { escalated: 'customer_request' }],
    ]);
  });

  it('[DLG-550] is not told of once more to who says goodbye', async () => {
    await converse(hub, DIEGO, [
      ['I want to talk to a person', { escalated: 'customer_request' }],
      ['That will do. I wish you a pleasant evening.', { says: ['Thank you'], saysNot: ['request'] }],
    ]);
    await converse(hub, DIEGO, [
      ['quero falar com uma pessoa', { escalated: 'customer_request' }],
      ['é só isso. tenha uma boa noite', { saysNot: ['pedido'] }],
      ['alguém aí? preciso saber hoje', { says: ['pedido'] }],
    ]);
  });
});
