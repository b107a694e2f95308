import { describe, expect, test } from 'vitest';
import { shippedModels } from '../../../src/rag/calibration-store.js';
import { fuseByRank } from '../../../src/rag/candidates.js';
import {
  confidence,
  type HitFeatures,
  rawConfidence,
  shareOut,
  sigmoid,
  UNCALIBRATED,
} from '../../../src/rag/confidence.js';
import { measure, type Outcome } from '../../../src/rag/labelled.js';
import { fitLogistic } from '../../../src/rag/logistic.js';

const NOTHING: HitFeatures = {
  raw: 0,
  margin: 0,
  overlap: 0,
  exactOverlap: 0,
  headingOverlap: 0,
  headingShare: 0,
  keyword: 0,
  length: 0,
  part: 0,
  partMargin: 0,
  partOverlap: 0,
  unknown: 0,
  example: 0,
  exampleMargin: 0,
  foreign: 0,
};

describe('raw confidence', () => {
  test.each([
    [0, 1],
    [1, 0.5],
    [2, 1 / 3],
  ])('[KB-09] of distance %d is %d', (distance, expected) => {
    expect(rawConfidence(distance)).toBeCloseTo(expected, 10);
  });
  test('is 0 without a distance', () => {
    expect(rawConfidence(null)).toBe(0);
  });
});

describe('confidence', () => {
  test('of a model nobody calibrated crosses 0.7 between raw 0.42 and 0.435', () => {
    const at = (raw: number) => confidence(UNCALIBRATED, 'hybrid', { ...NOTHING, raw });
    expect(at(0.4199)).toBeLessThan(0.7);
    expect(at(0.4351)).toBeGreaterThan(0.7);
    expect(at(0.36)).toBeLessThan(0.1);
    expect(at(0.5)).toBeGreaterThan(0.95);
  });

  test('by keywords needs most of the words', () => {
    const at = (overlap: number) =>
      confidence(UNCALIBRATED, 'keyword', { ...NOTHING, overlap, headingOverlap: overlap });
    expect(at(1)).toBeGreaterThan(0.7);
    expect(at(0.3)).toBeLessThan(0.3);
  });

  test('the shipped calibration rises with every sign of a match', () => {
    const models = shippedModels('local-v1-any') ?? UNCALIBRATED;
    expect(models).not.toBe(UNCALIBRATED);
    expect(shippedModels('openai-text-embedding-3-small')).toBeNull();
    expect(shippedModels('../../etc')).toBeNull();
    const weak = { ...NOTHING, raw: 0.42, overlap: 0.2, headingOverlap: 0.1, keyword: 0.3, length: 1.4 };
    const strong = {
      ...weak,
      raw: 0.55,
      margin: 0.05,
      overlap: 1,
      exactOverlap: 1,
      headingOverlap: 1,
      headingShare: 0.5,
      keyword: 1,
    };
    for (const mode of ['hybrid', 'keyword'] as const) {
      expect(confidence(models, mode, weak)).toBeLessThan(0.3);
      expect(confidence(models, mode, strong)).toBeGreaterThan(0.7);
    }
  });
});

describe('the confidences of one search', () => {
  test('fall with the place and sum up to at most 1', () => {
    expect(shareOut([0.8, 0.5, 0.5])).toEqual([0.8, 0.5 * (1 - 0.8), expect.closeTo(0.5 * (1 - 0.9), 10)]);
    expect(shareOut([0.1, 0.9])).toEqual([0.1, 0.1]);
    expect(shareOut([1, 1, 1])).toEqual([1, 0, 0]);
    expect(shareOut([])).toEqual([]);
  });
});

describe('fusion by rank', () => {
  test('[KB-05] rewards agreement over one first place', () => {
    const fused = fuseByRank([
      { ids: ['a', 'b', 'c'], weight: 1 },
      { ids: ['d', 'b', 'e'], weight: 1 },
    ]);
    expect([...fused].sort((x, y) => y[1] - x[1])[0]?.[0]).toBe('b');
    expect(fused.get('a')).toBeCloseTo(1 / 61, 10);
    expect(fuseByRank([]).size).toBe(0);
  });
});

describe('logistic regression', () => {
  const chance = ({ bias, weights }: ReturnType<typeof fitLogistic>, x: readonly number[]) =>
    sigmoid(weights.reduce((sum, weight, i) => sum + weight * (x[i] ?? 0), bias));
  const examples = Array.from({ length: 400 }, (_, i) => {
    const x = (i % 40) / 40;
    // P(right) = x: in each block of ten rounds, a share of x is right.
    return { x: [x, 5], y: (Math.floor(i / 40) / 10 < x ? 1 : 0) as 0 | 1 };
  });

  test('gives back the shares it was shown', () => {
    const fit = fitLogistic(examples, 0.1);
    for (const x of [0.2, 0.5, 0.8]) expect(chance(fit, [x, 5])).toBeCloseTo(x, 0.8);
    const mean = examples.reduce((sum, { x }) => sum + chance(fit, x), 0) / examples.length;
    expect(mean).toBeCloseTo(examples.filter(({ y }) => y === 1).length / examples.length, 3);
  });

  test('is the same twice, bears a constant feature, and separable or empty data', () => {
    expect(fitLogistic(examples, 1)).toEqual(fitLogistic(examples, 1));
    const separable = fitLogistic(
      [
        { x: [0], y: 0 },
        { x: [1], y: 1 },
      ],
      1,
    );
    expect(Number.isFinite(separable.bias)).toBe(true);
    expect(chance(separable, [1])).toBeGreaterThan(chance(separable, [0]));
    expect(fitLogistic([], 1)).toEqual({ bias: 0, weights: [] });
  });

  test('a stronger penalty keeps the weights smaller', () => {
    const weight = (penalty: number) => Math.abs(fitLogistic(examples, penalty).weights[0] ?? 0);
    expect(weight(100)).toBeLessThan(weight(1));
  });
});

describe('measures', () => {
  const right = (confidenceOf: number): Outcome => ({
    rank: 1,
    answerable: true,
    confidence: confidenceOf,
    isSaid: true,
  });
  const second: Outcome = { rank: 2, answerable: true, confidence: 0.8, isSaid: false };
  const missed: Outcome = { rank: null, answerable: true, confidence: 0.1, isSaid: null };
  const foreign = (confidenceOf: number): Outcome => ({
    rank: null,
    answerable: false,
    confidence: confidenceOf,
    isSaid: null,
  });

  test('count what they say', () => {
    const metrics = measure([right(0.9), right(0.5), second, missed, foreign(0.2), foreign(0.75)]);
    expect(metrics).toMatchObject({ questions: 6, answerable: 4, hitAt1: 0.5, hitAt3: 0.75, mrr: 0.625 });
    // At 0.7: accepted are one right, the second place and one foreign.
    expect(metrics.precisionAtThreshold).toBeCloseTo(1 / 3);
    expect(metrics.recallAtThreshold).toBeCloseTo(1 / 4);
    expect(metrics.rejectedAtThreshold).toBeCloseTo(1 / 2);
    // Three say what the answer is, of which one is accepted with it; two more are accepted without.
    expect(metrics.saidAtThreshold).toBeCloseTo(1 / 3);
    expect(metrics.missedAtThreshold).toBeCloseTo(2 / 3);
    // Pairs won: 0.9 both, 0.5 one, 0.8 both, 0.1 none.
    expect(metrics.auc).toBeCloseTo(5 / 8);
  });

  test('are numbers for nothing as well', () => {
    for (const value of Object.values(measure([]))) expect(Number.isFinite(value)).toBe(true);
    expect(measure([right(0.9)]).auc).toBe(0.5);
  });
});
