import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const ELISA = 'elisa.rocha@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('time words of small talk', () => {
  it.each([
    [BRUNO, 'good evening! hope you had a nice morning. what are my bookings?', /Your upcoming reservations/],
    [BRUNO, 'morning all! gorgeous afternoon here. what have I got coming up?', /Your upcoming reservations/],
    [BRUNO, 'bom dia! que noite linda ontem. o que tenho marcado?', /Suas próximas reservas/],
    [BRUNO, 'boa noite, tarde agitada hoje. quais são minhas reservas?', /Suas próximas reservas/],
    [null, "happy friday! what's on in Rio?", /I found in Rio de Janeiro:/],
    [null, 'boa tarde, que manhã corrida. o que tem em Recife?', /encontrei em Recife:/],
  ])('[FUP-01] narrow no list down: %s %s', async (who, said, expected) => {
    const { reply } = await hub.say(who, said);
    expect(reply).toMatch(expected);
  });

  it('[FUP-01] still count where they are what is asked for', async () => {
    await converse(hub, BRUNO, [
      ['what do I have on friday evening?', { says: ['City of God'], saysNot: ['Manguebeat'] }],
    ]);
  });
});

describe('a few words that ask the last question again', () => {
  it('[FUP-02] ask it of another record, by its place, its name or as the other one', async () => {
    await converse(hub, ANA, [
      ['what do I have booked?', {}],
      ['how much did I pay for the second one?', { says: ['R$ 60.00 for "Samba'] }],
      ['and the other ones?', { says: ['R$ 90.00 for "Candlelight', 'covered by your plan', 'R$ 380.00'] }],
      ['and the first?', { says: ['R$ 90.00 for "Candlelight'] }],
      ['what time does the third begin?', { says: ['"Clarice', '19:30'] }],
      ['and the last one?', { says: ['"Elis: The Musical" is on Sunday 22 March'] }],
    ]);
    await converse(hub, BRUNO, [
      ['o que tenho reservado?', {}],
      ['quanto paguei pelo primeiro?', { says: ['R$ 12,00 por "Film Club'] }],
      ['e pelo outro?', { says: ['R$ 70,00 por "Manguebeat'] }],
      ['e se eu cancelar o outro?', { says: ['Se você cancelar "Film Club'], pending: null }],
    ]);
  });

  it('[FUP-02] suppose the same of another record, and change nothing', async () => {
    await converse(hub, ANA, [
      ['what happens if I cancel the samba night?', { says: ['If you cancel "Samba'] }],
      ['and the other one, Elis?', { says: ['decides about "Elis'], pending: null }],
      ['and Clarice?', { says: ['If you cancel "Clarice'], pending: null }],
    ]);
    await converse(hub, ANA, [
      ['se eu cancelar o samba recebo meu dinheiro de volta?', { says: ['Se você cancelar "Samba'] }],
      ['e se for a Clarice?', { says: ['Se você cancelar "Clarice'], pending: null }],
    ]);
  });

  it('[FUP-02] put another number, way to pay or time in its place', async () => {
    await converse(hub, null, [
      ['quanto tempo demora um reembolso?', { cites: 'kb-refund-times-pt' }],
      ['paguei no pix', { says: ['até 2 dias úteis'], cites: 'kb-refund-times-pt', escalated: null }],
      ['e se fosse no cartão de crédito?', { says: ['de 5 a 10 dias úteis'], cites: 'kb-refund-times-pt' }],
    ]);
    await converse(hub, GABRIELA, [
      ['when will I get my refund?', { agents: ['account'] }],
      ['paid by pix', { says: ['up to 2 business days'], cites: 'kb-refund-times-en' }],
      ['and if I had paid by card?', { says: ['5 to 10 business days'], escalated: null }],
    ]);
    await converse(hub, null, [
      ['can I pause my plan for 30 days?', { cites: 'kb-pause-subscription-en' }],
      ['and 60?', { cites: 'kb-pause-subscription-en' }],
    ]);
    await converse(hub, ANA, [
      ['posso pausar por 30 dias?', { says: ['por 30 dias'], pending: 'confirmation' }],
      ['e 90 dias?', { says: ['por 90 dias'], pending: 'confirmation' }],
      ['não', { pending: null }],
    ]);
    expect(hub.query('cultpass', "SELECT status FROM subscriptions WHERE user_id = 'usr_001'")).toEqual([
      { status: 'active' },
    ]);
  });

  it('[FUP-03] count a list that was shown, and say where the company has nothing', async () => {
    await converse(hub, null, [
      ['what is on in Recife?', { says: ['in Recife:'] }],
      ['and in Manaus?', { says: ['nothing in Manaus', 'Belém'], saysNot: ['Florianópolis'] }],
      ['and in Salvador?', { says: ['in Salvador:'] }],
      ['so now how many?', { says: ['3 in all'] }],
    ]);
    await converse(hub, null, [
      ['o que tem em Juiz de Fora?', { says: ['nada em Juiz de Fora'], escalated: null }],
      ['e no Rio?', { says: ['no Rio de Janeiro:'] }],
    ]);
  });

  it('[FUP-03] leave an order, a matter of its own and a wish for the same what they are', async () => {
    await converse(hub, null, [
      ['quanto custa o premium?', {}],
      ['e vocês aceitam cartão presente?', { saysNot: ['119,90'] }],
    ]);
    await converse(hub, ANA, [
      ['when is the samba night?', { says: ['20:00'] }],
      ['and cancel Clarice', { says: ['Shall I cancel "Clarice'], pending: 'confirmation' }],
      ['no', { pending: null }],
    ]);
  });
});

describe('how something is undone', () => {
  it('[FUP-04] is told of a block and of what was just changed, and escalates nothing', async () => {
    for (const lines of [
      ['why is my account blocked?', 'how do I undo this?', /only by our team/],
      ['por que minha conta está bloqueada?', 'como eu faço pra reverter?', /só pela nossa equipe/],
    ] as const)
      await converse(hub, ELISA, [
        [lines[0], {}],
        [lines[1], { says: [lines[2]], escalated: null }],
      ]);
    await converse(hub, ANA, [
      ['cancel Clarice', { pending: 'confirmation' }],
      ['yes', { pending: null }],
      [
        'how can I reverse that?',
        { says: ['cannot put that back', 'book it again'], escalated: null, pending: null },
      ],
    ]);
    await converse(hub, BRUNO, [
      ['pausa meu plano por 30 dias', { pending: 'confirmation' }],
      ['sim', { pending: null }],
      ['como eu faço pra reverter?', { says: ['volta a ficar ativa'], escalated: null, pending: null }],
      ['não, deixa assim', { pending: null }],
    ]);
  });
});

describe('a question after an escalation', () => {
  it.each([
    [
      'vou processar vocês, meu advogado já está com o caso',
      'e em Juiz de Fora tem?',
      /nada em Juiz de Fora[\s\S]*continua com uma pessoa/,
    ],
    [
      'I will sue you, my lawyer will write to you',
      'is there anything on in Recife?',
      /in Recife[\s\S]*still with a person/,
    ],
    ['quero falar com um atendente', 'que horas é a noite de samba?', /20:00[\s\S]*continua com uma pessoa/],
  ])(
    '[FUP-05] is answered, and said once to be beside what is with a person: %s',
    async (told, asked, expected) => {
      const [first] = await converse(hub, ANA, [[told, {}]]);
      expect(first?.escalation).not.toBeNull();
      const answered = await hub.say(ANA, asked, first?.threadId);
      expect(answered.reply).toMatch(expected);
      expect(answered.escalation).toBeNull();
      const next = await hub.say(ANA, 'how many visits do I have left?', first?.threadId);
      expect(next.reply).not.toMatch(/with a person|com uma pessoa/);
    },
  );
});
