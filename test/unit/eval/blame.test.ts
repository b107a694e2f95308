import { describe, expect, test } from 'vitest';
import { NO_USAGE, type TurnReply } from '../../../src/core/domain/turn.js';
import { blameFor } from '../../../src/eval/blame.js';
import type { Failure, FailureKind } from '../../../src/eval/checks.js';
import { BLAMED_STEPS, type BlamedStep, type PlayedTurn } from '../../../src/eval/run.js';
import type { EndExpectation, EvalFacts, Scenario } from '../../../src/eval/scenario.js';
import type { TraceStep } from '../../../src/eval/trace.js';

const lookUp = { agents: ['help'], routes: ['help'], changes: false };
const FACTS: EvalFacts = {
  company: 'clinic',
  provider: 'offline',
  languages: ['en'],
  columns: {},
  tools: { look_up: lookUp, cancel: { agents: ['desk'], routes: ['change'], changes: true } },
  search: [lookUp],
  articles: new Set(),
  customers: new Set(),
};

const REPLY: TurnReply = {
  threadId: 't',
  ticketId: 't',
  reply: '',
  language: 'en',
  provider: 'offline',
  classification: null,
  agents: [],
  route: [],
  toolCalls: [],
  citations: [],
  pending: null,
  escalated: false,
  escalation: null,
  usage: NO_USAGE,
  timingsMs: {},
};
const PENDING = { id: 'p', tool: 'cancel', args: {}, question: '?' };
const escalatedFor = (reason: 'low_confidence' | 'legal' | 'hop_limit' | 'fault') => ({
  escalated: true,
  escalation: { reason, summary: '', found: [], tried: [], options: [] },
});

const step = (kind: TraceStep['kind'], name: string, details: TraceStep['details'] = {}): TraceStep => ({
  kind,
  name,
  details,
});
const triaged = (route: string, more: TraceStep['details'] = {}): TraceStep =>
  step('triage', 'triage', { route, ...more });
const routed = step('route', 'supervisor', { kind: 'agent' });
const found = (...hits: readonly { article: string; content: string }[]): TraceStep =>
  step('retrieval', 'retrieval', { hits });
const called = (name: string, details: TraceStep['details']): TraceStep => step('tool', name, details);

function turn(
  trace: readonly TraceStep[],
  reply: Partial<TurnReply> | null = {},
  failures: readonly Failure[] = [],
): PlayedTurn {
  return { said: 'x', answer: reply && { ...REPLY, ...reply }, ms: 1, trace, failures };
}

const failed = (kind: FailureKind, ...wanted: readonly string[]): Failure => ({
  kind,
  message: kind,
  wanted,
});

function scenario(expect: EndExpectation = {}, turns: Scenario['turns'] = []): Scenario {
  const words = { id: 's', suite: 's', category: 'c', language: 'en', about: 'x' } as const;
  return { ...words, max_turns: 8, turns, expect, at: () => 'file:1' };
}

const helped = { agents: ['triage', 'help'] };
const changed = { agents: ['triage', 'desk'] };
const cancels: EndExpectation = { tools: { called: ['cancel'], not_called: [] } };

/** The step that is to be blamed, what happened, and where it was seen: in the last turn, or at the end. */
const CASES: readonly [BlamedStep, string, readonly PlayedTurn[], (readonly Failure[])?, EndExpectation?][] =
  [
    ['fault', 'the hub broke', [turn([], null, [failed('fault')])]],
    ['fault', 'escalated for a fault', [turn([], escalatedFor('fault'), [failed('escalated', 'false')])]],
    ['simulator', 'the model of the customer failed', [turn([])], [failed('simulator')]],
    [
      'guardrail',
      'a right draft was rejected',
      [
        turn(
          [triaged('help'), routed, step('guardrail', 'review', { fault: 'x' })],
          escalatedFor('low_confidence'),
          [failed('escalated', 'false')],
        ),
      ],
    ],
    ['triage', 'the other language', [turn([], {}, [failed('language', 'en')])]],
    [
      'triage',
      'a person was called without need',
      [turn([triaged('escalation')], escalatedFor('legal'), [failed('escalated', 'false')])],
    ],
    [
      'triage',
      'escalated without a look',
      [turn([triaged('help')], escalatedFor('low_confidence'), [failed('escalated', 'false')])],
    ],
    [
      'triage',
      'the need for a person was not seen',
      [turn([triaged('help')], helped, [failed('escalated', 'legal')])],
    ],
    [
      'triage',
      'sent to those who change things',
      [turn([triaged('change'), routed], changed, [failed('articles', 'a')])],
    ],
    [
      'triage',
      'a wish was not taken for one',
      [turn([triaged('help'), routed], helped)],
      [failed('called', 'cancel')],
      cancels,
    ],
    [
      'triage',
      'a yes was not understood',
      [
        turn([triaged('change')], changed),
        turn([triaged('help')], { ...helped, pending: { ...PENDING, kind: 'confirmation' } }),
      ],
      [failed('database')],
      cancels,
    ],
    [
      'triage',
      'no yes was taken for one',
      [
        turn([triaged('change')], { ...changed, pending: { ...PENDING, kind: 'confirmation' } }),
        turn([called('cancel', { ok: true })], changed),
      ],
      [failed('not_called', 'cancel')],
    ],
    [
      'triage',
      'a withdrawal was not understood',
      [turn([triaged('help')], helped)],
      [failed('open', 'nothing')],
    ],
    [
      'route',
      'triage was right, and another agent got it',
      [turn([triaged('help'), routed], changed, [failed('articles', 'a')])],
    ],
    ['route', 'handed to and fro', [turn([], escalatedFor('hop_limit'), [failed('escalated', 'false')])]],
    [
      'route',
      'triage wanted a person',
      [turn([triaged('help', { requiresHuman: true })], helped, [failed('escalated', 'true')])],
    ],
    [
      'retrieval',
      'the article was not found',
      [
        turn([triaged('help'), routed, found({ article: 'b', content: '' })], helped, [
          failed('articles', 'a'),
        ]),
      ],
    ],
    [
      'retrieval',
      'nothing sure was found',
      [
        turn([triaged('help'), routed, found()], { ...helped, ...escalatedFor('low_confidence') }, [
          failed('contains', 'x'),
        ]),
      ],
    ],
    [
      'retrieval',
      'an unanswerable question was answered',
      [
        turn([triaged('help'), found({ article: 'b', content: '' })], helped, [
          failed('escalated', 'low_confidence'),
        ]),
      ],
    ],
    [
      'retrieval',
      'no article that was found says it',
      [
        turn([triaged('help'), routed, found({ article: 'b', content: 'nothing' })], helped, [
          failed('contains', 'R$ 9'),
        ]),
      ],
    ],
    [
      'passage',
      'the article was found and not cited',
      [turn([triaged('help'), found({ article: 'a', content: '' })], helped, [failed('articles', 'a')])],
    ],
    [
      'passage',
      'the article says it, the answer does not',
      [
        turn([triaged('help'), routed, found({ article: 'a', content: 'It costs R$ 9.' })], helped, [
          failed('contains', 'R$ 9'),
        ]),
      ],
    ],
    [
      'reference',
      'asked back with the answer at hand',
      [turn([triaged('help')], { ...helped, asksBack: true }, [failed('asks', 'nothing')])],
    ],
    [
      'reference',
      'chose one instead of asking',
      [
        turn([triaged('change')], { ...changed, pending: { ...PENDING, kind: 'confirmation' } }, [
          failed('asks', 'which'),
        ]),
      ],
    ],
    [
      'reference',
      'did not know which record was meant',
      [turn([triaged('change'), routed], changed, [failed('not_asked', 'confirm')])],
    ],
    [
      'reference',
      'another record was changed',
      [turn([triaged('change'), called('cancel', { ok: true })], changed)],
      [failed('database')],
      cancels,
    ],
    [
      'policy',
      'the tool refused',
      [
        turn([triaged('change'), routed, called('cancel', { ok: false, code: 'policy_denied' })], changed, [
          failed('asks', 'confirm'),
        ]),
      ],
    ],
    [
      'policy',
      'an operator has to agree',
      [turn([triaged('change')], { ...changed, pending: { ...PENDING, kind: 'approval' } })],
      [failed('database')],
      cancels,
    ],
    [
      'gate',
      'it was done without a question',
      [turn([triaged('change'), called('cancel', { ok: true })], changed)],
      [failed('unchanged', 'x')],
    ],
    [
      'gate',
      'what was to be read could not be',
      [turn([triaged('change'), called('look_up', { ok: false, code: 'internal' })], changed)],
      [failed('called', 'cancel')],
      cancels,
    ],
    [
      'wording',
      'the right thing was done, and not said',
      [turn([triaged('change')], changed), turn([step('other', 'hub')], {}, [failed('contains', 'kept')])],
      [],
      { unchanged: ['x'] },
    ],
    [
      'wording',
      'looked up, and not said',
      [
        turn(
          [triaged('change'), routed, called('look_up', { ok: true }), called('look_up', { ok: true })],
          changed,
          [failed('contains', 'x')],
        ),
      ],
    ],
  ];

describe('[EVAL-04] the first step that went wrong', () => {
  test.each(CASES)('%s: %s', (expected, _about, turns, failures = [], end = {}) => {
    const blame = blameFor(scenario(end), { turns, failures }, FACTS);
    expect(blame).toMatchObject({ step: expected, why: expect.stringMatching(/./) });
    expect(turns[blame.turn]).toBeDefined();
  });

  test('every step can be blamed', () => {
    expect(new Set(CASES.map(([blamed]) => blamed))).toEqual(new Set(BLAMED_STEPS));
  });

  test('is that of the first failure, and of the turn that led to one at the end', () => {
    const escalated = turn([triaged('escalation')], escalatedFor('legal'));
    const turns = [turn([triaged('help')], helped), escalated, turn([triaged('help')], helped)];
    expect(blameFor(scenario(), { turns, failures: [failed('escalated', 'false')] }, FACTS).turn).toBe(1);
    const early = [turn([], {}, [failed('language', 'en')]), ...turns];
    expect(blameFor(scenario(), { turns: early, failures: [failed('escalated', 'false')] }, FACTS).turn).toBe(
      0,
    );
  });
});
