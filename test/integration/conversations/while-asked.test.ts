import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

const cancelled = (): number =>
  hub.query(
    'cultpass',
    "SELECT 1 FROM reservations WHERE status = 'cancelled' AND user_id IN (SELECT user_id FROM users WHERE email = ?)",
    BRUNO,
  ).length;

describe('what is asked beside an answer to a confirmation', () => {
  it.each([
    [
      'cancel the manguebeat one',
      'yep, and how long til the 70 is back on my card',
      /^Done: .*5 to 10 business days/,
    ],
    ['cancela o Film Club', 's, e o dinheiro volta em quanto tempo?', /^Pronto: .*5 a 10 dias úteis/],
    ['cancela o Film Club', 'aham, e qual o prazo do estorno', /^Pronto: .*5 a 10 dias úteis/],
  ])(
    '[DLG-600] is answered after a clear yes, which it doubts nothing of: %s, %s',
    async (order, yes, done) => {
      const before = cancelled();
      await converse(hub, BRUNO, [
        [order, { pending: 'confirmation' }],
        [yes, { pending: null, escalated: null, says: [done] }],
      ]);
      expect(cancelled()).toBe(before + 1);
    },
  );

  it.each([
    [
      'cancel the manguebeat one',
      'yup and will the money go on my card again?',
      /R\$ 70\.00 back the way you paid/,
    ],
    ['cancel the manguebeat one', 'yeah, but do i get the visit back?', /The visit returns to your plan/],
    [
      'cancel the manguebeat one',
      'how long til the 70 is back on my card?',
      /cards take 5 to 10 business days/,
    ],
    ['cancela o Film Club', 'sim, mas quero receber o dinheiro no pix', /na forma em que pagou/],
  ])(
    '[DLG-601] is answered from what waits, and the yes goes on waiting: %s, %s',
    async (order, asked, told) => {
      const before = cancelled();
      await converse(hub, BRUNO, [
        [order, { pending: 'confirmation' }],
        [
          asked,
          {
            pending: 'confirmation',
            escalated: null,
            says: [told],
            saysNot: [/no refund|charge of your plan/],
          },
        ],
      ]);
      expect(cancelled()).toBe(before);
    },
  );

  it('[DLG-601 DLG-602 DLG-610] is answered for what it asks, and a yes by name at last is taken', async () => {
    await converse(hub, ANA, [
      ['cancela o Elis', { pending: 'confirmation' }],
      [
        'pode pedir sim, mas me diz tb se a visita volta pra eu usar com outra coisa esse mes',
        { pending: 'confirmation', says: [/a visita volta para o seu plano/] },
      ],
      [
        'ok obg. último: meu pai de 68 quer entrar tbm, tem plano família ou desconto pra idoso?',
        { pending: 'confirmation', says: [/não há desconto para idosos/], saysNot: [/reembolso/] },
      ],
      [
        'q reembolso é esse?? enfim, SIM, cancela o Elis',
        { escalated: null, says: [/^Perguntei à nossa equipe/] },
      ],
    ]);
  });

  it.each([
    ['não, pera. cancela sim, mas quero o dinheiro no Pix, não no cartão', /na forma em que pagou/],
    [
      'não, calma. pode cancelar sim, só que queria o dinheiro na conta da minha irmã',
      /Sim ou não|sim ou não/,
    ],
  ])('[DLG-603] after a no in haste is neither a no nor a yes: %s', async (said, told) => {
    await converse(hub, ANA, [
      ['cancela o Elis', { pending: 'confirmation' }],
      [said, { pending: 'confirmation', says: [told], saysNot: ['não mudei nada'] }],
    ]);
  });

  it('[DLG-604] is no question where a no only says what somebody thinks of it', async () => {
    const replies = await converse(hub, ANA, [
      ['can u cancel clarice and the elis musical pls, doing my back in', { pending: 'confirmation' }],
      ['yeah go on', { pending: 'confirmation' }],
      [
        '380?? blimey. actually no leave elis, ill see how i feel nearer the time',
        { pending: null, escalated: null, says: [/stays as it is/], saysNot: [/reliable answer/] },
      ],
    ]);
    expect(replies[2]?.reply.match(/All right/g)).toHaveLength(1);
  });
});

describe('what waits for the team', () => {
  it('[DLG-605] is called off by who says that they need not bother with it', async () => {
    await converse(hub, null, [
      ['can i bring my parrot to the museum?', { escalated: 'low_confidence' }],
      [
        'that wasnt even a question lol. ur team dont need to bother with that',
        { escalated: null, says: [/no longer need our team/] },
      ],
    ]);
  });

  it.each([
    [
      'posso levar meu papagaio no samba?',
      'pergunta pra equipe sobre o papagaio',
      'posso levar meu papagaio no samba?',
    ],
    [
      'do they have vegan food at the musical?',
      'ask your team about the food thing please',
      'do they have vegan food at the musical?',
    ],
  ])(
    '[DLG-609] stands there by the question that a few words point at: %s, %s',
    async (asked, passes, subject) => {
      await converse(hub, ANA, [
        [asked, {}],
        [passes, { says: [`"${subject.replace('?', '\\?')}"`].map((one) => new RegExp(one)) }],
      ]);
    },
  );

  it('[DLG-609] stands there by what was asked, and not by what is thought of the answer', async () => {
    await converse(hub, GABRIELA, [
      ['is the 8yo even allowed at the Sunday concert, whats the age limit for it?', {}],
      [
        "Thats useless tbh, I'm signed in and you can't see it? Can someone find out for me please",
        { escalated: 'customer_request', says: [/whats the age limit for it/], saysNot: ['useless'] },
      ],
    ]);
  });

  it('[DLG-610] leaves a question for the other bookings to be answered with these', async () => {
    await converse(hub, ANA, [
      ['Preciso cancelar a das cordas de hoje, meu filho tá com febre', { pending: 'confirmation' }],
      ['sim, por favor', { pending: 'approval' }],
      [
        'vou esperar então. enquanto isso pode me lembrar que outras reservas eu tenho esse mês?',
        { says: ['Samba Night', 'Elis: The Musical'], saysNot: ['Se não concordarem'] },
      ],
    ]);
  });
});

describe('an order', () => {
  it.each([
    [BRUNO, 'I want to cancel Elis', /^I could not find "Elis" among your bookings[\s\S]*Film Club/],
    [ANA, 'please cancel my booking for Dom Casmurro, im ill', /^I could not find "Dom Casmurro"/],
  ])('[DLG-606] of what somebody does not have says so first: %s, %s', async (email, said, told) => {
    await converse(hub, email, [[said, { pending: null, escalated: null, says: [told] }]]);
  });

  it('[DLG-607] is one beside a question, whatever its reason sounds like', async () => {
    await converse(hub, ANA, [
      [
        'e ele pode entrar nesse da Clarice? outra coisa, quero tirar o Elis, minha irmã não vai mais poder viajar cmg pra POA',
        {
          pending: 'confirmation',
          says: [/Elis: The Musical.*Posso pedir a eles/],
          saysNot: ['não mudei nada'],
        },
      ],
    ]);
    await converse(hub, ANA, [
      ['no, the musical I am going to', { pending: null, says: [/not changed anything/] }],
    ]);
  });

  it.each([
    [
      'how do i resume my plan?',
      'do it tomorrow',
      /cannot plan the end of a pause ahead.*now; would you like that/,
    ],
    ['how do i resume my plan?', 'ok do it on friday then', /not on 13 March/],
  ])(
    '[DLG-608] of what was told for another day says that it begins at once: %s, %s',
    async (asked, order, told) => {
      await converse(hub, CARLA, [
        [asked, {}],
        [order, { pending: null, escalated: null, says: [told] }],
        ['yes please', { pending: 'confirmation', says: [/Shall I resume your subscription now/] }],
      ]);
    },
  );
});
