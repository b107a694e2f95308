import { describe, expect, it } from 'vitest';
import { createNlu, createNluClassifier } from '../../../src/nlu/index.js';
import { coreText, sentences, summarize } from '../../../src/nlu/summary.js';
import { stem, tokenize } from '../../../src/nlu/text.js';
import { CULTPASS_NLU } from '../../support/company.js';

const nlu = await createNlu(CULTPASS_NLU);

describe('the summary of a request', () => {
  it('[SHF-155] is in the words of the message, whatever part of it or in whatever words the request is found', async () => {
    const classifier = createNluClassifier(nlu);
    const said = async (text: string) => (await classifier.classify(text)).classification.summary;
    const angry =
      'I cancelled a booking but never got my money back. This is the third time I write about it, nobody answers. I am furious and I want to talk to a manager.';
    for (const part of (await said(angry)).split(' … ')) expect(angry).toContain(part);
    expect(await said(angry)).toMatch(/^I cancelled a booking but never got my money back\./);
    expect(await said('I lost my phone. Please cancel "Samba Night" for me.')).toContain(
      'cancel "Samba Night"',
    );
  });
});

describe('summary', () => {
  it('[SHF-155] of a message in anger says what happened and what is wanted, without the words that say neither', () => {
    const said = (text: string): string => nlu.triage(text).summary;
    expect(
      said(
        'This is absurd! You cancelled my booking for the concert without telling me. I want my money back today.',
      ),
    ).toBe('You cancelled my booking for the concert without telling me. I want my money back today.');
    expect(said('My account is blocked and I do not know why. Hello? Unblock my account, please.')).toBe(
      'My account is blocked and I do not know why. … Unblock my account, please.',
    );
    expect(said('Vocês cancelaram a minha reserva. Isso é uma vergonha! Quero o meu reembolso.')).toMatch(
      /^Vocês cancelaram a minha reserva\..* Quero o meu reembolso\.$/,
    );
    expect(said('Bom dia! Estou muito irritada! Fui cobrada mesmo com o plano pausado.')).toBe(
      'Fui cobrada mesmo com o plano pausado.',
    );
  });

  it('leaves out greeting, signature, quoted mail and addresses', () => {
    const mail = [
      'Subject: problem',
      'Dear CultPass team,',
      '',
      'I hope you are well.',
      'My card was charged twice for the June membership, write to me at ana.silva@example.com please.',
      '',
      'Kind regards,',
      'Ana Silva',
      '',
      'On Monday someone wrote:',
      '> We thank you for your message',
    ].join('\n');
    const { summary } = nlu.triage(mail);
    expect(summary).toContain('charged twice');
    expect(summary).toContain('[email]');
    expect(summary).not.toMatch(/ana\.silva|regards|Dear|thank you for your message/i);
  });

  it('takes the sentence that says most, in Portuguese too', () => {
    const { summary } = nlu.triage(
      'Boa tarde! Tudo bem? Queria pedir o reembolso do ingresso do show que foi cancelado. Aguardo. Att, João',
    );
    expect(summary).toMatch(/^Queria pedir o reembolso/);
  });

  it('is cut at a word', () => {
    const long = summarize(`refund ${'very '.repeat(60)}long`, () => 1);
    expect(long.length).toBeLessThanOrEqual(160);
    expect(long).toMatch(/very…$/);
  });

  it('is never empty', () => {
    expect(summarize('', () => 0)).toBe('(no text)');
    const two = summarize(`refund ${'very '.repeat(26)}long. Refund ${'quite '.repeat(20)}long.`, () => 1);
    expect(two.length).toBeLessThanOrEqual(160);
    expect(two).toMatch(/^refund .*long\.$/);
    expect(nlu.triage('   ').summary).toBe('(no text)');
  });

  it('a message of greeting and signature only keeps its text', () => {
    expect(coreText('Dear team,\n\nKind regards,\nAna and all the others of the family')).not.toBe('');
    expect(sentences('One. Two!\nThree')).toEqual(['One.', 'Two!', 'Three']);
  });
});

describe('tokens', () => {
  it('writes out shorthand and marks numbers, money, times, codes and addresses', () => {
    expect(tokenize("vc can't pay R$ 49,90 at 15:30 on 12/05, code RES-1029, mail a@b.com!!")).toEqual([
      'voce',
      'can',
      'not',
      'pay',
      '_money',
      'at',
      '_time',
      'on',
      '_date',
      'code',
      '_id',
      'mail',
      '_email',
      '!',
    ]);
  });

  it('brings the forms of a word together', () => {
    expect(new Set(['cancelar', 'cancela', 'cancelei', 'cancelou', 'cancelado'].map(stem)).size).toBe(1);
    expect(stem('refunded')).toBe(stem('refund'));
    expect(stem('charges')).toBe(stem('charge'));
  });
});
