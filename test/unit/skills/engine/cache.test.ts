import { describe, expect, it } from 'vitest';
import { createSkillCache } from '../../../../src/skills/run/detached-runs.js';
import { Meter } from '../../../../src/skills/run/run-context.js';

describe('[SKC-06] what is kept of earlier calls', () => {
  it('is given again until it is too old, and without a time not at all', async () => {
    let now = 1;
    const cache = createSkillCache(() => now);
    cache.set('kept', { rows: [1] }, 60_000);
    cache.set('short', null, 20);
    cache.set('never', 1, 0);
    expect(cache.get('kept')).toEqual({ rows: [1] });
    expect(cache.get('short')).toBeNull();
    expect(cache.get('never')).toBeUndefined();
    now += 21;
    expect(cache.get('short')).toBeUndefined();
  });

  it('does not grow without end: in number, and in size', () => {
    const cache = createSkillCache();
    for (let at = 0; at < 6_000; at += 1) cache.set(`k${at}`, at, 60_000);
    expect(cache.get('k0')).toBeUndefined();
    expect(cache.get('k5999')).toBe(5_999);
    const large = 'x'.repeat(4_000_000);
    for (let at = 0; at < 6; at += 1) cache.set(`large${at}`, large, 60_000);
    expect(cache.get('large0')).toBeUndefined();
    expect(cache.get('large5')).toBe(large);
    // What is larger than all that may be kept pushes nothing else out.
    cache.set('huge', 'x'.repeat(20_000_000), 60_000);
    expect(cache.get('huge')).toBeUndefined();
    expect(cache.get('large5')).toBe(large);
  });
});

describe('[SKX-04] what a run takes', () => {
  it('counts for the run above it as well, on top of what it took before it paused', () => {
    const run = new Meter();
    const before = { ...run.usage(), steps: 3, cost_usd: 0.5 };
    const part = new Meter(before, run);
    part.step();
    part.apiCall();
    part.modelCall({ promptTokens: 10, completionTokens: 4, costUsd: 0.25 });
    const taken = { steps: 1, api_calls: 1, llm_calls: 1, prompt_tokens: 10, completion_tokens: 4 };
    expect(run.usage()).toEqual({ ...taken, cost_usd: 0.25 });
    expect(part.usage()).toEqual({ ...taken, steps: 4, cost_usd: 0.75 });
  });
});
