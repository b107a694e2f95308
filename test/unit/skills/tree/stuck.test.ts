import { describe, expect, it } from 'vitest';
import { HubError } from '../../../../src/core/errors.js';
import { CHAIN, ids, triggers } from './hand-off-trees.js';
import { ORDER_TREE, SHOP, TreeRunner, treePack } from './support.js';

describe('[SKT-06] a tree that is stuck', () => {
  it('[SKT-06] asks where no decision holds; B goes on with the next step that has not run', async () => {
    const pack = treePack(CHAIN.replace('result.n == 2', 'result.n == 99'));
    const runner = new TreeRunner();
    const handoff = await runner.ask(pack);
    expect(handoff).toMatchObject({
      at: 's2',
      trigger: 'stuck',
      advice: null,
      proposal: null,
      tried: ['s1', 's2'],
    });
    expect(handoff.question).toBe('"Step 2" leads no further: None of its decisions fits what was found.');
    expect(handoff.options).toEqual([
      { id: 'A', label: 'Accept what was found so far and end here' },
      { id: 'B', label: 'Go on with: Step 3' },
      { id: 'C', label: 'A person takes over' },
    ]);
    const found = await runner.find(pack, {}, { answer: 'B' });
    expect(found).toMatchObject({ root_cause: 'found', path: ['s1', 's2', 's3', 's4'] });
  });

  it('[SKT-06] ends with what was found so far on A and on C', async () => {
    const pack = treePack(CHAIN.replace('result.n == 3', 'result.n == 99'));
    for (const [answer, runId] of [
      ['A', 'run_a'],
      ['C', 'run_c'],
    ] as const) {
      const runner = new TreeRunner();
      await runner.ask(pack, {}, { runId });
      expect(await runner.find(pack, {}, { runId, answer })).toMatchObject({
        root_cause: null,
        explanation: null,
        confidence_score: 0.2,
        recommended_action: null,
        partial: true,
        path: ['s1', 's2', 's3'],
      });
    }
  });

  it('[SKT-05] offers nothing to accept where nothing was found', async () => {
    const handoff = await new TreeRunner({ sql: SHOP }).ask(treePack(ORDER_TREE), {});
    expect(handoff).toMatchObject({ at: 'order', trigger: 'stuck', tried: ['order'] });
    expect(handoff.question).toContain('The step needs order_id != null, which does not hold.');
    expect(ids(handoff)).toBe('BC');
  });

  it('[SKT-06] asks where a source is down, and never asks the source again because of it', async () => {
    let calls = 0;
    const runner = new TreeRunner({
      beforeQuery: () => {
        calls += 1;
        if (calls === 2) throw new HubError('source_unavailable', 'The shop is down.');
      },
    });
    const pack = treePack(CHAIN);
    const handoff = await runner.ask(pack);
    expect(handoff.question).toBe('"Step 2" leads no further: The shop is down.');
    expect(handoff.found.at(-1)?.error).toEqual({ code: 'source_unavailable', message: 'The shop is down.' });
    expect(calls).toBe(2);
    // Asked for again without an answer it waits still.
    await runner.ask(pack);
    expect(calls).toBe(2);
    expect(await runner.find(pack, {}, { answer: 'B' })).toMatchObject({
      root_cause: 'found',
      partial: true,
    });
    expect(calls).toBe(4);
  });

  it('[SKT-05] asks again and again, and keeps every answer', async () => {
    const pack = treePack(
      CHAIN.replace('result.n == 1', 'result.n == 7').replace('result.n == 2', 'result.n == 7'),
    );
    const runner = new TreeRunner();
    expect((await runner.ask(pack)).at).toBe('s1');
    expect((await runner.ask(pack, {}, { answer: 'B' })).at).toBe('s2');
    const found = await runner.find(pack, {}, { answer: 'B' });
    expect(found.handoffs.map(({ at, choice }) => at + choice)).toEqual(['s1B', 's2B']);
  });

  it('[SKT-06] asks where a path ends without a cause', async () => {
    const pack = treePack(CHAIN.replace('next_step: s3', 'next_step: null'));
    expect(await new TreeRunner().ask(pack)).toMatchObject({
      at: 's2',
      trigger: 'stuck',
      question: 'The path ends here without a cause.',
    });
  });
});

describe('[SKT-06] too many steps without a cause', () => {
  const pack = treePack(CHAIN, triggers({ stuck_after_steps: { max_steps: 2, action: 'Take a break.' } }));

  it('[SKT-05] asks after that many, and counts anew after an answer', async () => {
    const runner = new TreeRunner();
    const handoff = await runner.ask(pack);
    expect(handoff).toMatchObject({
      at: 's2',
      trigger: 'stuck_after_steps',
      advice: 'Take a break.',
      question: '2 steps have led to no cause.',
    });
    expect(handoff.options[1]).toEqual({ id: 'B', label: 'Go on with: Step 3' });
    expect(await runner.find(pack, {}, { answer: 'B' })).toMatchObject({
      root_cause: 'found',
      path: ['s1', 's2', 's3', 's4'],
    });
  });
});

describe('[SKT-06] a step that asks', () => {
  const tree = (decisions: string, options: string) => `
entry_point: ask
steps:
  ask:
    name: Ask
    action: { type: ask, question: 'Was {name} at the door?' }
    decisions: ${decisions}
    options: ${options}
  yes:
    name: At the door
    action: { type: query, source: shop, query_template: 'SELECT {steps.ask.choice} AS choice' }
    decisions: { seen: { condition: 'true', confidence: 0.8, conclusion: { root_cause: 'at_door_{result.choice}' } } }
`;

  it('[SKT-06] puts its question, and its options lead on', async () => {
    const pack = treePack(tree('{}', "[{ id: D, label: 'Yes', next_step: yes }, { id: E, label: 'No' }]"));
    const runner = new TreeRunner();
    const handoff = await runner.ask(pack, { name: 'Ana' });
    expect(handoff).toMatchObject({ at: 'ask', trigger: 'question', question: 'Was Ana at the door?' });
    expect(ids(handoff)).toBe('BCDE');
    // Going on never leads back to the question itself.
    expect(handoff.options[0]?.label).toBe('Go on with: At the door');
    const found = await runner.find(pack, { name: 'Ana' }, { answer: 'd' });
    expect(found).toMatchObject({ root_cause: 'at_door_', path: ['ask', 'yes'] });
    await runner.ask(pack, { name: 'Ana' }, { runId: 'run_2' });
    expect(await runner.find(pack, { name: 'Ana' }, { runId: 'run_2', answer: 'E' })).toMatchObject({
      root_cause: null,
      partial: true,
    });
  });

  it('[SKT-05] decides on the answer and on what came with it', async () => {
    const decisions = `
      late: { condition: 'result.minutes > 10', confidence: 0.9, conclusion: { root_cause: late } }
      there: { condition: "result.choice == 'D'", confidence: 0.5, next_step: yes }`;
    const pack = treePack(tree(decisions, "[{ id: D, label: 'Yes' }]"));
    const runner = new TreeRunner();
    const answer = { choice: 'D', by: 'customer:c1' };
    await runner.ask(pack, {}, { runId: 'a' });
    const late = await runner.find(pack, {}, { runId: 'a', answer: { ...answer, input: { minutes: 15 } } });
    expect(late).toMatchObject({ root_cause: 'late', handoffs: [{ choice: 'D', by: 'customer:c1' }] });
    await runner.ask(pack, {}, { runId: 'b' });
    expect((await runner.find(pack, {}, { runId: 'b', answer })).root_cause).toBe('at_door_D');
  });

  it('[SKT-06] asks again where a path comes by again', async () => {
    const pack = treePack(
      tree('{}', "[{ id: D, label: 'Yes', next_step: yes }]").replace(
        "conclusion: { root_cause: 'at_door_{result.choice}' }",
        'next_step: ask',
      ),
    );
    const runner = new TreeRunner();
    await runner.ask(pack);
    expect(await runner.ask(pack, {}, { answer: 'D' })).toMatchObject({ at: 'ask', trigger: 'question' });
  });
});
