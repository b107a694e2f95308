import { describe, expect, it } from 'vitest';
import type { ToolTrace } from '../../../src/core/domain/session.js';
import { asOneText } from '../../../src/graph/one-text.js';
import { citationsOf } from '../../../src/graph/respond.js';

const isSmalltalk = (sentence: string): boolean => /^(?:hi|hello|olá)(?!\p{L})/iu.test(sentence);

describe('the answers of several agents', () => {
  it('[MDL-07] leave a single answer as it is', () => {
    const only = 'Hi Ana!\n\nHi Ana! You have 2 visits left. You have 2 visits left this month.';
    expect(asOneText([only], isSmalltalk)).toEqual([only]);
  });

  it('[MDL-07] greet once and say nothing twice', () => {
    const answers = [
      'Hi Ana! A refund takes 5 to 10 business days. Your card shows it then.',
      'Hello Ana! You have 2 visits left.\n- Samba night, Friday\n- Opera, Sunday\nA refund takes 5 to 10 business days.',
      'Olá! You have 2 visits left.',
    ];
    expect(asOneText(answers, isSmalltalk)).toEqual([
      answers[0],
      'You have 2 visits left.\n- Samba night, Friday\n- Opera, Sunday',
    ]);
  });

  it('[MDL-07] keep short words, lists and amounts of every answer', () => {
    const answers = ['Yes. It costs R$ 1.500,00.', 'Yes.\n1. Open the app.\n2. Tap 2.50 and save.'];
    expect(asOneText(answers, isSmalltalk)).toEqual(answers);
  });

  it('[MDL-07] leave nothing of a list that stands already, neither its numbers nor its short items', () => {
    const steps = '1. Go to Profile and choose another plan.\n2. Look at the sum.\n3. Confirm.';
    expect(asOneText([steps, steps], isSmalltalk)).toEqual([steps]);
  });

  it('[MDL-07] say no sentence again that was a step of a list', () => {
    const steps = '1. Open Profile > Payments > Payment methods.\n2. Tap "Add card".';
    const answers = [steps, 'Open Profile > Payments > Payment methods. Pix is taken as well.'];
    expect(asOneText(answers, isSmalltalk)).toEqual([steps, 'Pix is taken as well.']);
  });

  it('[BYO-124] keep the question of a list, however short and friendly it is', () => {
    const answers = ['The treatment costs $90.', 'Hi, which one?\n\n1. Home\n2. Office'];
    expect(asOneText(answers, isSmalltalk)).toEqual(answers);
  });

  it('[BYO-124] cite an article that no draft names only where a model wrote it', () => {
    const article = { article_id: 'pets-en', title: 'Pets', content: 'Dogs leave.', passage: 'Dogs leave.' };
    const result = {
      threshold: 0.5,
      meant: 'pets',
      articles: [{ ...article, confidence: 0.9, tells: true }],
    };
    const found = { agent: 'knowledge', tool: 'search_knowledge', ok: true, result } as unknown as ToolTrace;
    const draft = { agent: 'knowledge', text: 'Which pest is it?' } as const;
    const citedBy = (provider: 'openai' | 'offline') =>
      citationsOf([{ ...draft, provider } as Parameters<typeof citationsOf>[0][number]], [found], 0.5);
    expect(citedBy('openai')).toMatchObject([{ articleId: 'pets-en' }]);
    expect(citedBy('offline')).toEqual([]);
  });
});
