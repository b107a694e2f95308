import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

describe('what is named', () => {
  const dataDir = makeTempDir();
  let hub: Hub;
  beforeAll(async () => {
    // Her bookings are on the 1st, 3rd, 4th and 11th then, so that a day may be mistaken for a place in the list.
    hub = await openHub({ dataDir, clock: createFixedClock('2026-11-30T21:00:00.000Z') });
  });
  afterAll(async () => {
    await hub.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('[DLG-540] is meant whatever number its day has, and a day told before it chooses nothing', async () => {
    await converse(hub, ANA, [
      ['What do I have booked?', { says: ['Elis'] }],
      [
        'the exam stays on the 3rd!! So cancel the samba after all, and the Clarice reading on the 4th too',
        { says: ['Shall I cancel "Samba', 'come to "Clarice'], saysNot: ['Candlelight', 'Elis'] },
      ],
    ]);
    await converse(hub, ANA, [
      [
        'A cirurgia continua no dia 3. Cancela a leitura da Clarice',
        { says: ['Posso cancelar "Clarice'], saysNot: ['Samba'], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, ANA, [
      ['On the 1st I am away. Cancel the Elis please', { says: ['"Elis', 'ask them'], saysNot: ['Candle'] }],
    ]);
    await converse(hub, ANA, [['cancel the one on the 4th', { says: ['Shall I cancel "Clarice'] }]]);
  });

  it('[DLG-540] leaves places in a list and days that point at a record what they are', async () => {
    await converse(hub, ANA, [
      ['What do I have booked?', {}],
      ['cancel the 3rd one', { says: ['Shall I cancel "Clarice'] }],
    ]);
    await converse(hub, ANA, [
      ['cancel the samba and the one on the 11th', { says: ['Shall I cancel "Samba', 'come to "Elis'] }],
    ]);
    await converse(hub, ANA, [
      ['keep the samba and cancel all the others', { says: ['Candlelight', 'Clarice', 'Elis'] }],
    ]);
  });
});

describe('one of several', () => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await openHub();
  });
  afterAll(() => hub.close());

  it('[DLG-541] stays chosen where a question stands beside the choice', async () => {
    const asked = 'Which one would you like to cancel?';
    await converse(hub, GABRIELA, [
      ['cancel a concert', { says: [asked] }],
      [
        'Number 1, of course. Do I get any money for it?',
        {
          says: ['Shall I cancel "Sunday', 'Nothing was paid'],
          saysNot: ['Tropic'],
          pending: 'confirmation',
        },
      ],
    ]);
    await converse(hub, GABRIELA, [
      ['cancela um concerto', {}],
      ['a de domingo. O dinheiro volta ou só a visita?', { says: ['Posso cancelar "Sunday'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['cancel a concert', { says: [asked] }],
      ['When is the second one?', { says: ['21 April'], pending: null }],
    ]);
    await converse(hub, GABRIELA, [
      ['cancel a concert', { says: [asked] }],
      ['Which of them gives me money back?', { says: ['Sunday', 'Tropic'], pending: null }],
    ]);
  });

  it('[DLG-542] is known by who it is for', async () => {
    await converse(hub, GABRIELA, [
      ["cancel the kids' concert", { says: ['Shall I cancel "Sunday Concert for Families'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['cancela o concerto infantil', { says: ['Posso cancelar "Sunday Concert for Families'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['Can I bring my kids to the Tropicália?', { says: ['Tropic'], saysNot: ['Sunday'] }],
    ]);
  });
});
