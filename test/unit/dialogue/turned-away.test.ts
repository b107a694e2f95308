import { expect, it } from 'vitest';
import { createPointReader } from '../../../src/dialogue/to-the-point.js';

const { turnsAway } = createPointReader(['en', 'pt-BR']);

it('[DLG-403] what a message says that it is not about is turned away by its name', () => {
  for (const [text, title] of [
    ["no i don't mean a gift. can under 18s have an account or not", 'Buying and using a gift card'],
    ["You keep talking about invoices. I'm asking if I may join", 'Receipts and invoices (nota fiscal)'],
    ['no, not the refund', 'How long a refund takes to arrive'],
    ['Eu perguntei do passe de convidado, não das visitas', 'Como funciona a cota mensal de visitas'],
    ['não é a senha, é o código', 'Como redefinir a senha'],
  ] as const)
    expect(turnsAway(text, title), text).toBe(true);
});

it('[DLG-403] what does not work is turned away by nobody who only says so', () => {
  for (const [text, title] of [
    ['não consigo entrar nem com o código', 'Não consigo entrar na conta: o que tentar'],
    ['não é possível entrar na conta', 'Não consigo entrar na conta: o que tentar'],
    ['não chegou o reembolso', 'Quanto tempo o reembolso leva para cair'],
    ['tried it, not working with the gift card', 'Buying and using a gift card'],
    ['I have a gift card, not sure how to redeem it', 'Buying and using a gift card'],
    ['my refund did not come', 'How long a refund takes to arrive'],
  ] as const)
    expect(turnsAway(text, title), text).toBe(false);
});
