import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNlu } from '../../../src/nlu/index.js';
import { CULTPASS_NLU } from '../../support/company.js';

const nlu = await createNlu(CULTPASS_NLU);

describe('bad input', () => {
  it('[OFF-02 BAD-01] any text gets a complete, bounded answer, twice the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const first = nlu.triage(text);
        expect(nlu.triage(text)).toEqual(first);
        expect(nlu.intents.names).toContain(first.intent.intent);
        expect(first.confidence).toBeGreaterThanOrEqual(0);
        expect(first.confidence).toBeLessThanOrEqual(1);
        expect(first.intent.ranked).toHaveLength(3);
        expect(first.summary.length).toBeGreaterThan(0);
        expect(first.summary.length).toBeLessThanOrEqual(160);
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  it.each([
    ['spaces', ' '.repeat(100_000)],
    ['letters', 'a'.repeat(100_000)],
    ['marks', '!?'.repeat(50_000)],
    ['an endless address', `${'a.'.repeat(40_000)}@${'b.'.repeat(10_000)}`],
    ['line breaks', 'hi\n'.repeat(30_000)],
    ['brackets', '{{<'.repeat(30_000)],
    ['digits', '1.'.repeat(50_000)],
    ['nulls', '\u0000'.repeat(100_000)],
  ])('100 kB of %s', (_, text) => {
    expect(nlu.triage(text).summary.length).toBeLessThanOrEqual(160);
  });

  it('a long mail is read at its beginning and its end', () => {
    const filler = 'lorem ipsum dolor sit amet '.repeat(3000);
    expect(nlu.triage(`please cancel my reservation\n${filler}`).summary).not.toBe('');
  });

  it('[BAD-02] invisible and right-to-left characters change nothing', () => {
    const plain = nlu.triage('please cancel my reservation for friday');
    const hidden = nlu.triage(
      'please \u202ecancel\u202c my\u0007 reser\u0000vation for friday'.replace('\u0000', ''),
    );
    expect(hidden.intent.intent).toBe(plain.intent.intent);
    expect(hidden.summary).not.toMatch(/[\u202a-\u202e\u0007]/);
  });

  it('words of Object.prototype are ordinary words', () => {
    for (const text of ['constructor', '__proto__', "it'constructor", 'toString valueOf hasOwnProperty']) {
      expect(() => nlu.triage(text)).not.toThrow();
    }
  });

  it.each([
    'pleese cancle my resrvation',
    'qro canselar minha rezerva',
    'CANCEL MY RESERVATION',
    'ｃａｎｃｅｌ my reservation',
    'cancelllll my reservationnn',
  ])('spelling: %s', (text) => {
    expect(nlu.triage(text).intent.intent).toBe('cancel_reservation');
  });
});
