import { afterAll, beforeAll, describe, test } from 'vitest';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('what is spoken of', () => {
  test('[DLG-643] other dates are asked of the one that is named or picked, also in a whole question', async () => {
    await converse(hub, CARLA, [
      [
        'on which other evenings is Modinhas by Candlelight being performed in Curitiba?',
        { says: ['Modinhas by Candlelight" is on once'], saysNot: ['Improvised'] },
      ],
      ['Then I shall leave it. How early ought I to arrive?', { says: ['Modinhas', '15 minutes before'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['o que tenho marcado?', { says: ['Festival of New Brazilian Short Films'] }],
      [
        'a última passa em outro dia também?',
        {
          says: ['Festival of New Brazilian Short Films" está na programação uma vez só'],
          saysNot: ['24 horas'],
        },
      ],
    ]);
  });

  test('[DLG-644] of what is on, what is asked of one’s own is asked of the one that is booked', async () => {
    await converse(hub, CARLA, [
      ["what's on in Curitiba?", { says: ['Improvised Theatre', 'Modinhas'] }],
      [
        'How early should I arrive for mine?',
        { says: ['Modinhas', '15 minutes before'], saysNot: ['Improvised'] },
      ],
    ]);
  });

  test('[DLG-644] they are those who run the place that is spoken of, and not each of a list', async () => {
    await converse(hub, ANA, [
      ['what have I got coming up?', { says: ['Candlelight Strings', 'Samba Night'] }],
      ['the first one, where is it?', { says: ['Sala São Paulo'] }],
      ['do they have a cloakroom?', { says: ['Candlelight Strings'], saysNot: ['Samba Night', 'Elis'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['what do I have booked?', { says: ['Festival'] }],
      ['the last one, what is it about?', { says: ['Ten films'] }],
      ['do they have parking?', { says: ['Festival'], saysNot: ['Tropic'], escalated: null }],
    ]);
  });

  test('[DLG-645] what something is, is told from its page', async () => {
    await converse(hub, GABRIELA, [
      ['quais visitas tenho marcadas?', { says: ['Sunday Concert'] }],
      ['ah, esse de domingo é o que?', { says: ['One hour of orchestra'], saysNot: ['lugares livres'] }],
    ]);
    await converse(hub, CARLA, [
      ['what do I have booked?', { says: ['Modinhas'] }],
      ['what is it exactly?', { says: ['Voice and period guitar'], saysNot: ['monthly subscription'] }],
    ]);
  });

  test('[DLG-646] when it is and when to be there are told once', async () => {
    for (const [who, said] of [
      [ANA, 'when is the samba night and how early should I arrive'],
      [ANA, 'when is the samba thing? do I need to be early?'],
      [ANA, 'do I need to be early for the samba night?'],
      [BRUNO, 'quando é o filme e tenho que chegar cedo?'],
    ] as const)
      await converse(hub, who, [
        [
          said,
          {
            says: [/15 min/],
            saysNot: [/15 min[\s\S]*15 min/, /reservation made|precisa de reserva/],
            escalated: null,
          },
        ],
      ]);
  });

  test('[DLG-647] which of what was shown is so is told of those whose page says it, and the others are named', async () => {
    await converse(hub, null, [
      ['What is on in Rio in March?', { says: ['Film Club'] }],
      [
        "Which of those is in English or doesn't need Portuguese?",
        {
          says: ['English subtitles', /Of the others I do not know it: .*Giselle/, 'need no Portuguese'],
          saysNot: ['In "Language"'],
        },
      ],
    ]);
    await converse(hub, null, [
      ['o que tem no Rio em março?', { says: ['Film Club'] }],
      [
        'quais dessas são em inglês?',
        { says: ['English subtitles', /Dos outros eu não sei: .*Samba/], saysNot: ['De qual'] },
      ],
    ]);
    await converse(hub, null, [
      ["what's on in São Paulo this week?", { says: ['Pinacoteca'] }],
      ['are any of them fine for a wheelchair?', { says: ['I cannot tell', 'filter "Accessibility"'] }],
    ]);
  });

  test('[DLG-648] the visits of a month that has begun are those of this month', async () => {
    const december = await openHub({ clock: createFixedClock('2026-12-01T13:00:00.000Z') });
    try {
      await converse(december, ANA, [
        [
          'anyway. how many visits does that leave me for december?',
          { says: ['this month'], saysNot: ['2027 you have'] },
        ],
        ['and how many will I have in January?', { says: ['From 1 January 2027'] }],
      ]);
      await converse(december, BRUNO, [
        ['quantas visitas vou ter em dezembro?', { says: ['neste mês'], saysNot: ['A partir de'] }],
      ]);
    } finally {
      await december.close();
    }
  });

  test('[DLG-649] no and another time asks the question before for that time', async () => {
    await converse(hub, ANA, [
      ['how many visits will I have in May?', { says: ['From 1 May'] }],
      ['no not may! THIS month, march', { says: ['this month'], escalated: null }],
    ]);
    await converse(hub, BRUNO, [
      ['quantas visitas vou ter mês que vem?', { says: ['1 de abril'] }],
      ['não, esse mês!', { says: ['neste mês'], escalated: null }],
    ]);
  });

  test('[DLG-649] a no to a question that is open stays a no, whatever time is named beside it', async () => {
    const [, rejected] = await converse(hub, ANA, [
      ['cancel the samba night', { pending: 'confirmation' }],
      ['no, this month', { pending: null, says: ['not changed anything'] }],
    ]);
    if (rejected?.toolCalls.some(({ code }) => code === 'performed')) throw new Error('It was cancelled');
  });

  test('[DLG-650] a question that only triage takes for the programme is read whole', async () => {
    await converse(hub, null, [
      [
        'Minha filha tem 16 anos, ela pode ir sozinha numa peça?',
        { cites: 'kb-minors-pt', saysNot: ['Improvised'] },
      ],
    ]);
    await converse(hub, null, [['o que tem de teatro em março?', { tool: 'find_experiences' }]]);
  });
});
