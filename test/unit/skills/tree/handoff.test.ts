import { describe, expect, it } from 'vitest';
import { CHAIN, ids, triggers } from './hand-off-trees.js';
import { ORDER_TREE, SHOP, TreeRunner, treePack } from './support.js';

describe('[SKT-05] low confidence', () => {
  const pack = treePack(
    ORDER_TREE,
    triggers({ low_confidence: { threshold: 0.7, action: 'Look by hand.' } }),
  );

  it('[SKT-06] asks with what was found, and A accepts it as it is', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    const handoff = await runner.ask(pack, { order_id: 'o2' });
    expect(handoff).toMatchObject({
      at: 'payments',
      trigger: 'low_confidence',
      advice: 'Look by hand.',
      question: 'The finding all_is_well is not certain enough (0.50 < 0.70). Is it right?',
      tried: ['order', 'payments'],
      proposal: { root_cause: 'all_is_well', confidence: 0.5, recommended_action: null },
    });
    expect(ids(handoff)).toBe('AC');
    expect(await runner.find(pack, { order_id: 'o2' }, { answer: ' a ' })).toMatchObject({
      root_cause: 'all_is_well',
      confidence_score: 0.5,
      partial: false,
      handoffs: [{ at: 'payments', trigger: 'low_confidence', choice: 'A', by: 'operator:op_1' }],
    });
  });

  it('[SKT-05] does not ask at the threshold itself, nor where the pack names none', async () => {
    const exact = treePack(ORDER_TREE, triggers({ low_confidence: { threshold: 0.5 } }));
    expect((await new TreeRunner({ sql: SHOP }).find(exact, { order_id: 'o2' })).root_cause).toBe(
      'all_is_well',
    );
    const without = treePack(ORDER_TREE);
    expect((await new TreeRunner({ sql: SHOP }).find(without, { order_id: 'o2' })).handoffs).toEqual([]);
  });

  it('[SKT-06] C ends with what was found, as a part of the story, and advises nothing', async () => {
    const doubtful = treePack(ORDER_TREE, triggers({ low_confidence: { threshold: 0.99 } }));
    const runner = new TreeRunner({ sql: SHOP });
    expect((await runner.ask(doubtful, { order_id: 'o1' })).proposal?.recommended_action?.action).toBe(
      'refund',
    );
    expect(await runner.find(doubtful, { order_id: 'o1' }, { answer: 'C' })).toMatchObject({
      root_cause: 'paid_twice',
      recommended_action: null,
      partial: true,
    });
  });

  it('[SKT-06] B goes on where the decision says so', async () => {
    const tree = CHAIN.replace("{ partial_finding: 'Saw 2.' }", '{ root_cause: maybe }');
    const chain = treePack(tree, triggers({ low_confidence: { threshold: 0.4 } }));
    const runner = new TreeRunner();
    const handoff = await runner.ask(chain);
    expect(handoff.options).toEqual([
      { id: 'A', label: 'Accept the finding: maybe' },
      { id: 'B', label: 'Go on with: Step 3' },
      { id: 'C', label: 'A person takes over' },
    ]);
    const found = await runner.find(chain, {}, { answer: 'B' });
    expect(found).toMatchObject({
      root_cause: 'found',
      path: ['s1', 's2', 's3', 's4'],
      confidence_score: 0.4,
    });
    expect(runner.statements).toHaveLength(4);
  });
});

describe('[SKT-05] critical decisions', () => {
  const pack = treePack(
    ORDER_TREE,
    triggers({ critical_decision: { actions: ['refund'], action: 'Ask finance.' } }),
  );
  const input = { order_id: 'o1' };

  it('[SKT-05] are agreed to by A', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    expect(await runner.ask(pack, input)).toMatchObject({
      trigger: 'critical_decision',
      advice: 'Ask finance.',
      question: 'The finding is paid_twice. May refund be recommended?',
      proposal: { recommended_action: { action: 'refund', arguments: { order_id: 'o1', cents: 9180 } } },
    });
    expect(await runner.find(pack, input, { answer: 'A' })).toMatchObject({
      recommended_action: { action: 'refund' },
      partial: false,
    });
  });

  it('[SKT-05] are not asked about where the caller asks anyway', async () => {
    const found = await new TreeRunner({ sql: SHOP }).find(pack, input, { gatedActions: ['refund'] });
    expect(found).toMatchObject({ recommended_action: { action: 'refund' }, handoffs: [] });
  });

  it('[SKT-05] are not advised by an answer that does not agree', async () => {
    const tree = ORDER_TREE.replace(
      '    name: Look at the payments',
      "    name: Look at the payments\n    options: [{ id: D, label: 'No refund', next_step: null }, { id: E, label: 'Look again', next_step: payments }]",
    );
    const declined = treePack(tree, triggers({ critical_decision: { actions: ['refund'] } }));
    const runner = new TreeRunner({ sql: SHOP });
    expect(ids(await runner.ask(declined, input))).toBe('ACDE');
    // Looking again leads to the same finding, which is asked about again.
    expect((await runner.ask(declined, input, { answer: 'E' })).trigger).toBe('critical_decision');
    expect(await runner.find(declined, input, { answer: 'D' })).toMatchObject({
      root_cause: 'paid_twice',
      recommended_action: null,
      handoffs: [{ choice: 'E' }, { choice: 'D' }],
    });
  });

  it('[SKT-06] are asked about even after a doubt was accepted', async () => {
    const both = triggers({
      low_confidence: { threshold: 0.99 },
      critical_decision: { actions: ['refund'] },
    });
    const doubtful = treePack(ORDER_TREE, both);
    const runner = new TreeRunner({ sql: SHOP });
    expect((await runner.ask(doubtful, input)).trigger).toBe('low_confidence');
    expect((await runner.ask(doubtful, input, { answer: 'A' })).trigger).toBe('critical_decision');
    const found = await runner.find(doubtful, input, { answer: 'A' });
    expect(found.handoffs.map(({ trigger }) => trigger)).toEqual(['low_confidence', 'critical_decision']);
    expect(found.recommended_action?.action).toBe('refund');
  });
});

describe('[SKT-05] an answer that means nothing', () => {
  it.each(['Z', '', 'B', 'AC', 'Accept'])(
    '[SKT-05] is refused with what there is, and the run waits on: %j',
    async (choice) => {
      const pack = treePack(ORDER_TREE, triggers({ low_confidence: { threshold: 0.7 } }));
      const runner = new TreeRunner({ sql: SHOP });
      const input = { order_id: 'o2' };
      await runner.ask(pack, input);
      await expect(runner.run(pack, input, { answer: choice })).rejects.toMatchObject({
        code: 'choice_unknown',
        message: `There is no option "${choice}"; there is: A (Accept the finding: all_is_well), C (A person takes over).`,
        fields: { options: ['A', 'C'] },
      });
      expect((await runner.find(pack, input, { answer: 'A' })).root_cause).toBe('all_is_well');
    },
  );
});

describe('[SKT-05] time', () => {
  it('[SKT-06] counts the work and not the waiting for a person', async () => {
    const pack = treePack(ORDER_TREE, triggers({ low_confidence: { threshold: 0.7 } }));
    const runner = new TreeRunner({ sql: SHOP });
    const began = performance.now();
    await runner.ask(pack, { order_id: 'o2' });
    const worked = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, worked + 100));
    const again = performance.now();
    const found = await runner.find(pack, { order_id: 'o2' }, { answer: 'A' });
    expect(found.time_to_investigate).toBeGreaterThan(0);
    expect(found.time_to_investigate).toBeLessThan(worked + performance.now() - again + 1);
  });
});
