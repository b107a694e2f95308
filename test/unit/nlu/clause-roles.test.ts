import { describe, expect, it } from 'vitest';
import { loadWordVectors } from '../../../src/nlu/analysis.js';
import { clausesIn, readClauseJoints, readClauseReader } from '../../../src/nlu/clause-roles.js';

const reader = readClauseReader(await loadWordVectors());

describe('what a message asks', () => {
  it.each([
    [
      'Hey guys, hope your week is going well! Which museums are open on Monday?',
      'Which museums are open on Monday?',
    ],
    [
      'What a day this has been. Could you tell me when my next class starts?',
      'Could you tell me when my next class starts?',
    ],
    ["That's not what I was after, sorry. How much is the yearly plan?", 'How much is the yearly plan?'],
    [
      'Bom dia, meus queridos, tudo bem com vocês? Qual o horário da aula de sexta?',
      'Qual o horário da aula de sexta?',
    ],
    ['nossa que correria essa semana, me diz quando vence o boleto?', 'me diz quando vence o boleto?'],
  ])('[NLU-05] is left without its asides: %s', (text, asked) => {
    expect(reader.withoutAsides(text)).toBe(asked);
  });

  it.each([
    'and on sundays?',
    'The parcel with the blue lamp arrived broken on Tuesday, what now?',
    'I have the flu, so I cannot come to the class tonight. Can I get my money back?',
    'A chave do quarto 12 não abre, podem mandar alguém?',
    'sim, mas quanto tempo leva?',
  ])('[NLU-05] keeps what the answer depends on: %s', (text) => {
    expect(reader.withoutAsides(text)).toBe(text);
  });

  it('[NLU-05] keeps the clause that the one after it points at', () => {
    const left = reader.withoutAsides(
      'Oh my, what a mess! The pottery course is no good for me. Please cancel it',
    );
    expect(left).toContain('pottery');
    expect(left).toContain('cancel it');
  });

  it('[NLU-05] cuts into clauses that joined are the message', () => {
    const joints = readClauseJoints();
    for (const text of [
      'a, b; c! d? e\nf',
      'R$ 45,00 at 20:30 - is that right, or not',
      'oi '.repeat(600),
      ',.'.repeat(500),
    ])
      expect(clausesIn(joints, text).join('')).toBe(text);
  });
});
