import { Command, INTERRUPT, MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { buildSkillsGraph } from '../../../../src/skills/tree/studio-graph.js';
import { catalogOf, packOf } from '../../../support/skill-packs.js';
import { ORDER_TREE, SHOP, TreeRunner, treePack } from './support.js';

const order = treePack(ORDER_TREE, {
  id: 'order',
  human_handoff: { triggers: { low_confidence: { threshold: 0.7 } } },
  input_schema: {
    type: 'object',
    required: ['order_id'],
    properties: { order_id: { type: 'string' } },
  },
});
const odd = treePack(
  `
entry_point: one
parallel_checks: [two]
steps:
  one:
    name: One
    action: { type: query, source: shop, query_template: 'SELECT 1 AS n' }
    decisions: { go: { condition: 'result.n == 1', confidence: 1, next_step: last } }
  last:
    name: Last
    action: { type: query, source: shop, query_template: 'SELECT 1 AS n' }
    decisions: { end: { condition: 'result.n == 1', confidence: 1, conclusion: { root_cause: odd } } }
  two:
    name: Two
    action: { type: query, source: shop, query_template: 'SELECT 2 AS n' }
    decisions: { seen: { condition: 'true', confidence: 1 } }
`,
  // Called like a field of the state.
  { id: 'path' },
);

function studio() {
  const runner = new TreeRunner({ sql: SHOP });
  const prompt = packOf({ id: 'prompt', implementation: { type: 'ts_function', handler: 'x' } });
  const graph = buildSkillsGraph(catalogOf([order, odd, prompt]), (_pack, { runId }) =>
    runner.context({ runId }),
  );
  // The server of Studio brings a checkpointer; here a test does.
  graph.checkpointer = new MemorySaver();
  return { graph, config: (thread: string) => ({ configurable: { thread_id: thread } }) };
}

describe('[SKT-03] trees in Studio', () => {
  it('[SKT-03] are drawn whole: every tree with its steps and their edges', async () => {
    const drawn = (await studio().graph.getGraphAsync({ xray: true })).toJSON() as {
      nodes: { id: string }[];
      edges: { source: string; target: string }[];
    };
    const nodes = drawn.nodes.map(({ id }) => id);
    expect(nodes).toEqual(expect.arrayContaining(['order:main_path:order', 'order:main_path:payments']));
    expect(nodes.some((id) => id.endsWith('check_two'))).toBe(true);
    expect(nodes.some((id) => id.includes('prompt'))).toBe(false);
    expect(drawn.edges).toContainEqual(
      expect.objectContaining({ source: 'order:main_path:order', target: 'order:main_path:payments' }),
    );
    expect(
      drawn.edges
        .filter(({ source }) => source === 'begin')
        .map(({ target }) => target)
        .sort(),
    ).toHaveLength(2);
  });

  it('[SKT-03] pause as an interrupt, are resumed by a letter, and give the whole result', async () => {
    const { graph, config } = studio();
    const asked = await graph.invoke({ skill_id: 'order', input: { order_id: 'o2' } }, config('t1'));
    expect(asked).toMatchObject({ [INTERRUPT]: [{ value: { trigger: 'low_confidence', at: 'payments' } }] });
    const wrong = await graph.invoke(new Command({ resume: { choose: 'Z' } }), config('t1'));
    expect(wrong).toMatchObject({
      [INTERRUPT]: [{ value: { question: expect.stringContaining('There is no option "Z".') } }],
    });
    const done = await graph.invoke(new Command({ resume: { choose: 'A' } }), config('t1'));
    expect(done.result).toMatchObject({
      root_cause: 'all_is_well',
      skill_id: 'order',
      path: ['order', 'payments'],
      handoffs: [{ choice: 'A', by: 'operator:studio' }],
    });
  });

  it('[SKT-03] begin anew on a thread that was used before, also with another skill', async () => {
    const { graph, config } = studio();
    await graph.invoke({ skill_id: 'path', input: {} }, config('t2'));
    const second = await graph.invoke({ skill_id: 'order', input: { order_id: 'o1' } }, config('t2'));
    expect(second.result).toMatchObject({ root_cause: 'paid_twice', path: ['order', 'payments'] });
    expect(second.result?.evidence.map(({ step }) => step)).toEqual(['order', 'payments']);
    const third = await graph.invoke({ skill_id: 'path', input: {} }, config('t2'));
    expect(third.result).toMatchObject({ root_cause: 'odd', path: ['one', 'last'], steps_completed: 3 });
  });

  it('[SKT-03] refuse what is unknown and what does not fit, by name', async () => {
    const { graph, config } = studio();
    await expect(graph.invoke({ skill_id: 'nope', input: {} }, config('t3'))).rejects.toThrow(
      'There is no decision tree "nope"; there is: order, path.',
    );
    await expect(graph.invoke({ skill_id: 'order', input: {} }, config('t4'))).rejects.toThrow(/order_id/);
  });
});
