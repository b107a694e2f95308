import { describe, expect, test } from 'vitest';
import { createBare } from '../../../src/nlu/courtesy.js';

const bare = createBare('CultPass');

describe('[KNOW-06] a message without the courtesy around its question', () => {
  test.each([
    [
      'Good evening folks! Sorry to bother you, how long is the link valid? Cheers, Margaret',
      'how long is the link valid?',
    ],
    ["Hello, I'm Margaret, 78 years old. Where is the list of cities?", 'Where is the list of cities?'],
    ['hi there could you please tell me which cards you take, thanks a lot', 'which cards you take'],
    ['Quick question: do I need an ID at the door?', 'do I need an ID at the door?'],
    ['lol mate where do i see my visits', 'where do i see my visits'],
    ['Oi gente, tudo bem? Desculpa incomodar, em quais cidades tem?', 'em quais cidades tem?'],
    ['Boa tarde! Meu nome é Joana, gostaria de saber como pauso o plano. Obrigada!', 'como pauso o plano.'],
    ['uma dúvida rápida: posso levar meu filho?', 'posso levar meu filho?'],
    ['kkkk gente onde vejo meu QR pfv', 'onde vejo meu QR'],
    ['Hola, buenas tardes. Quisiera saber cuánto cuesta el plan, gracias', 'cuánto cuesta el plan'],
  ])('%s', (text, question) => {
    expect(bare(text)).toBe(question);
  });

  test.each([
    'hello',
    'Thank you so much!',
    'obrigado, gente',
    'Thanks for the refund, but where is the rest?',
    'I am sorry that I missed the show; is my visit lost?',
    'this is broken',
    'posso levar um amigo?',
    'falar com gente',
    'conta suspensa',
    'the app is slow, help',
    'Is it ok to arrive late?',
    '',
    '?!',
    '\u0130stanbul, please',
  ])('%s stays whole, or keeps what it says', (text) => {
    const words = (one: string): readonly string[] => one.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
    const polite = new Set([
      'help',
      'please',
      'thanks',
      'thank',
      'much',
      'obrigado',
      'gente',
      'hello',
      'sorry',
    ]);
    const said = words(text).filter((word) => !polite.has(word));
    expect(words(bare(text))).toEqual(expect.arrayContaining([...said]));
    expect(bare(text).length > 0 || text === '').toBe(true);
  });

  test('a report or a mail is left alone, and a long row of greetings takes no time', () => {
    const report = `Hello. ${'The list of visits is empty since Monday. '.repeat(30)}Thanks`;
    expect(bare(report)).toBe(report);
    expect(bare('hi '.repeat(190)).length).toBeGreaterThan(0);
  });
});
