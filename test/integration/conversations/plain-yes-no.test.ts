import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('a yes', () => {
  it('[DLG-460] with a kind word beside it is one', async () => {
    await converse(hub, CARLA, [
      ['please resume my subscription', { pending: 'confirmation' }],
      [
        'All right then, yes please, get me out of the pause. Bless you.',
        { says: ['active again'], pending: null },
      ],
    ]);
    await converse(hub, GABRIELA, [
      ['quero o reembolso do Manguebeat', { pending: 'confirmation' }],
      [
        'Sim, pode fazer. Que gentileza a sua!',
        { says: ['está sendo reembolsado', 'R$ 70,00'], pending: null },
      ],
    ]);
  });
  it('[DLG-460] is acted on, and what is asked after it is answered', async () => {
    await converse(hub, ANA, [
      ['quero cancelar o Samba Night', { pending: 'confirmation' }],
      [
        'sim, pode! obrigada viu. Ah, e depois disso quantas visitas eu tenho pro mês que vem?',
        { says: ['foi cancelada', /\d visitas?/], pending: null },
      ],
    ]);
  });
  it('[DLG-461] that is said again after being asked again is taken for one', async () => {
    await converse(hub, BRUNO, [
      ['cancel my Manguebeat booking', { pending: 'confirmation' }],
      ['will it rain that day?', { pending: 'confirmation' }],
      ['huh? I said yes, for the third time', { says: ['cancelled'], pending: null }],
    ]);
  });
  it('[DLG-461] is none where the customer wants to go, or wants another one', async () => {
    for (const said of [
      'yes, that is the one I want to go to',
      'yes, I adore that one',
      'yes, how lovely, my friend will take my seat',
      'yes, the other one',
      'yes, if I get everything back',
      'yes my sister comes along as well',
      'yes, see you there',
      'ok so yes it stays then',
      'sim, prefiro ir',
      'sim, minha irmã vai junto',
    ]) {
      await converse(hub, BRUNO, [
        ['cancel my Manguebeat booking', { pending: 'confirmation' }],
        ['will it rain that day?', { pending: 'confirmation' }],
        [said, { saysNot: ['Done:', 'Pronto:'] }],
      ]);
      await converse(hub, BRUNO, [
        ['cancel my Manguebeat booking', {}],
        [said, { saysNot: ['Done:', 'Pronto:'] }],
      ]);
    }
  });
  it('[DLG-461] that says why the customer cannot go is one', async () => {
    await converse(hub, BRUNO, [
      ['cancel my Manguebeat booking', { pending: 'confirmation' }],
      ["yes, my sister can't come along", { says: ['Done:'], pending: null }],
    ]);
  });
});

describe('a no', () => {
  it('[DLG-462] is heard in a sentence among others, and the question beside it is answered', async () => {
    await converse(hub, BRUNO, [
      ['cancel my Manguebeat booking', { pending: 'confirmation' }],
      [
        "Come to think of it, no. I'd rather keep it. How much is Premium a month?",
        { says: ['have not changed anything', 'R$ 119.90'], pending: null },
      ],
    ]);
    await converse(hub, ANA, [
      ['quero cancelar o Samba Night', { pending: 'confirmation' }],
      [
        'Pensando bem, não. Vou manter. Quanto custa o Premium por mês?',
        { says: ['não mudei nada', 'R$ 119,90'], pending: null },
      ],
    ]);
  });
  it('[DLG-463] to an offer closes it, and what is asked beside it is answered', async () => {
    await converse(hub, ANA, [
      ['what happens if I cancel the Candlelight booking?', { says: ['Would you like me to do that?'] }],
      [
        "no, leave it, I'll go. how early do I have to be there?",
        { says: ['have not changed anything', '15 minutes'], saysNot: ['Would you like me'], pending: null },
      ],
    ]);
  });
  it('[DLG-464] is not heard where somebody does not know yet', async () => {
    await converse(hub, BRUNO, [
      ['cancel my Manguebeat booking', { pending: 'confirmation' }],
      ["I don't know yet. How much do I get back?", { pending: 'confirmation' }],
    ]);
  });
  it('[DLG-465] that is put off names what is to be decided', async () => {
    await converse(hub, ANA, [
      ['quero cancelar o Samba Night', { pending: 'confirmation' }],
      [
        'espera um pouquinho',
        {
          says: [/decidir sobre o cancelamento de .*sim ou não/],
          saysNot: ['Posso cancelar'],
          pending: 'confirmation',
        },
      ],
    ]);
  });
});

describe('an accepted offer to ask the team', () => {
  it('[DLG-466] is carried out beside another question', async () => {
    await converse(hub, null, [
      ['Vocês aceitam criptomoeda?', {}],
      ['sim, encaminha por favor. outra coisa, em quais cidades tem?', { says: ['Recife', 'criptomoeda'] }],
    ]);
  });
});

describe('danger', () => {
  it('[DLG-467] is not heard in how a child behaves, nor in what has happened to nobody', async () => {
    for (const said of [
      'And my grandson? He is four years old, he sits very quietly.',
      'My granddaughter is six and very well behaved.',
      'Nobody is hurt, I only asked about a ticket.',
      'Gente, ninguém se machucou! Só quero levar meu neto no show.',
    ])
      await converse(hub, CARLA, [[said, { saysNot: ['192', '188', 'everything you told me'] }]]);
  });
  it('[DLG-467] is heard beside what has happened to nobody', async () => {
    for (const said of [
      'Nobody is hurt, but a man is following me.',
      'Ninguém se machucou, mas ele continua me ameaçando na porta.',
      'My grandson is four and I cannot find him.',
    ])
      await converse(hub, CARLA, [[said, { says: ['192'], escalated: 'requires_human' }]]);
  });
  it('[DLG-468] that was misheard is taken back with an apology, and the question is answered', async () => {
    await converse(hub, CARLA, [
      ['a man is following me', { says: ['192'], escalated: 'requires_human' }],
      [
        'Goodness, you misunderstood, I am fine. How much is Premium?',
        { says: ['I am sorry', 'R$ 119.90'], saysNot: ['192', 'still with a person'], escalated: null },
      ],
    ]);
  });
  it('[DLG-468] is not taken back by who may want to die and asks for nothing else', async () => {
    await converse(hub, CARLA, [
      ['I want to die', { says: ['188'], escalated: 'requires_human' }],
      ["I'm fine. I just can't go on", { saysNot: ['glad that all is well'] }],
    ]);
  });
});

describe('a person', () => {
  it('[DLG-469] is not called by who asks how data are obtained or where to complain', async () => {
    await converse(hub, DIEGO, [
      [
        'Gostaria de obter cópia dos meus dados pessoais, nos termos da LGPD. Como devo proceder?',
        { says: ['Obter meus dados'], escalated: null },
      ],
    ]);
    await converse(hub, BRUNO, [
      [
        'Whom should I contact if I wish to file a formal complaint about a venue, and how soon do you reply?',
        { escalated: null },
      ],
    ]);
    await converse(hub, DIEGO, [
      ['I demand all the data you hold on me, or I go to court', { escalated: 'legal' }],
    ]);
  });
  it('[DLG-470] who was not asked for is called off, and the question is answered', async () => {
    await converse(hub, DIEGO, [
      ['quero falar com uma pessoa', { escalated: 'customer_request' }],
      [
        'Não pedi para falar com ninguém. Quanto custa o Premium?',
        { says: ['não precisa de ninguém', 'R$ 119,90'], escalated: null },
      ],
    ]);
  });
});
