import { describe, expect, it } from 'vitest';
import { executeTemplate } from '../../../../src/skills/templates/review.js';
import { INPUT, PROMPT } from './greeting-prompt.js';
import {
  generated,
  offlineModel,
  scriptedModel,
  templateContext,
  templatePack,
  UNAVAILABLE,
} from './support.js';

describe('[SKG-05] a generation without a model', () => {
  const fallback = {
    reply: 'Hello {{name}}, we look into it.',
    points: '{{points}}',
    'meta.words': '{{words}}',
    'meta.language': '{{language}}',
    'meta.rule': true,
  };
  const withFallback = { ...PROMPT, fallback, computed: { words: "size(name.split(' '))" } };

  it('fills the fallback offline, says so, and asks nobody', async () => {
    const result = await generated({ prompt: withFallback }, offlineModel(), { name: 'Ana', points: ['a'] });
    expect(result).toMatchObject({
      success: true,
      provider: 'offline',
      attempts: 1,
      data: {
        reply: 'Hello Ana, we look into it.',
        points: ['a'],
        meta: { words: 1, language: 'en', rule: true },
      },
    });
    expect(result.rawResponse).toBeUndefined();
  });

  it('leaves out a field whose variable is not there', async () => {
    const { data } = await generated({ prompt: withFallback }, offlineModel(), INPUT);
    expect(data).not.toHaveProperty('points');
  });

  it('fills the fallback where the provider is down, and tells the log why', async () => {
    const { context, log, spent } = templateContext(scriptedModel(UNAVAILABLE));
    const outcome = await executeTemplate(templatePack({ prompt: withFallback }), INPUT, context);
    expect(outcome).toMatchObject({
      result: { kind: 'generation', value: { success: true, provider: 'offline', attempts: 1 } },
    });
    expect(spent.calls).toBe(0);
    expect(log.entries).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        action: 'skill_model_unavailable',
        details: expect.objectContaining({ why: UNAVAILABLE.message }),
      }),
    );
  });

  it('fills the fallback where the provider goes down before the second try', async () => {
    const result = await generated({ prompt: withFallback }, scriptedModel('{}', UNAVAILABLE), INPUT);
    expect(result).toMatchObject({ success: true, provider: 'offline', attempts: 2 });
  });

  it('fails with model_unavailable where the prompt has no fallback', async () => {
    expect(await generated({ prompt: PROMPT }, offlineModel(), INPUT)).toMatchObject({
      success: false,
      provider: 'offline',
      error: { code: 'model_unavailable', message: expect.stringContaining('offline') },
    });
    const down = await generated({ prompt: PROMPT }, scriptedModel(UNAVAILABLE), INPUT);
    expect(down).toMatchObject({ success: false, error: { code: 'model_unavailable' } });
    expect(down.error?.message).toContain('it is down');
  });

  it('fails where the fallback does not fit output_schema either', async () => {
    const prompt = { ...PROMPT, fallback: { reply: 4 } };
    expect(await generated({ prompt }, offlineModel(), INPUT)).toMatchObject({
      success: false,
      validationErrors: ['/reply must be string'],
      error: { code: 'model_unavailable' },
    });
  });

  it('still checks the input', async () => {
    expect(await generated({ prompt: withFallback }, offlineModel(), {})).toMatchObject({
      success: false,
      error: { code: 'input_invalid' },
    });
  });

  it('cannot be talked into changing what objects are', async () => {
    const prompt = {
      ...PROMPT,
      fallback: { reply: 'x', '__proto__.polluted': '{{name}}', 'meta.constructor': 1 },
    };
    const { data } = await generated({ prompt }, offlineModel(), INPUT);
    expect(data).toMatchObject({ reply: 'x' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
