import { describe, expect, test } from 'vitest';
import { checkTurn, says } from '../../../src/eval/checks.js';
import { compare, passFigures, type ScenarioScore } from '../../../src/eval/figures.js';

const score = (id: string, passed: number, runs: number, category = 'c', language = 'en'): ScenarioScore => ({
  ...{ id, category, language, passed, runs },
  agents: [],
});

describe('figures of an evaluation', () => {
  test('[EVAL-03] pass@1 is the share of runs that pass, pass^k the chance that k of them do', () => {
    const { all, byCategory } = passFigures(
      [score('a', 4, 4), score('b', 2, 4), score('c', 1, 4, 'hard')],
      2,
    );
    expect(all.passAt1).toBeCloseTo((1 + 0.5 + 0.25) / 3);
    // Of the six pairs of four runs, one pair has both of b's two; none is of c's one.
    expect(all.passAllK).toBeCloseTo((1 + 1 / 6 + 0) / 3);
    expect(byCategory.hard).toEqual({ scenarios: 1, passAt1: 0.25, passAllK: 0 });
  });

  test('[EVAL-06] a baseline is undercut by a group that fell, over the scenarios that both have', () => {
    const baseline = {
      provider: 'offline',
      k: 1,
      scenarios: [
        score('a', 1, 1),
        score('b', 0, 1),
        score('gone', 1, 1),
        score('p', 1, 1, 'd', 'pt-BR'),
      ].map((one) => ({
        ...one,
        agents: [...one.agents],
      })),
    };
    const swapped = [score('a', 0, 1), score('b', 1, 1), score('new', 0, 1), score('p', 1, 1, 'd', 'pt-BR')];
    expect(compare(baseline, swapped, 1)).toMatchObject({
      compared: 3,
      undercut: [],
      worse: ['a'],
      better: ['b'],
    });
    const fell = [score('a', 1, 1), score('b', 1, 1), score('p', 1, 2, 'd', 'pt-BR')];
    expect(compare(baseline, fell, 1)).toMatchObject({
      undercut: ['category d', 'language pt-BR'],
      worse: ['p'],
    });
    expect(compare(baseline, [score('a', 0, 1)], 1).undercut).toEqual(['all', 'category c', 'language en']);
  });

  test.each([
    [
      'Você pode criar uma senha nova quando quiser, mesmo sem lembrar da antiga, pelo aplicativo.',
      'pt-BR',
      true,
    ],
    ['You can choose a new password at any time, even when you no longer know the old one.', 'pt-BR', false],
    ['Pronto: "A night at the opera with all of your friends and theirs" foi cancelada.', 'pt-BR', true],
    ['Your bookings:\n- Chorinho na praça, Rio de Janeiro - Casa do Choro, e mais uma', 'en', true],
  ])('[EVAL-02] %j is in %s: %s', (reply, language, expected) => {
    const failures = checkTurn(
      { language },
      { reply, language, citations: [], pending: null, escalated: false, escalation: null },
    );
    expect(failures.length === 0).toBe(expected);
  });

  test.each([
    ['Custa R$\u00a060,00 no plano', 'r$ 60', true],
    ['Custa R$ 600', 'R$ 60', false],
    ['You have 12 visits', '2 visits', false],
    ['Não é possível', 'nao e POSSIVEL', true],
    ['It’s “done” – really', 'it\'s "done" - really', true],
    ['on 14 March', '14  March', true],
    ['nothing of it', 'kept', false],
  ])('[EVAL-02] %j says %j: %s', (text, wanted, expected) => {
    expect(says(text, wanted)).toBe(expected);
  });
});
