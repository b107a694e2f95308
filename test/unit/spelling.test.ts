import { describe, expect, test } from 'vitest';
import { createSpeller } from '../../src/core/spelling.js';

const words = new Map([
  ['refund', 8],
  ['refunds', 1],
  ['cancel', 9],
  ['password', 4],
  ['plan', 9],
  ['plane', 1],
  ['senha', 5],
  ['reserva', 6],
]);

describe('[KNOW-03] a slip of one letter is mended', () => {
  const speller = createSpeller(words, (word) => word === 'parcel');

  test.each([
    ['one too many', 'passsword', 'password'],
    ['one too few', 'pasword', 'password'],
    ['one wrong', 'cancek', 'cancel'],
    ['two that changed places', 'reufnd', 'refund'],
    ['in a word of four', 'paln', 'plan'],
    ['in Portuguese', 'resreva', 'reserva'],
  ])('%s: %s', (_, written, meant) => expect(speller.correct(written)).toBe(meant));

  test('a known word, a short one, a number and what is two slips away stay as they are', () => {
    for (const word of ['plane', 'sen', 'r2d2', 'pswrd', 'xyzzy', ''])
      expect(speller.correct(word)).toBe(word);
  });

  test('a right word of another list is neither mended nor offered', () => {
    expect(createSpeller(new Map([['cancel', 1]]), () => true).correct('cancek')).toBe('cancek');
    expect(speller.correct('parcels')).toBe('parcels');
    expect(speller.knows('parcel')).toBe(true);
    expect(speller.knows('parcels')).toBe(false);
  });

  test('of several, the first letter as written and then the more frequent one', () => {
    expect(speller.correct('refundx')).toBe('refund');
    const either = createSpeller(
      new Map([
        ['ticket', 1],
        ['wicket', 50],
      ]),
    );
    expect(either.correct('tcket')).toBe('ticket');
    expect(
      createSpeller(
        new Map([
          ['booked', 1],
          ['looked', 9],
        ]),
      ).correct('xooked'),
    ).toBe('looked');
  });
});
