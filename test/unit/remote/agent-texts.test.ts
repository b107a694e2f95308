import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../../agents/index.js';
import type { Session } from '../../../src/core/domain/session.js';
import { LANGUAGES } from '../../../src/core/domain/taxonomy.js';
import { agentTextsFor } from '../../../src/core/i18n/agent-texts.js';
import { reviewText } from '../../../src/graph/review-rules.js';

describe.each(LANGUAGES)('sentences about who answers, in %s', (language) => {
  const texts = agentTextsFor(language);
  const session = { identity: { kind: 'anonymous' }, language } as Session;
  const names = AGENTS.map(({ name }) => name);
  const all = [
    texts.says({ agent: 'partner', text: 'Garage A.' }),
    texts.asks({ agent: 'partner', text: 'For how long?' }),
    texts.noAnswer({ agent: 'partner' }),
    texts.maybeDone({ agent: 'partner' }),
    ...names.flatMap((agent) => [null, ...names].map((other) => texts.only({ agent, other }))),
  ];

  it('[ORC-09 ORC-17] pass the review, and differ from those in the other language', () => {
    for (const text of all) expect(reviewText(text, [], session), text).toBeNull();
    const [other] = LANGUAGES.filter((one) => one !== language);
    expect(other && agentTextsFor(other).noAnswer({ agent: 'partner' })).not.toBe(all[2]);
  });

  it('[ORC-17] say of every agent of the roster what it is for', () => {
    const unknown = texts.only({ agent: 'nobody', other: null });
    for (const agent of names) {
      const said = texts.only({ agent, other: null });
      expect(said.split('. ')[0]).not.toBe(unknown.split('. ')[0]);
    }
  });

  it('put long words on lines of their own', () => {
    expect(texts.says({ agent: 'p', text: 'a\nb' })).toMatch(/:\n\na\nb$/);
  });
});
