import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evalFolder, type ReportJson } from './eval-command.js';

const folder = evalFolder();
afterAll(() => folder.remove());

const ANA = 'ana.souza@example.com';
/** What holds of a cancellation that is asked for, agreed to and made. */
const TURNS = [
  {
    say: 'Cancel my reservation for the Samba Night',
    expect: { asks: 'confirm', contains: [['R$ 60', 'sixty']] },
  },
  { when_asked: 'confirm', say: 'yes' },
];
const END = {
  database: [
    { table: 'reservations', where: { reservation_id: 'res_002' }, has: { status: 'cancelled' } },
    { table: 'refunds', where: { customer: ANA }, count: 2 },
    { table: 'refunds', where: { customer: ANA, amount_cents: 1 }, none: true },
    { table: 'users', where: { full_name: { contains: 'ana' } }, has: { is_blocked: false } },
  ],
  unchanged: ['payments', 'subscriptions'],
  tools: { called: ['cancel_reservation'], not_called: ['process_refund'] },
  escalated: false,
  open: 'nothing',
  language: 'en',
};
const cancel = (turns: readonly object[], end: object) => ({
  customer: ANA,
  turns,
  expect: { ...END, ...end },
});
const first = (expected: object) => [{ ...TURNS[0], expect: { ...TURNS[0]?.expect, ...expected } }, TURNS[1]];
const row = (has: object) => [{ table: 'reservations', where: { reservation_id: 'res_002' }, has }];

/** Scenarios that each expect one thing that does not hold, and what is said of it. */
const WRONG: Readonly<Record<string, readonly [Readonly<Record<string, unknown>>, RegExp]>> = {
  contains: [cancel(first({ contains: ['R$ 6'] }) as object[], {}), /should say "R\$ 6"/],
  lacks: [cancel(first({ lacks: [['samba NIGHT']] }) as object[], {}), /should not say "samba NIGHT"/],
  articles: [
    cancel(first({ articles: ['kb-minors-en'] }) as object[], {}),
    /should cite kb-minors-en; it cites nothing/,
  ],
  asks: [cancel(first({ asks: 'which' }) as object[], {}), /should ask for which, and asks for confirm/],
  escalated: [
    cancel(first({ escalated: 'legal' }) as object[], {}),
    /should be escalated for legal; it was not/,
  ],
  language: [cancel(first({ language: 'pt-BR' }) as object[], {}), /should be in pt-BR; it is in en/],
  not_asked: [
    cancel([...TURNS, { when_asked: 'confirm', say: 'yes again' }], {}),
    /waits to be asked \(confirm\) before saying "yes again"/,
  ],
  has: [
    cancel(TURNS, { database: row({ status: 'reserved' }) }),
    /\{"status":"reserved"\}; there is \[\{"status":"cancelled"/,
  ],
  count: [
    cancel(TURNS, { database: [{ table: 'refunds', where: { customer: ANA }, count: 1 }] }),
    /should be 1 rows .* there are 2/,
  ],
  none: [
    cancel(TURNS, { database: [{ table: 'refunds', where: {}, none: true }] }),
    /should be no row of refunds/,
  ],
  unchanged: [cancel(TURNS, { unchanged: 'all' }), /table reservations should be as it was/],
  called: [cancel(TURNS, { tools: { called: ['process_refund'] } }), /process_refund should have succeeded/],
  not_called: [
    cancel(TURNS, { tools: { not_called: ['cancel_reservation'] } }),
    /cancel_reservation should not have been called/,
  ],
  end_escalated: [cancel(TURNS, { escalated: true }), /should be escalated; it was not/],
  open: [cancel(TURNS, { open: 'approval' }), /should be: approval; it is: nothing/],
  open_question: [
    cancel(TURNS.slice(0, 1), { database: undefined, unchanged: undefined, tools: undefined }),
    /it is: confirmation/,
  ],
  end_language: [cancel(TURNS, { language: 'pt-BR' }), /should be in pt-BR; it is in en/],
  end_contains: [cancel(TURNS, { contains: [['never', 'not once']] }), /should say "never" or "not once"/],
  articles_of_all: [
    cancel(TURNS, { articles: ['kb-minors-en', 'kb-minors-pt'] }),
    /should cite kb-minors-en or kb-minors-pt/,
  ],
};

const RIGHT = {
  cancels: cancel(TURNS, {}),
  skips: cancel([...TURNS, { when_asked: 'any', or_skip: true, say: 'this is never said' }], {}),
  refuses: {
    customer: ANA,
    turns: [TURNS[0], { when_asked: 'any', say: 'no, keep it' }],
    expect: { unchanged: 'all', open: 'nothing', tools: { not_called: ['cancel_reservation'] } },
  },
  waits: {
    customer: ANA,
    turns: [{ say: 'Cancel my reservation for Elis: The Musical' }, { when_asked: 'confirm', say: 'yes' }],
    expect: { unchanged: 'all', open: 'approval' },
  },
  asks_which: {
    customer: ANA,
    turns: [
      { say: 'Cancel my reservation', expect: { asks: 'which' } },
      { when_asked: 'which', say: 'the Samba Night' },
    ],
    expect: { open: 'confirmation' },
  },
  answers: {
    language: 'pt-BR',
    turns: [
      {
        say: 'Esqueci minha senha, e agora?',
        expect: { articles: ['kb-reset-password-pt'], asks: 'nothing', language: 'pt-BR' },
      },
    ],
  },
  escalates: {
    turns: [{ say: 'I want to talk to a person', expect: { escalated: true } }],
    expect: { escalated: 'customer_request' },
  },
};

describe('[EVAL-02] expectations', () => {
  let report: ReportJson;
  beforeAll(async () => {
    const wrong = Object.fromEntries(Object.entries(WRONG).map(([id, [scenario]]) => [id, scenario]));
    const done = await folder.run([folder.suite('right', RIGHT), folder.suite('wrong', wrong)]);
    expect(done.err).toContain(
      `${Object.keys({ ...RIGHT, ...WRONG }).length} scenarios of cultpass, offline`,
    );
    report = done.report();
  });

  test.each(Object.keys(RIGHT))('%s: what holds is no failure', (id) => {
    expect(report.failed.find((one) => one.id === id)?.failures ?? []).toEqual([]);
    expect(report.scenarios.find((one) => one.id === id)).toMatchObject({ passed: 1, runs: 1 });
  });

  test.each(Object.entries(WRONG))(
    '%s: what does not hold fails, and nothing else does',
    (id, [, message]) => {
      const failures = report.failed.find((one) => one.id === id)?.failures ?? [];
      expect(failures.length).toBeGreaterThan(0);
      for (const failure of failures)
        expect(failure).toMatch(id === 'unchanged' ? /should be as it was/ : message);
      expect(failures.join('\n')).toMatch(message);
    },
  );
});
