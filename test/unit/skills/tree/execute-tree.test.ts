import { describe, expect, it } from 'vitest';
import { HubError } from '../../../../src/core/errors.js';
import { ORDER_TREE, SHOP, TreeRunner, treePack } from './support.js';

const CRITICAL = {
  human_handoff: { triggers: { critical_decision: { actions: ['refund'], action: 'Ask finance.' } } },
};

/** A tree of one step that selects a constant, for what decisions do with it. */
const one = (decisions: string, more = '') => `
entry_point: first
steps:
  first:
    name: First
    action: { type: query, source: shop, query_template: 'SELECT 1 AS one' }
    decisions: ${decisions}
${more}`;

describe('[SKT-01] a path through a tree', () => {
  it('[SKT-07] takes the first decision that holds at each step and gives the whole result', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    const { time_to_investigate, ...found } = await runner.find(treePack(ORDER_TREE), { order_id: 'o1' });
    expect(found).toEqual({
      root_cause: 'paid_twice',
      explanation: 'Paid 2 times, R$ 91.80 in all; the order is open.',
      impact: 'high',
      customer_message: {
        en: 'You paid R$ 91.80.',
        'pt-BR': 'Você pagou R$ 91,80.',
        fr: 'Vous avez payé 91,80 R$.',
      },
      confidence_score: 0.95,
      recommended_action: {
        action: 'refund',
        priority: 'high',
        human_approval_required: true,
        arguments: { order_id: 'o1', cents: 9180 },
      },
      path: ['order', 'payments'],
      steps_completed: 2,
      handoffs: [],
      partial: false,
      skill_id: 'demo',
      skill_version: '1.0.0',
      evidence: [
        {
          step: 'order',
          name: 'Find the order',
          decision: 'there',
          finding: 'The order is open.',
          confidence: 0.6,
          data: { count: 1, id: 'o1', status: 'open', customer: 'ana' },
        },
        {
          step: 'payments',
          name: 'Look at the payments',
          decision: 'twice',
          finding: 'Paid 2 times, R$ 91.80 in all; the order is open.',
          confidence: 0.95,
          data: { count: 1, n: 2, cents: 9180 },
        },
      ],
    });
    expect(time_to_investigate).toBeGreaterThan(0);
    expect(runner.events.map(({ type, step }) => `${type} ${step}`)).toEqual([
      'step_started order',
      'step_finished order',
      'step_started payments',
      'step_finished payments',
    ]);
  });

  it('[SKT-07] ends early where a step concludes, and takes the confidence of that decision', async () => {
    const found = await new TreeRunner({ sql: SHOP }).find(treePack(ORDER_TREE), { order_id: 'o9' });
    expect(found).toMatchObject({ root_cause: 'no_order', confidence_score: 0.9, path: ['order'] });
    expect(found.explanation).toBe('There is no order o9.');
  });

  it('[SKT-01] binds what a customer wrote, and never pastes it', async () => {
    const attack = "o1' OR '1'='1";
    const runner = new TreeRunner({ sql: SHOP });
    const found = await runner.find(treePack(ORDER_TREE), { order_id: attack });
    expect(found.root_cause).toBe('no_order');
    expect(runner.statements).toEqual(['SELECT * FROM orders WHERE id = ?']);
  });

  it('[SKT-01] decides in the order written, also where several hold', async () => {
    const tree = one(`
      second: { condition: 'false', confidence: 1, conclusion: { root_cause: never } }
      zebra: { condition: 'result.one == 1', confidence: 0.7, conclusion: { root_cause: zebra } }
      apple: { condition: 'result.one == 1', confidence: 0.9, conclusion: { root_cause: apple } }`);
    expect((await new TreeRunner().find(treePack(tree))).root_cause).toBe('zebra');
  });

  it.each(['input', 'steps', 'path', 'evidence', 'next', 'checks', 'open', 'finding'])(
    '[SKT-01] lets a step be called %s',
    async (name) => {
      const tree = `
entry_point: ${name}
steps:
  ${name}:
    name: Oddly called
    action: { type: query, source: shop, query_template: 'SELECT 1 AS one' }
    decisions: { go: { condition: 'true', confidence: 0.5, next_step: end } }
  end:
    name: End
    action: { type: query, source: shop, query_template: 'SELECT 1 AS one' }
    decisions: { there: { condition: 'steps.${name}.one == 1', confidence: 0.5, conclusion: { root_cause: found } } }
`;
      const found = await new TreeRunner().find(treePack(tree));
      expect(found).toMatchObject({ root_cause: 'found', path: [name, 'end'] });
    },
  );

  it('[SKT-01] looks at a thousand rows, keeps few, and stays small', async () => {
    const tree = one(
      `{ go: { condition: 'result.rows.exists(r, r.n == 900) && result.count == 1000', confidence: 0.5, next_step: wide } }`,
      `  wide:
    name: Wide
    action: { type: query, source: shop, query_template: "SELECT hex(zeroblob(400000)) AS text" }
    decisions: { big: { condition: 'size(result.text) == 800000', confidence: 0.4, conclusion: { partial_finding: '{result.text}' } } }
`,
    ).replace(
      'SELECT 1 AS one',
      'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 1000) SELECT n, hex(randomblob(50)) AS id FROM t',
    );
    const runner = new TreeRunner();
    const handoff = await runner.ask(treePack(tree));
    expect(handoff).toMatchObject({ at: 'wide', trigger: 'stuck' });
    expect(JSON.stringify(handoff).length).toBeLessThan(20_000);
    const stored = await runner.saver.getTuple({ configurable: { thread_id: 'run_1' } });
    expect(JSON.stringify(stored?.checkpoint).length).toBeLessThan(100_000);
    const steps = stored?.checkpoint.channel_values.steps as Record<
      string,
      { count: number; rows: unknown[] }
    >;
    expect(steps.first?.count).toBe(1000);
    expect(steps.first?.rows).toHaveLength(50);
  });

  it('[SKT-07] keeps runs apart that go on at the same time', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    const pack = treePack(ORDER_TREE);
    const ids = ['o1', 'o9', 'o1', 'o9', 'o1'];
    const found = await Promise.all(
      ids.map((id, index) => runner.find(pack, { order_id: id }, { runId: `run_${index}` })),
    );
    expect(found.map(({ root_cause }) => root_cause)).toEqual([
      'paid_twice',
      'no_order',
      'paid_twice',
      'no_order',
      'paid_twice',
    ]);
  });

  it('[SKT-01] leaves nothing behind when it is done', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    await runner.find(treePack(ORDER_TREE), { order_id: 'o1' });
    expect(await runner.saver.getTuple({ configurable: { thread_id: 'run_1' } })).toBeUndefined();
  });
});

describe('[SKT-01] what goes wrong', () => {
  it('[SKT-07] stops at once when its time is up, with the reason of the signal', async () => {
    const stop = new AbortController();
    const runner = new TreeRunner({
      sql: SHOP,
      beforeQuery: async (_sql, signal) => {
        setImmediate(() => stop.abort(new HubError('skill_timeout', 'The time is up.')));
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    const run = runner.run(treePack(ORDER_TREE), { order_id: 'o1' }, { signal: stop.signal });
    await expect(run).rejects.toMatchObject({ code: 'skill_timeout', message: 'The time is up.' });
    expect(await runner.saver.getTuple({ configurable: { thread_id: 'run_1' } })).toBeUndefined();
  });

  it('[SKT-01] never waits for a source that does not listen to the signal', async () => {
    const stop = new AbortController();
    const runner = new TreeRunner({
      sql: SHOP,
      beforeQuery: async () => {
        setImmediate(() => stop.abort(new HubError('skill_timeout', 'The time is up.')));
        await new Promise(() => undefined);
      },
    });
    const run = runner.run(treePack(ORDER_TREE), { order_id: 'o1' }, { signal: stop.signal });
    await expect(run).rejects.toMatchObject({ code: 'skill_timeout' });
  });

  it('[SKT-01] ends the run for a fault of our own, which no person can mend', async () => {
    const runner = new TreeRunner({
      sql: SHOP,
      beforeQuery: () => {
        throw new TypeError('undefined is not a function');
      },
    });
    await expect(runner.run(treePack(ORDER_TREE), { order_id: 'o1' })).rejects.toMatchObject({
      code: 'internal',
    });
  });

  it('[SKT-01] refuses an answer to a run that does not wait', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    const run = runner.run(treePack(ORDER_TREE, CRITICAL), { order_id: 'o1' }, { answer: 'A' });
    await expect(run).rejects.toMatchObject({ code: 'run_not_waiting' });
  });
});
