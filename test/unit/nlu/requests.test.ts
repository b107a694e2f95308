import { describe, expect, it } from 'vitest';
import { createNlu } from '../../../src/nlu/index.js';
import { requestsIn } from '../../../src/nlu/requests.js';
import { CULTPASS_NLU } from '../../support/company.js';
import { slotsLike } from '../nlu-slots/cultpass.js';

const nlu = await createNlu(CULTPASS_NLU);
const routesOf = (text: string) =>
  requestsIn(nlu, text, nlu.detectLanguage(text).language).map(({ route }) => route);

describe('several wishes of one message', () => {
  it.each([
    // A trouble that is told, and another matter beside it.
    ['my refund never showed up. Also is there parking at the theatre?', ['investigation', 'knowledge']],
    [
      'they took the fee twice and I also want to know how to change my e-mail',
      ['investigation', 'knowledge'],
    ],
    [
      'I got turned away at the door on Saturday, and another thing: how do I turn on reminders?',
      ['investigation', 'knowledge'],
    ],
    [
      'o reembolso não caiu até agora. e outra coisa, tem intérprete de libras?',
      ['investigation', 'knowledge'],
    ],
    [
      'meu cartão foi cobrado duas vezes, e aproveitando, como troco meu telefone?',
      ['investigation', 'knowledge'],
    ],
    // Two things to tell after one "tell me".
    ['tell me when I next pay and how I switch to Premium', ['account', 'knowledge']],
    [
      "I'd like to know what I paid in October, whether I can get an invoice, and how to cancel my plan",
      ['account', 'knowledge', 'knowledge'],
    ],
    ['diz aí quantas visitas sobraram e se dá pra levar meu irmão', ['account', 'knowledge']],
    ['me mostra meus pagamentos e me explica como tiro a nota', ['account', 'knowledge']],
    // A question that is like nothing known, beside one that is sure.
    ['what did you bill me in November, and where do I download the receipt?', ['account', 'knowledge']],
    [
      'is the guest pass cheaper for kids, and what have I already booked for December?',
      ['knowledge', 'account'],
    ],
    ['quando é minha próxima cobrança e como faço pra subir pro Premium', ['account', 'knowledge']],
    ['cancel the samba night and also how do I add a guest to the other one', ['action', 'knowledge']],
    // Neither of two questions is like anything known.
    ['vocês têm algo em Salvador? e dá pra levar um colega que não assina?', ['knowledge', 'knowledge']],
    [
      'any rate for students? my cousin wants to join too, does he need a login of his own?',
      ['knowledge', 'knowledge'],
    ],
    ['vale no Premium tb? e q documentos preciso mandar', ['knowledge', 'knowledge']],
    ['do you run in Belém, and do I need a CPF to register?', ['knowledge', 'knowledge']],
    // Two things asked of the same record.
    ['I want the receipt of the last charge, and tell me what day the next one is', ['account', 'account']],
    ['solicito a lista dos meus pagamentos, e como obtenho as notas?', ['account', 'knowledge']],
    // What is announced before a colon.
    ['me diz duas coisas: quantas visitas sobraram e se posso chegar atrasada', ['account', 'knowledge']],
    ["what's my next booking n when does the code show up?", ['account', 'knowledge']],
    // A statement that is a matter for itself.
    [
      'meu cartão venceu semana passada. e queria saber quando cai a próxima cobrança',
      ['knowledge', 'account'],
    ],
    // A question that begins with its verb and a name.
    [
      'My son is 11. Is Fortaleza on your list, and can he come without a grown-up?',
      ['knowledge', 'knowledge'],
    ],
    [
      'Tell me where my concert is on Friday, and is taking pictures allowed there?',
      ['account', 'knowledge'],
    ],
    ['how much did I spend in May and do leftover visits carry over?', ['account', 'knowledge']],
    // A wish that is like nothing sure, and an order in another word, beside a question.
    [
      "I'd like my account wiped. How long do you hold on to invoices after that?",
      ['knowledge', 'knowledge'],
    ],
    ['tira meus dados do sistema. e por quanto tempo guardam os recibos?', ['escalation', 'knowledge']],
    // A search, and a short question that is no part of it.
    ['tem algo pra criança em Recife? criança paga?', ['knowledge', 'knowledge']],
  ] as const)('[DLG-74] %s: %j', (text, routes) => {
    expect(routesOf(text)).toEqual(routes);
  });

  it.each([
    ['Cancel my booking, I also have a cold', ['action']],
    ['my card was charged twice, I have the statement here', ['investigation']],
    ['quero cancelar o samba, também estou doente', ['action']],
    ['how do I cancel and get my money back?', ['knowledge']],
  ] as const)('[DLG-74] %s: one', (text, routes) => {
    expect(routesOf(text)).toEqual(routes);
  });

  it.each([
    ['el reembolso no llegó. Además, ¿hay estacionamiento en el teatro?', 2],
    ['dime cuándo pago y si puedo llevar a un amigo', 2],
    ['¿cuántas visitas me quedan y cómo cambio la contraseña?', 2],
    ['quiero cancelar la reserva porque estoy enfermo', 1],
  ])('[DLG-74] %s: %i', (text, count) => {
    const { splitClauses } = slotsLike({ languages: ['es'] });
    expect(splitClauses(text)).toHaveLength(count);
  });
});
