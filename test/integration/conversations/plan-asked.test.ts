import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('what is asked of a pause or of the end of a plan', () => {
  it('[DLG-267] is answered by yes or no first, and asks for no change', async () => {
    await converse(hub, ANA, [
      [
        'if I pause, do I lose my bookings?',
        { says: [/^No\. The pause begins/, 'stay valid'], pending: null },
      ],
      ['if I pause for 3 weeks, are my bookings safe?', { says: [/^Yes\./] }],
      [
        'if I cancel my subscription, can I still go to Elis?',
        {
          says: [/^Yes: the bookings that you already have stay valid/],
          saysNot: ['R\\$ 380'],
          pending: null,
        },
      ],
      [
        'do I get money back for the rest of the month if I cancel?',
        { says: [/^No: when a subscription is cancelled/], saysNot: ['Samba'], pending: null },
      ],
      ['does pausing cost anything?', { says: [/^No, nothing is charged during a pause/] }],
      ['could I come back after cancelling?', { says: ['come back whenever you like'] }],
    ]);
    await converse(hub, BRUNO, [
      [
        'se eu pausar eu perco minhas reservas?',
        { says: [/^Não\. A pausa/, 'continuam valendo'], pending: null },
      ],
      [
        'se eu cancelar a assinatura ainda vou no manguebeat?',
        {
          says: [/^Sim: as reservas que você já tem continuam valendo/],
          saysNot: ['R\\$ 70'],
          pending: null,
        },
      ],
      ['se eu cancelar hoje recebo o resto do mês de volta?', { says: [/^Não: quando a assinatura/] }],
    ]);
  });

  it('[DLG-268] is told of a pause that runs, as it is', async () => {
    await converse(hub, CARLA, [
      ["while I'm paused, can I book?", { says: [/^No: no new bookings/, '31 March'] }],
      ['am I charged meanwhile?', { says: [/^No: nothing is charged/], saysNot: ['new bookings'] }],
      ['could I stay paused until Easter?', { says: ['I cannot move the end of a pause'] }],
    ]);
    await converse(hub, CARLA, [
      ['com o plano pausado posso reservar?', { says: [/^Não: enquanto a sua assinatura está pausada/] }],
      ['me cobram nesse tempo?', { says: [/^Não: nada é cobrado/] }],
    ]);
    await converse(hub, 'henrique.barbosa@example.com', [
      [
        'is my plan going to restart automatically?',
        { says: ['goes on by itself'], saysNot: ['only paused'] },
      ],
    ]);
  });

  it('[DLG-269] turns nothing down while a change waits for a yes, and its terms answer what is asked of it', async () => {
    await converse(hub, BRUNO, [
      ['quero cancelar minha assinatura.', { pending: 'confirmation' }],
      [
        'hmm e se eu só pausar, como funciona?',
        { says: ['Durante a pausa não há cobrança'], saysNot: ['não mudei nada'], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, BRUNO, [
      ['hmm e se eu só pausar, como funciona?', { says: ['Quer que eu faça isso'] }],
      ['e minhas reservas?', { says: ['reservas que você já tem continuam valendo'], escalated: null }],
    ]);
    await converse(hub, ANA, [
      ['pause my plan', { pending: 'confirmation' }],
      [
        'will I still be charged?',
        { says: ['During the pause you are not charged'], pending: 'confirmation' },
      ],
      ['no', { pending: null, says: ['not changed anything'] }],
    ]);
    await converse(hub, ANA, [
      [
        'which is cheaper, pausing or cancelling?',
        { says: ['During the pause you are not charged', 'Your subscription ends at once'] },
      ],
    ]);
  });
});
