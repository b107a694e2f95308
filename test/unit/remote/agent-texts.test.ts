import { describe, expect, it } from 'vitest';
import { gapBefore } from '../../../agents/remote/agent.js';
import type { Session } from '../../../src/core/domain/session.js';
import { onlyText } from '../../../src/graph/addressed-agent.js';
import { reviewText } from '../../../src/graph/review-rules.js';
import { sentencesOf } from '../../../src/runtime/roster.js';
import { AGENTS, ROSTER } from '../../support/roster.js';
import { TEXTS } from '../../support/texts.js';

const SAID = TEXTS.with(sentencesOf(ROSTER.all.values(), AGENTS));

describe.each(SAID.languages)('sentences about who answers, in %s', (language) => {
  const texts = SAID.for(language);
  const session = { identity: { kind: 'anonymous' }, language } as Session;
  const names = AGENTS.map(({ name }) => name);
  const all = [
    texts.say('remote_says', { agent: 'partner', gap: ' ', text: 'Garage A.' }),
    texts.say('remote_asks', { agent: 'partner', gap: ' ', text: 'For how long?' }),
    texts.say('remote_no_answer', { agent: 'partner' }),
    texts.say('remote_maybe_done', { agent: 'partner' }),
    ...names.flatMap((agent) => [null, ...names].map((other) => onlyText(texts, agent, other))),
  ];

  it('[ORC-09 ORC-17] pass the review, and differ from those in the other language', () => {
    for (const text of all) expect(reviewText(text, [], session, ROSTER), text).toBeNull();
    const [other] = TEXTS.languages.filter((one) => one !== language);
    expect(other && TEXTS.for(other).say('remote_no_answer', { agent: 'partner' })).not.toBe(all[2]);
  });

  it('[ORC-17] say of every agent of the roster what it is for', () => {
    const unknown = onlyText(texts, 'nobody', null);
    for (const agent of names) {
      const said = onlyText(texts, agent, null);
      expect(said.split('. ')[0]).not.toBe(unknown.split('. ')[0]);
    }
  });

  it('[HOU-01] say of an agent what it says of itself', () => {
    const purpose = { en: 'Here I count your points.', 'pt-BR': 'Aqui eu conto os seus pontos.' };
    const own = TEXTS.with(sentencesOf([], [{ name: 'loyalty', purpose }])).for(language);
    expect(onlyText(own, 'loyalty', null)).toContain(purpose[language as keyof typeof purpose]);
    expect(() => TEXTS.with(sentencesOf([], [{ name: 'loyalty', purpose: { en: 'Points.' } }]))).toThrow(
      /purpose\.loyalty is missing/,
    );
  });

  it('put long words on lines of their own', () => {
    expect(gapBefore('a\nb')).toBe('\n\n');
    expect(gapBefore('a')).toBe(' ');
  });
});
