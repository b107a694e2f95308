import { describe, expect, it } from 'vitest';
import { BINARY, CRITERIA, INPUT } from './reply-rubric.js';
import { offlineModel, reviewed, scriptedModel, UNAVAILABLE } from './support.js';

describe('[SKG-05] a review without a model', () => {
  const withRules = {
    ...BINARY,
    criteria: [
      { ...CRITERIA[0], rule: "reply.contains('booking')" },
      { ...CRITERIA[1], rule: 'size(reply) < 10', fix: 'Shorten it.' },
      CRITERIA[2],
    ],
  };
  const config = { include_criteria_details: true };

  it.each([
    ['offline', offlineModel],
    ['where the provider is down', () => scriptedModel(UNAVAILABLE)],
    ['where the provider goes down before the second try', () => scriptedModel('{}', UNAVAILABLE)],
  ])('judges by rules %s, and says so', async (_, model) => {
    const result = await reviewed({ rubric: withRules, config }, model(), INPUT);
    expect(result).toMatchObject({
      pass: false,
      provider: 'offline',
      score: 0.5,
      indeterminate: ['language'],
      suggested_fixes: ['Shorten it.'],
      issues: [expect.stringMatching(/^The tone: tone is wrong/)],
    });
    expect(
      result.criteria_results?.map(({ verdict, reasoning }) => [verdict, /rule/.test(reasoning)]),
    ).toEqual([
      ['pass', true],
      ['fail', true],
      ['indeterminate', false],
    ]);
    expect(result.criteria_results?.[2]?.reasoning).toContain('needs a model');
  });

  it('does not fail a criterion whose rule cannot be applied to this input', async () => {
    const criteria = [
      { ...CRITERIA[0], rule: 'reply > 3' },
      { ...CRITERIA[1], rule: 'input.language == "en"' },
    ];
    const result = await reviewed({ rubric: { ...BINARY, criteria }, config }, offlineModel(), INPUT);
    expect(result).toMatchObject({ pass: true, issues: [], indeterminate: ['grounded'] });
    expect(result.criteria_results?.[0]?.reasoning).toContain('Its rule cannot be applied');
  });

  it('does not pass where no criterion has a rule', async () => {
    expect(await reviewed({ rubric: BINARY }, offlineModel(), INPUT)).toMatchObject({
      pass: false,
      provider: 'offline',
      score: null,
      indeterminate: ['grounded', 'tone', 'language'],
    });
  });
});
