import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse, type Line } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const ELISA = 'elisa.rocha@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

type Case = readonly [email: string | null, said: string, says: readonly (string | RegExp)[]];

describe('two questions of one sentence', () => {
  const both: readonly Case[] = [
    [
      null,
      'what costs it in the month, and can I stop after three months without penalty?',
      ['R$ 59.90', 'no fee'],
    ],
    [null, 'does the guest pay and must she show an ID?', ['guest', 'photo ID']],
    [
      null,
      'onde vejo o ingresso e minha amiga pode usar no meu lugar?',
      ['QR code', 'não pode ser transferida'],
    ],
    [null, 'quanto custa o Premium e estudante paga menos?', [/R\$\s?119,90/, '30%']],
    [
      null,
      'quanto tempo demora o reembolso e cai no mesmo cartão?',
      ['5 a 10 dias', 'mesma forma de pagamento'],
    ],
    [
      BRUNO,
      'the R$ 45.00 of February: what was it for, and am I entitled to a receipt with my CPF on it?',
      ['Ver-o-Peso', 'receipt'],
    ],
    [CARLA, 'Now that grey button, will it work? And may I bring my grandson, he is four.', ['guest pass']],
  ];
  it.each(both)('[DLG-480] %s: "%s" is answered to both', async (email, said, says) => {
    await converse(hub, email, [[said, { says, escalated: null }]]);
  });

  const one: readonly Case[] = [
    [null, 'posso pagar com Pix e cartão?', ['Pix']],
    [null, 'what if I cancel and the ticket is paid?', ['refunded in full']],
    [null, 'o que acontece se eu cancelar e minha reserva já está paga?', []],
  ];
  it.each(one)('[DLG-480] %s: "%s" stays one question', async (email, said, says) => {
    await converse(hub, email, [[said, { says, saysNot: ['To your question', 'Para a sua pergunta'] }]]);
  });
});

describe('a part that has no sure answer', () => {
  it('[DLG-481] is named, and passed on in the words of the customer', async () => {
    await converse(hub, null, [
      [
        'What is this CultPass exactly and can I pay in dollars at the door?',
        {
          says: ['monthly subscription', 'To your question "can I pay in dollars at the door?"'],
          saysNot: ['personal'],
        },
      ],
      [
        'yes, please ask them',
        { says: ['"can I pay in dollars at the door?"'], escalated: 'customer_request' },
      ],
    ]);
  });

  const named: readonly Case[] = [
    [
      null,
      'who sees my bookings, and for how long do you keep them?',
      ['support team', '"for how long do you keep them?"'],
    ],
    [
      null,
      'Do you have an app for Windows phones, and can I pay in euros?',
      ['web app', '"can I pay in euros?"'],
    ],
    [
      ANA,
      'quantas visitas eu tenho e vocês têm estacionamento conveniado?',
      ['1 visita', '"vocês têm estacionamento conveniado?"'],
    ],
    [
      null,
      'how do I change my e-mail, and is my password kept?',
      ['Profile > Security', '"is my password kept?"'],
    ],
  ];
  it.each(named)('[DLG-481] %s: "%s" names it', async (email, said, says) => {
    await converse(hub, email, [[said, { says, escalated: null }]]);
  });

  it('[DLG-481] [DLG-482] is named also after another one was, and no other passage stands for it', async () => {
    await converse(hub, null, [
      ['We are an HR team of 40, do you have company plans?', { says: ['CNPJ'] }],
      [
        'do you come to our office to present it, and does an employee keep the account when they quit?',
        { says: ['individual plan', '"do you come to our office to present it"'] },
      ],
      [
        'Is there a rebate above a hundred people? And does the company get an invoice?',
        {
          says: ['one invoice', '"Is there a rebate above a hundred people?"'],
          saysNot: ['The company pays'],
        },
      ],
      ['And is there a minimum number of employees?', { says: ['5 people'] }],
    ]);
  });
});

describe('what is only supposed', () => {
  it('[DLG-483] is no incident', async () => {
    await converse(hub, ELISA, [
      ['quando é o teatro?', {}],
      [
        'o teatro custou 35 né? se eu faltar pq não deixaram entrar, vcs devolvem?',
        { says: ['R$ 35,00'], saysNot: ['Sinto muito pelo transtorno'], escalated: null },
      ],
    ]);
    await converse(hub, ANA, [
      ['se me cobrarem em dobro, vocês devolvem?', { says: ['devolver'], escalated: null }],
    ]);
  });

  it('[DLG-483] is one where it has happened', async () => {
    await converse(hub, ELISA, [
      ['não me deixaram entrar no teatro ontem, vcs devolvem?', { escalated: 'requires_human' }],
    ]);
  });

  it('[DLG-484] is answered for its condition', async () => {
    await converse(hub, null, [
      ["if I subscribe today and don't like it, do I get my money back?", { says: ['7 days'] }],
    ]);
    await converse(hub, BRUNO, [
      ['Quanto ficaria se eu passasse pro Premium hoje, paga a diferença na hora?', {}],
      [
        'se eu me arrepender mês que vem e voltar pro Basic, perco as visitas?',
        { says: ['a partir do mês seguinte'] },
      ],
    ]);
  });

  it('[DLG-485] offers no end of the plan to who wants one visit more', async () => {
    await converse(hub, BRUNO, [
      ['how many visits do i have left', {}],
      [
        'and if i use it and want another 1 this month',
        { saysNot: ['Would you like me to do that', 'subscription ends'] },
      ],
    ]);
  });
});

describe('what is meant instead', () => {
  const corrected: readonly [string | null, ...Line[]][] = [
    [
      ANA,
      [
        'if i cancel tonight less than 24 hours before, does a person decide?',
        { cites: 'kb-late-cancellation-en' },
      ],
      [
        "that's if i cancel. i meant if i dont cancel at all and just dont show up",
        { cites: 'kb-no-show-en', pending: null },
      ],
    ],
    [
      null,
      ['how do I change my password?', { cites: 'kb-reset-password-en' }],
      ['not the password, I mean the e-mail address I sign in with', { cites: 'kb-change-email-en' }],
    ],
    [
      null,
      ['o passe de convidado custa quanto?', { cites: 'kb-guests-companions-pt' }],
      [
        'não, eu quis dizer o cartão-presente, como funciona?',
        { cites: 'kb-gift-cards-pt', saysNot: ['passe de convidado'] },
      ],
    ],
    [
      BRUNO,
      ['when is my next booking?', { says: ['Film Club'] }],
      ['I mean my next payment', { says: ['59.90'], saysNot: ['Film Club'] }],
    ],
  ];
  it.each(corrected)('[DLG-486] %s: is the question, alone', async (email, ...lines) => {
    await converse(hub, email, lines);
  });

  it('[DLG-486] takes no order back that it only adds to', async () => {
    await converse(hub, ANA, [
      [
        'cancel the samba night, I mean the one on Saturday',
        { says: ['Samba Night'], pending: 'confirmation' },
      ],
    ]);
  });
});
