import { describe, expect, it } from 'vitest';
import type { SkillStats } from '../../../src/core/ports/skills.js';
import { readDuration, readShare, withGoals } from '../../../src/skills/goals.js';
import { loadPack } from '../../support/skill-engine.js';
import { changed, FUNCTION, faultsOf, TREE } from './pack/rules/pack-files.js';

const METRICS = 'metrics: { target_time: 2 seconds, baseline_time: 20 minutes, expected_accuracy: 85% }\n';
const RAN: SkillStats = {
  skillId: 'plain_leaf',
  skillVersion: '1.0.0',
  uses: 4,
  failed: 1,
  handoffs: 0,
  meanDurationMs: 1_000,
  meanSteps: 1,
  apiCalls: 0,
  llmCalls: 0,
  tokens: 0,
  costUsd: 0,
  cacheHitRate: null,
  accuracy: 0.9,
  falsePositives: 0,
  repeatUse: null,
  satisfaction: null,
  testsPassed: null,
  lastUsedAt: '',
};

describe('the goals of a skill', () => {
  it.each([
    ['20 minutes', 1_200_000],
    ['30 s', 30_000],
    ['1.5 hours', 5_400_000],
    ['250ms', 250],
    ['2 m', 120_000],
    ['1 day', 86_400_000],
    ['soon', null],
    ['20', null],
    ['20 parsecs', null],
  ])('[SKD-31] %j is read', (text, ms) => expect(readDuration(text)).toBe(ms));

  it.each([
    ['85%', 0.85],
    ['0.85', 0.85],
    ['100 %', 1],
    ['85', null],
    ['most', null],
    ['120%', null],
  ])('[SKD-31] %j is read', (text, share) => expect(readShare(text)).toBe(share));

  it('[SKD-31] a skill that is slower or less right than it should be is below its target', () => {
    const pack = loadPack(changed(FUNCTION, { 'skill.yaml': `${FUNCTION['skill.yaml'] ?? ''}${METRICS}` }));
    expect(withGoals(RAN, pack)).toMatchObject({ below: [], savedMs: 1_199_000, targetMs: 2_000 });
    expect(withGoals({ ...RAN, meanDurationMs: 2_001 }, pack).below).toEqual(['time']);
    expect(withGoals({ ...RAN, accuracy: 0.84 }, pack).below).toEqual(['accuracy']);
    expect(withGoals({ ...RAN, accuracy: null }, pack).below).toEqual([]);
    const idle = { ...RAN, uses: 1, failed: 1, meanDurationMs: 9_000 };
    expect(withGoals(idle, pack)).toMatchObject({ below: [], savedMs: null });
    expect(withGoals(RAN, undefined)).toMatchObject({ targetMs: null, below: [] });
  });

  it.each([
    ['metrics: { target_time: soon }', 'wrong_value'],
    ['metrics: { expected_accuracy: most }', 'wrong_value'],
    ['output_format: { type: investigation_result, fields: [root_case] }', 'unknown_output'],
    ['observability: { log_level: loud }', 'wrong_value'],
  ])('[SKD-32] %s is a fault', (line, code) => {
    const files = { ...TREE, 'skill.yaml': `${TREE['skill.yaml'] ?? ''}${line}\n` };
    expect(faultsOf(files).map((fault) => fault.code)).toEqual([code]);
  });
});
