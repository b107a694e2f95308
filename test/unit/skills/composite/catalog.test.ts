import { describe, expect, it } from 'vitest';
import type { CompositeResult } from '../../../../src/core/domain/composite-result.js';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import type { SkillRun } from '../../../../src/core/domain/skill.js';
import type { SkillCall } from '../../../../src/core/ports/skills.js';
import type { Pack } from '../../../../src/skills/pack/pack.js';
import { createScriptedSkillModel, type ScriptedAnswer } from '../../../support/scripted-skill-model.js';
import { answering, loadPack, openEngine, type Rows } from '../../../support/skill-engine.js';
import { statuses } from './support.js';

const handle = (): Pack =>
  loadPack({
    'skill.yaml': `
id: handle
version: 1.0.0
title: Any request
description: Chooses among all skills.
type: composite
status: active
input_schema: { type: object, required: [text], properties: { text: { type: string }, facts: { type: object } } }
routing: { strategy: dynamic, catalog: true }
`,
  });

/** Looks an order up in a source of its own, which knows the cause. */
const look = (id: string, keywords: string, more: { kind?: string; advice?: string } = {}): Pack =>
  loadPack({
    'skill.yaml': `
id: ${id}
version: 1.0.0
title: Look at ${id}
description: Finds out about ${id}.
status: active
type: decision_tree
triggers: { keywords: [${keywords}] }
input_schema:
  type: object
  required: [order]
  properties:
    order:
      type: object
      required: [id]
      properties: { id: { type: string, pattern: "^[A-Z]-[0-9]+$" }, channel: { type: string } }
data_sources: { ${id}: ${more.kind ?? `{ kind: sqlite, database: ${id} }`} }
decision_tree: { path: decision_tree.yaml, entry_point: look }
`,
    'decision_tree.yaml': `
entry_point: look
steps:
  look:
    name: Look
    action: { type: query, source: ${id}, query_template: "SELECT cause FROM orders WHERE id = {order.id}" }
    decisions:
      found:
        condition: result.count == 1
        confidence: 0.9
        conclusion:
          root_cause: ${id}_found
          explanation: "{result.cause}"
          ${more.advice ?? ''}
        next_step: null
`,
  });

const PACKS = () => [
  handle(),
  look('late', 'is late'),
  look('broken', 'arrived broken'),
  look('billed', 'charged twice'),
];
const CAUSE: Rows = [{ cause: 'so it is' }];
const STAFF: SkillCall['caller'] = { kind: 'operator', operatorId: 'mia' };

async function ask(
  text: string,
  {
    packs = PACKS(),
    answers = [],
    sources = answering({ late: CAUSE, broken: CAUSE, billed: CAUSE, other: CAUSE }),
    input = {},
    ...call
  }: {
    packs?: Pack[];
    answers?: readonly ScriptedAnswer[];
    sources?: ReturnType<typeof answering>;
    input?: JsonObject;
    caller?: SkillCall['caller'];
    reach?: 'everybody';
  } = {},
): Promise<SkillRun> {
  const model = createScriptedSkillModel(answers);
  const { skills } = openEngine({ packs, sources, ...(answers.length > 0 ? { model } : {}) });
  const run = await skills.run({ skillId: 'handle', input: { text, ...input }, caller: STAFF, ...call });
  if (answers.length > 0) model.finish();
  return run;
}

function resultOf(run: SkillRun): CompositeResult {
  if (run.result?.kind !== 'composite')
    throw new Error(`a composite was expected: ${JSON.stringify(run.error)}`);
  return run.result.value;
}

describe('one request and all skills', () => {
  it('[SKD-80] runs at the same time what different places of a request name, and puts together what they find', async () => {
    let waiting = 0;
    let all: () => void = () => undefined;
    const three = new Promise<void>((resolve) => {
      all = resolve;
    });
    // Each is answered when all three have asked: one after another they would never be.
    const together = async (): Promise<Rows> => {
      waiting += 1;
      if (waiting === 3) all();
      await three;
      return CAUSE;
    };
    const sources = answering({ late: together, broken: together, billed: together });
    const text = 'Order A-12 is late, another one arrived broken, and I was charged twice!';
    const result = resultOf(await ask(text, { sources }));
    expect(statuses(result)).toEqual({ late: 'done', broken: 'done', billed: 'done' });
    expect(result.output).toMatchObject({
      late: { root_cause: 'late_found' },
      broken: { root_cause: 'broken_found' },
      billed: { root_cause: 'billed_found' },
    });
    expect(result.conflicts).toEqual([]);
    const [level0] = result.trace;
    expect(level0).toMatchObject({
      level: 0,
      by: 'rule',
      plan: { mode: 'parallel', parts: ['late', 'broken', 'billed'] },
    });
  });

  it('[SKD-80] fills what a skill asks for from the words and from what is known', async () => {
    const packs = [handle(), look('late', 'is late')];
    const asked: string[] = [];
    const { skills } = openEngine({ packs, sources: answering({ late: CAUSE }) });
    const inputOf = async (text: string, facts: JsonObject): Promise<unknown> => {
      const run = await skills.run({ skillId: 'handle', input: { text, facts }, caller: STAFF });
      asked.push(run.status);
      if (run.status === 'waiting') return run.handoff?.fields;
      return resultOf(run).trace.find(({ level }) => level === 3)?.input;
    };
    expect(await inputOf('Why is it that A-12 is late?', { order: { channel: 'WEB' } })).toEqual({
      order: { id: 'A-12', channel: 'WEB' },
    });
    expect(await inputOf('It is late', { order: { id: 'B-7' } })).toEqual({ order: { id: 'B-7' } });
    // Two references are none: a person says which.
    expect(await inputOf('Either A-12 or A-13 is late', {})).toEqual(['order']);
  });

  it('[SKD-81] names where findings contradict each other, and leaves the answer to a person', async () => {
    const advice = (action: string) =>
      `recommended_action: { action: ${action}, arguments: { order_id: "{order.id}" } }`;
    const packs = [
      handle(),
      look('late', 'is late', { advice: advice('send_again') }),
      look('other', 'is late', { advice: advice('refund') }),
    ];
    const result = resultOf(await ask('A-12 is late', { packs }));
    expect(result.conflicts.map(({ about }) => about)).toEqual(['root_cause', 'recommended_action']);
    expect(result.conflicts[0]?.said).toEqual([
      { step: 'late', value: 'late_found' },
      { step: 'other', value: 'other_found' },
    ]);
    expect(result.summary).toContain(
      'They disagree on root_cause: late says late_found, other says other_found.',
    );
    expect(result.user_message).toBe('What was found does not agree. A person needs to look at it.');
  });

  it('[SKD-82] asks the model where no trigger matches, keeps its order, and runs nothing it is not sure of', async () => {
    const said = (skills: string[], confidence: number) => ({
      skills,
      mode: 'sequential',
      reason: 'As asked.',
      confidence,
    });
    const sources = answering({ late: CAUSE, billed: CAUSE });
    const result = resultOf(
      await ask('A-12 seems odd', { answers: [said(['billed', 'late', 'made_up'], 0.9), WORDS], sources }),
    );
    expect(sources.asked).toEqual(['billed', 'late']);
    expect(result.trace[0]).toMatchObject({ by: 'model', confidence: 0.9, cost_usd: 0.001 });
    const unsure = await ask('A-12 seems odd', { answers: [said(['billed'], 0.4)] });
    expect(unsure).toMatchObject({ status: 'failed', error: { code: 'skill_unknown' } });
    expect(unsure.error?.message).toContain('billed (Look at billed)');
    expect((await ask('A-12 seems odd')).error?.code).toBe('skill_unknown');
  });

  it('[SKD-80] has nothing run for a customer that reaches farther than the customer may', async () => {
    const kind = "{ kind: postgres, url: 'env:WAREHOUSE_URL' }";
    const packs = [handle(), look('late', 'is late'), look('other', 'is late', { kind })];
    const caller = { kind: 'customer', customerId: 'c1' } as const;
    expect(statuses(resultOf(await ask('A-12 is late', { packs, caller })))).toEqual({ late: 'done' });
    expect(statuses(resultOf(await ask('A-12 is late', { packs, caller, reach: 'everybody' })))).toEqual({
      late: 'done',
      other: 'done',
    });
  });
});

const WORDS = { summary: 'Looked.', user_message: 'We looked.' };
