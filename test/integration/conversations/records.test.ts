import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';
const ELISA = 'elisa.rocha@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('what is paid next', () => {
  it.each([
    [BRUNO, 'what day is my bill due?', /next charge of your plan is R\$\s59\.90, on 3 April/],
    [BRUNO, 'when are you going to debit me next?', /next charge of your plan is R\$\s59\.90, on 3 April/],
    [
      BRUNO,
      'qual a data do vencimento e o valor?',
      /próxima cobrança do seu plano é de R\$\s59,90, em 3 de abril/,
    ],
    [
      BRUNO,
      'em que dia vence o meu pagamento?',
      /próxima cobrança do seu plano é de R\$\s59,90, em 3 de abril/,
    ],
    [CARLA, 'que dia vence?', /Nada é cobrado enquanto a assinatura está pausada/],
    [DIEGO, 'what date is the payment due?', /cancelled, so nothing more is charged/],
    // The last charge is more than a month ago: the day that is told is still to come.
    [ELISA, 'quando vence a próxima mensalidade?', /R\$\s119,90, em 9 de abril/],
  ])('[RCD-11] is told with its day: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says: [says], agents: ['account'], escalated: null }]]);
  });

  it.each([
    [BRUNO, 'is my fee overdue?', [/last monthly fee, R\$\s59\.90, was paid on 3 March/]],
    [BRUNO, 'minha mensalidade está em dia?', [/última mensalidade, R\$\s59,90, foi paga em 3 de março/]],
    [ELISA, 'o balé já foi pago?', ['R$ 320,00', 'Giselle']],
    [BRUNO, 'did the Manguebeat payment go through?', [/^You paid R\$\s70\.00 for "Manguebeat/]],
  ])('[RCD-11] is told whether it was paid: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says, saysNot: [/\n- /], escalated: null }]]);
  });

  it('[RCD-11] lists the payments of the days that are asked for', async () => {
    const asked = { says: ['3 March', '9 March'], saysNot: ['February', 'January'] };
    await converse(hub, BRUNO, [['which payments did I make in March?', asked]]);
  });
});

describe('what cancelling would give back', () => {
  it.each([
    [ANA, 'how much money would I get back on the samba?', ['R$ 60.00 back'], ['380']],
    [
      ANA,
      'quanto voltaria do musical da Elis?',
      ['R$ 380,00 de volta, depois que a nossa equipe concordar'],
      [],
    ],
    [ANA, 'how much could I get back for tonight?', ['Candlelight', 'our team would decide'], ['60']],
    [CARLA, 'how much gets refunded for my booking?', ['R$ 45.00'], ['Maracatu']],
    [ANA, 'quanto eu receberia de volta pelas minhas?', ['90,00', '60,00', 'nada foi pago', '380,00'], []],
  ])('[RCD-12] is told and changes nothing: %s "%s"', async (who, text, says, saysNot) => {
    await converse(hub, who, [[text, { says, saysNot, pending: null, escalated: null }]]);
  });

  it('[RCD-12] follows what is spoken of, and never takes something else for it', async () => {
    await converse(hub, BRUNO, [
      ['when is the Manguebeat night?', { says: ['23 March'] }],
      ['and how much would I get back for it?', { says: ['R$ 70.00'], saysNot: ['Film Club'] }],
      ['how much would I get back for the Film Club?', { says: ['R$ 12.00'], saysNot: ['Manguebeat'] }],
      ['and how much would I get back for the opera?', { saysNot: [/cancelled "/] }],
    ]);
  });
});

describe('what is booked twice', () => {
  it.each([
    [ANA, 'do I have two bookings for the samba?', [/^No, you have one booking for "Samba/]],
    [ANA, 'have I reserved Elis twice?', [/^No, you have one booking for "Elis/]],
    [ANA, 'fiz duas reservas pra Clarice?', [/^Não, você tem uma reserva só de "Clarice/]],
    [
      BRUNO,
      'acho que reservei em dobro, pode conferir?',
      [/^Não, nada está reservado duas vezes/, 'Film Club'],
    ],
  ])('[RCD-13] is told by the bookings: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says, agents: ['account'], escalated: null }]]);
  });

  it('[RCD-13] is said where it is so', async () => {
    const [own] = hub.query('cultpass', "SELECT * FROM reservations WHERE reservation_id = 'res_008'");
    hub.exec(
      'cultpass',
      `INSERT INTO experiences SELECT 'exp_twice', title, description, location, starts_at, slots_available, is_premium, price_cents
       FROM experiences WHERE experience_id = '${own?.experience_id}';
       INSERT INTO reservations (reservation_id, user_id, experience_id, status, created_at, updated_at)
       VALUES ('res_twice', '${own?.user_id}', 'exp_twice', 'reserved', '${own?.created_at}', '${own?.updated_at}')`,
    );
    await converse(hub, BRUNO, [
      [
        'is anything of mine reserved twice?',
        { says: [/^Yes, this is booked more than once:\n- Film Club.*\n- Film Club/] },
      ],
    ]);
    hub.exec(
      'cultpass',
      "DELETE FROM reservations WHERE reservation_id = 'res_twice'; DELETE FROM experiences WHERE experience_id = 'exp_twice'",
    );
  });
});

describe('a refund that is asked after', () => {
  it.each([
    [
      ANA,
      'has my money been sent back?',
      [/refund of R\$\s55\.00 for "Chamamé.*was sent to you on 3 March/],
      [],
    ],
    [CARLA, 'meu estorno saiu?', [/Maracatu/], []],
    [
      GABRIELA,
      'was the refund for the puppets made?',
      [/refund of R\$\s40\.00 for "The Little Prince/],
      ['Manguebeat'],
    ],
    [GABRIELA, 'was the Manguebeat refund made?', ['no refund has been made', 'R$ 70.00'], ['Late Jazz']],
    [GABRIELA, 'how much did my refunds come to?', ['R$ 315.00 in all'], []],
    [GABRIELA, 'is there a refund for the Sunday Concert?', ['your booking stands'], ['Manguebeat']],
  ])('[RCD-14] is told alone: %s "%s"', async (who, text, says, saysNot) => {
    await converse(hub, who, [[text, { says, saysNot, escalated: null }]]);
  });
});

describe('a receipt', () => {
  it.each([
    [ANA, 'could you send me the invoice for Candlelight?', ['R$ 90.00', 'Profile > Payments', 'Invoice']],
    [ANA, 'quero o recibo do samba', ['R$ 60,00', 'Perfil > Pagamentos']],
    [BRUNO, 'receipt for my latest payment, please: the last charge', ['R$ 70.00', 'Manguebeat']],
    [ANA, 'onde acho os comprovantes?', ['Perfil > Pagamentos', 'Comprovante']],
  ])('[RCD-15] is found, with the payment that is named: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says, saysNot: [/\n- /], escalated: null }]]);
  });
});

describe('what a thing costs that anybody may book', () => {
  it.each([
    [ANA, 'what is the price of a ticket to the Symphonic with Gilberto Gil?', 'R$ 290.00'],
    [null, 'how much would an entry for Giselle cost?', 'R$ 320.00'],
    [BRUNO, 'qual o preço da entrada do Dom Casmurro?', 'R$ 80,00'],
    [BRUNO, 'o balé Giselle é caro?', 'R$ 320,00'],
  ])('[RCD-16] is told by its name: %s "%s"', async (who, text, price) => {
    await converse(hub, who, [[text, { says: [price], escalated: null }]]);
  });

  it('[RCD-16] takes a day for a day, and a title for a title', async () => {
    await converse(hub, BRUNO, [
      ['quando vai ser o Dom Casmurro?', { says: ['6 de abril'] }],
      ['what do I have tomorrow?', { says: ['no reservation on 12 March'], saysNot: ['Museum of Tomorrow'] }],
    ]);
    const cinema = { saysNot: ['Festival of New', 'Which one do you mean'] };
    await converse(hub, ANA, [['how much is a ticket for the circus?', cinema]]);
  });
});

describe('whether a customer can go to something', () => {
  it.each([
    [ANA, 'may I come to Giselle too?', /^Yes: your plan covers "Giselle/],
    [ANA, 'eu posso participar do Gilberto Gil Symphonic?', /esgotado/],
    [ANA, 'can I still get into Elis?', /^Yes, you have "Elis: The Musical" booked already/],
    [BRUNO, 'meu plano inclui o Tropicália?', /^Com o seu plano Basic, não/],
    [BRUNO, 'am I able to join the Choro Circle?', /^Not with the visits of that month/],
    [BRUNO, 'consigo ir no Rock Gaúcho em abril?', /^Sim: o seu plano inclui "Rock Gaúcho/],
    [CARLA, 'posso ir no Dom Casmurro?', /^Não enquanto a sua assinatura estiver pausada/],
    [DIEGO, 'could I go to the Accordion Masters?', /takes a running subscription, and you have none/],
    [ELISA, 'can I go to the coffee workshop?', /your account is blocked/],
    [null, 'can I go to the Manguebeat tribute?', /with either plan/],
    [null, 'posso assistir Giselle?', /só para assinantes Premium/],
  ])('[RCD-17] is told by what they have: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says: [says], pending: null, escalated: null }]]);
  });

  it('[RCD-17] is not told of whom they would bring, nor of what is not on', async () => {
    const other = { saysNot: [/^Yes: your plan covers/] };
    await converse(hub, ANA, [['can I go to Giselle with my neighbour?', other]]);
    await converse(hub, ANA, [['can I go to the planetarium?', other]]);
  });
});

describe('a question why', () => {
  it.each([
    ["why can't I review it?", 'QR code'],
    ['por que eu não consigo avaliar?', 'QR code'],
  ])('[RCD-18] is answered about what it names: "%s"', async (text, says) => {
    await converse(hub, ANA, [[text, { says: [says], escalated: null }]]);
  });
});

describe('the same answer twice', () => {
  it.each([
    [
      GABRIELA,
      'what are my bookings?',
      'which things have I reserved?',
      /^That is still what I just told you:\n\n.*\n- Sunday/,
    ],
    [
      BRUNO,
      'quais são minhas reservas?',
      'me fala o que eu reservei',
      /^Continua sendo o que acabei de dizer:\n\n.*\n- Film/,
    ],
  ])('[RCD-19] is said to be the same: %s "%s" "%s"', async (who, first, again, says) => {
    await converse(hub, who, [
      [first, { saysNot: [/^(?:That is still|Continua)/] }],
      [again, { says: [says], escalated: null }],
      [again, { says: [says], saysNot: [/(?:still what.*){2}/s], escalated: null }],
    ]);
  });
});

describe('what was paid', () => {
  it('[RCD-20] is told of a month with its sum, of another month, and of one without any', async () => {
    await converse(hub, BRUNO, [
      ['quanto eu gastei em março?', { says: [/Ao todo: R\$\s141,90/], saysNot: ['fevereiro'] }],
      ['e em fevereiro?', { says: ['Ver-o-Peso', /Ao todo: R\$\s104,90/], agents: ['account'] }],
      ['e o total de janeiro?', { says: [/em janeiro:\n- 2 de janeiro/], saysNot: ['fevereiro'] }],
      ['e em outubro do ano passado?', { says: ['Não vejo pagamento em outubro de 2025'] }],
    ]);
  });

  it('[RCD-20] says what went back, and what was paid before a day', async () => {
    await converse(hub, ANA, [
      [
        'what did I spend this month, altogether?',
        { says: [/In all: R\$\s704\.90, of which R\$\s55\.00 was refunded/, 'refunded on 3 March'] },
      ],
      ['and the payment before the 4th of March?', { says: [/R\$\s90\.00 for "Candlelight.* on 3 March/] }],
      ['everything I have paid since February, with the total', { says: [/from 1 February on:/, 'In all'] }],
    ]);
  });
});

describe('a booking that was cancelled', () => {
  it.each([
    [
      ANA,
      'On which day was the Chamamé night cancelled?',
      /Chamamé and Milonga Night" was cancelled on Tuesday 3 March/,
    ],
    [
      GABRIELA,
      "I don't want to cancel Auto da Compadecida, it is cancelled already. When did that happen?",
      /Auto da Compadecida on Stage" was cancelled on Monday 9 March/,
    ],
    [
      GABRIELA,
      'quando foi que eu cancelei o Auto da Compadecida?',
      /foi cancelada: segunda-feira, 9 de março/,
    ],
    [
      CARLA,
      'is my Maracatu workshop cancelled or did it go ahead?',
      /"Maracatu Percussion Workshop" is cancelled and refunded/,
    ],
    [
      CARLA,
      'so is Modinhas cancelled or not?',
      /Yes, your booking for "Modinhas by Candlelight" stands: it has not been cancelled/,
    ],
  ])('[RCD-21] is told with its day: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says: [says], pending: null, escalated: null }]]);
  });

  it('[RCD-21] is told what went back and when, where a refund that was made is asked for again', async () => {
    await converse(hub, CARLA, [
      ['quero o dinheiro da oficina de maracatu de volta', { says: [/R\$\s30,00 voltaram/], pending: null }],
    ]);
  });

  it('[LANG-01] is answered in their own language, whatever language the title is in', async () => {
    await converse(hub, BRUNO, [
      ['quando é o accordion masters?', { says: ['sexta-feira, 10 de abril'], language: 'pt-BR' }],
    ]);
  });
});

describe('what customers ask about their own plan, money and bookings', () => {
  it.each<readonly [string, string, readonly (string | RegExp)[]]>([
    [BRUNO, 'so what date does the money leave my account every month', [/R\$\s59\.90, on 3 April/]],
    [BRUNO, 'what do i pay monthly n what have i got lined up', [/R\$\s59\.90 a month/, 'Film Club']],
    [BRUNO, 'se eu passar pro premium hoje pago quanto a mais?', [/R\$\s60,00 a mais/, 'dos 23 dias']],
    [
      BRUNO,
      'which visits did you count this month?',
      [/^These are the visits counted this month \(2 of 2\)/],
    ],
    [BRUNO, 'o que é esse 59,90 no meu cartão?', [/mensalidade/, '3 de março']],
    [CARLA, 'do I keep paying while I am on hold?', [/^No: nothing is charged/, 'on 9 April']],
    [CARLA, 'até quando tô pausada e depois como fica?', [/até 31 de março/, '9 de abril']],
    [DIEGO, 'saí da cultpass e ainda tão me cobrando pq', [/^Nenhuma mensalidade.*24 de fevereiro/]],
    [DIEGO, 'on what day did my membership end?', [/ended on 24 February/]],
    [DIEGO, 'queria voltar a assinar, o que eu faço?', [/^Para voltar, abra Perfil > Plano/]],
    [ELISA, 'why on earth is my account restricted?', [/^Your account is blocked/, 'disputed']],
    [ELISA, 'a mensalidade continua sendo cobrada com a conta bloqueada?', [/^Sim:.*9 de abril/]],
    [ELISA, 'is my ticket for tomorrow still good?', [/^Yes, .*Improvised Theatre.* stands/]],
    [GABRIELA, 'quais reservas dá pra cancelar sem custo ainda?', [/^Até quando/, 'Sunday Concert']],
    [GABRIELA, "show me everything I've cancelled", [/^Your cancelled bookings/, 'Manguebeat']],
    [
      CARLA,
      'até quando vai minha pausa? e tão me cobrando enquanto isso?',
      [/^Não: nada é cobrado/, '31 de março'],
    ],
    [DIEGO, 'you billed me though I had quit the plan. is that right?', [/^No monthly fee/, '24 February']],
    [
      ANA,
      'when is my next show and where?',
      [/^"Candlelight.*Wednesday 11 March at 21:00/, 'Sala São Paulo'],
    ],
    [ANA, 'how much have I paid in total this month?', [/^Your payments in March:/, /In all: R\$\s704\.90/]],
    [ANA, 'quanto já gastei com vocês esse ano?', [/^Seus pagamentos em 2026:/, /Ao todo: R\$\s1\.139,70/]],
    [ANA, 'do I lose my bookings in the meantime?', [/^No, what you have booked still stands/]],
    [BRUNO, 'eu perco minhas reservas?', [/^Não, o que você já reservou continua valendo/]],
    [BRUNO, 'minhas reservas ainda valem?', [/^Sim, o que você já reservou continua valendo/]],
  ])('[RCD-23] is answered from the record: %s "%s"', async (who, text, says) => {
    await converse(hub, who, [[text, { says, pending: null, escalated: null }]]);
  });

  it('[RCD-23] goes on about what was asked before', async () => {
    await converse(hub, BRUNO, [
      ['how much was my last fee?', { says: ['3 March'], escalated: null }],
      ['and the one before that?', { says: [/You paid R\$\s59\.90 for your subscription on 1 February/] }],
    ]);
  });

  it('[RCD-23] asks a person for what only a person decides, after what the record answers', async () => {
    const says = [/^Yes, what you have booked still stands/];
    await converse(hub, ELISA, [
      [
        'can somebody review this block? my mum disputed the payment. and are my bookings still valid meanwhile?',
        { says, escalated: 'customer_request' },
      ],
    ]);
  });
});

describe('how far it is', () => {
  it.each([
    [
      'andre.vasconcelos@example.com',
      'my bookings',
      'is the dance one far from the centre?',
      /Theatro Municipal/,
    ],
    [
      'andre.vasconcelos@example.com',
      'minhas reservas',
      'o do samba é longe do centro?',
      /Pedra do Sal\. O endereço/,
    ],
    [
      BRUNO,
      'do I need to print my ticket?',
      'nah forget it. is the film club far from downtown?',
      /Estação NET Botafogo/,
    ],
  ])('[DLG-188] is told by where it takes place: %s %s / %s', async (who, before, asked, says) => {
    await converse(hub, who, [
      [before, {}],
      [asked, { says: [says], saysNot: ['This is what I found', 'Filter by type'] }],
    ]);
  });
});
