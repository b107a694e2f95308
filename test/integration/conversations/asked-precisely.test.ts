import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type Hub, openHub } from '../../support/hub.js';
import { converse, type Line } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** Says one line after the other; the last answer is what it says. */
const lastly = (lines: readonly string[], expected: Line[1]): readonly Line[] =>
  lines.map((line, at): Line => [line, at === lines.length - 1 ? expected : {}]);

describe('whether a booking takes a visit', () => {
  it.each([
    [
      BRUNO,
      'does the manguebeat show count as one of my visits this month?',
      /^Yes: "Manguebeat[\s\S]*2 of 2/,
    ],
    [ANA, 'is the samba one of my 5 visits?', /^Yes: "Samba Night/],
    [ANA, 'a Elis conta como uma das minhas visitas?', /^Sim: "Elis/],
    [ANA, 'how many visits have I left?', /1 visit left/],
  ])('[DLG-527] is told of the one that is named: %s, %s', async (who, said, says) => {
    await converse(hub, who, [[said, { says: [says] }]]);
  });

  it('[DLG-528] is told no second time to who says that it was no answer', async () => {
    await converse(hub, BRUNO, [
      ['does the manguebeat show count as one of my visits this month?', { says: ['Manguebeat'] }],
      ['i asked about the manguebeat one specifically', { says: ['no more about this', 'ask the team'] }],
    ]);
  });
});

describe('what is on at a venue', () => {
  it.each([
    [ANA, ["what's on at Pedra do Sal?"], ['Samba Night'], ['visits']],
    [ANA, ["what's at the Teatro do Parque in March?"], ['Manguebeat'], ['Auto da Compadecida']],
    [CARLA, ['o que tem no Theatro Municipal?', 'e no Teatro do Parque?'], ['Manguebeat'], ['Giselle']],
    [CARLA, ['is there anything at the Pinacoteca next week'], ['nothing', '14 March'], ['Carimbó']],
  ])('[DLG-529] is listed, and nothing of another: %s %j', async (who, lines, says, saysNot) => {
    await converse(hub, who, lastly(lines, { says, saysNot }));
  });

  it.each([
    ['what do I have at Pedra do Sal?', /^Your reservations[^\n]*\n- Samba Night[^\n]*$/],
    ['when is the Samba Night at Pedra do Sal?', /^"Samba Night[^\n]*20:00/],
    ['cancel my booking at Pedra do Sal', /^Shall I cancel "Samba/],
  ])('[DLG-529] is not asked where one has something there: %s', async (said, says) => {
    await converse(hub, ANA, [[said, { says: [says] }]]);
  });
});

describe('the next weekend', () => {
  it('[DLG-530] is the one ahead where it is said at the beginning of the week', async () => {
    const monday = await openHub({ clock: createFixedClock('2026-03-16T15:00:00.000Z') });
    const { reply } = await monday.say(null, "what's on next weekend in São Paulo?");
    await monday.close();
    expect(reply).toMatch(/21 March/);
    expect(reply).not.toMatch(/28 March/);
  });

  it('[DLG-530] is the one after where that is near', async () => {
    const { reply } = await hub.say(null, "what's on next weekend in São Paulo?");
    expect(reply).toMatch(/from 21 March to 22 March/);
  });
});

describe('how one complains about a rule', () => {
  it.each([
    [
      "So it's cut off immediately. Charming. Where do I file a complaint about that policy?",
      'kb-complaints-en',
    ],
    ['where can I complain about your cancellation rule?', 'kb-complaints-en'],
    ['como faço pra reclamar dessa política de vocês?', 'kb-complaints-pt'],
    ['onde registro uma reclamação sobre o prazo de cancelamento?', 'kb-complaints-pt'],
  ])('[DLG-531] is told, and nothing of harassment: %s', async (said, cites) => {
    await converse(hub, null, [[said, { cites, saysNot: ['190', 'assédio'] }]]);
  });

  it('[DLG-531] is not what is asked by who was treated badly', async () => {
    const said = 'someone harassed me at the venue, where do I complain about your security policy?';
    await converse(hub, null, [[said, { saysNot: [/^1\. Say here/] }]]);
  });
});

describe('each of several things that are asked for', () => {
  it('[DLG-532] is told where they are numbered', async () => {
    const said =
      'I should like to know (1) which plan I am currently on, (2) the date of my next payment, and (3) whether a nota fiscal is issued.';
    await converse(hub, CARLA, [[said, { says: ['Basic', '9 April', 'invoice'] }]]);
  });

  it('[DLG-533] is the plan of who asks, where the plans are only named to choose from', async () => {
    await converse(hub, CARLA, [
      [
        'I had forgotten that I paused it. Which plan is it, then: Basic or Premium? And on which date did the pause begin?',
        { says: ['on the Basic plan'], saysNot: ['for Basic or R$'] },
      ],
    ]);
  });

  it('[DLG-534] is told as a new plan to who has none', async () => {
    await converse(hub, DIEGO, [
      [
        'if I come back on premium, what do I pay the first month?',
        { says: ['119.90'], saysNot: ['already'] },
      ],
    ]);
  });
});
