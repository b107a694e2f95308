import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';
const ELISA = 'elisa.rocha@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('what is asked of ones own records', () => {
  it('[DLG-500] lists all that is ahead where the plural asks for it, and one where the singular does', async () => {
    const all = { says: ['Candlelight Strings', 'Samba Night', 'Clarice Lispector', 'Elis: The Musical'] };
    await converse(hub, ANA, [['what upcoming bookings do I have?', all]]);
    await converse(hub, ANA, [['my next shows, please', all]]);
    await converse(hub, ANA, [['quais são meus próximos ingressos?', all]]);
    await converse(hub, ANA, [
      ["what's my next show?", { says: ['Candlelight Strings'], saysNot: ['Samba Night'] }],
    ]);
  });

  it('[DLG-501] says whether they went, that it is still to come, or that it was cancelled', async () => {
    await converse(hub, DIEGO, [
      ['was I actually at the Inhotim thing?', { says: [/^Yes, you were there/, '20 February'] }],
      ['did I go to Rock Gaúcho?', { says: [/^Not yet/, '14 April'], saysNot: [/^Yes/] }],
      ['fui no Bossa Nova ou não?', { says: [/^Não/, 'cancelada', '120,00'] }],
    ]);
    await converse(hub, BRUNO, [
      ['has Manguebeat happened yet or is it still to come?', { says: ['still to come', '23 March'] }],
      ['o Ver-o-Peso já passou?', { says: ['17 de fevereiro'] }],
    ]);
  });

  it('[DLG-502] tells when it was cancelled, and that neither who did it nor why is on record', async () => {
    await converse(hub, ANA, [
      [
        'who was it that cancelled the Chamamé night?',
        { says: ['3 March', 'does not show whether it was you'], escalated: null },
      ],
      ['and why was it cancelled?', { says: ['does not show why'] }],
      ['ask the team', { says: ['passed that on'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['por que desmarcaram o Auto da Compadecida?', { says: ['9 de março', 'não mostra por quê'] }],
    ]);
  });

  it('[DLG-503] takes the plan that a message names for what it asks of, whatever was spoken of before', async () => {
    await converse(hub, DIEGO, [
      ['what was my last charge?', { says: ['Bossa Nova'] }],
      [
        'and who ended my membership, and when?',
        { says: ['Your Premium subscription ended on 24 February'], saysNot: ['Bossa Nova'] },
      ],
      [
        'por quem a assinatura foi cancelada?',
        { says: ['terminou em 24 de fevereiro'], saysNot: ['Bossa Nova'] },
      ],
    ]);
    await converse(hub, ANA, [['who cancelled my plan?', { says: ['not cancelled: it is active'] }]]);
  });

  it('[DLG-504] says why something is charged beside the fee, and speaks of duplicates to nobody who does not', async () => {
    const extra = { says: ['extra price', 'on top of the monthly fee'], saysNot: ['hold', 'repeated'] };
    await converse(hub, BRUNO, [
      ['how come you took 12 for Film Club when I pay for the plan already?', extra],
      ['and the 70, is that part of my subscription?', extra],
    ]);
    await converse(hub, BRUNO, [
      [
        'o que é isso de 70 reais? já pago o plano, por que cobraram isso',
        { says: ['valor extra', 'à parte da mensalidade'], saysNot: ['repetidas', 'reserva do banco'] },
      ],
    ]);
    await converse(hub, BRUNO, [
      ['R$ 45.00, what was that for?', { says: ['Ver-o-Peso'], saysNot: ['pending', 'stands once'] }],
    ]);
  });

  it('[DLG-505] tells who wants money back for what is still ahead what giving it up would bring, and does nothing', async () => {
    await converse(hub, DIEGO, [
      [
        'paguei 110 no Rock Gaúcho e não vou mais, vcs devolvem isso?',
        { says: ['ainda vai acontecer', 'R$ 110,00 de volta'], saysNot: ['Para voltar'], pending: null },
      ],
      ['cancela', { says: ['Posso cancelar'], pending: 'confirmation' }],
      ['não', { pending: null }],
    ]);
    await converse(hub, DIEGO, [
      ['por que 160 reais?', { says: ['Grupo Corpo'] }],
      ['posso ter esse dinheiro de volta do Grupo Corpo?', { says: ['você foi'], pending: null }],
    ]);
  });

  it('[DLG-513] looks into what went wrong where money is wanted back for it', async () => {
    for (const text of [
      'I was charged twice for my plan, can I have that back?',
      'me cobraram em dobro, dá pra devolver isso?',
    ])
      await converse(hub, ANA, [
        [text, { tool: 'investigate', saysNot: ['If you cancelled', 'Se você cancelasse'] }],
      ]);
    await converse(hub, DIEGO, [
      ['you still charge me after I cancelled, can I get my money back?', { saysNot: ['Rock Gaúcho'] }],
    ]);
    await converse(hub, ELISA, [
      ['não me deixaram entrar no teatro ontem, vcs devolvem?', { escalated: 'requires_human' }],
    ]);
  });

  it('[DLG-506] answers when the card is charged with day and amount', async () => {
    const next = { says: ['R$ 119.90', '6 April'], saysNot: ['cannot see cards'] };
    await converse(hub, ANA, [['on which day does my card get charged?', next]]);
    await converse(hub, ANA, [
      [
        'how many visits do I have next month, and when do you charge my card?',
        { says: ['5 visits', '6 April'] },
      ],
    ]);
    await converse(hub, ANA, [['is there any charge before the 20th?', { says: [/^No\./, '6 April'] }]]);
    await converse(hub, ANA, [['which card do you charge?', { says: ['cannot see cards'] }]]);
    await converse(hub, null, [['when is the card charged?', { says: ['same day of the month'] }]]);
  });

  it('[DLG-507] reckons what the larger plan would give now, and what it would cost', async () => {
    await converse(hub, BRUNO, [
      [
        'with Premium I would have 3 more visits now, right? and what would I pay',
        { says: ['3', 'R$ 119.90'], saysNot: [/for the Basic plan/] },
      ],
      ['how much is my plan?', { says: ['R$ 59.90'], saysNot: ['119.90'] }],
    ]);
  });

  it('[DLG-508] reads a month and a day that are named apart as one date', async () => {
    await converse(hub, GABRIELA, [
      [
        "I'd like to pause in May, from the 4th, for three weeks",
        { says: ['not on 4 May', '21 days', '25 May'], saysNot: ['April'] },
      ],
      ['so I come back on 4 May and do it then?', { says: [/^Yes/, '4 May'], saysNot: ['joining fee'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['quero pausar em maio, a partir do dia 4, por três semanas', { says: ['4 de maio', '21 dias'] }],
    ]);
  });

  it('[DLG-509] says of a block that a dispute is a usual reason and no more than the record shows', async () => {
    await converse(hub, ELISA, [
      ['why am I blocked?', { says: ['blocked'] }],
      [
        'I contested a payment at my bank last month. Could that be why?',
        { says: ['usual reason', 'does not'], saysNot: ['repeated charges'], escalated: null },
      ],
      ['how long does the review of a block take?', { says: ['up to 3 business days'] }],
    ]);
    await converse(hub, ELISA, [
      ['o bloqueio é por causa da contestação no banco?', { says: ['motivo comum'] }],
      ['se eu cancelar o teatro agora, quanto recebo de volta?', { says: ['R$ 35,00', 'bloqueada'] }],
    ]);
  });

  it('[DLG-510] says that passes for guests are on no record, and counts no visits for them', async () => {
    await converse(hub, ANA, [
      ['have I used my guest pass this month already?', { says: ['not in the record'], saysNot: ['4 of 5'] }],
    ]);
    await converse(hub, BRUNO, [['ainda tenho o passe de convidado?', { says: ['exclusivo do Premium'] }]]);
    await converse(hub, DIEGO, [['ainda tenho o passe de convidado?', { says: ['sem plano'] }]]);
  });

  it('[DLG-511] gives no visits to who has no plan, and speaks of what is ahead as ahead', async () => {
    await converse(hub, DIEGO, [
      ['quantas visitas me restam?', { says: ['não tem visitas'], saysNot: ['5'] }],
      ['e qual é o meu plano?', { says: ['sem plano'], saysNot: ['está no plano'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['quando é o Manguebeat?', { says: ['é segunda'], saysNot: ['foi segunda'] }],
    ]);
  });

  it('[DLG-512] is about who went, cancelled or paid, and no more than that', async () => {
    await converse(hub, BRUNO, [
      ['how do I cancel a booking?', { says: ['Open Reservations'] }],
      ['I went to the show and it was great', { saysNot: ['you were there'] }],
    ]);
    await converse(hub, CARLA, [['am I still charged while it is paused?', { says: [/^No/] }]]);
    await converse(hub, null, [['who can cancel a booking?', { saysNot: ['does not show'] }]]);
  });
});
