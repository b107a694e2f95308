import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse, type Line } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** No person is needed for any of it. */
const says = (...parts: readonly (string | RegExp)[]) => ({ says: parts, escalated: null });

describe('what is asked about an event', () => {
  it.each<{ email: string | null; lines: readonly Line[] }>([
    {
      email: BRUNO,
      lines: [
        ["what's on in Rio?", says('Clarice Lispector')],
        ['ooh the clarice one', says(/^Clarice Lispector/)],
        ["who's reading? is it in english?", says('Actors read', 'does not say which language it is in')],
        ['is it free?', says('included in the plan')],
        ['and the samba one?', says(/Samba Night.*R\$ 60\.00/)],
      ],
    },
    {
      email: null,
      lines: [
        ['how much is that samba one', says(/"Samba Night.*R\$ 60\.00/)],
        ["where's that", says('Pedra do Sal')],
        ['is it outdoors?', says('open-air')],
        ['what is the age rating?', { escalated: null, saysNot: ['Which one do you mean'] }],
      ],
    },
    {
      email: null,
      lines: [
        ['quanto custa o forró e ainda tem vaga?', says(/R\$ 30,00.*33 lugares/)],
        ['é em pé ou sentado?', says('não diz se é sentado ou em pé')],
        ['quanto tempo dura?', says('não diz quanto tempo dura')],
      ],
    },
    {
      email: ANA,
      lines: [
        ['how long does the candlelight one last', says('65 minutes')],
        [
          'is there wheelchair access at the samba?',
          says('Samba Night', 'does not say what access it offers'),
        ],
      ],
    },
    {
      email: null,
      lines: [
        [
          'can I go to the dance company with my basic plan?',
          says(/Dance Company.*Premium subscribers only/),
        ],
      ],
    },
  ])('[DLG-30] is answered from its record: $lines.0.0', async ({ email, lines }) => {
    await converse(hub, email, lines);
  });

  it('[DLG-30] leaves a question to the help centre that only sounds like one about an event', async () => {
    const [, refund] = await converse(hub, ANA, [
      ['what do I have booked?', says('Samba Night')],
      ['how long does a refund take?', says('business days')],
      ['is the app available in english?', { saysNot: ['does not say', 'Which one'] }],
    ]);
    expect(refund?.route.at(-1)?.by).not.toBe('rule:R18');
  });
});

describe('several questions', () => {
  it('[DLG-31] are answered each, by the record and by the help centre', async () => {
    await converse(hub, GABRIELA, [
      ['can i bring my 5 year old to the sunday concert?', says('children under twelve')],
      ['how do I get my qr code? and is there any room left', says(/52 places left/, /Your QR code/)],
      ['where is it and what time does it start?', says('Sala São Paulo', '11:00')],
    ]);
  });

  it('[DLG-31] keep a change that is asked for beside them', async () => {
    await converse(hub, ANA, [
      [
        'cancel the samba night please, and what time is the clarice one?',
        { says: [/Clarice[\s\S]*19:30[\s\S]*Shall I cancel "Samba/], pending: 'confirmation' },
      ],
      ['no', { pending: null }],
    ]);
  });
});
