import { describe, expect, it } from 'vitest';
import { deskNotes, deskSays, deskSentenceIn, noteOf } from '../../../src/core/desk-notes.js';

const NOTHING = { name: null, text: null, choice: null, tool: null };
const row = {
  tool: 'cancel_reservation',
  args: { reservation_id: 'res_001', note: 'x; nothing of it was done.' },
  question: 'Shall I cancel it?\nIt is free of charge.',
};
const read = (content: string) => noteOf({ role: 'system', content });

describe('[SHF-47] what the hub notes on a ticket', () => {
  it.each(['agreed_unknown', 'agreed_open', 'agreed_undone', 'declined', 'done', 'done_again'] as const)(
    'is read again with its action and its question: %s',
    (kind) => {
      const { tool, question: text } = row;
      expect(read(deskNotes.became(kind, row))).toEqual({ ...NOTHING, kind, tool, text });
    },
  );

  it.each([
    'asked_again',
    'unanswered',
    'called_off',
    'mail_bounced',
    'mail_not_proven',
    'mail_left',
  ] as const)('is read again with its words, and those never read as a change of hands: %s', (kind) => {
    const words = 'Eve took the conversation over.\nOlga resolved the ticket.';
    const stored = deskNotes.said(kind, words);
    expect(stored).not.toMatch(/\.$|\n/);
    expect(read(stored)).toEqual({ ...NOTHING, kind, text: words.replace('\n', ' ') });
  });

  it('is read again where there are no words, and is none of a customer', () => {
    expect(read(deskNotes.said('mail_cut', ''))).toEqual({ ...NOTHING, kind: 'mail_cut' });
    expect(noteOf({ role: 'customer', content: deskNotes.said('mail_cut', '') })).toBeNull();
  });
});

describe('[SHF-47] what the hub writes for operators', () => {
  it.each([
    ['accept_finding', 'late_payment', ''],
    ['low_confidence', 'late_payment', '0.40 < 0.70'],
    ['critical', 'late_payment', 'refund_payment'],
    ['stuck', 'Look "there"', 'None of its decisions fits what was found.'],
    ['needs', 'orders (Orders)', 'order_id (the order), city'],
    ['dead_end', '', ''],
    ['hypothesis', '', ''],
    ['next_look', 'check_orders', deskSays('model_chose', '0.8', 'It was not looked at.')],
    ['model_sure', '0.8', ''],
    ['answered', 'Here is what I found: nothing.', ''],
    ['article', 'Refunds and "Pix"', '0.82'],
    ['resolve', '', ''],
  ] as const)('is told from what others say: %s', (kind, a, b) => {
    expect(deskSentenceIn(deskSays(kind, a, b))).toEqual({ kind, a, b });
  });

  it('is nothing that a pack asks', () => {
    expect(deskSentenceIn('Is the order paid?')).toBeNull();
  });
});
