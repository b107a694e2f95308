import { describe, expect, test } from 'vitest';
import { createLocalEmbedder } from '../../../src/adapters/retrieval/local-embedder.js';
import { createAnalyzer } from '../../../src/rag/analyzer.js';
import { answerOf } from '../../../src/rag/answer.js';
import { shippedUnits } from '../../../src/rag/calibration-store.js';
import { type Example, TaughtExamples, teachExamples } from '../../../src/rag/examples.js';
import { partsOf, unitsOf } from '../../../src/rag/parts.js';
import { Passages } from '../../../src/rag/passages.js';
import type { KindName } from '../../../src/rag/question.js';
import { TaughtUnits, unitChances } from '../../../src/rag/taught-units.js';
import { UnitReader } from '../../../src/rag/unit-features.js';
import { fitUnits } from '../../../src/rag/unit-weights.js';

const analyzer = createAnalyzer();
const local = createLocalEmbedder({ analyzer });
const tools = { analyzer, local, keyOf: (article: string) => article };
const texts = (content: string): readonly string[] => partsOf(content).map(({ text }) => text);

test('[KNOW-06] a sentence that points at the steps below it is not sent without them', () => {
  const article =
    'The door.\n\nWhere it sticks, try these steps until it opens.\n\n1. Lift the handle.\n2. Push hard.';
  const units = unitsOf(article).map((unit) => ({ ...unit, chance: unit.leads ? 0.95 : 0.02 }));
  const filler = { ...units[0], text: 'word '.repeat(100), at: 4, block: 9 } as (typeof units)[number];
  expect(answerOf(article, [...units, filler], new Set())).toContain(
    'Where it sticks, try these steps until it opens.\n\n1. Lift the handle.\n2. Push hard.',
  );
});

describe('[KNOW-01] an article is split where a reader would', () => {
  test('a list keeps the sentence before it, with and without a blank line, and stays whole', () => {
    expect(texts('We ship to:\n\n- Ghent\n\n- Bruges\n\nEverywhere else by post.')).toEqual([
      'We ship to:\n\n- Ghent\n- Bruges',
      'Everywhere else by post.',
    ]);
    expect(texts('Sizes\n- S\n- M\nAsk us for others.')).toEqual(['Sizes\n- S\n- M', 'Ask us for others.']);
    expect(texts('Steps:\n1. Open it.\n   Slowly.\n2. Close it.')).toEqual([
      'Steps:\n1. Open it.\n   Slowly.\n2. Close it.',
    ]);
  });

  test('a heading belongs to what stands below it, and a table to its sentence', () => {
    expect(texts('Returns\n\nSend it back within a month. We pay.')).toEqual([
      'Returns\nSend it back within a month. We pay.',
    ]);
    expect(texts('What it costs:\n| size | price |\n| S | 5 |')).toEqual([
      'What it costs:\n| size | price |\n| S | 5 |',
    ]);
  });

  test('of a long paragraph before a list only the last sentence goes with it; long paragraphs are read in pieces', () => {
    const long = 'We make many things for many people in many places. '.repeat(7);
    expect(texts(`${long}These are the colours:\n- red\n- blue`).at(-1)).toBe(
      'These are the colours:\n- red\n- blue',
    );
    const pieces = texts(long.repeat(3));
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(420);
    expect(pieces.join(' ')).toBe(long.repeat(3).trim());
  });

  test('nothing is lost, and a list never fills more than a screen', () => {
    expect(texts('')).toEqual([]);
    const [list = ''] = texts(`All of them:\n${'- one more line of the list\n'.repeat(100)}`);
    expect(list.length).toBeLessThan(1600);
    expect(list).toMatch(/list\n…$/);
  });
});

const PLANS = `We have two plans for all who like to paddle on our lakes and rivers, and both can be ended at any time.

The small plan costs € 12.00 a month and lends you a boat on two days of each month, with a vest and a paddle for each person.

The large plan costs € 30.00 a month. It lends you a boat on ten days, and a guest comes along for nothing on weekdays.

You can paddle on these waters:

- Lake Anders
- River Mole
- Lake Fern

To end a plan:

1. Open the page of your account.
2. Choose "End my plan" and confirm.`;

describe('[KNOW-01 KNOW-10] what is sent is what answers', () => {
  const passages = new Passages(analyzer, local);
  const chances = unitChances(tools, shippedUnits(), undefined);
  const sent = async (content: string, query: string, title = ''): Promise<string> =>
    await passages.answer({ title, tags: [], content }, await passages.ask(query), chances);

  test.each([
    ['How much does the large plan cost?', /^The large plan costs € 30\.00 a month\./, 'To end a plan'],
    ['how do I end my plan', /^To end a plan:\n\n1\. Open the page.*\n2\. Choose/s, 'Lake Anders'],
    ['On which waters can I paddle?', /^You can paddle on these waters:\n\n- Lake/, 'To end a plan'],
    ['Can I bring a guest?', /^The large plan costs.* It lends you .* a guest comes along/, 'Lake Anders'],
    ['how many days do I get in the small one', /^The small plan costs .* two days of each/, 'Lake Anders'],
  ])('%s', async (query, begins, lacks) => {
    const passage = await sent(PLANS, query);
    expect(passage).toMatch(begins);
    expect(passage).not.toContain(lacks);
    expect(passage.split(/\s+/).length).toBeLessThanOrEqual(60);
  });

  test('a list is sent whole where it is asked for, and never an introduction alone', async () => {
    expect(await sent(PLANS, 'which lakes and rivers')).toContain(
      'You can paddle on these waters:\n\n- Lake Anders\n- River Mole\n- Lake Fern',
    );
  });

  test('a short article is sent whole, and an empty one is no error', async () => {
    const short = 'Open all day.\n\nNot on Sundays.';
    expect(await sent(short, 'sundays')).toBe(short);
    expect(await sent('', 'sundays')).toBe('');
    expect(await passages.read('', await passages.ask('sundays'))).toEqual({
      ...{ hasList: false, near: 0, overlap: 0 },
    });
  });
});

describe('[KNOW-13] what was said last is not said again', () => {
  const passages = new Passages(analyzer, local);
  const chances = unitChances(tools, shippedUnits(), undefined);
  const boats = { title: '', tags: [], content: PLANS };

  test('the same question gets what else the article says of it, and nothing where it says no more', async () => {
    const lakes = ['Anders', 'Mole', 'Fern', 'Eder', 'Alster', 'Isar', 'Havel', 'Spree', 'Lahn', 'Unstrut'];
    const content = lakes
      .map((lake) => `A boat with a vest and two paddles waits for you at the pier of lake ${lake}.`)
      .join('\n\n');
    const question = await passages.ask('where does a boat wait');
    const first = await passages.answer({ ...boats, content }, question, chances);
    const second = await passages.answer({ ...boats, content }, question, chances, {
      text: `Well:\n${first}`,
      share: 1,
    });
    expect(second).not.toBe('');
    expect(first).not.toContain(second);
    const certain = await passages.ask('How much does the large plan cost?');
    const price = await passages.answer(boats, certain, chances);
    expect(await passages.answer(boats, certain, chances, { text: price, share: 1 })).toBe('');
    for (const share of [0, 0.8])
      expect(await passages.answer(boats, certain, chances, { text: PLANS, share }), 'a part').toBe(price);
    expect(await passages.answer(boats, certain, chances, { text: price, share: 0.8 }), 'no part').toBe('');
  });

  test('another question of the same article gets its own answer, said before or not', async () => {
    const cost = await passages.answer(boats, await passages.ask('what does the small plan cost'), chances);
    const end = await passages.answer(boats, await passages.ask('how do I end my plan'), chances, {
      text: cost,
      share: 0,
    });
    expect(end).toContain('To end a plan:');
  });
});

describe('[KNOW-11] an answer is put together from sentences that can be understood', () => {
  const article = `${'Our boats lie in three harbours and are painted anew each spring by people who love them. '.repeat(3)}

A boat is kept for you until noon. After that it goes to whoever comes next.

1. Show your card at the pier.
2. Take the boat back before 18:00.

- Vests are free;
- Paddles cost € 2.00 for a whole day;`;
  const units = unitsOf(article);
  const answer = (chances: Readonly<Record<number, number>>, asked: readonly KindName[] = []): string =>
    answerOf(
      article,
      units.map((unit) => ({ ...unit, chance: chances[unit.at] ?? 0.001 })),
      new Set(asked),
    );

  test('units are sentences, steps and items, each with what goes before', () => {
    expect(units.map(({ at, kind, leads }) => [at, kind, leads])).toEqual([
      ...[0, 1, 2, 3].map((at) => [at, 'sentence', false]),
      ...[[4, 'sentence', true], ...[5, 6].map((at) => [at, 'step', false])],
      ...[7, 8].map((at) => [at, 'item', false]),
    ]);
    expect(unitsOf('It is open\nfrom May on. Always.\n- one\n  more').map(({ text }) => text)).toEqual([
      ...['It is open from May on.', 'Always.', '- one more'],
    ]);
  });

  test('one that leans on the sentence before takes it along, before it', () => {
    expect(answer({ 4: 0.9 })).toBe(
      'A boat is kept for you until noon. After that it goes to whoever comes next.',
    );
  });

  test('the most probable stands first, and what is improbable is left out', () => {
    expect(answer({ 3: 0.6, 0: 0.35 })).toMatch(/^A boat is kept for you until noon\..*\n\nOur boats lie/);
    expect(answer({ 3: 0.97 })).toBe('A boat is kept for you until noon.');
  });

  test('a paragraph is whole where its first sentence does not certainly answer by itself', () => {
    expect(answer({ 3: 0.5, 4: 0.01 })).toBe(
      'A boat is kept for you until noon. After that it goes to whoever comes next.',
    );
  });

  test('one item answers as a sentence; steps are whole where one asks how', () => {
    expect(answer({ 8: 0.95 })).toBe('Paddles cost € 2.00 for a whole day.');
    expect(answer({ 6: 0.9 })).toBe('Take the boat back before 18:00.');
    expect(answer({ 6: 0.9 }, ['steps'])).toBe(
      '1. Show your card at the pier.\n2. Take the boat back before 18:00.',
    );
  });
});

describe('[KNOW-04] labelled questions teach which article answers', () => {
  const examples: readonly Example[] = [
    ...['my parcel is late', 'where is the parcel', 'track a parcel', 'parcel not delivered'].map((text) => ({
      text,
      article: 'shipping',
    })),
    ...['pay by card', 'which cards do you take', 'can I pay later', 'payment by invoice'].map((text) => ({
      text,
      article: 'payment',
    })),
    ...['who won the match', 'will it rain', 'tell me a joke', 'sing a song'].map((text) => ({
      text,
      article: null,
    })),
  ];

  test('a question goes to the article of those it is like, or to none; stored and read again', async () => {
    const { stored } = await teachExamples(tools, examples);
    const taught = new TaughtExamples(tools, JSON.parse(JSON.stringify(stored)) as typeof stored);
    const about = await taught.score('the parcel has not come');
    expect(about.of('shipping')).toBeGreaterThan(about.of('payment') ?? 1);
    expect(about.rivalOf('shipping')).toBe(about.of('payment'));
    expect(about.rivalOf('payment')).toBe(about.of('shipping'));
    expect(about.of('returns'), 'no question names it').toBeNull();
    const foreign = await taught.score('will it rain tomorrow');
    expect(foreign.foreign).toBeGreaterThan(foreign.of('shipping') ?? 1);
    expect(foreign.foreign).toBeGreaterThan(about.foreign);
  });

  test('each one is judged as if it had not been taught: its own label tells it nothing', async () => {
    const { leftOut } = await teachExamples(tools, examples);
    const wrong = examples.map((example, i) => (i === 0 ? { ...example, article: 'payment' } : example));
    const misled = await teachExamples(tools, wrong);
    expect(misled.leftOut[0]?.of('shipping')).toBe(leftOut[0]?.of('shipping'));
    expect(misled.leftOut[0]?.of('shipping')).toBeGreaterThan(misled.leftOut[0]?.of('payment') ?? 1);
    const fitted = await new TaughtExamples(tools, misled.stored).score(examples[0]?.text ?? '');
    expect(fitted.of('payment')).toBeGreaterThan(misled.leftOut[0]?.of('payment') ?? 1);
  });

  test('[KNOW-28] nor does what its writer is known to mean, where there are several', async () => {
    const byHand = examples.map((example, i) => ({ ...example, hand: i % 4 }));
    const { leftOut } = await teachExamples(tools, byHand);
    const wrong = byHand.map((example) =>
      example.hand === 0 ? { ...example, article: 'payment' } : example,
    );
    const misled = await teachExamples(tools, wrong);
    expect(misled.leftOut[0]?.of('shipping')).toBe(leftOut[0]?.of('shipping'));
    expect(misled.leftOut[1]?.of('shipping')).not.toBe(leftOut[1]?.of('shipping'));
  });

  test('what is said beside the questions teaches too, of articles that they name', async () => {
    const beside = [
      { text: 'We insure what the courier carries.', article: 'shipping-en' },
      { text: 'Send it back in its box.', article: 'returns' },
    ];
    const score = async (besides: typeof beside) => {
      const keyed = { ...tools, keyOf: (id: string) => id.replace(/-en$/u, '') };
      const { stored } = await teachExamples(keyed, examples, besides);
      return await new TaughtExamples(keyed, stored).score('the courier and what he carries');
    };
    const [without, taught] = [await score([]), await score([...beside, ...beside])];
    expect(taught.of('shipping')).toBeGreaterThan(without.of('shipping') ?? 1);
    expect(taught.of('returns'), 'no question names it').toBeNull();
    expect(taught.likely[0]).toBe('shipping');
  });
});

describe('[KNOW-12] questions that name the sentence that answers teach which it is', () => {
  const boats = {
    ...{ articleId: 'boats-en', title: 'Our boats', content: PLANS, tags: [] },
    ...{ language: 'en' as const, updatedAt: '2025-01-01T00:00:00.000Z' },
  };
  test('a number beyond the article is refused, and few questions teach nothing', async () => {
    const reader = new UnitReader(analyzer, local);
    const question = { text: 'what does the small plan cost', article: boats, units: [2], heldOut: false };
    expect(await fitUnits(reader, [question], tools)).toBeNull();
    await expect(fitUnits(reader, [{ ...question, units: [99] }], tools)).rejects.toMatchObject({
      code: 'input_invalid',
      message: expect.stringContaining('names unit 99'),
    });
  });

  test('[KNOW-26] an article is read by its own questions, and as any other once it says something else', async () => {
    const reader = new UnitReader(analyzer, local);
    // Nothing of the sentence stands in the question: only those who asked the same tell which it is.
    const asked = [
      ...[['kayak for two weekends, pocket money', 2] as const, ['my cousin tags along', 4] as const],
      ...[['north of the village', 6] as const, ['I am done with paddling', 10] as const],
    ];
    const questions = Array.from({ length: 30 }, () =>
      asked.map(([text, unit]) => ({ text, article: boats, units: [unit], heldOut: false })),
    ).flat();
    const done = await fitUnits(reader, questions, tools);
    const chances = unitChances(tools, done?.weights ?? {}, done?.taught);
    const likeliest = async (article: typeof boats, text: string): Promise<number> => {
      const found = await chances(article, await reader.measure(article, await reader.ask(text)), text);
      return found.indexOf(Math.max(...found)) + 1;
    };
    for (const [text, unit] of asked) expect(await likeliest(boats, text), text).toBe(unit);
    const changed = { ...boats, content: `${boats.content}\n\nNothing else.` };
    expect(await new TaughtUnits(tools, done?.taught.articles ?? {}).measure(changed, 'north')).toBeNull();
  });

  test('what is learned puts the sentences that are named first', async () => {
    const reader = new UnitReader(analyzer, local);
    const asked = [
      ...[['what does the small plan cost', 2] as const, ['what does the large plan cost', 3] as const],
      ...[['which waters are there', 5] as const, ['how do I end it', 10] as const],
    ];
    const questions = Array.from({ length: 30 }, () =>
      asked.map(([text, unit]) => ({ text, article: boats, units: [unit], heldOut: false })),
    ).flat();
    const held = asked.map(([text, unit]) => ({ text, article: boats, units: [unit], heldOut: true }));
    const done = await fitUnits(reader, [...questions, ...held], tools);
    expect(done?.heldOut).toMatchObject({ questions: 4, first: 1, some: 1 });
  });
});
