import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asksSecret, claimsForUs } from '../../../src/graph/outside-claims.js';
import { asksForSecret, cleanAnswer, dataLines } from '../../../src/runtime/remote/clean-answer.js';
import { EXPLOSION_S, processorSeconds } from '../../support/processor-time.js';

describe('the words of another agent', () => {
  it.each([
    ['a\u0000b\u202Ec', 'a bc'],
    ['See <b>this</b> <script>alert(1)</script>', 'See this alert(1)'],
    ['[click](https://evil.test/x) now', 'click now'],
    ['![pixel](https://evil.test/p.png)', 'pixel'],
    ['go to https://evil.test/login?x=1 today', 'go to […] today'],
    ['go to www.evil.test', 'go to […]'],
    ['go to https://ok.example/a', 'go to https://ok.example/a'],
    ['[map](https://ok.example/a)', 'map (https://ok.example/a)'],
    ['https://ok.example@evil.test/', '[…]'],
    ['http://ok.example/', '[…]'],
    ['javascript:alert(1)', '[…]'],
    ['write to x@evil.test', 'write to […]'],
    ['write to x@ok.example', 'write to x@ok.example'],
    ['As in [kb-refund-rules-en] and [1].', 'As in (kb-refund-rules-en) and (1).'],
  ])('[ORC-10] %j is shown as %j', (said, shown) => {
    expect(cleanAnswer(said, ['ok.example'])).toBe(shown);
  });

  it('[ORC-10] are cut, at the end of a sentence where there is one', () => {
    expect(cleanAnswer('All is well. '.repeat(1_000), []).length).toBeLessThanOrEqual(3_000);
    expect(cleanAnswer('All is well. '.repeat(1_000), [])).toMatch(/well\.$/);
    expect(cleanAnswer('x'.repeat(10_000), [])).toMatch(/x…$/);
  });

  it('stay fast to clean however they are made', () => {
    for (const piece of ['<', '[', '](', '![a](', '@', 'a@', 'https://', 'data:', 'www.', '[a']) {
      const text = piece.repeat(20_000);
      expect(
        processorSeconds(() => void cleanAnswer(text, [])),
        piece,
      ).toBeLessThan(EXPLOSION_S);
    }
  });

  it.each([
    ['What is your card number?', true],
    ['Qual é a sua senha?', true],
    ['Me informe o código de segurança, por favor.', true],
    ['Which day would you like to park?', false],
    ['Em que cidade?', false],
  ])('[ORC-11] asks for a secret: %s %s', (question, secret) => {
    expect(asksForSecret(question)).toBe(secret);
  });
});

describe('structured output as lines', () => {
  it('[ORC-09] says the titles and words, and leaves out what is for programs', () => {
    const data = {
      request_id: 'r1',
      spots: [{ spot_id: 7, name: 'Garage A', price: 'R$ 20', distance_m: 200, url: 'https://x' }],
    };
    expect(dataLines(data)).toEqual(['Garage A: price: R$ 20, distance m: 200']);
    expect(dataLines({ answer: 'Open until ten.' })).toEqual(['Open until ten.']);
    expect(dataLines({ days: ['Monday', 'Tuesday'] })).toEqual(['days: Monday, Tuesday']);
  });

  it('[ORC-09] is nothing where there is nothing, or only improbable guesses', () => {
    expect(dataLines(null)).toEqual([]);
    expect(dataLines({ articles: [], mode: 'hybrid', threshold: 0.7 })).toEqual([]);
    const articles = [
      { article_id: 'a', title: 'Dogs', confidence: 0.2, content: 'x' },
      { article_id: 'b', title: 'Cats', confidence: 0.1, content: 'y' },
    ];
    expect(dataLines({ threshold: 0.7, articles })).toEqual([]);
    const good = [{ ...articles[0], confidence: 0.9 }, articles[1]];
    expect(dataLines({ threshold: 0.7, articles: good as never })).toEqual(['Dogs: x']);
  });

  it('has an end, whatever comes', () => {
    const rows = Array.from({ length: 500 }, (_value, index) => ({
      name: `n${index}`,
      text: 'y'.repeat(5_000),
    }));
    const lines = dataLines({ rows });
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(lines.every((line) => line.length <= 701)).toBe(true);
  });
});

describe('what an agent elsewhere may not say', () => {
  it.each([
    'Your refund was approved.',
    'Good news: your cancellation request has been accepted.',
    'We have approved your refund of R$ 50.',
    'Your booking has been cancelled.',
    'Your rental has been cancelled.',
    'O seu conserto foi aprovado.',
    'You will receive a full refund.',
    'We issued a credit.',
    'The refund of R$ 60 was approved.',
    'Seu reembolso foi aprovado.',
    'Seu reembolso está a caminho.',
    'Sua assinatura já está cancelada.',
    'Você será reembolsado.',
    'Aprovamos o reembolso.',
  ])('[ORC-12] %s', (text) => {
    expect(claimsForUs(text)).toBe(true);
  });

  it.each(['Send me your password.', 'Qual é o número do seu cartão?', 'Me passe o seu CPF.'])(
    '[ORC-11] %s',
    (text) => {
      expect(asksSecret(text)).toBe(true);
    },
  );

  it('[ORC-12] is not found in any sentence of the help centre, in either language', () => {
    const articles = readFileSync(
      new URL('../../../companies/cultpass/articles/knowledge.jsonl', import.meta.url),
      'utf8',
    )
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly content: string });
    expect(articles.length).toBeGreaterThan(20);
    const sentences = articles.flatMap(({ content }) => content.split(/(?<=[.!?])\s|\n/));
    expect(sentences.filter((sentence) => claimsForUs(sentence) || asksSecret(sentence))).toEqual([]);
  });
});
