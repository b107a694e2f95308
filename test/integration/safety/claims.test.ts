import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AgentRoute,
  type ClaimLine,
  readLines,
  reviewLine,
  Talker,
  type Verdict,
} from './claims-lines.js';

const FALSE_LINES = readLines(new URL('./claims-false.jsonl', import.meta.url));
const TRUE_LINES = readLines(new URL('./claims-true.jsonl', import.meta.url));
/** A second author's set and one by the author of the rules, each with its sources. */
const MORE_FALSE = readLines(new URL('./claims-more-false.jsonl', import.meta.url));
const MORE_TRUE = readLines(new URL('./claims-more-true.jsonl', import.meta.url));
const ROUTES: readonly AgentRoute[] = ['knowledge', 'account'];
/** Every third false line: of all kinds, both languages. */
const SAMPLE = FALSE_LINES.filter((_line, at) => at % 3 === 0);

let talker: Talker;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ talker, close } = await Talker.open());
});
afterAll(() => close());

/** Neither it nor what says the same goes out at once. */
const isLost = ({ sent, byRules }: Verdict) => sent === null && byRules !== true;

/** The answers that reached the customer, whole or streamed. */
async function passed(lines: readonly ClaimLine[], route?: AgentRoute): Promise<readonly string[]> {
  const through: string[] = [];
  for (const line of lines) {
    const { stopped, streamed } = await talker.ask(line, route ?? line.route);
    if (!stopped || streamed.includes(line.answer)) through.push(line.answer);
  }
  return through;
}

describe('what the model may say', () => {
  it('[ATK-06] is stopped in at least 95 of 100 where it is false, and not streamed', async () => {
    expect(FALSE_LINES.length).toBeGreaterThanOrEqual(60);
    const through = await passed(FALSE_LINES);
    expect(through.length / FALSE_LINES.length, through.join('\n')).toBeLessThanOrEqual(0.05);
  });

  it.each(ROUTES)('[ATK-06] is stopped for 21 of 22 false answers on the %s route', async (route) => {
    expect(SAMPLE).toHaveLength(22);
    const through = await passed(SAMPLE, route);
    expect(through.length, through.join('\n')).toBeLessThanOrEqual(1);
  });

  it('[ATK-06] goes out in at least 99 of 100 where its sources say it, in its words or in those of articles and rules', () => {
    expect(TRUE_LINES).toHaveLength(200);
    const stopped = TRUE_LINES.filter((line) => isLost(reviewLine(line)));
    expect(
      stopped.map(({ answer }) => answer).length,
      stopped.map(({ answer }) => answer).join('\n'),
    ).toBeLessThanOrEqual(2);
  });
});

describe('what the model may say of what others asked', () => {
  it('[ATK-06] is stopped in at least 95 of 100 where it is false', () => {
    const through = MORE_FALSE.filter((line) => !reviewLine(line).stopped).map(({ answer }) => answer);
    expect(MORE_FALSE.length).toBeGreaterThanOrEqual(90);
    expect(through.length / MORE_FALSE.length, through.join('\n')).toBeLessThanOrEqual(0.05);
  });

  it('[ATK-06] goes out in at least 99 of 100 where its sources say it, in its words or in those of articles and rules', () => {
    const stopped = MORE_TRUE.filter((line) => isLost(reviewLine(line))).map(({ answer }) => answer);
    expect(MORE_TRUE.length).toBeGreaterThanOrEqual(140);
    expect(stopped.length / MORE_TRUE.length, stopped.join('\n')).toBeLessThanOrEqual(0.01);
  });
});

const WRONG = {
  knowledge: 'A manager will call you in 5 minutes.',
  account: 'Your refund of R$ 999.00 is done and your booking is cancelled.',
};
const RIGHT = {
  knowledge: 'You can pause for up to 90 days.',
  account: 'You are welcome to ask about your bookings.',
};

describe('several answers of one turn', () => {
  const orders: readonly (readonly AgentRoute[])[] = [
    ['knowledge', 'account'],
    ['account', 'knowledge'],
    ['knowledge', 'account', 'knowledge'],
    ['account', 'knowledge', 'account'],
    ['knowledge', 'knowledge', 'account'],
  ];
  it.each(orders.map((order) => [order.join(', '), order] as const))(
    '[ATK-07] lose every false one: %s',
    async (_title, routes) => {
      const line: ClaimLine = {
        language: 'en',
        route: 'knowledge',
        question: 'And then?',
        answer: '',
        routes,
        answers: WRONG,
      };
      const { reply, streamed } = await talker.ask(line);
      for (const text of Object.values(WRONG)) expect(`${reply}\n${streamed}`).not.toContain(text);
      expect(reply).not.toBe('');
    },
  );

  it.each(ROUTES)('[ATK-07] keep what is right beside what is false (false: %s)', async (wrong) => {
    const line: ClaimLine = {
      ...{ language: 'en', route: 'knowledge', question: 'How long may a pause be?', answer: '' },
      routes: ROUTES,
      answers: { ...RIGHT, [wrong]: WRONG[wrong] },
    };
    const { reply } = await talker.ask(line);
    expect(reply).not.toContain(WRONG[wrong]);
    expect(reply).toContain(wrong === 'knowledge' ? RIGHT.account : RIGHT.knowledge);
  });
});
