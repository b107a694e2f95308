import { describe, expect, it } from 'vitest';
import type { InvestigationResult, SkillRun } from '../../../../src/core/domain/skill.js';
import { loadPackFromFiles } from '../../../../src/skills/pack/load-pack.js';
import type { PackFiles } from '../../../../src/skills/pack/pack.js';
import { createScriptedSkillModel, type ScriptedAnswer } from '../../../support/scripted-skill-model.js';
import { answering, loadPack, openEngine, type Rows } from '../../../support/skill-engine.js';

const PROMPT = '{{title}} {{knowledge}} {{#choices}}[{{id}}: {{description}}]{{/choices}}';

/** Looks at a parcel: one step that may fit nothing, one that is doubtful, and one that no decision leads to. */
const FILES: PackFiles = {
  'skill.yaml': `
id: parcel
version: 1.0.0
title: A parcel
description: Finds a parcel.
status: active
type: decision_tree
input_schema: { type: object, properties: { id: { type: string } } }
data_sources:
  depot: { kind: sqlite, database: depot }
  scan: { kind: sqlite, database: scan }
human_handoff:
  triggers:
    low_confidence: { threshold: 0.8 }
    critical_decision: { actions: [refund] }
`,
  'decision_tree.yaml': `
entry_point: look
steps:
  look:
    name: Look at the depot
    action: { type: query, source: depot, query_template: "SELECT state FROM parcels WHERE id = {id}" }
    decisions:
      lost:
        condition: result.state == 'lost'
        confidence: 0.9
        conclusion: { root_cause: parcel_lost, recommended_action: refund }
      late:
        condition: result.state == 'late'
        confidence: 0.6
        conclusion: { root_cause: parcel_late, recommended_action: write_to_carrier }
    options: [{ id: D, label: Scan it, next_step: scan }, { id: E, label: Ask the driver, next_step: end }]
  scan:
    name: Look at the scanner
    action: { type: query, source: scan, query_template: "SELECT state FROM scans WHERE id = {id}" }
    decisions:
      broken: { condition: "result.state == 'broken'", confidence: 0.95, conclusion: { root_cause: scanner_broken } }
  end:
    name: Ask the driver
    action: { type: ask, question: Where is it? }
    options: [{ id: D, label: At the depot, next_step: scan }, { id: E, label: On the road, next_step: look }]
`,
  'knowledge_base.md': 'Gone means lost.',
};
const rows = (state: string): Rows => [{ state }];
const said = (choice: string | null, confidence: number) => ({
  choice,
  confidence,
  reason: 'So it\n reads.',
});

async function look(
  state: string,
  prompt: string | null,
  answers: readonly ScriptedAnswer[],
): Promise<{ run: SkillRun; asked: readonly string[] }> {
  const files = prompt === null ? FILES : { ...FILES, [`prompts/${prompt}.txt`]: PROMPT };
  const model = createScriptedSkillModel(answers);
  const sources = answering({ depot: rows(state), scan: rows('broken') });
  const { skills } = openEngine({ packs: [loadPack(files)], sources, model });
  const run = await skills.run({
    skillId: 'parcel',
    input: { id: 'p1' },
    caller: { kind: 'operator', operatorId: 'mia' },
  });
  model.finish();
  return { run, asked: model.calls.map((call) => call.prompt) };
}

function found({ run }: { run: SkillRun }): InvestigationResult {
  if (run.result?.kind !== 'investigation') throw new Error(`it found nothing: ${run.handoff?.question}`);
  return run.result.value;
}

describe('a model in a decision tree', () => {
  it('[SKD-72 SKD-73] chooses a decision where no condition holds, and the critical question is put all the same', async () => {
    const lost = await look('gone', 'classify', [said('lost', 0.85)]);
    expect(lost.asked[0]).toContain('Gone means lost. [lost: parcel_lost');
    expect(lost.run.handoff).toMatchObject({
      trigger: 'critical_decision',
      proposal: {
        root_cause: 'parcel_lost',
        confidence: 0.85,
        recommended_action: { action: 'refund', human_approval_required: true },
      },
      found: [
        {
          step: 'look',
          decision: 'lost',
          by: 'model',
          finding: 'parcel_lost (chosen by the model with confidence 0.85: So it reads.)',
        },
      ],
    });
  });

  it.each([
    ['not sure', said('lost', 0.6)],
    ['no choice', said(null, 0.9)],
    ['a failure', new Error('down')],
  ])('[SKD-72] leaves it to a person with %s', async (_name, answer) => {
    const { run } = await look('gone', 'classify', [answer]);
    expect(run.handoff).toMatchObject({ trigger: 'stuck', at: 'look' });
    expect(run.handoff?.found.every(({ by }) => by === undefined)).toBe(true);
  });

  it('[SKD-72 SKD-73] weighs a doubtful cause, and has what it advises approved', async () => {
    const late = found(await look('late', 'analyze_results', [said('parcel_late', 0.9)]));
    expect(late).toMatchObject({
      root_cause: 'parcel_late',
      confidence_score: 0.9,
      recommended_action: { action: 'write_to_carrier', human_approval_required: true },
      steps_completed: 1,
      evidence: [
        { step: 'look', confidence: 0.6 },
        { step: 'look', by: 'model', confidence: 0.9 },
      ],
    });
    // Less sure than the pack demands is not sure enough.
    const doubt = await look('late', 'analyze_results', [said('parcel_late', 0.75)]);
    expect(doubt.run.handoff?.trigger).toBe('low_confidence');
  });

  it('[SKD-72] proposes the next step where the path ends, one of those that the tree has', async () => {
    const scanned = await look('gone', 'generate_hypothesis', [said('scan', 0.8)]);
    expect(scanned.asked[0]).toContain('[scan: Look at the scanner: ][end: Ask the driver: ]');
    expect(found(scanned)).toMatchObject({
      root_cause: 'scanner_broken',
      path: ['look', 'scan'],
      evidence: [{ step: 'look' }, { name: 'Hypothesis', by: 'model' }, { step: 'scan' }],
    });
    const invented = await look('gone', 'generate_hypothesis', [said('moon', 0.9), said('moon', 0.9)]);
    expect(invented.run.handoff?.trigger).toBe('stuck');
  });

  it('[SKD-72] is asked nothing where the pack has no prompt for it', async () => {
    expect((await look('gone', null, [])).run.handoff?.trigger).toBe('stuck');
  });
});

describe('[SKD-74] a file that nothing reads', () => {
  const faultsOf = (more: PackFiles) =>
    loadPackFromFiles({ ...FILES, ...more }).faults.map(
      ({ file, code, message }) => `${file} ${code} ${message}`,
    );

  it('is a fault with the name that was meant', () => {
    expect(faultsOf({ 'prompts/clasify.txt': PROMPT })).toEqual([
      expect.stringMatching(/prompts\/clasify\.txt unread_file .*generate_hypothesis.*"classify"/),
    ]);
    expect(faultsOf({ 'knowlege_base.md': 'x' })).toEqual([
      expect.stringMatching(/knowlege_base\.md unread_file .*"knowledge_base\.md"/),
    ]);
    expect(faultsOf({ 'test_cases/old/lost.yaml': 'name: x' })).toEqual([
      expect.stringMatching(/unread_file/),
    ]);
    expect(faultsOf({ 'prompts/classify.small.txt': PROMPT, 'README.md': 'For people.' })).toEqual([]);
  });
});
