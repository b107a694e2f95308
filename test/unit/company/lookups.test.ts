import { describe, expect, it } from 'vitest';
import { lookupAnswers } from '../../../src/company/declared/lookups.js';
import { lookupSchema } from '../../../src/company/declared/schemas.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import type { AnyTool } from '../../../src/runtime/define-tool.js';
import { call, say } from '../../../src/runtime/offline-step.js';
import { EXPRESSIONS } from '../../../src/skills/expressions/placeholders.js';

const spec = lookupSchema.parse({
  name: 'price_of',
  label: { en: 'What a treatment costs' },
  description: 'What a treatment costs.',
  access: 'anyone',
  input: { pest: { type: 'choice', of: ['ants', 'mice'] } },
  read: { one: { query: 'SELECT * FROM prices WHERE pest = {input.pest}', one: true, public: true } },
  says: { ask_pest: { en: 'Which pest is it?' }, answer: { en: 'It costs that.' } },
});
const { knowledge } = lookupAnswers(
  [{ spec, tool: { name: spec.name } as AnyTool }],
  EXPRESSIONS,
  (intent) => intent,
  [],
);

/** What is answered where the words name no pest, or one. */
function stepFor(asked: Partial<Asked>, named = false) {
  const step = named ? call(spec.name, { pest: 'ants' }) : say('Which pest is it?');
  return knowledge?.({
    context: { focus: null, trace: [] },
    intent: spec.name,
    may: () => true,
    call: () => step,
    replies: false,
    ...asked,
  } as unknown as Asked);
}

describe('a look-up that needs something, without a model', () => {
  it('[BYO-125] asks for it where it is surely wanted, or no article answers', () => {
    expect(stepFor({ answered: true, confidence: 0.9 })).toMatchObject({ kind: 'say' });
    expect(stepFor({ answered: false, confidence: 0.5 })).toMatchObject({ kind: 'say' });
    expect(stepFor({ answered: true, confidence: 0.5, replies: true })).toMatchObject({ kind: 'say' });
  });

  it('[BYO-125] leaves what it only guesses at to the article that answers, unless all of it is said', () => {
    expect(stepFor({ answered: true, confidence: 0.5 })).toBeNull();
    expect(stepFor({ answered: true, confidence: 0.5 }, true)).toMatchObject({ kind: 'call' });
  });
});
