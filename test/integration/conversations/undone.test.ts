import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse, type Line } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('whether something may be done with a booking', () => {
  it.each([
    [GABRIELA, 'Can I give my ticket for the Sunday concert to my mother?', /cannot be transferred/],
    [ANA, 'can i hand over my reservation for friday to a friend?', /cannot be transferred/],
    [BRUNO, 'Posso passar minha reserva de domingo para a minha mãe?', /não pode ser transferida/],
  ])('[DLG-660] is no question of its state: %s: %s', async (customer, said, answer) => {
    await converse(hub, customer, [
      [said, { says: [answer], saysNot: [/^Yes|has not been cancelled/], escalated: null }],
    ]);
  });
});

describe('what was done last is wanted back', () => {
  const plan = { says: [/(?:subscribe|assinar) (?:again|de novo).*Profile > Plan|assinar de novo/s] };
  const booking = { says: [/book it again|reservar de novo/] };
  it.each<readonly [string, readonly Line[]]>([
    [
      CARLA,
      [
        ['cancele meu plano, por favor', { pending: 'confirmation' }],
        ['sim', { tool: 'update_subscription' }],
        ['oi, tem como desfazer? cancelei sem querer', { ...plan, pending: null }],
        ['NÃO!! eu quero desfazer o cancelamento do PLANO', { ...plan, pending: null }],
        ['não, o plano', { ...plan, pending: null }],
      ],
    ],
    [
      BRUNO,
      [
        ['cancela o Manguebeat', { pending: 'confirmation' }],
        ['sim', { tool: 'cancel_reservation' }],
        ['cliquei errado, dá pra voltar?', { ...booking, pending: null }],
        ['não, a reserva', { ...booking, pending: null }],
      ],
    ],
    [
      ANA,
      [
        ['cancel my Clarice booking', { pending: 'confirmation' }],
        ['yes', { tool: 'cancel_reservation' }],
        ['oh no, I pressed yes by mistake', { ...booking, saysNot: ['sorry to hear'], pending: null }],
        ['what is the address of Elis?', { says: ['Porto Alegre'] }],
      ],
    ],
  ])('[DLG-661] %s hears whether it can be put back, and how', async (customer, lines) => {
    await converse(hub, customer, lines);
  });

  it('[DLG-661] is no order of the change that is to be undone, where it was not made here', async () => {
    await converse(hub, ANA, [
      ['undo my Elis cancellation', { says: ['not changed anything'], pending: null }],
    ]);
    await converse(hub, DIEGO, [
      ['quero desfazer o cancelamento do plano', { says: ['assinar de novo'], pending: null }],
    ]);
  });

  it('[DLG-661] leaves alone what was charged by mistake', async () => {
    const [, , reply] = await converse(hub, GABRIELA, [
      ['cancel the festival of short films', { pending: 'confirmation' }],
      ['yes', { tool: 'cancel_reservation' }],
      ['I was charged by mistake in february', {}],
    ]);
    expect(reply?.reply).not.toMatch(/book it again/);
  });
});

describe('all of it is to be cancelled', () => {
  it('[DLG-662] means the plan after the plan was spoken of, and else the bookings', async () => {
    const plan = {
      says: [/cancel your subscription|cancelar sua assinatura/],
      pending: 'confirmation' as const,
    };
    await converse(hub, ANA, [
      ['how do I cancel my subscription?', { says: ['Profile > Plan'] }],
      ['then cancel it all', plan],
      ['no', { pending: null }],
    ]);
    await converse(hub, ANA, [
      ['what do I have booked?', { says: ['Elis'] }],
      ['cancel everything', { saysNot: ['subscription'], pending: 'confirmation' }],
      ['no', { pending: null }],
    ]);
  });
});

describe('a request that waits for the team', () => {
  it.each(['hmm actually my friend can come with me, forget it', 'na verdade consigo ir, esquece o pedido'])(
    '[DLG-663] is taken back also where the reason stands before it: %s',
    async (said) => {
      await converse(hub, ANA, [
        ['cancel my Elis booking', { pending: 'confirmation' }],
        ['yes', { pending: 'approval' }],
        [said, { code: 'pending_withdrawn', pending: null }],
      ]);
    },
  );

  it('[DLG-661] is nothing that is only supposed: what would come back is told', async () => {
    for (const said of [
      'if I cancel the samba night on saturday, do I get everything back?',
      'se eu cancelar o samba, recebo tudo de volta?',
    ])
      await converse(hub, 'ana.souza@example.com', [[said, { says: [/R\$\s60[.,]00/], pending: null }]]);
  });
});
