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

/** Nothing was given up, and no other event is listed. */
const lists = (...titles: readonly string[]) => ({ says: titles, escalated: null });

describe('what is on', () => {
  it('[DLG-32] is found by kind, city and price, whatever the words', async () => {
    const asked: readonly (readonly [string, string, string])[] = [
      ['tem peça de teatro em Brasília?', 'Dom Casmurro', 'National Museum'],
      ['any theatre in Recife?', 'Auto da Compadecida', 'Manguebeat'],
      ['what is the cheapest thing on in Rio?', 'Clarice', 'nothing that fits'],
      ['tem algo incluído no plano em São Paulo?', 'Choro Circle', 'Candlelight'],
    ];
    for (const [text, shown, not] of asked) {
      const { reply } = await hub.say(null, text);
      expect(reply).toContain(shown);
      expect(reply).not.toContain(not);
    }
  });

  it.each<{ said: readonly Line[] }>([
    {
      said: [
        ['any concerts in São Paulo?', lists('Candlelight', 'Choro Circle')],
        [
          'and in Rio?',
          { says: ['Samba Night', 'Forró Night'], saysNot: ['São Paulo', 'Museum of Tomorrow'] },
        ],
        ['only the included ones', { saysNot: ['Samba Night'], escalated: null }],
      ],
    },
    {
      said: [
        ['o que tem no Rio?', lists('Museum of Tomorrow', 'Giselle')],
        ['outras opções?', { saysNot: ['Museum of Tomorrow'] }],
        ['e em março?', { saysNot: ['exatamente', 'São Paulo'], escalated: null }],
        ['e pra criança?', { saysNot: ['De qual'], escalated: null }],
      ],
    },
  ])('[DLG-33] is changed by what is named next: $said.1.0', async ({ said }) => {
    await converse(hub, null, said);
  });

  it('[DLG-34] is shown from nearby where nothing fits', async () => {
    await converse(hub, null, [
      [
        'tem algum show de jazz em Belém?',
        { says: [/Não encontrei nada desse tipo em Belém[\s\S]*Belém/], escalated: null },
      ],
      [
        'any ballet in Recife?',
        { says: [/found nothing of that kind in Recife[\s\S]*Recife/], escalated: null },
      ],
    ]);
  });
});

describe('booking', () => {
  it('[DLG-35] is explained for the event that is meant', async () => {
    await converse(hub, BRUNO, [
      ["what's on in Rio?", lists('Clarice')],
      ['can you book me the clarice one?', says(/Clarice.*19:30.*included.*24 places.*tap "Book"/)],
      ['reserva o forró pra mim', says(/Forró.*21:00.*R\$ 30,00.*33 lugares.*"Reservar"/)],
    ]);
  });

  it('[DLG-33] leaves a change that is asked for with "and" to be a change', async () => {
    await converse(hub, ANA, [
      ['what do I have booked?', says('Samba Night')],
      ['and cancel the samba', { says: ['Shall I cancel "Samba'], pending: 'confirmation' }],
      ['no', { pending: null }],
    ]);
  });
});

describe('what a customer has', () => {
  it('[DLG-36] is answered by the part that is asked about: the next and the last charge, and what the plan costs', async () => {
    await converse(hub, BRUNO, [
      ['how much is my plan?', says('R$ 59.90')],
      ['when will I be charged next?', { says: [/next charge.*R\$ 59\.90/], saysNot: ['Manguebeat'] }],
      ['qual foi minha última cobrança?', { says: [/última cobrança foi de R\$/], saysNot: [/\n-/] }],
    ]);
    await converse(hub, 'carla.mendes@example.com', [
      ['quando é a próxima cobrança?', says(/Nada é cobrado enquanto/)],
    ]);
  });
});
