import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

const statusOf = (id: string) =>
  hub.query('cultpass', 'SELECT status FROM reservations WHERE reservation_id = ?', id)[0]?.status;

describe('an order in plain words', () => {
  it('[DLG-382] is made to what was spoken of last, and asked about', async () => {
    await converse(hub, 'bruno.lima@example.com', [
      ["what's the age rating of the film club?", {}],
      [
        'ok 18 probably then lol. bin that one, my wife will kill me',
        { says: ['Film Club'], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, 'ana.souza@example.com', [
      ['will I lose the visit if I cancel Elis?', {}],
      [
        "Good grief, that's a lot of money. Yes, cancel Elis then please, but only that one.",
        { says: ['Elis'], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, 'carla.mendes@example.com', [
      ['how long does my pause last?', {}],
      [
        "Fair enough. Then do end the pause please, I'd like to go to something this week.",
        { says: ['Shall I resume'], pending: 'confirmation' },
      ],
    ]);
  });

  it('[DLG-382] names all but one, and never the one that stays', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['what have I booked?', {}],
      ['cancel all but Elis', { saysNot: ['Elis'], pending: 'confirmation' }],
    ]);
  });
});

describe('several of a list', () => {
  it('[DLG-383] are those of the numbers, and of no day that is told beside', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['quero cancelar umas reservas', { says: ['Qual delas'] }],
      ['a 2 e a 3. cabeça ta ruim hj desculpa', { says: ['Depois disso vem'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-383] are chosen where a question about others is open, and nothing else is asked about', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['cancela tudo', { pending: 'confirmation' }],
      [
        'não, só o samba e a Clarice',
        { says: ['Samba', 'Clarice'], saysNot: ['Elis', 'Candlelight'], pending: 'confirmation' },
      ],
      ['não, deixa tudo como está', {}],
    ]);
    expect(statusOf('res_001')).toBe('reserved');
    expect(statusOf('res_002')).toBe('reserved');
  });
});

describe('what is only spoken of', () => {
  it('[DLG-384] is not offered to be cancelled', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['que horas acaba o concerto de hoje?', {}],
      [
        'Não filha, não quero comprar outro não. Só quero saber a hora que acaba o de hoje.',
        { saysNot: [/cancelar/], pending: null },
      ],
    ]);
  });

  it.each([
    'will you charge me in December? I cancelled',
    'quero cancelar o atendimento que cê abriu',
    'why was the rock concert cancelled?',
  ])('[DLG-384] is no order where it tells of what was done, or of a request: %s', async (said) => {
    await converse(hub, 'diego.ferreira@example.com', [[said, { pending: null }]]);
  });

  it('[DLG-384] is offered to be cancelled to who cannot come', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['não vou conseguir ir no samba. o que eu faço?', { says: ['Samba'], pending: 'confirmation' }],
    ]);
  });
});

describe('a day that is named beside a change', () => {
  it('[DLG-401] is not when it begins, where it is asked about or tells which of several', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['pause my plan for 42 days', { says: ['42 days'], pending: 'confirmation' }],
      [
        'One moment: will I be charged on the 24th of the month then?',
        { says: ['Shall I go on'], saysNot: ['plan a pause ahead'], pending: 'confirmation' },
      ],
      ['no, leave it', {}],
    ]);
    await converse(hub, 'ana.souza@example.com', [
      ['quero pausar por 20 dias', { pending: 'confirmation' }],
      [
        'hoje por 20 dias mesmo, não tem nada de abril',
        { saysNot: [/agendar uma pausa/], pending: 'confirmation' },
      ],
      ['não, deixa', {}],
    ]);
  });
});
