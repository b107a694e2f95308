import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

/** The titles of a list in the order in which it was said. */
const titlesIn = (reply: string | undefined): readonly string[] =>
  [...(reply ?? '').matchAll(/^- ([^\n]+?), [\p{L}-]+,? \d/gmu)].map(([, title = '']) => title);

describe('what was shown in a list', () => {
  it('[DLG-100] is counted as it was shown, also by who wants to book, or likes one of it', async () => {
    for (const [list, cost, likes, book] of [
      [
        'what is on in rio?',
        'does the last one cost extra?',
        'the second one sounds nice',
        'book the first one',
      ],
      ['o que tem no rio?', 'essa última é paga?', 'gostei da segunda', 'quero reservar a primeira'],
    ] as const) {
      const replies = await converse(hub, ANA, [
        [list, {}],
        [cost, {}],
        [likes, {}],
        [book, {}],
      ]);
      const titles = titlesIn(replies[0]?.reply);
      expect(titles.length).toBeGreaterThan(2);
      expect(replies[1]?.reply).toContain(titles.at(-1));
      expect(replies[2]?.reply, likes).toContain(titles[1]);
      expect(replies[3]?.reply).toContain(titles[0]);
    }
  });

  it('[DLG-101] is shown again to who is asked which one and asks what there is', async () => {
    for (const [ask, what] of [
      ['cancel a reservation', 'which ones do i have'],
      ['quero cancelar uma reserva', 'quais eu tenho?'],
      ['i want to move my booking', 'what are my options'],
    ] as const)
      await converse(hub, ANA, [
        [ask, { says: ['1.', 'Samba Night', 'Elis: The Musical'] }],
        [what, { says: ['1.', 'Samba Night', 'Elis: The Musical'], escalated: null }],
      ]);
  });
});

describe('what was proposed', () => {
  it('[DLG-180] gives way to its neighbour, and is taken by no later yes', async () => {
    for (const [customer, cancel, after, before, no, yes, titles] of [
      [
        'tatiana.ribeiro@example.com',
        'cancel my next booking',
        'not this one, the one that comes after it',
        'nope, the previous one',
        'no',
        'yes',
        ['Improvised Theatre', 'Forró Night', 'Improvised Theatre'],
      ],
      [
        'felipe.araujo@example.com',
        'cancela minha próxima reserva',
        'essa não! a outra depois dela',
        'nao, a de antes',
        'não',
        'sim',
        ['São Paulo Dance Company', 'Auto da Compadecida', 'São Paulo Dance Company'],
      ],
    ] as const)
      await converse(hub, customer, [
        [cancel, { says: [titles[0]], pending: 'confirmation' }],
        [after, { says: [titles[1]], pending: 'confirmation' }],
        [before, { says: [titles[2]], saysNot: [titles[1]], pending: 'confirmation' }],
        [no, { pending: null }],
        [yes, { saysNot: [...titles], pending: null }],
      ]);
  });

  it('[DLG-180] stays as it is where nothing comes after it', async () => {
    await converse(hub, 'bruno.lima@example.com', [
      ['cancela a última', { says: ['Manguebeat'], pending: 'confirmation' }],
      ['não, a seguinte', { saysNot: ['Posso cancelar'], pending: null }],
      ['sim', { saysNot: ['Posso cancelar'], pending: null }],
    ]);
  });
});

describe('what was done', () => {
  it('[DLG-102] is taken back where the last sentence asks for it, whatever is told before', async () => {
    for (const [customer, pause, yes, undo] of [
      [
        'vanessa.oliveira@example.com',
        'pause my plan for a month',
        'yes',
        'oh no, I want to book something on the 12th. undo that',
      ],
      [ANA, 'pausa meu plano por um mês', 'sim', 'ih, lembrei que quero ir num show dia 12. desfaz isso'],
    ] as const)
      await converse(hub, customer, [
        [pause, { pending: 'confirmation' }],
        [yes, { pending: null }],
        [undo, { says: [/Would you like me to do that|Quer que eu faça isso/] }],
      ]);
  });
});

describe('an article that asks to be told here', () => {
  it('[DLG-103] is not repeated to who asks it again: the team is asked', async () => {
    await converse(hub, null, [
      ['my last invoice still has my old address', { says: ['ask us here in the chat'] }],
      ['and can the one that was issued already still be corrected?', { escalated: 'low_confidence' }],
    ]);
  });

  it('[DLG-103] has its details passed on, however short they are', async () => {
    await converse(hub, null, [
      ['o app fica travando', { says: ['conte aqui no chat'] }],
      ['moto g52, android 13', { escalated: 'customer_request' }],
    ]);
  });
});

describe('what the team has', () => {
  it('[DLG-104] is added to by who asks for that, also where nothing can be changed', async () => {
    await converse(hub, 'elisa.rocha@example.com', [
      ['why cant i book anything', { says: [/passed it on to our team/] }],
      [
        'my husband used it once. please tell them it is my only account',
        { says: ['added this to your request'] },
      ],
      ['coloca no meu chamado que eu quero uma revisão', { says: ['Juntei isto ao seu pedido'] }],
    ]);
  });
});

it('[DLG-104] an order beside the wish that the team hears of it is carried out, and not only passed on', async () => {
  const [, reply] = await converse(hub, ANA, [
    ['I want to talk to a person', { escalated: 'customer_request' }],
    ['cancel my samba night booking and let them know', { pending: 'confirmation' }],
  ]);
  expect(reply?.pending?.args).toEqual({ reservation_id: 'res_002' });
});

describe('a place', () => {
  it('[DLG-105] where nothing is on is said not to be one, also in a first question', async () => {
    for (const asked of ['do you operate in manaus?', 'tem em manaus?'])
      await converse(hub, null, [[asked, { says: ['Manaus', 'Recife'], escalated: null }]]);
  });

  it('[DLG-106] is told to who asks for the way there', async () => {
    for (const [next, way] of [
      ['when is my next booking?', 'how do i get there by metro'],
      ['qual minha próxima reserva?', 'como chego lá de metrô?'],
    ] as const)
      await converse(hub, ANA, [
        [next, {}],
        [way, { says: [/address with a map|endereço com o mapa/] }],
      ]);
  });
});

describe('an amount that was just named', () => {
  it('[DLG-107] is meant by who wants it back, and no booking that has another', async () => {
    for (const [asked, back] of [
      ['qual foi minha última cobrança?', 'então me devolve esse valor!!'],
      ['how much was the last charge?', 'then refund that money'],
    ] as const) {
      const [, reply] = await converse(hub, 'caio.nascimento@example.com', [
        [asked, { says: ['119'] }],
        [back, { pending: null }],
      ]);
      expect(reply?.reply).not.toMatch(/^(?:Shall I|Posso)/);
    }
  });
});

describe('what a yes would cost', () => {
  it('[DLG-108] is said with its day before the pause is ended', async () => {
    for (const [said, charges] of [
      ['resume my plan', /Charges start again on .*, with R\$/],
      ['quero retomar meu plano', /A cobrança volta em .*, com R\$/],
    ] as const)
      await converse(hub, 'carla.mendes@example.com', [[said, { says: [charges], pending: 'confirmation' }]]);
  });
});

describe('a paused plan', () => {
  it('[DLG-109] is told from the record to who asks whether it still is, and how to pause to nobody who did', async () => {
    for (const [customer, asked, says] of [
      ['carla.mendes@example.com', 'is my subscription still paused', 'is paused until'],
      ['carla.mendes@example.com', 'am I paused or not?', 'is paused until'],
      ['carla.mendes@example.com', 'até que dia tô pausado?', 'está pausada até'],
      [ANA, 'am i paused?', 'not paused'],
    ] as const)
      await converse(hub, customer, [[asked, { says: [says], cites: null }]]);
  });

  it('[DLG-109] is explained from its article to who asks whether they may pause', async () => {
    await converse(hub, ANA, [['can I pause my plan?', { cites: 'kb-pause-subscription-en' }]]);
  });
});

it('[DLG-130] a word of courtesy is no name of a booking', async () => {
  await converse(hub, 'bruno.lima@example.com', [
    ['cancel my next booking pls', { saysNot: ['could not find'], pending: 'confirmation' }],
  ]);
});

it('[DLG-131] a name of several words takes the place of the one in the question before, whole', async () => {
  for (const [asked, then] of [
    ['o dinheiro do jazz ja voltou? aquele do blue note', 'e o do auto da compadecida?'],
    ['has the money for the jazz come back?', 'and for the auto da compadecida?'],
  ] as const)
    await converse(hub, 'gabriela.nunes@example.com', [
      [asked, { says: ['Late Jazz Session', /210[.,]00/] }],
      [then, { says: ['Auto da Compadecida', /65[.,]00/], saysNot: ['Jazz'], escalated: null }],
    ]);
});
