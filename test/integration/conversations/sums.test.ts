import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const DIEGO = 'diego.ferreira@example.com';
const GABRIELA = 'gabriela.nunes@example.com';
const FELIPE = 'felipe.araujo@example.com';
const MARIANA = 'mariana.pires@example.com';
const WAGNER = 'wagner.pinto@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('what is asked of several bookings that are named, or whether one is so', () => {
  it.each([
    [
      ANA,
      'how much did I pay for the samba and the candlelight together',
      [/^R\$\s150\.00 in all:/, 'R$ 60.00', 'R$ 90.00'],
    ],
    [ANA, 'quanto paguei no total pelo samba e pela Elis?', [/^R\$\s440,00 ao todo:/]],
    [MARIANA, 'quanto deu o Dom Casmurro mais o Tasting Table', [/^R\$\s220,00 ao todo:/]],
    [ANA, 'Elis and samba: which one was cheaper?', [/^"Samba Night at Pedra do Sal" cost less:/]],
    [ANA, 'qual é mais caro, o Candlelight ou a Elis?', [/^"Elis: The Musical" custou mais:/]],
    [
      ANA,
      'which is sooner, the samba or the reading?',
      [/^"Samba Night at Pedra do Sal" comes first:/, '15 March'],
    ],
    [ANA, 'was the samba dearer than the Elis?', [/^No:/, 'R$ 380.00']],
    [BRUNO, 'o filme foi mais barato que o manguebeat?', [/^Sim:/, 'R$ 12,00']],
    [ANA, 'how much more did I pay for Elis than for the samba?', [/^The difference is R\$\s320\.00:/]],
    [ANA, 'what time are the samba and Elis?', [/Saturday 14 March at 20:00/, /Sunday 22 March at 20:00/]],
    [ANA, 'a Elis é em São Paulo?', [/^Não: Elis/, 'Porto Alegre']],
    [MARIANA, 'is Dom Casmurro in April?', [/^Yes: Dom Casmurro/]],
    [ANA, 'a Clarice cai no domingo?', [/^Sim: Clarice/]],
    [ANA, 'did I pay for the reading?', [/^No, nothing was paid for "Clarice/]],
    [ANA, 'eu paguei pela Elis?', [/^Sim, você pagou R\$\s380,00/]],
    [
      BRUNO,
      'what date was I charged for manguebeat',
      [/^You paid for "Manguebeat Tribute Night" on Monday 9 March/],
    ],
    [ANA, 'que dia paguei a Elis?', [/^Você pagou por "Elis: The Musical": quarta-feira, 4 de março/]],
  ])('[RCD-24] is answered from what was paid and when it is: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says, pending: null, escalated: null, cites: null }]]);
  });

  it('[RCD-24] says no yes to what is asked of another time', async () => {
    await converse(hub, ANA, [['do I need to pay again for the samba?', { saysNot: [/^Yes/] }]]);
    const lines = [
      ['quando é a Elis?', {}],
      ['e tem que pagar algo a mais?', { saysNot: ['próxima cobrança'] }],
    ] as const;
    await converse(hub, ANA, lines);
  });

  it('[RCD-24] compares nothing where they are only named, and changes what is to be changed', async () => {
    const saysNot = ['comes first', 'is later', 'in all'];
    await converse(hub, ANA, [
      ['how many visits will I have left after the samba and the Elis?', { saysNot }],
    ]);
    await converse(hub, ANA, [['cancel the samba and Elis', { saysNot, pending: 'confirmation' }]]);
    await converse(hub, BRUNO, [['e o film club de terça, ainda posso cancelar?', { saysNot: [/^Não:/] }]]);
  });
});

describe('refunds, charges and visits that are still to come', () => {
  it.each([
    [ANA, 'do I have any refunds coming?', [/^Yes, this refund was sent lately/, 'R$ 55.00']],
    [BRUNO, 'tenho algum reembolso a caminho?', [/^Não, nada está a caminho/]],
    [BRUNO, 'am I owed any money back?', [/^No, nothing is on its way/]],
    [GABRIELA, 'tem algum reembolso pra cair?', ['Manguebeat', 'R$ 70,00', 'Posso reembolsar agora']],
    [
      MARIANA,
      "what's my next booking, and do I have any refunds coming?",
      [/^Your next booking is "Tasting/, 'Yes, these refunds'],
    ],
    [ANA, 'is my card charged again before the 5th', [/^No\. The next charge .* on 6 April/]],
    [BRUNO, 'vão me cobrar de novo antes do dia 10?', [/^Sim\. A próxima cobrança .* em 3 de abril/]],
    [MARIANA, 'is there another payment this month', [/^Yes\. The next charge .* on 20 March/]],
    [BRUNO, "have I already paid this month's fee?", [/^Yes\. Your last monthly fee/]],
    [
      GABRIELA,
      'how many visits will I have left if I go to both?',
      [/counted already/, 'this month: 2 visits left', 'from 1 April: 3 visits left'],
    ],
    [ANA, 'quantas visitas sobram se eu for em todos?', ['neste mês: sobra 1 visita']],
  ])('[RCD-24] are told, yes or no first: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says, pending: null, escalated: null, cites: null }]]);
  });
});

describe('a charge that is wrong', () => {
  it.each([
    [FELIPE, 'You charged me twice on the same day', [/^You are right: the monthly fee/], 'requires_human'],
    [
      FELIPE,
      'vocês me cobraram duas vezes no mesmo dia',
      [/^Você tem razão: a mensalidade/],
      'requires_human',
    ],
    [FELIPE, 'same amount came out of my account two times on one day', [/^You are right/], 'requires_human'],
    [
      WAGNER,
      'fui cobrado esse mês e já tinha saído',
      [/^Você tem razão: a sua assinatura terminou/],
      'requires_human',
    ],
    [DIEGO, 'cobraram depois que eu saí do clube', [/^Nenhuma mensalidade foi cobrada depois/], null],
    [
      'nelson.duarte@example.com',
      'I was charged last month and I had already left',
      [/^No monthly fee was charged after/],
      null,
    ],
  ])('[RCD-25] is looked into for what is told of it: %s "%s"', async (who, text, says, escalated) => {
    await converse(hub, who, [[text, { says, escalated, cites: null }]]);
  });

  it('[RCD-25] leaves bookings on one day a question about bookings', async () => {
    await converse(hub, FELIPE, [
      ['tem dois eventos meus no mesmo dia?', { says: [/^Nenhuma cai no mesmo dia/] }],
    ]);
  });
});

describe('doubts and rules that only sound like something else', () => {
  it.each([
    [null, 'is this legit?', /It is a fair question/],
    [null, 'isso é golpe?', /Boa pergunta/],
    [ANA, 'how do I know this is real and not fraud', /It is a fair question/],
    [ANA, 'posso confiar em vocês?', /Boa pergunta/],
  ])(
    '[KNOW-37] calms who doubts whether all is in order, and calls nobody: "%s"',
    async (who, text, says) => {
      await converse(hub, who, [[text, { says: [says], escalated: null }]]);
    },
  );

  it.each([
    [ANA, 'do you sell my data to anyone?', 'kb-data-export-en'],
    [ANA, "can I sell my place to a colleague if I can't make it", 'kb-transfer-reservation-en'],
    [ANA, 'posso passar meu ingresso pra minha prima?', 'kb-transfer-reservation-pt'],
    [ANA, 'tem que imprimir o ingresso?', 'kb-qr-code-entry-pt'],
    [ANA, 'por que tem evento que cobra um valor a mais?', 'kb-extra-price-pt'],
  ])('[KNOW-37] tells a rule, and no record: %s "%s"', async (who, text, cites) => {
    await converse(hub, who, [[text, { cites, escalated: null }]]);
  });
});
