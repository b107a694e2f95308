import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse, type Line } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const ELISA = 'elisa.rocha@example.com';
const FELIPE = 'felipe.araujo@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

const waits = () =>
  hub.query('udahub', "SELECT tool FROM approvals WHERE kind = 'approval' AND status = 'pending'").length;

describe('"never mind" while a request waits for the team', () => {
  it.each<readonly [string, readonly Line[]]>([
    [
      'cancel Elis',
      [
        [
          'But never mind. What else do I have booked?',
          { says: ['Samba Night'], saysNot: ['taken your request back'] },
        ],
      ],
    ],
    ['cancela a Elis', [['ah deixa pra lá', { says: [/retire/], saysNot: ['retirei o seu pedido'] }]]],
  ])('[DLG-520] is said of what was answered since: %s', async (order, lines) => {
    const inPortuguese = order.startsWith('cancela');
    await converse(hub, ANA, [
      [order, { pending: 'confirmation' }],
      [inPortuguese ? 'sim' : 'yes', {}],
      [inPortuguese ? 'quanto custa o premium?' : 'how much is Premium?', { says: ['119'] }],
      ...lines,
    ]);
    expect(waits()).toBe(1);
  });

  it('[DLG-520] takes it back right after it was asked for, and what is asked besides is answered', async () => {
    await converse(hub, ANA, [
      ['cancel Elis', {}],
      ['yes', {}],
      [
        'Never mind. What else do I have booked?',
        { says: [/^All right, I have taken your request back/, 'Samba Night'] },
      ],
    ]);
    expect(waits()).toBe(0);
  });

  it.each(['never mind, keep my booking', 'forget it, please do not cancel Elis'])(
    '[DLG-520] takes it back at any time where it says so: %s',
    async (said) => {
      await converse(hub, ANA, [
        ['cancel Elis', {}],
        ['yes', {}],
        ['how much is Premium?', {}],
        [said, { says: ['taken your request back'] }],
      ]);
      expect(waits()).toBe(0);
    },
  );
});

describe('what is asked for beside the word that nobody of the team is needed', () => {
  it('[DLG-521] is done, and the team told that it is not needed', async () => {
    await converse(hub, BRUNO, [
      ['I want to talk to a person', { escalated: 'customer_request' }],
      ['why was my card charged twice', {}],
      [
        'no need for a person. just list my last 5 payments',
        { says: ['no longer need our team', 'Ver-o-Peso'], saysNot: ['anything else I can do', '2 January'] },
      ],
    ]);
  });

  it('[DLG-521] is nothing where only the reason is told', async () => {
    await converse(hub, BRUNO, [
      ['I want to talk to a person', { escalated: 'customer_request' }],
      ['I found it myself, no need to ask your team', { says: ['no longer need our team'] }],
    ]);
  });

  it.each([
    ['show me my last two payments', 2],
    ['meus últimos 3 pagamentos', 3],
    ['what were my 4 latest payments?', 4],
    ['show me my latest payments', 6],
    ['quais foram meus últimos pagamentos?', 6],
  ])('[DLG-522] lists as many of the latest as are asked for: %s', async (said, count) => {
    const { reply } = await hub.say(BRUNO, said);
    expect(reply.match(/^- /gm) ?? []).toHaveLength(count);
  });
});

describe('a plain yes to what can be put back', () => {
  it.each([
    [FELIPE, 'pause my plan', 'Yes, please. And does my booking go ahead as planned?', /^Done: your sub/],
    [FELIPE, 'pause my plan', 'yes. when was I charged last?', /^Done[\s\S]*last charge/],
    [
      FELIPE,
      'pausa minha assinatura por 30 dias',
      'sim. e esse dinheiro que já cobraram, devolvem ou não?',
      /^Pronto/,
    ],
  ])(
    '[DLG-523] is taken with a question of its own beside it: %s, %s, %s',
    async (who, order, said, says) => {
      await converse(hub, who, [
        [order, { pending: 'confirmation' }],
        [said, { says: [says], pending: null }],
      ]);
    },
  );

  it.each([
    ['pause my plan', 'yes. are you sure?'],
    ['pause my plan', 'yes. if I come back earlier, what happens?'],
    ['pausa minha assinatura', 'sim, mas e se eu voltar antes?'],
    ['cancel my subscription', "yes. do I get this month's money back?"],
    ['cancel my subscription', 'Yes. What happens to my bookings?'],
  ])('[DLG-523] is none beside a doubt, or where it ends something for good: %s, %s', async (order, said) => {
    await converse(hub, FELIPE, [
      [order, { pending: 'confirmation' }],
      [said, { saysNot: [/^Done|^Pronto/], pending: 'confirmation' }],
    ]);
  });
});

describe('a question about the length of a pause that is asked about', () => {
  it.each([
    ['pausa por 60 dias', 'antes: máximo de pausa?', /até 90[\s\S]*60 dias\?/],
    ['pausa por 60 dias', 'quanto tempo no máximo pode ficar pausada? volto dia 10 de maio', /até 90/],
    ['pause my plan for 60 days', 'what is the maximum?', /up to 90[\s\S]*60 days\?/],
    ['pausa por 60 dias', 'vc não respondeu o máximo. 90 dias pode?', /90 dias, até 9 de junho\?/],
    ['pause my plan for 60 days', 'ah 90 days, then pause it until 10 April', /30 days, until 10 April\?/],
    ['pausa por 60 dias', 'ah 90 dias, então pausa até dia 20 de abril', /40 dias, até 20 de abril\?/],
    ['pausa por 60 dias', 'na verdade pausa por 90 dias', /90 dias, até 9 de junho\?/],
  ])(
    '[DLG-524] is answered, and the pause stays as it was asked for last: %s, %s',
    async (order, said, says) => {
      await converse(hub, ANA, [
        [order, { pending: 'confirmation' }],
        [said, { says: [says], pending: 'confirmation' }],
      ]);
    },
  );

  it('[DLG-525] is told what another plan costs where that is set against what is asked about', async () => {
    await converse(hub, CARLA, [
      ['resume my subscription', { pending: 'confirmation' }],
      [
        'Before I confirm: would that be cheaper or dearer than upgrading to Premium now?',
        { says: ['R$ 60.00 more', 'Shall I go on'], pending: 'confirmation' },
      ],
    ]);
  });
});

describe('what something cost', () => {
  it.each([
    [ELISA, ['when i had to pay for giselle how much was it'], /320\.00/],
    [ELISA, ['when did I pay for giselle?', 'how MUCH, i know when'], /^You paid R\$ 320\.00[^\n]*$/],
    [ELISA, ['quando eu paguei a giselle?', 'quanto, quando eu já sei'], /^Você pagou R\$ 320,00[^\n]*$/],
    [ELISA, ['when did I pay for giselle?'], /^You paid for "Giselle[^\n]*14:24\.$/],
    [BRUNO, ['show me my last 2 payments', 'how much was the second one?'], /12\.00/],
  ])('[DLG-526] is told of what is named or was shown last: %s %j', async (who, lines, says) => {
    const said = lines.map((line, at): Line => [line, at === lines.length - 1 ? { says: [says] } : {}]);
    await converse(hub, who, said);
  });
});
