import { describe, expect, it } from 'vitest';
import { readMeaning } from '../../../src/nlu/index.js';
import { bestFit, rankSkills, SKILL_FITS } from '../../../src/runtime/remote/fill-input.js';
import { contentWords, keywordIn, sameWord } from '../../../src/runtime/remote/keyword-match.js';
import { EXPLOSION_S, processorSeconds } from '../../support/processor-time.js';
import { remoteCard, remoteSkill } from '../../support/scripted-remote.js';

const parking = remoteSkill({
  id: 'find_spot',
  name: 'Find a parking spot',
  description: 'Finds a place to leave a car close to a venue.',
  tags: ['parking', 'car'],
  examples: ['Where can I park near MASP?', 'Onde posso estacionar perto do teatro?'],
});
const weather = remoteSkill({
  id: 'forecast',
  name: 'Weather forecast',
  description: 'Says what the weather will be like.',
  tags: ['weather', 'rain'],
});
const card = remoteCard([weather, parking]);

describe('the words of a request', () => {
  it.each([
    ['Where can I park near the museum?', ['park', 'museum']],
    ['Onde posso estacionar perto da Praça da Sé?', ['estacionar', 'praca']],
    ['', []],
    ['?!', []],
  ])('%s', (text, words) => {
    expect(contentWords(text)).toEqual(words);
  });

  it.each([
    ['park', 'parking', true],
    ['museu', 'museus', true],
    ['estacionar', 'estacionamento', true],
    ['exposicao', 'exposicoes', true],
    ['car', 'cartoon', false],
    ['plan', 'planetarium', false],
    ['refund', 'parking', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect(sameWord(a, b)).toBe(same);
    expect(sameWord(b, a)).toBe(same);
  });

  it.each([
    ['Is there PARKING?', ['parking'], 'parking'],
    ['Há um estacionamento no Theatro?', ['estaciónamento'], 'estaciónamento'],
    ['a parking lot', ['parking', 'parking lot'], 'parking lot'],
    ['parkings', ['parking'], null],
    ['anything', ['', '  ', '!'], null],
    ['c++ courses', ['c++'], 'c++'],
  ])('[ORC-03] %s with the keywords %j: %s', (text, keywords, found) => {
    expect(keywordIn(text, keywords)).toBe(found);
  });
});

describe('the skill of a card that fits', () => {
  it.each([
    ['Where can I park near MASP?', 'find_spot'],
    ['Is there parking close to the Theatro Municipal?', 'find_spot'],
    ['Onde estacionar perto do MASP?', 'find_spot'],
    ['Will it rain tomorrow?', 'forecast'],
    ['Can I bring my dog to the museum?', null],
    ['How do I get my money back?', null],
    ['', null],
  ])('[ORC-04] %s: %s', (goal, skill) => {
    expect(bestFit(goal, card)?.skill.id ?? null).toBe(skill);
  });

  it('[ORC-04] does not take one word of a long description for a match', () => {
    const greedy = remoteSkill({ id: 'x', description: 'dog museum money visit plan price ticket booking' });
    expect(bestFit('dog', remoteCard([greedy]))).toBeNull();
  });

  it('gives scores between 0 and 1, best first', () => {
    const ranked = rankSkills('parking for my car', card);
    expect(ranked.map(({ skill }) => skill.id)).toEqual(['find_spot', 'forecast']);
    expect(ranked.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
    expect(ranked[0]?.score).toBeGreaterThanOrEqual(SKILL_FITS);
  });

  it('stays fast on a huge card and a huge request', () => {
    const words = Array.from({ length: 60 }, (_value, index) => `word${index}x`).join(' ');
    const skills = Array.from({ length: 50 }, (_value, index) =>
      remoteSkill({ id: `skill_${index}`, description: words, examples: [words, words] }),
    );
    expect(processorSeconds(() => void rankSkills(words.repeat(5), remoteCard(skills)))).toBeLessThan(
      EXPLOSION_S,
    );
  });
});

describe('a request with the name of a place', () => {
  const price = remoteSkill({
    id: 'price_of_parking',
    name: 'price_of_parking',
    description: 'What parking costs. Quanto custa estacionar.',
    tags: [],
    examples: [],
  });
  const prices = remoteCard([weather, price]);

  it.each([
    'What does parking near Sala São Paulo cost?',
    'What does parking near the Theatro Municipal do Rio de Janeiro cost?',
    'Quanto custa estacionar perto da Sala São Paulo?',
  ])('[SKD-71] %j is for the skill that tells it, whatever the place is called', (text) => {
    expect(bestFit(text, prices)?.skill.id).toBe('price_of_parking');
  });

  it('[SKD-71] a name alone brings it nowhere, nor does a word in capitals', () => {
    for (const text of [
      'Is Sala São Paulo open?',
      'Cancel my Reservation for Jazz Night',
      'WHO IS PLAYING',
    ]) {
      expect(bestFit(text, prices)).toBeNull();
    }
  });
});

describe('a skill that says it in other words', () => {
  const skill = (id: string, description: string) =>
    remoteSkill({ id, name: id, description, tags: [], examples: [] });
  const cards = remoteCard([
    skill('garages', 'Where to leave the car, and what a garage charges.'),
    skill('forecast', 'Rain, temperature and wind for a city and a day.'),
    skill('linhas', 'Ônibus e metrô: como chegar de transporte público.'),
  ]);
  const vagas = remoteCard([
    skill('vagas', 'Acha vagas de estacionamento perto de um local, com preço por hora.'),
  ]);

  it('[SKD-85] is found by what it means, in both languages, and by its words alone without that', async () => {
    const meaning = await readMeaning();
    for (const [text, id] of [
      ['Onde posso deixar o carro?', 'garages'],
      ['Vai chover amanhã?', 'forecast'],
      ['How do I get there by bus?', 'linhas'],
      ['Can I pause my subscription?', undefined],
      ['Cancele minha reserva', undefined],
    ] as const) {
      expect(bestFit(text, cards, meaning)?.skill.id, text).toBe(id);
    }
    expect(bestFit('What does parking near Sala São Paulo cost?', vagas, meaning)?.skill.id).toBe('vagas');
    expect(bestFit('How do I get there by bus?', cards)).toBeNull();
  });
});
