import { describe, expect, test } from 'vitest';
import { createLocalEmbedder } from '../../../src/adapters/retrieval/local-embedder.js';
import { createAnalyzer } from '../../../src/rag/analyzer.js';
import { type Example, TaughtExamples, teachExamples } from '../../../src/rag/examples.js';
import { partsOf } from '../../../src/rag/parts.js';
import { Passages } from '../../../src/rag/passages.js';

const analyzer = createAnalyzer();
const local = createLocalEmbedder({ analyzer });
const tools = { analyzer, local, keyOf: (article: string) => article };
const texts = (content: string): readonly string[] => partsOf(content).map(({ text }) => text);

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

describe('[KNOW-01] what is sent is the part that answers', () => {
  const passages = new Passages(analyzer, local);
  const passageFor = async (query: string): Promise<string> =>
    (await passages.read(PLANS, await passages.ask(query))).passage;

  test.each([
    ['How much does the large plan cost?', 'The large plan costs € 30', 'To end a plan'],
    ['how do I end my plan', 'To end a plan:\n\n1. Open', 'Lake Anders'],
    ['On which waters can I paddle?', 'You can paddle on these waters:', 'To end a plan'],
    ['Can I bring a guest?', 'a guest comes along', 'Lake Anders'],
    ['how many days do I get in the small one', 'two days of each month', 'Lake Anders'],
  ])('%s', async (query, holds, lacks) => {
    const passage = await passageFor(query);
    expect(passage).toContain(holds);
    expect(passage).not.toContain(lacks);
  });

  test('a list is sent whole, and never an introduction alone', async () => {
    const { passage } = await passages.read(PLANS, await passages.ask('which lakes and rivers'));
    expect(passage).toContain('You can paddle on these waters:\n\n- Lake Anders\n- River Mole\n- Lake Fern');
  });

  test('a short article is sent whole, and an empty one is no error', async () => {
    const question = await passages.ask('sundays');
    const short = 'Open all day.\n\nNot on Sundays.';
    expect((await passages.read(short, question)).passage).toBe(short);
    expect(await passages.read('', question)).toEqual({ passage: '', near: 0, overlap: 0 });
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
