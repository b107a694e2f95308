import { describe, expect, test } from 'vitest';
import {
  createAnalyzer,
  fold,
  parseLexicon,
  stemEnglish,
  stemPortuguese,
  wordsOf,
} from '../../../src/rag/analyzer.js';
import { bagOf, coverage, rarityAmong, synonymsFor, wantedOf } from '../../../src/rag/article-features.js';
import { Snippets } from '../../../src/rag/article-reader.js';

describe('stems join the forms of a word', () => {
  test.each([
    ['cancel', 'cancelled', 'cancelling', 'cancellation', 'cancels'],
    ['refund', 'refunds', 'refunded', 'refunding'],
    ['reserve', 'reserved', 'reservation', 'reservations'],
    ['party', 'parties'],
    ['pay', 'payment', 'paying', 'payments'],
  ])('English: %s', (first, ...others) => {
    for (const other of others) expect(stemEnglish(other)).toBe(stemEnglish(first));
  });

  test.each([
    ['cancelar', 'cancelamento', 'cancelado', 'cancelou', 'cancelei'],
    ['assinatura', 'assinaturas'],
    ['reembolso', 'reembolsar', 'reembolsos', 'reembolsado'],
    ['cartao', 'cartoes'],
    ['transferir', 'transferencia', 'transferi'],
    ['papel', 'papeis'],
  ])('Portuguese: %s', (first, ...others) => {
    for (const other of others) expect(stemPortuguese(other)).toBe(stemPortuguese(first));
  });

  test('short words, numbers and codes stay as they are', () => {
    for (const word of ['bus', 'qr', 'is', '2fa', '2024s']) expect(stemEnglish(word)).toBe(word);
    for (const word of ['rg', 'pix', '30dias']) expect(stemPortuguese(word)).toBe(word);
  });
});

describe('texts', () => {
  test('fold away case, accents and typographic apostrophes', () => {
    expect(fold('NÃO É “ÇA” — I’m')).toBe("nao e “ca” — i'm");
    expect(wordsOf("I can't log-in: user's CARTÃO nº 5")).toEqual([
      'i',
      "can't",
      'log',
      'in',
      'user',
      'cartao',
      'no',
      '5',
    ]);
    expect(wordsOf('🎭 ... !!!')).toEqual([]);
  });

  test('the language of a text picks its stemmer', () => {
    const analyzer = createAnalyzer();
    expect(analyzer.analyze('como eu cancelo a minha reserva').isPortuguese).toBe(true);
    expect(analyzer.analyze('how do I cancel my booking').isPortuguese).toBe(false);
  });
});

describe('the lexicon', () => {
  const lexicon = parseLexicon(
    '# comment\r\ncancel terminate call_off | cancelar desistir\n\nbank | banco\nbench | banco\n',
  );

  test('gives the concepts of a word in either language', () => {
    expect(lexicon.size).toBe(3);
    expect(lexicon.conceptsOf(stemEnglish('terminated'), false)).toEqual([0]);
    expect(lexicon.conceptsOf(stemPortuguese('cancelei'), true)).toEqual([0]);
    expect(lexicon.conceptsOf(stemPortuguese('banco'), true)).toEqual([1, 2]);
    expect(lexicon.conceptsOf('banc', false), 'a Portuguese word in an English text').toEqual([1, 2]);
    expect(lexicon.conceptsOf('museum', false)).toEqual([]);
  });

  test('knows phrases and typical words', () => {
    expect(lexicon.conceptsOfPhrase('call_off')).toEqual([0]);
    expect(lexicon.englishOf(0)).toEqual(['cancel', 'terminate']);
    expect(lexicon.wordsOf(0)).toEqual(['cancel', 'cancelar', 'terminate', 'desistir']);
    expect(createAnalyzer(lexicon).analyze('please call it off: call off now').phraseConcepts).toEqual([0]);
  });

  test('the shipped one has both sides in every line, and no word twice in one', () => {
    const shipped = createAnalyzer();
    expect(shipped.conceptCount).toBeGreaterThan(300);
    for (let concept = 0; concept < shipped.conceptCount; concept += 1) {
      const words = shipped.wordsOf(concept);
      expect(
        words.every((word) => /^[a-z0-9'-]+$/.test(word)),
        words.join(' '),
      ).toBe(true);
    }
  });
});

describe('coverage', () => {
  const analyzer = createAnalyzer(parseLexicon('cancel terminate | desistir\nplan | mensalidade\n'));
  const there = bagOf(analyzer, 'You can cancel the plan on any day');
  const cover = (query: string, synonym?: number) =>
    coverage(wantedOf(analyzer, query), there, () => 1, synonym);

  test('counts words wholly and synonyms less, in either language', () => {
    expect(cover('cancel plan')).toBe(1);
    expect(cover('terminate plan')).toBeCloseTo(0.9);
    expect(cover('desistir da minha mensalidade')).toBeCloseTo(0.8);
    expect(cover('terminate plan', 0)).toBe(0.5);
    expect(cover('guitar lessons')).toBe(0);
    expect(cover('the of'), 'nothing is asked').toBe(0);
  });

  test('what no article has weighs most', () => {
    const rarity = rarityAmong([there, bagOf(analyzer, 'cancel the lessons')]);
    expect(rarity.ofStem('guitar')).toBeGreaterThan(rarity.ofStem('plan'));
    expect(rarity.ofStem('plan')).toBeGreaterThan(rarity.ofStem('cancel'));
    expect(rarity.ofConcept(1)).toBeGreaterThan(rarity.ofConcept(0));
  });

  test('other words for the same thing, for exact search', () => {
    expect(synonymsFor(analyzer, wantedOf(analyzer, 'terminate')).split(' ')).toEqual([
      'cancel',
      'desistir',
      'terminate',
    ]);
    expect(synonymsFor(analyzer, [])).toBe('');
  });
});

describe('snippets', () => {
  const analyzer = createAnalyzer();
  const snippets = new Snippets(analyzer);
  const of = (content: string, query: string) => snippets.of(content, wantedOf(analyzer, query));
  const CONTENT =
    'Open the app and tap Visits. A full refund is made 24 hours ahead. Later on, an operator decides. Pets stay outside.';

  test('begin with the sentence that answers', () => {
    expect(of(CONTENT, 'do I get money back')).toMatch(/^A full refund/);
    expect(of(CONTENT, 'can I bring my dog')).toBe('Pets stay outside.');
  });

  test('keep the number of a step with the step', () => {
    expect(of('Do this:\n1. Open the app.\n2. Ask for a refund. Then wait.', 'refund')).toBe(
      '2. Ask for a refund. Then wait.',
    );
  });

  test('begin at the beginning where nothing is shared, and are empty for nothing', () => {
    expect(of(CONTENT, 'xyzzy')).toMatch(/^Open the app/);
    expect(of('', 'refund')).toBe('');
  });

  test('never exceed 300 characters, and cut between words', () => {
    const long = of(`${'refund word '.repeat(80)}end.`, 'refund');
    expect(long.length).toBeLessThanOrEqual(300);
    expect(long).toMatch(/(?:refund|word)…$/);
    expect(of('Refund one. '.repeat(60), 'refund').length).toBeLessThanOrEqual(300);
  });
});
