import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('the programme in a conversation', () => {
  test('[DLG-640] where and when stay what they were until others are named', async () => {
    await converse(hub, null, [
      ['Tem show em Recife ou Salvador esse mês?', { says: ['em Salvador ou em Recife, em março'] }],
      [
        'Nossa, salgado. De graça não tem nada não? Pode ser museu, exposição, dança...',
        { says: ['em Salvador ou em Recife, em março, sem custo adicional'], saysNot: ['Brasília', 'Belém'] },
      ],
    ]);
    await converse(hub, null, [
      ["what's on in Curitiba in March?", { says: ['in Curitiba, in March'] }],
      [
        'what is there for free?',
        { says: ['in Curitiba, in March, at no extra cost'], saysNot: ['Brasília'] },
      ],
      [
        'and in any other city?',
        { says: ['Pinacoteca', 'included in the plan'], saysNot: ['extra', 'April'] },
      ],
    ]);
  });

  test('[DLG-640] who says where they are, or asks whether there is really none, wishes for the same as before', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['anything free in São Paulo this weekend?', { says: ['Pinacoteca'] }],
      [
        "I'm in Rio, São Paulo is too far. nothing around here?",
        {
          says: ['in Rio de Janeiro, from 14 March to 15 March, at no extra cost', 'Clarice'],
          saysNot: ['Samba'],
        },
      ],
    ]);
    await converse(hub, null, [
      ['o que tem de graça em março?', { says: ['em março, sem custo adicional'] }],
      [
        'eu moro em Salvador, por aqui não tem nada?',
        { says: ['em Salvador, em março, sem custo adicional'] },
      ],
    ]);
  });

  test('[DLG-641] where nothing is all that was asked for, what is nearest says in what it is not', async () => {
    await converse(hub, null, [
      [
        'is there a free concert in Recife this month?',
        {
          says: [
            'nothing of that kind in Recife, in March, at no extra cost',
            /though it is at an extra cost:\n- Manguebeat/,
          ],
        },
      ],
    ]);
    await converse(hub, null, [
      ['tem algum museu em Salvador em março?', { says: [/embora de outro tipo:\n- /] }],
    ]);
    await converse(hub, null, [
      [
        'any museums, galleries or theatre in Salvador in March for free?',
        { says: [/of another kind and at an extra cost:/] },
      ],
    ]);
  });

  test('[DLG-641] a ballet with an orchestra is no concert, and any of several kinds is one of them', async () => {
    await converse(hub, null, [
      [
        'What concerts are there in Rio between March 25 and 29?',
        { says: [/I found nothing of that kind .*though it is of another kind:\n- Giselle/s] },
      ],
    ]);
    await converse(hub, null, [
      [
        'tem teatro ou dança em março no Rio ou em Curitiba?',
        { says: ['Improvised Theatre', 'Giselle'], saysNot: ['Samba', 'City of God'] },
      ],
    ]);
  });

  test('[DLG-642] a plan is no name on the programme, and around a day are the days beside it', async () => {
    await converse(hub, null, [
      [
        "And on Basic is Christ the Redeemer or a samba show included? what's on in Rio around the 15th of March",
        { says: ['"Christ the Redeemer" is not on our programme', 'Samba Night'], saysNot: ['"Basic"'] },
      ],
    ]);
    await converse(hub, null, [
      ['o que tem em Porto Alegre por volta do dia 21 de março?', { says: ['Elis'] }],
    ]);
  });
});
