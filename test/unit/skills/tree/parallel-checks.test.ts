import { describe, expect, it } from 'vitest';
import { HubError } from '../../../../src/core/errors.js';
import { TreeRunner, treePack } from './support.js';

describe('[SKT-02] parallel checks', () => {
  const tree = (history: string, pre = '[]') => `
entry_point: order
parallel_checks: [history, payments]
steps:
  order:
    name: Order
    action: { type: query, source: shop, query_template: 'SELECT 1 AS main' }
    decisions: { yes: { condition: 'result.main == 1', confidence: 0.8, conclusion: { root_cause: late } } }
  history:
    name: History
    pre_conditions: ${pre}
    action: { type: query, source: shop, query_template: 'SELECT 2 AS history' }
    decisions: { seen: { condition: 'result.history == 2', confidence: 0.4, conclusion: ${history} } }
  payments:
    name: Payments
    action: { type: query, source: shop, query_template: 'SELECT 3 AS payments' }
    decisions: { seen: { condition: 'result.payments == 3', confidence: 0.3, conclusion: { partial_finding: 'Paid.' } } }
`;

  it('[SKT-01] run beside the main path: each begins before any has ended', async () => {
    let begun = 0;
    let release: () => void = () => undefined;
    const allBegun = new Promise<void>((resolve) => {
      release = resolve;
    });
    const runner = new TreeRunner({
      beforeQuery: () => {
        begun += 1;
        if (begun === 3) release();
        return allBegun;
      },
    });
    const found = await runner.find(treePack(tree(`{ partial_finding: 'Two late ones before.' }`)));
    expect(found.path).toEqual(['order']);
    expect(found.evidence.map(({ step, finding }) => [step, finding])).toEqual([
      ['order', 'late'],
      ['history', 'Two late ones before.'],
      ['payments', 'Paid.'],
    ]);
    expect(found).toMatchObject({ confidence_score: 0.8, steps_completed: 3, partial: false });
  });

  it('[SKT-01] that find the same cause agree, and the main path is what counts', async () => {
    const found = await new TreeRunner().find(treePack(tree('{ root_cause: late }')));
    expect(found).toMatchObject({ root_cause: 'late', confidence_score: 0.8, handoffs: [] });
  });

  it('[SKT-01] that contradict the main path make the run ask', async () => {
    const pack = treePack(tree('{ root_cause: lost }'), {
      human_handoff: { triggers: { contradictory_data: { action: 'Call the carrier.' } } },
    });
    const runner = new TreeRunner();
    const handoff = await runner.ask(pack);
    expect(handoff).toMatchObject({
      run_id: 'run_1',
      skill_id: 'demo',
      at: 'order',
      trigger: 'contradictory_data',
      advice: 'Call the carrier.',
      question: 'The findings contradict each other: order says late, history says lost. Which one holds?',
      tried: ['order', 'history', 'payments'],
      proposal: { root_cause: 'late', confidence: 0.8 },
    });
    expect(handoff.found.map(({ step }) => step)).toEqual(['order', 'history', 'payments']);
    expect(await runner.find(pack, {}, { answer: 'A' })).toMatchObject({
      root_cause: 'late',
      confidence_score: 0.8,
      handoffs: [{ at: 'order', trigger: 'contradictory_data', choice: 'A', by: 'operator:op_1' }],
    });
  });

  it('[SKT-01] that fail or may not run are noted and change nothing else', async () => {
    const down = new HubError('source_unavailable', 'The shop is down.');
    const runner = new TreeRunner({
      beforeQuery: (sql) => {
        if (sql.includes('payments')) throw down;
      },
    });
    const found = await runner.find(treePack(tree('{ root_cause: lost }', "['order_id != null']")));
    expect(found).toMatchObject({ root_cause: 'late', handoffs: [], partial: true });
    expect(found.evidence.slice(1)).toEqual([
      {
        step: 'history',
        name: 'History',
        decision: null,
        confidence: 0,
        finding: 'The step needs order_id != null, which does not hold.',
      },
      {
        step: 'payments',
        name: 'Payments',
        decision: null,
        confidence: 0,
        finding: 'The shop is down.',
        error: { code: 'source_unavailable', message: 'The shop is down.' },
      },
    ]);
  });

  it('[SKT-01] may know the cause where the main path is stuck', async () => {
    const pack = treePack(tree('{ root_cause: lost }').replace('result.main == 1', 'result.main == 7'));
    const runner = new TreeRunner();
    const handoff = await runner.ask(pack);
    expect(handoff).toMatchObject({ trigger: 'stuck', proposal: { root_cause: 'lost', confidence: 0.4 } });
    expect(await runner.find(pack, {}, { answer: 'A' })).toMatchObject({
      root_cause: 'lost',
      confidence_score: 0.4,
      partial: false,
    });
  });
});
