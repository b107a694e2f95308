import { describe, expect, it } from 'vitest';
import { slotsLike, splitClauses } from './cultpass.js';

const COUNTS: readonly (readonly [string, number])[] = [
  ['cancel my Thursday booking and tell me how many visits I have left', 2],
  ['I paid but cannot book', 1],
  ['museums and concerts in Rio', 1],
  ['Hi there! My name is Ana. I want to cancel and get a refund for the samba night', 1],
  ['cancel it and refund me', 1],
  ['cancela a reserva de quinta e me diz quantas visitas ainda tenho', 2],
  ['Where is my refund? How many visits do I have left?', 2],
  ['1) cancel res_012 2) tell me my plan', 2],
  ['1. cancel res_012\n2. change my email\n3. how much is premium?', 3],
  ['How do I cancel my booking and pause my subscription?', 1],
  ['Can I cancel and get a refund?', 1],
  ['pause my subscription and cancel my samba booking', 2],
  ['I want to cancel my booking and I want my money back', 1],
  ['tell me where and when it starts', 1],
  ['My card was charged twice. I want a refund. Thanks!', 1],
  ['Cancel my booking. I am sick.', 1],
  [
    'Oi, tudo bem? Quero cancelar minha reserva de sábado. Também queria saber quando minha assinatura renova.',
    2,
  ],
  ['Can you help me? I cannot log in', 1],
  ['quero cancelar a reserva do samba e quero meu dinheiro de volta', 1],
  ['cancel my booking, tell me how many visits I have left, and change my email to a@b.com', 3],
  ['I paid R$ 45.90 and did not get the ticket', 1],
  ['', 0],
  ['hello', 1],
  ['I tried to log in and reset my password but it fails', 1],
  ['what time does it open and is there parking?', 2],
  ['cancel the samba night and book the choro concert', 2],
  ['does the plan include museums and theatre?', 1],
  ['Quanto custa o premium e como faço pra mudar?', 2],
  ['quero pausar por um mês e saber se perco minhas reservas', 2],
  ['show me my bookings and cancel the first one', 2],
  ['o app trava e fecha sozinho', 1],
  ['rock and roll and samba', 1],
];

describe('splitClauses', () => {
  it.each(COUNTS)('"%s" asks %i thing(s)', (text, count) => expect(splitClauses(text)).toHaveLength(count));

  it.each([
    [
      'cancel my Thursday booking and tell me how many visits I have left',
      ['cancel my Thursday booking', 'tell me how many visits I have left'],
    ],
    [
      'cancela a reserva de quinta e me diz quantas visitas ainda tenho',
      ['cancela a reserva de quinta', 'me diz quantas visitas ainda tenho'],
    ],
    [
      'Hi there! My name is Ana. I want to cancel and get a refund for the samba night',
      ['I want to cancel and get a refund for the samba night'],
    ],
    [
      'My card was charged twice. I want a refund. Also, how do I change my card?',
      ['My card was charged twice. I want a refund.', 'how do I change my card?'],
    ],
    ['1. cancel res_012\n2. change my email', ['cancel res_012', 'change my email']],
    ['Oi! Obrigado.', ['Oi! Obrigado.']],
    ['I was charged R$ 45.90 on 12.05.2026. Why?', ['I was charged R$ 45.90 on 12.05.2026. Why?']],
  ])('"%s" gives the parts', (text, parts) => {
    expect(splitClauses(text).map((clause) => clause.text)).toEqual(parts);
  });

  it('keeps what hangs together: a question about two things to do, a cancellation with its refund or new date', () => {
    for (const text of [
      'How do I cancel my booking and pause my subscription?',
      'Can I cancel my booking and update my card?',
      'cancel it and give me my money back',
      'como faço para cancelar a reserva e pausar a assinatura?',
      'cancela a reserva e devolve meu dinheiro',
      'cancel the samba night and rebook for Saturday',
    ])
      expect(splitClauses(text), text).toHaveLength(1);
  });

  it('splits a refund off that has its own object', () => {
    expect(splitClauses('cancel my samba booking and refund the double charge')).toHaveLength(2);
  });

  it('gives at most eight', () => {
    expect(splitClauses('What is my plan? '.repeat(30)).length).toBeLessThanOrEqual(8);
  });
});

describe('something that went wrong beside a change of something else', () => {
  it.each([
    ['they charged me twice. cancel my Modinhas booking', 2],
    ['they charged me twice and please cancel my reservation for Elis', 2],
    ['Fui cobrado duas vezes. Quero cancelar minha assinatura', 2],
    ['cancel my Samba booking and they did not let me in last week', 2],
    ['they charged me twice, cancel the second charge', 1],
    ['I was charged twice so I want a refund', 1],
    ['me barraram na porta e quero meu dinheiro de volta', 1],
    ['I cancelled my booking and never got my refund', 1],
    ['cancelei minha reserva e o reembolso não chegou', 1],
    ['They did not let me in. Can you help?', 1],
  ])('[GRAPH-09] "%s" has %i parts', (text, parts) => {
    expect(splitClauses(text)).toHaveLength(parts);
  });
});

describe('a message in Spanish', () => {
  const spanish = slotsLike({ languages: ['es'] });
  it.each([
    ['Dos cositas: dónde anda mi alfombra y qué direcciones tienen mías', 2],
    ['manden el sillón a la oficina y quiero devolver las tazas que ya me entregaron', 2],
    ['cancela el sillón y dime cuándo llega la alfombra', 2],
    ['quiero devolver las tazas. ¿qué direcciones tienen mías?', 2],
    ['cancela el sillón y devuelve las tazas', 2],
    ['cancela la alfombra porque ya no me hace falta', 1],
    ['me llegó rota y ya no la quiero', 1],
    ['hola, quiero cancelar mi pedido, gracias', 1],
  ])('[BYO-50] is "%s", of %d requests', (text, count) => {
    expect(spanish.splitClauses(text).map((clause) => clause.text)).toHaveLength(count);
  });
});

describe('a question that asks the same of several things', () => {
  const slots = slotsLike({ languages: ['en', 'pt-BR', 'es'] });
  it.each<readonly [string, readonly string[]]>([
    [
      'How can I update my card, my address and the phone number?',
      ['How can I update my card?', 'How can I update my address?', 'How can I update the phone number?'],
    ],
    ['como eu troco meu cartão e meu e-mail', ['como eu troco meu cartão', 'como eu troco meu e-mail']],
    ['¿cómo cambio mi tarjeta y mi correo?', ['¿cómo cambio mi tarjeta?', '¿cómo cambio mi correo?']],
    ['how do I cancel my plan and keep my bookings?', []],
    ['my card and my email', []],
    [`how do I change my ${'card and my '.repeat(40)}`, []],
  ])('[DLG-570] is one for each: "%s"', (text, questions) => {
    expect(slots.sharedQuestions(text)).toEqual(questions);
  });
});
