import { describe, expect, it } from 'vitest';
import { clarification } from '../../../src/graph/clarify.js';

type Args = Parameters<typeof clarification>;

/** A question that no article surely answers, with what the search for it found. */
function askedBack(chances: readonly number[]) {
  const articles = chances.map((confidence, i) => ({
    article_id: `kb-${i}`,
    title: `Title ${i}`,
    confidence,
    raw_confidence: confidence,
    snippet: '',
    passage: '',
    content: '',
  }));
  const session = { language: 'en', lastReply: null, customerName: null, memory: null };
  const state = {
    session,
    messages: [],
    focus: null,
    drafts: [],
    tasks: [],
    classification: {
      confidence: 0.9,
      sentiment: 'neutral',
      humanReason: null,
      requests: [{ text: 'q', route: 'knowledge' }],
    },
    trace: [
      {
        agent: 'knowledge',
        tool: 'search_knowledge',
        ok: true,
        args: {},
        result: { mode: 'hybrid', threshold: 0.4, meant: 'q', articles },
      },
    ],
  };
  const say = (key: string, filled: object = {}) => `${key} ${Object.values(filled).join()}`;
  const deps = {
    models: { provider: 'offline' },
    language: { hintsAtDanger: () => false },
    tools: { texts: { for: () => ({ say }) } },
  };
  return clarification(
    deps as unknown as Args[0],
    state as unknown as Args[1],
    session as unknown as Args[2],
  );
}

describe('what is asked back about', () => {
  it('[DLG-394] leaves out readings that have less than a quarter of the chance of the likeliest', () => {
    expect(askedBack([0.36, 0.3, 0.07])?.focus.choices.map(({ id }) => id)).toEqual(['kb-0', 'kb-1']);
  });

  it('[DLG-394] names one reading alone where no other has a real chance', () => {
    const asked = askedBack([0.36, 0.07]);
    expect(asked?.text).toBe('clarify_reading Title 0');
    expect(asked?.focus.choices).toHaveLength(1);
  });
});
