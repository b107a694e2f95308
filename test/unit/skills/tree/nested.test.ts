import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import type { SkillResult } from '../../../../src/core/domain/skill.js';
import { HubError } from '../../../../src/core/errors.js';
import type { SkillOutcome } from '../../../../src/skills/run/run-context.js';
import { packOf } from '../../../support/skill-packs.js';
import { ORDER_TREE, SHOP, TreeRunner, treePack } from './support.js';

const OUTER = `
entry_point: classify
steps:
  classify:
    name: Classify
    action: { type: skill, skill: classify, input: { text: '{text}', tries: 2 } }
    decisions:
      payment:
        condition: "result.topic == 'payment'"
        confidence: 0.8
        next_step: inner
  inner:
    name: Look at the order
    action: { type: skill, skill: inner, input: { order_id: '{order_id}' } }
    decisions:
      twice:
        condition: "result.root_cause == 'paid_twice' && result.confidence_score > 0.9"
        confidence: 0.9
        conclusion: { root_cause: 'double_{steps.classify.topic}' }
      other: { condition: 'result.partial == true', confidence: 0.2, conclusion: { root_cause: unclear } }
`;
const classify = packOf({ id: 'classify', implementation: { type: 'ts_function', handler: 'x' } });
const inner = treePack(ORDER_TREE, {
  id: 'inner',
  human_handoff: { triggers: { critical_decision: { actions: ['refund'] } } },
});
const outer = treePack(OUTER, { id: 'outer' });
const topic: SkillOutcome = {
  status: 'done',
  result: { kind: 'plain', value: { topic: 'payment' } } satisfies SkillResult,
};

/** Runs parts as an engine does: each has a run of its own, and an answer goes to the one that waits. */
function nested(classified: () => SkillOutcome = () => topic) {
  const calls: [string, string, JsonObject][] = [];
  let answer: string | undefined;
  const waits = new Set<string>();
  const runner: TreeRunner = new TreeRunner({
    sql: SHOP,
    parts: [classify, inner],
    runPart: async (part, pack, input) => {
      calls.push([part, pack.id, input]);
      if (pack.id === 'classify') return classified();
      const runId = `run_1.${part}`;
      const outcome = await runner.run(pack, input, {
        runId,
        ...(waits.has(runId) && answer !== undefined ? { answer } : {}),
      });
      if (outcome.status === 'waiting') waits.add(runId);
      return outcome;
    },
  });
  return {
    runner,
    calls,
    go: (choice?: string) => {
      answer = choice;
      const options = choice === undefined ? {} : { answer: choice };
      return runner.run(outer, { text: 'hello', order_id: 'o1' }, options);
    },
  };
}

describe('[SKT-05] skills as steps', () => {
  it('[SKT-05] get their input from the tree, and their result is decided on', async () => {
    const { calls, go } = nested();
    await go();
    expect(calls).toEqual([
      ['classify', 'classify', { text: 'hello', tries: 2 }],
      ['inner', 'inner', { order_id: 'o1' }],
    ]);
  });

  it('[SKT-05] that wait make the tree wait, and the answer goes to them', async () => {
    const { runner, calls, go } = nested();
    const asked = await go();
    expect(asked).toMatchObject({
      status: 'waiting',
      handoff: { skill_id: 'inner', at: 'payments', trigger: 'critical_decision' },
    });
    await expect(go('Z')).rejects.toMatchObject({ code: 'choice_unknown' });
    const done = await go('A');
    expect(done).toMatchObject({
      status: 'done',
      result: {
        value: {
          root_cause: 'double_payment',
          confidence_score: 0.9,
          path: ['classify', 'inner'],
          handoffs: [{ at: 'inner', trigger: 'critical_decision', choice: 'A' }],
        },
      },
    });
    // The step before it ran once, and the inner tree asked its source once.
    expect(calls.filter(([part]) => part === 'classify')).toHaveLength(1);
    expect(runner.statements).toHaveLength(2);
  });

  it('[SKT-05] that fail leave the tree stuck there, with their fault', async () => {
    const { go } = nested(() => {
      throw new HubError('skill_failed', 'The handler broke.');
    });
    expect(await go()).toMatchObject({
      status: 'waiting',
      handoff: {
        at: 'classify',
        trigger: 'stuck',
        found: [{ step: 'classify', error: { code: 'skill_failed', message: 'The handler broke.' } }],
      },
    });
  });

  it.each([
    [{ kind: 'plain', value: 'payment' }, "result.value == 'payment' && result.count == 1"],
    [{ kind: 'plain', value: ['a', 'b'] }, "result.count == 2 && 'b' in result.rows"],
    [{ kind: 'plain', value: null }, 'result.value == null'],
    [
      { kind: 'generation', value: { success: true, data: { topic: 'payment' } } },
      "result.topic == 'payment'",
    ],
  ])('[SKT-05] give their value to conditions: %j', async (result, condition) => {
    const tree = `
entry_point: classify
steps:
  classify:
    name: Classify
    action: { type: skill, skill: classify }
    decisions: { yes: { condition: "${condition}", confidence: 1, conclusion: { root_cause: seen } } }
`;
    const runner = new TreeRunner({
      parts: [classify],
      runPart: async () => ({ status: 'done', result: result as SkillResult }),
    });
    expect((await runner.find(treePack(tree))).root_cause).toBe('seen');
  });
});
