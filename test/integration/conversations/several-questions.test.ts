import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse, type Line } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const ELISA = 'elisa.rocha@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('several questions in one message', () => {
  it.each<readonly [string, string | null, Line]>([
    [
      'a price and what is left',
      ANA,
      [
        'quantas visitas eu ainda tenho? e o choro é de graça mesmo?',
        { says: ['incluído no plano', '1 visita'] },
      ],
    ],
    [
      'what is on and what was understood',
      BRUNO,
      [
        'so my daughter needs her own ticket, right? and is there anything for kids on sunday in sao paulo',
        { says: ['Sunday Concert', /adult|entry/] },
      ],
    ],
    [
      'when it is and what would come back',
      BRUNO,
      [
        'The Manguebeat night: when is it, and if I cancel now what do I get back?',
        { says: ['23 March at 19:30', 'R$ 70.00'], saysNot: ['Film Club'], pending: null },
      ],
    ],
  ])('[DLG-560] are each answered, whatever reader answers the first: %s', async (_what, email, line) => {
    await converse(hub, email, [line]);
  });

  it('[DLG-561] are answered beside a change that waits for a yes', async () => {
    await converse(hub, CARLA, [
      ['quero reativar minha assinatura', { pending: 'confirmation' }],
      [
        'se eu reativar agora vcs me cobram hj? e as visitas que não usei eu perco?',
        { says: ['Nada é cobrado hoje', /não passa/], pending: 'confirmation' },
      ],
    ]);
  });

  it('[DLG-568] are said by the conversation where none needs an agent, and leave a change as it waits', async () => {
    await converse(hub, ANA, [
      ['cancel the samba night', { pending: 'confirmation' }],
      [
        'how long does the refund take? and where is Elis?',
        {
          says: ['5 to 10 business days', 'Teatro do Bourbon Country', 'Samba Night'],
          pending: 'confirmation',
          rule: 'R18',
        },
      ],
      ['no', { pending: null }],
    ]);
  });

  it('[DLG-562] are each answered where they are numbered in a long message', async () => {
    await converse(hub, BRUNO, [
      [
        "Hello. Three things please: 1) which plan am I on and what do I pay, 2) when is the next charge, 3) can I get a nota fiscal with my company's CNPJ on it?",
        { says: ['Basic', 'R$ 59.90', '3 April', 'invoice'] },
      ],
    ]);
  });

  it.each<readonly [string, Line]>([
    [
      'en',
      ['I want to give my booking to somebody else. Can I or not?', { says: ['cannot be transferred'] }],
    ],
    [
      'pt-BR',
      [
        'Quero transferir minha reserva pra outra pessoa. Pode ou não pode?',
        { says: ['não pode ser transferida'] },
      ],
    ],
  ])(
    '[DLG-563] are one where the second only presses for the answer to the first: %s',
    async (_language, [said, like]) => {
      await converse(hub, ANA, [
        [said, { ...like, saysNot: ['not sure', 'Não sei se', 'no sure', 'resposta segura'] }],
      ]);
    },
  );

  it('[DLG-564] are told of the one booking that is named beside them', async () => {
    await converse(hub, ANA, [
      ['what have I booked?', { says: ['Elis'] }],
      [
        'Oh dear, so many! My knee is operated on the 14th, and I cannot dance on crutches, so the samba night must go. Do I lose my money if I cancel that one?',
        { says: ['R$ 60.00'], saysNot: ['Elis', 'Candlelight'], pending: null },
      ],
    ]);
    await converse(hub, ANA, [
      ['when is the samba night?', { says: ['20:00'] }],
      ['how much would I get back if I cancelled all my bookings?', { says: ['Elis', 'Candlelight'] }],
    ]);
  });
});

describe('what is said beside an answer', () => {
  it('[DLG-565] is no denial where somebody does not remember what they have', async () => {
    await converse(hub, ANA, [
      [
        "I don't remember which things I have booked. Can you tell me?",
        { says: ['Elis'], saysNot: ['I do not find'] },
      ],
    ]);
  });

  it('[DLG-566] says of the visits left that a blocked account cannot use them', async () => {
    await converse(hub, ELISA, [['How many visits do I have left this month?', { says: [/blocked/] }]]);
    await converse(hub, BRUNO, [['How many visits do I have left this month?', { saysNot: [/blocked/] }]]);
  });

  it('[DLG-567] is no single line that is only said to be there', async () => {
    const [reply] = await converse(hub, null, [['what is on in Rio', { saysNot: ['One more fits'] }]]);
    expect(reply?.reply.match(/^- /gm)?.length).toBeGreaterThan(5);
  });

  it('[DLG-569] tells a visitor how a change goes that is asked about, and asks them to sign in for one that is ordered', async () => {
    await converse(hub, null, [
      [
        'Can I pause my subscription and for how long?',
        { says: ['Profile > Plan > Pause'], saysNot: ['Please sign in'] },
      ],
    ]);
    await converse(hub, null, [
      [
        'cancel my booking for tomorrow and tell me how long a refund takes',
        { says: ['10 business days', 'Please sign in'], saysNot: ['Once you have signed in'] },
      ],
    ]);
  });

  it.each<readonly [string, string, readonly string[]]>([
    ['en', 'how do i change my card and my email', ['Payment methods', 'Security > E-mail']],
    ['pt', 'como eu troco o meu cartão e o e-mail?', ['Formas de pagamento', 'Segurança > E-mail']],
    [
      'what is left out of none',
      'what is the difference between the basic and the premium plan?',
      ['R$ 59.90', 'R$ 119.90'],
    ],
  ])('[DLG-570] answers the same question of several things for each: %s', async (_about, said, says) => {
    await converse(hub, null, [[said, { says, escalated: null }]]);
  });

  it('[DLG-620] are kept where only the last of them has a mark, or none', async () => {
    await converse(hub, ANA, [
      [
        'hiya, what have I got coming up and which plan am I on?',
        { says: ['Your upcoming reservations', 'Elis', 'Premium plan'] },
      ],
    ]);
    await converse(hub, ANA, [
      [
        'o que eu tenho reservado e qual é o meu plano?',
        { says: ['Suas próximas reservas', 'plano Premium'] },
      ],
    ]);
    await converse(hub, ANA, [
      [
        'What plan am I paying for and when does the next charge hit my card?',
        { says: ['Premium plan', '6 April'] },
      ],
      [
        'qual plano eu to pagando e quando cai a próxima cobrança?',
        { says: ['plano Premium', '6 de abril'] },
      ],
    ]);
    await converse(hub, BRUNO, [
      ['cancel the manguebeat one', { pending: 'confirmation' }],
      ['yes', { says: ['R$ 70.00'] }],
      [
        'sweet. so how many visits now and when does the money land',
        { says: ['5 to 10 business days', '1 visit left'] },
      ],
    ]);
  });

  it('[DLG-621] take along who was spoken of before them', async () => {
    await converse(hub, ANA, [
      [
        'meu filho de 5 anos vai comigo. o que q eu tenho marcado e ele paga pra entrar?',
        { says: ['Suas próximas reservas', 'passe de convidado'] },
      ],
    ]);
    await converse(hub, ANA, [
      [
        'my husband is coming on saturday. what have i booked and does he need his own ticket?',
        { says: ['Samba Night', 'guest pass'] },
      ],
    ]);
    await converse(hub, ANA, [
      ['minha mãe tem 68 anos. ela tem desconto?', { cites: 'kb-student-discount-pt' }],
    ]);
  });

  it('[DLG-622] are each answered of the record where a part only says what is to be told', async () => {
    await converse(hub, ELISA, [
      [
        'só quero saber pq minha conta tá travada e se posso ir no que já tinha reservado',
        { says: ['Sua conta está bloqueada', 'continua valendo', 'Giselle'] },
      ],
      [
        "tell me why i'm blocked and whether i can still go to my bookings",
        { says: ['Your account is blocked', 'still stands', 'Giselle'] },
      ],
    ]);
    await converse(hub, 'gabriela.nunes@example.com', [
      [
        'gostaria de saber qual é o meu plano e se ainda tenho visitas',
        { says: ['plano Premium', '2 visitas'] },
      ],
    ]);
  });

  it('[DLG-623] read what is new, and nothing of what was answered before', async () => {
    await converse(hub, ANA, [
      ['como faço pra mudar pro premium?', { cites: 'kb-change-plan-pt' }],
      [
        'se eu mudar dps eu consigo voltar pro basico? perco as reserva?',
        { says: ['Downgrade, do Premium para o Basic', 'perco as reserva'], saysNot: [/^3\.$/m] },
      ],
    ]);
  });

  it('[DLG-670] are read apart where each stands by itself', async () => {
    await converse(hub, ANA, [
      [
        "when do I get charged next, how many visits have I got left this month, and do visits I don't use roll over?",
        { says: ['next charge of your plan', /\d visits? left this month/, 'do not roll over'] },
      ],
    ]);
    await converse(hub, 'gabriela.nunes@example.com', [
      [
        'quando é a próxima cobrança, quantas visitas ainda tenho, e o que sobra acumula pro mês que vem?',
        { says: ['próxima cobrança', /visitas? (?:neste|do) mês/, 'não acumulam'] },
      ],
    ]);
    await converse(hub, null, [
      [
        'how much is premium a month? And how do I reset my password? And which cities are you in?',
        { says: ['119.90', 'Forgot', 'Salvador'] },
      ],
    ]);
  });
});
