import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/core/domain/session.js';
import { withoutCitations } from '../../../src/graph/review-rules.js';
import { type Evidence, ReviewedStream } from '../../../src/graph/reviewed-stream.js';
import { ROSTER } from '../../support/roster.js';

const session: Session = {
  turnId: 'trn_1',
  ticketId: 'tkt_1',
  threadId: 'thr_1',
  graphThreadId: 'thr_1',
  channel: 'chat',
  identity: { kind: 'anonymous' },
  customerName: null,
  language: 'en',
  unsupportedLanguage: null,
  memory: null,
  lastReply: null,
  previousMessage: null,
};
const article = { article_id: 'kb-a-en', title: 'A', confidence: 0.9 };
const evidence: Evidence = {
  session,
  roster: ROSTER,
  trace: [
    {
      callId: 'c1',
      agent: 'knowledge',
      task: 0,
      tool: 'search_knowledge',
      args: {},
      ok: true,
      result: { articles: [article] },
      paused: false,
    },
  ],
};

function stream() {
  const shown: string[] = [];
  const answer = new ReviewedStream((text) => void shown.push(text));
  const write = (id: string, text: string, size = 3): void => {
    for (let at = 0; at < text.length; at += size) answer.write(id, text.slice(at, at + size), evidence);
  };
  return { shown, answer, write };
}

describe('the reviewed stream', () => {
  it('shows whole sentences only, and the rest when the answer is settled', () => {
    const { shown, answer, write } = stream();
    write('m1', 'It is 5.50 a month. You can pause. No end');
    expect(shown).toEqual(['It is 5.50 a month.', ' You can pause.']);
    answer.settle('It is 5.50 a month. You can pause. No end', evidence);
    expect(shown.join('')).toBe('It is 5.50 a month. You can pause. No end');
  });

  it('never shows a citation mark, nor half of one', () => {
    const { shown, answer, write } = stream();
    const text = 'First [kb-a-en]. Second. [kb-a-en] Third [kb-a-en]';
    write('m1', text, 1);
    answer.settle(text, evidence);
    expect(shown.join('')).toBe(withoutCitations(text));
    expect(shown.join('')).not.toMatch(/[[\]]|kb-/);
  });

  it('shows lines of a list as they come', () => {
    const { shown, write } = stream();
    write('m1', 'These are yours:\n1. Samba\n2. Jazz\n3. Cho');
    expect(shown.join('')).toBe('These are yours:\n1. Samba\n2. Jazz');
  });

  it('shows nothing from the first sentence on that fails review, also not when it is settled', () => {
    const { shown, answer, write } = stream();
    const text = 'I looked. I have refunded your booking. Bye. ';
    write('m1', text);
    answer.settle(text.trim(), evidence);
    expect(shown).toEqual(['I looked.']);
    answer.settle('There is no refund.', evidence);
    answer.finish('There is no refund.');
    expect(shown).toEqual(['I looked.']);
  });

  it('shows a revised answer where nothing of the first one was shown', () => {
    const { shown, answer, write } = stream();
    write('m1', 'I have refunded your booking. Bye. ');
    write('m2', 'There is no refund. ');
    answer.settle('There is no refund.', evidence);
    expect(shown.join('')).toBe('There is no refund.');
  });

  it('puts answers one under the other, and the end of the reply behind them', () => {
    const { shown, answer, write } = stream();
    answer.say('I am sorry.');
    write('m1', 'One. ');
    answer.settle('One.', evidence);
    answer.settle('Two, written by rules.', evidence);
    answer.finish('I am sorry.\n\nOne.\n\nTwo, written by rules.\n\nShall I?');
    expect(shown.join('')).toBe('I am sorry.\n\nOne.\n\nTwo, written by rules.\n\nShall I?');
  });

  it('falls silent where what was shown turns out not to be the answer', () => {
    const { shown, answer, write } = stream();
    write('m1', 'Let me look. ');
    answer.withdraw('m1');
    write('m2', 'You have two. Enjoy. ');
    answer.settle('You have two. Enjoy.', evidence);
    answer.finish('You have two. Enjoy.');
    expect(shown).toEqual(['Let me look.']);
  });

  it('shows exactly the answer, in whatever pieces it comes', () => {
    const word = fc.constantFrom(
      'visit',
      'R$ 5.50',
      'e.g.',
      '[kb-a-en]',
      'why?',
      'so!',
      'end.',
      '\n',
      '\n\n',
      '1.',
      '…',
    );
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (words, size) => {
          const text = words.join(' ').trim();
          const { shown, answer, write } = stream();
          write('m1', text, size);
          answer.settle(text, evidence);
          answer.finish(withoutCitations(text));
          const said = shown.join('');
          // Tidying up may change what stands before a mark; then the stream stops early, but never shows another text.
          expect(withoutCitations(text).startsWith(said)).toBe(true);
        },
      ),
    );
  });
});
