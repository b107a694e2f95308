import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('what cannot be done', () => {
  it('[DLG-80] says why a subscription that has ended cannot be taken up, and what to do; and again where asked why', async () => {
    await converse(hub, DIEGO, [
      [
        'please unpause my plan',
        { says: ['ended on 24 February', 'Profile > Plan'], code: 'wrong_status', escalated: null },
      ],
      ['and why is that not possible?', { says: ['ended on 24 February'], escalated: null }],
    ]);
    await converse(hub, DIEGO, [
      ['retoma a minha assinatura', { says: ['terminou em 24 de fevereiro', 'Perfil > Plano'] }],
      ['ué, e por que não dá?', { says: ['motivo', 'terminou em 24 de fevereiro'], escalated: null }],
    ]);
  });

  it('[DLG-80] says it of a pause that is on already, of one that never was, and of one that is too long', async () => {
    await converse(hub, CARLA, [
      ['pause my plan for two weeks', { says: ['paused already, until 31 March', 'resume'] }],
    ]);
    await converse(hub, ANA, [['retomar minha assinatura', { says: ['está ativa'] }]]);
    await converse(hub, ANA, [
      ['pause my subscription for 150 days', { says: ['90 days at most'], code: 'policy_denied' }],
      ['yes, that one', { says: ['for 90 days'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-80] says that the end of a pause is not planned ahead, and offers to end it now', async () => {
    await converse(hub, CARLA, [
      ['take my plan up again on 20 March', { says: ['not on 20 March', 'now'], pending: null }],
      ['yes', { pending: 'confirmation' }],
    ]);
  });

  it('[DLG-80] explains how to do what is said before "where do I do that?"', async () => {
    await converse(hub, DIEGO, [
      [
        'A minha assinatura venceu e queria voltar a ser assinante. Como faço isso?',
        { says: ['Perfil > Plano'], escalated: null },
      ],
    ]);
  });
});
