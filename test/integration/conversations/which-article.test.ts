import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('the article that is quoted', () => {
  it('[DLG-390] is the one that the conversation is about, and not one that shares a word with the message', async () => {
    await converse(hub, ANA, [
      ['can i send my code to a friend?', { cites: 'kb-transfer-reservation-en' }],
      ['ok so the print is useless then?', { cites: 'kb-transfer-reservation-en', escalated: null }],
    ]);
  });

  it('[DLG-391] is none where a message only tells who writes, or what they are doing', async () => {
    const [greeted] = await converse(hub, ANA, [
      [
        'Hello love, I am Ana and I am eighty and I am not very good with these telephones, do be patient with me',
        { says: ['Ana'], escalated: null },
      ],
    ]);
    expect(greeted?.citations).toEqual([]);
    const [, asked] = await converse(hub, BRUNO, [
      ['Posso pausar meu plano?', { cites: 'kb-pause-subscription-pt' }],
      [
        'desculpa, to com a mão ocupada aqui segurando o cachorro',
        { says: ['Algumas palavras a mais'], escalated: null },
      ],
    ]);
    expect(asked?.citations).toEqual([]);
  });

  it('[DLG-392] is that of the cities where these are asked for, whatever places and days stand beside it', async () => {
    for (const [price, cities, cites] of [
      [
        'How much is Basic?',
        'nice. and what cities do you guys do? we will be in Recife and Salvador in January',
        'kb-cities-en',
      ],
      [
        'quanto é o basic?',
        'legal. e quais cidades vcs atendem? a gente vai pra recife e salvador em janeiro',
        'kb-cities-pt',
      ],
    ] as const)
      await converse(hub, null, [
        [price, {}],
        [cities, { cites }],
      ]);
    // Where only a place and a day are asked for, what is on there.
    await converse(hub, null, [
      ['How much is Basic?', {}],
      ['and what is on in Recife in December?', { saysNot: ['ten cities'] }],
    ]);
  });

  it('[DLG-393] is not begun with a conclusion from what is left out', async () => {
    for (const [asked, opens, drawn] of [
      ['can i send my code to a friend?', /^A reservation cannot be transferred/, 'This also means'],
      ['posso mandar print do codigo pra um amigo?', /^A reserva não pode ser transferida/, 'Por isso'],
    ] as const) {
      const [told] = await converse(hub, ANA, [[asked, { says: [drawn] }]]);
      expect(told?.reply).toMatch(opens);
    }
  });
});
