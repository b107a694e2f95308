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
/** A third author's set, who had seen no rules, and lines by the author of the rules. */
const THIRD_FALSE = readLines(new URL('./claims-third-false.jsonl', import.meta.url));
const THIRD_TRUE = readLines(new URL('./claims-third-true.jsonl', import.meta.url));
/**
 * Three more authors, who had seen no rules and looked for the subtlest mistakes: figures that stand in the sources and
 * belong to something else. The third of them was measured once: 39 of 50 stopped.
 */
const FOURTH_FALSE = readLines(new URL('./claims-fourth-false.jsonl', import.meta.url));
const FOURTH_TRUE = readLines(new URL('./claims-fourth-true.jsonl', import.meta.url));
/**
 * Three more, who had seen neither rules nor sets and wrote what a model plausibly gets wrong. Each was measured once before
 * its faults were looked at: 60, 60 and 61 of 66 stopped; 3, 2 and 1 of 200 true ones lost.
 */
const FIFTH_FALSE = readLines(new URL('./claims-fifth-false.jsonl', import.meta.url));
const FIFTH_TRUE = readLines(new URL('./claims-fifth-true.jsonl', import.meta.url));
/**
 * Two more, who wrote rules and benefits turned round as well: half of what is false contradicts an article without a figure,
 * a deed or a name. The first set was 34 of 66 before it was looked at and mended with; the second was measured once: 42 of
 * 66 stopped (38 by the rules before), 173 of 200 as written, 9 quoted, 16 left to the rules, 2 lost.
 */
const SIXTH_FALSE = readLines(new URL('./claims-sixth-false.jsonl', import.meta.url));
const SIXTH_TRUE = readLines(new URL('./claims-sixth-true.jsonl', import.meta.url));
/**
 * One more, who wrote false deeds, promises and figures alone, 22 of each. Measured before it was looked at: 56 of 66
 * stopped, 180 of 200 as written, 2 lost; then it was mended with.
 */
const SEVENTH_FALSE = readLines(new URL('./claims-seventh-false.jsonl', import.meta.url));
const SEVENTH_TRUE = readLines(new URL('./claims-seventh-true.jsonl', import.meta.url));
/**
 * Another of that kind, kept back: measured once, at the end, and not mended with. 59 of 66 stopped (59 by the rules before),
 * 188 of 200 as written (176 before), 4 quoted, 8 left to the rules, none lost (1 before).
 */
const EIGHTH_FALSE = readLines(new URL('./claims-eighth-false.jsonl', import.meta.url));
const EIGHTH_TRUE = readLines(new URL('./claims-eighth-true.jsonl', import.meta.url));
/**
 * Three more by one author: colloquial, as assistants write, and plain. Measured before they were looked at: 46, 54 and 48 of
 * 66 stopped; 195, 186 and 195 of 200 as written. Then they were mended with.
 */
const NINTH_FALSE = readLines(new URL('./claims-ninth-false.jsonl', import.meta.url));
const NINTH_TRUE = readLines(new URL('./claims-ninth-true.jsonl', import.meta.url));
const TENTH_FALSE = readLines(new URL('./claims-tenth-false.jsonl', import.meta.url));
const TENTH_TRUE = readLines(new URL('./claims-tenth-true.jsonl', import.meta.url));
const ELEVENTH_FALSE = readLines(new URL('./claims-eleventh-false.jsonl', import.meta.url));
const ELEVENTH_TRUE = readLines(new URL('./claims-eleventh-true.jsonl', import.meta.url));
/** One more by an author who had seen nothing, kept back: measured once, at the end. 59 of 66 stopped, 191 of 200 as written, none lost. */
const TWELFTH_FALSE = readLines(new URL('./claims-twelfth-false.jsonl', import.meta.url));
const TWELFTH_TRUE = readLines(new URL('./claims-twelfth-true.jsonl', import.meta.url));
/** Another, measured before it was looked at: 59 of 66 stopped, 190 of 200 as written, 1 lost. Then it was mended with. */
const THIRTEENTH_FALSE = readLines(new URL('./claims-thirteenth-false.jsonl', import.meta.url));
const THIRTEENTH_TRUE = readLines(new URL('./claims-thirteenth-true.jsonl', import.meta.url));
/** And one kept back: measured once, 55 of 66 stopped, 192 of 200 as written, none lost. Later it was mended with. */
const FOURTEENTH_FALSE = readLines(new URL('./claims-fourteenth-false.jsonl', import.meta.url));
const FOURTEENTH_TRUE = readLines(new URL('./claims-fourteenth-true.jsonl', import.meta.url));
/**
 * A last one, written before the rules were read, by who then changed them, and not mended with. A third of what is false in it
 * turns a rule or a state round. 48 of 66 stopped and 188 of 200 as written before, 52 and 188 after, 1 lost.
 */
const FIFTEENTH_FALSE = readLines(new URL('./claims-fifteenth-false.jsonl', import.meta.url));
const FIFTEENTH_TRUE = readLines(new URL('./claims-fifteenth-true.jsonl', import.meta.url));
/** Another, by an author who had seen nothing, measured before it was looked at: 62 of 66 stopped, 196 of 200 as written. Its first two thirds were mended with. */
const SIXTEENTH_FALSE = readLines(new URL('./claims-sixteenth-false.jsonl', import.meta.url));
const SIXTEENTH_TRUE = readLines(new URL('./claims-sixteenth-true.jsonl', import.meta.url));
/**
 * Another, by an author who had seen nothing: 42 of 44 stopped and 130 of 134 as written before it was looked at, then it was
 * mended with. A third more was kept back.
 */
const SEVENTEENTH_FALSE = readLines(new URL('./claims-seventeenth-false.jsonl', import.meta.url));
const SEVENTEENTH_TRUE = readLines(new URL('./claims-seventeenth-true.jsonl', import.meta.url));
/** Two more by authors who had seen nothing: 60 and 62 of 66 stopped, 189 and 199 of 200 as written, 2 and none lost. Then they were mended with. */
const EIGHTEENTH_FALSE = readLines(new URL('./claims-eighteenth-false.jsonl', import.meta.url));
const EIGHTEENTH_TRUE = readLines(new URL('./claims-eighteenth-true.jsonl', import.meta.url));
const NINETEENTH_FALSE = readLines(new URL('./claims-nineteenth-false.jsonl', import.meta.url));
const NINETEENTH_TRUE = readLines(new URL('./claims-nineteenth-true.jsonl', import.meta.url));
/**
 * Another, kept back: only its figures were looked at. 63 of 66 stopped (64 by the rules mended with the two before and the next),
 * 193 of 200 as written (192), 3 quoted (5), 3 left to the rules (2), 1 lost (1).
 */
const TWENTIETH_FALSE = readLines(new URL('./claims-twentieth-false.jsonl', import.meta.url));
const TWENTIETH_TRUE = readLines(new URL('./claims-twentieth-true.jsonl', import.meta.url));
/** Another: 61 of 66 stopped, 190 of 200 as written, none lost before it was looked at. Then it was mended with. */
const TWENTY_FIRST_FALSE = readLines(new URL('./claims-twenty-first-false.jsonl', import.meta.url));
const TWENTY_FIRST_TRUE = readLines(new URL('./claims-twenty-first-true.jsonl', import.meta.url));
/** And one kept back to the end, of which nobody has seen a line: 62 of 66 stopped before, 63 after; 194 and 193 of 200 as written, none lost. */
const TWENTY_SECOND_FALSE = readLines(new URL('./claims-twenty-second-false.jsonl', import.meta.url));
const TWENTY_SECOND_TRUE = readLines(new URL('./claims-twenty-second-true.jsonl', import.meta.url));
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
});

/** Each with the share that may pass. */
const FALSE_SETS = {
  second: [MORE_FALSE, 0.03],
  third: [THIRD_FALSE, 0.02],
  fourth: [FOURTH_FALSE, 0.07],
  fifth: [FIFTH_FALSE, 0.03],
  sixth: [SIXTH_FALSE, 0.27],
  seventh: [SEVENTH_FALSE, 0.04],
  eighth: [EIGHTH_FALSE, 0.031],
  ninth: [NINTH_FALSE, 0.08],
  tenth: [TENTH_FALSE, 0.016],
  eleventh: [ELEVENTH_FALSE, 0.05],
  twelfth: [TWELFTH_FALSE, 0.02],
  thirteenth: [THIRTEENTH_FALSE, 0.01],
  fourteenth: [FOURTEENTH_FALSE, 0.02],
  fifteenth: [FIFTEENTH_FALSE, 0.17],
  sixteenth: [SIXTEENTH_FALSE, 0.031],
  seventeenth: [SEVENTEENTH_FALSE, 0],
  eighteenth: [EIGHTEENTH_FALSE, 0.046],
  nineteenth: [NINETEENTH_FALSE, 0],
  twentieth: [TWENTIETH_FALSE, 0.031],
  'twenty-first': [TWENTY_FIRST_FALSE, 0.016],
  'twenty-second': [TWENTY_SECOND_FALSE, 0.046],
} as const;
/** Each with the share that may be said in other words. */
const TRUE_SETS = {
  first: [TRUE_LINES, 0.01],
  second: [MORE_TRUE, 0.01],
  third: [THIRD_TRUE, 0.01],
  fourth: [FOURTH_TRUE, 0.017],
  fifth: [FIFTH_TRUE, 0.004],
  sixth: [SIXTH_TRUE, 0.005],
  seventh: [SEVENTH_TRUE, 0.01],
  eighth: [EIGHTH_TRUE, 0.03],
  ninth: [NINTH_TRUE, 0.01],
  tenth: [TENTH_TRUE, 0.02],
  eleventh: [ELEVENTH_TRUE, 0.01],
  twelfth: [TWELFTH_TRUE, 0.04],
  thirteenth: [THIRTEENTH_TRUE, 0.015],
  fourteenth: [FOURTEENTH_TRUE, 0.03],
  fifteenth: [FIFTEENTH_TRUE, 0.04],
  sixteenth: [SIXTEENTH_TRUE, 0.01],
  seventeenth: [SEVENTEENTH_TRUE, 0],
  eighteenth: [EIGHTEENTH_TRUE, 0.005],
  nineteenth: [NINETEENTH_TRUE, 0.01],
  twentieth: [TWENTIETH_TRUE, 0.04],
  'twenty-first': [TWENTY_FIRST_TRUE, 0.01],
  'twenty-second': [TWENTY_SECOND_TRUE, 0.035],
} as const;

describe('what the model may say of what others asked', () => {
  it.each(Object.entries(FALSE_SETS))(
    '[ATK-06] is stopped where it is false: the %s set',
    (_name, [lines, share]) => {
      const through = lines.filter((line) => !reviewLine(line).stopped).map(({ answer }) => answer);
      expect(lines.length).toBeGreaterThanOrEqual(44);
      expect(through.length / lines.length, through.join('\n')).toBeLessThanOrEqual(share);
    },
  );

  it.each(Object.entries(TRUE_SETS))(
    '[ATK-06 GRD-11] goes out as written where its sources say it, and its facts are not lost else: the %s set',
    (_name, [lines, share]) => {
      expect(lines.length).toBeGreaterThanOrEqual(120);
      const verdicts = lines.map((line) => ({ ...reviewLine(line), answer: line.answer }));
      const stopped = verdicts.filter((one) => one.stopped);
      const lost = stopped.filter(isLost);
      const told = (some: typeof verdicts) => some.map(({ answer }) => answer).join('\n');
      expect(stopped.length / lines.length, told(stopped)).toBeLessThanOrEqual(share);
      expect(lost.length / lines.length, told(lost)).toBeLessThanOrEqual(0.01);
    },
  );
});

const ANA_RECORD = ['record:3'];
const CANCELLING = ['record:3', 'article:kb-cancel-reservation-en'];
const LOCKED = ['article:kb-account-locked-en'];
const GUESTS = ['article:kb-guests-companions-en'];
const PLANS = ['article:kb-plans-compare-en'];
const FAILED = ['record:5', 'article:kb-failed-payment-en'];
const UNFAIR = ['article:kb-discrimination-safety-en'];
const LATE = ['record:7', 'article:kb-late-cancellation-en'];
const PAUSED = ['record:5', 'article:kb-cancel-subscription-en'];
const WITHDRAWAL = ['article:kb-right-of-withdrawal-en'];
const ENDING = ['article:kb-cancel-subscription-en'];
const COMPANY_PLANS = ['article:kb-company-plans-en'];
const STUDENTS = ['article:kb-student-discount-en'];
const PLANS_IN_A_LINE = [
  [
    'How much Basic and Premium cost and what each plan gives you',
    'CultPass has two monthly plans: Basic for R$ 59.90 and Premium for R$ 119.90 a month.',
    'Basic costs R$ 59.90 a month and gives you 2 visits a month.',
    'Premium costs R$ 119.90 a month and gives you 5 visits a month.',
  ].join('\n\n'),
];
/** What sets have shown to be of one kind, in other words than theirs. */
const KINDS = [
  ['a deed in one word', 'Please drop it.', '**Samba Night** (25 Nov, 20:00): cancelled.', ANA_RECORD, false],
  ['a promise of the speaker', 'How long?', 'The director will ring you up herself.', LOCKED, false],
  ['a deed of the speaker', 'It is urgent.', 'I checked it and lifted the lock.', LOCKED, false],
  ['what the speaker reads', 'Is it open?', 'I checked: the lock ends after 30 minutes.', LOCKED, true],
  ['how often', 'A guest?', 'With Premium, three times a month for R$ 45.00.', GUESTS, false],
  ['how often, as the rule says', 'A guest?', 'With Premium, once a month for R$ 45.00.', GUESTS, true],
  ['a figure of another name', 'Basic?', 'Basic costs R$ 119.90 a month.', PLANS, false],
  ['one of another in its sentence', 'Basic?', 'Basic costs R$ 119.90 a month.', PLANS_IN_A_LINE, false],
  ['its own beside another', 'Premium?', 'Premium costs R$ 119.90 a month.', PLANS_IN_A_LINE, true],
  ['a city of no record', 'Where is Elis?', 'Elis is on 3 December, in Salvador.', ANA_RECORD, false],
  [
    'a place of no record',
    'And Elis?',
    'Elis: 3 December at 20:00, Theatro Santa Cecilia.',
    ANA_RECORD,
    false,
  ],
  [
    'another deadline',
    'Elis?',
    'Elis is on 3 December; until 30 November at 20:00 it is free.',
    CANCELLING,
    false,
  ],
  ['a nod', 'I like the aisle.', 'Noted, Ana! Elis is on 3 December.', ANA_RECORD, false],
  ["a yes of the company's people", 'And today?', 'The team will surely approve it.', LOCKED, false],
  ['a matter that lies with people', 'It was awful.', 'Your report is already with our team.', LOCKED, false],
  ['an answer by a moment of no rule', 'And?', 'Somebody replies before the doors open.', LOCKED, false],
  ['a wait in words', 'How long?', "You'll have it the very next day.", LOCKED, false],
  [
    'a wrong sum',
    'Both?',
    'R$ 470.00 in total: R$ 380.00 for Elis and R$ 60.00 for Samba Night.',
    ANA_RECORD,
    false,
  ],
  ['what people do, beside a rule', 'Later?', 'We retry 3 times; the team splits the amount.', FAILED, false],
  ['what is done to people', 'I was insulted.', 'A person contacts you; he will be sacked.', UNFAIR, false],
  [
    'what people do by a rule',
    'Insulted!',
    'Our team will contact you within one business day.',
    UNFAIR,
    true,
  ],
  [
    'a queue of people',
    "I can't come.",
    'It is already in their queue, with the reason you gave.',
    LATE,
    false,
  ],
  [
    'a thing got ready',
    'A gift.',
    'Your 3-month Basic gift card is ready.',
    ['article:kb-gift-cards-en'],
    false,
  ],
  ['a change in two words', 'Premium please', 'Switch completed, Carla!', FAILED, false],
  ['a trial of which rules know none', 'Trial?', 'You can try it free for a week.', WITHDRAWAL, false],
  ['the same denied', 'Trial?', "There's no free trial, no free month.", WITHDRAWAL, true],
  ['a fee that rules deny', 'Leaving?', 'A small cancellation fee applies.', ENDING, false],
  ['the same not asked', 'Leaving?', 'There is no cancellation fee.', ENDING, true],
  ['a block that is over', 'And now?', 'Your account is unblocked.', ['record:7'], false],
  ['an order', 'End my membership now', 'The membership was ended with no fee.', PAUSED, false],
  [
    'more of what is ahead',
    'How many?',
    'You have five bookings ahead, the first one today.',
    ANA_RECORD,
    false,
  ],
  [
    'as many as are ahead',
    'How many?',
    'You have four bookings ahead, the first one today.',
    ANA_RECORD,
    true,
  ],
  [
    'a wait that is a day too long',
    'When is Elis?',
    "Elis is on 3 December. That's twelve days from now.",
    ANA_RECORD,
    false,
  ],
  [
    'a wait of days',
    'When is Elis?',
    "Elis is on 3 December. That's eleven days from now.",
    ANA_RECORD,
    true,
  ],
  ['another sum paid back', 'My money?', 'The refund of R$ 119.90 is approved.', ANA_RECORD, false],
  ['the sum paid back', 'My money?', 'The refund of R$ 55.00 is completed.', ANA_RECORD, true],
  [
    'what was read first',
    'A refund?',
    "I've looked, Ana, and nothing was refunded for Elis.",
    ANA_RECORD,
    true,
  ],
  [
    'one figure beside another',
    'Premium?',
    'You have 5 visits rather than 2, and a guest for R$ 45.00.',
    PLANS,
    true,
  ],
  [
    'two figures in their order',
    'Plans?',
    'Basic is R$ 59.90 (2 visits), Premium R$ 119.90 (5 visits).',
    PLANS,
    true,
  ],
  [
    'time until a day',
    'My money for Elis?',
    "There's plenty of time until 3 December to cancel.",
    CANCELLING,
    true,
  ],
  [
    'more room than there is',
    'Giselle?',
    'There are 8 places left for Giselle on 8 December.',
    ['record:2'],
    false,
  ],
  [
    'as much room as there is',
    'Giselle?',
    'There are 5 places left for Giselle on 8 December.',
    ['record:2'],
    true,
  ],
  [
    'the other one of two',
    'Samba Night or Elis?',
    'Elis is dearer: R$ 380.00 against R$ 60.00.',
    ANA_RECORD,
    true,
  ],
  ['an offer', 'Can somebody check?', 'I can ask our team to check that, if you like.', ANA_RECORD, true],
  ['what waits for a yes', 'Cancel Samba.', 'Once you confirm, I will cancel Samba Night.', CANCELLING, true],
  ['an hour behind its day', 'When is Samba?', 'Samba Night (25/11, 20h).', ANA_RECORD, true],
  ['a deed of the speaker, whatever its verb', 'It failed.', 'I ran the charge once more.', FAILED, false],
  [
    'what there is for the customer',
    'Anything in Rio?',
    "I've got just the thing: Samba Night on 25 November at 20:00.",
    ANA_RECORD,
    true,
  ],
  [
    'what one of the company is going to do',
    'A plan for us?',
    'An account executive will come round to your office.',
    COMPANY_PLANS,
    false,
  ],
  ['what the company does, by its name', 'My phone?', 'CultPass delivers a new phone to you.', LOCKED, false],
  ['what a rule denies', 'Past months?', 'Send it and we will recalculate the past months.', STUDENTS, false],
  [
    "a state of the customer's own that nobody has read",
    'And the discount?',
    'The discount is already active on your plan.',
    STUDENTS,
    false,
  ],
  ['what was done, where that was asked', 'Was Chamamé refunded?', 'Yes, all done, Ana!', ANA_RECORD, true],
  [
    'a payment that stands, said to be taken back',
    'The charge?',
    'The charge of 17 November was refunded this morning.',
    ANA_RECORD,
    false,
  ],
  [
    'a number alone, of what was asked',
    'How many upcoming bookings do I have?',
    'Six, the first one today.',
    ANA_RECORD,
    false,
  ],
  [
    'the right number alone',
    'How many upcoming bookings do I have?',
    'Four, the first one today.',
    ANA_RECORD,
    true,
  ],
  [
    'the end of a range, as long as the customer wishes',
    'I am away for four months. Can I pause?',
    'A pause can last from 1 to 120 days.',
    ['article:kb-pause-subscription-en'],
    false,
  ],
  [
    'it, before another one is named',
    'Elis?',
    'You paid R$ 380.00 for it; Samba Night cost R$ 60.00.',
    ANA_RECORD,
    true,
  ],
  [
    'two states of two things',
    'Why?',
    'Your account is blocked, even though your subscription itself is active.',
    ['record:7'],
    true,
  ],
  [
    'a number that lies between two of a rule',
    "What's the difference?",
    'Basic is R$ 59.90 with 3 visits, Premium R$ 119.90 with 5 visits.',
    PLANS,
    false,
  ],
  ['what an article says', 'Locked out!', 'The lock ends automatically after 30 minutes.', LOCKED, true],
] as const;

describe('what the model says of a kind', () => {
  it.each(KINDS)('[ATK-06] is told apart: %s', (_kind, question, answer, sources, isTrue) => {
    const route = sources === ANA_RECORD || sources === CANCELLING ? 'account' : 'knowledge';
    expect(reviewLine({ language: 'en', route, question, answer, sources }).stopped).toBe(!isTrue);
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
      ...{ language: 'en', route: 'knowledge', question: 'And my pause?', answer: '' },
      routes: ROUTES,
      answers: { ...RIGHT, [wrong]: WRONG[wrong] },
    };
    const { reply } = await talker.ask(line);
    expect(reply).not.toContain(WRONG[wrong]);
    expect(reply).toContain(wrong === 'knowledge' ? RIGHT.account : RIGHT.knowledge);
  });
});
