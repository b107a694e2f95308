import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, findPreference } from '../../../src/nlu/slots/index.js';
import {
  findDates,
  findDays,
  findReservationIds,
  readYesNo,
  selectCandidate,
  slotsLike,
  splitClauses,
} from './cultpass.js';

const NOW = new Date('2026-06-10T18:00:00Z');
const CANDIDATES: Candidate[] = [
  {
    id: 'res_011',
    title: 'Samba Night at Lapa',
    startsAt: '2026-06-11T23:00:00Z',
    location: 'Rio de Janeiro - Circo Voador',
  },
  {
    id: 'res_012',
    title: 'Pinacoteca: Light and Colour',
    startsAt: '2026-06-12T17:00:00Z',
    location: 'São Paulo - Pinacoteca',
  },
  { id: 'res_013', title: 'Museum of Tomorrow Guided Tour', startsAt: '2026-06-13T14:00:00Z' },
];

/** Words the readers know, thrown together, beside any text at all. */
const KNOWN =
  'yes sim no não cancel cancela the a second segunda friday sexta amanhã tomorrow dia 12 12/05 and e tell me diz how quanto refund reembolso booking reserva samba all todas please 👍 ? , . R$ 45,90 res_011 R014 pode ok if se not all except menos in 3 days weeks "x" \n 1) 2) \u202e \u200b 5ª Dec 3'.split(
    ' ',
  );
const speech = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...KNOWN), { maxLength: 25 }).map((words) => words.join(' ')),
  fc
    .array(fc.oneof(fc.constantFrom(...KNOWN), fc.string({ maxLength: 6 })), { maxLength: 20 })
    .map((words) => words.join(' ')),
);
const anyTime = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2090-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const language = fc.constantFrom('en' as const, 'pt-BR' as const, undefined);
const YES = [
  'yes',
  'yes please',
  'sim',
  'pode',
  'ok',
  'confirmo',
  'go ahead',
  'claro',
  'sure',
  'do it',
  '👍',
  'pode cancelar',
  'isso',
];

describe('slots, for any text', () => {
  it('never throws', () => {
    fc.assert(
      fc.property(speech, anyTime, language, (text, now, spoken) => {
        const options = { now, ...(spoken === undefined ? {} : { language: spoken }) };
        findDates(text, options);
        selectCandidate(text, CANDIDATES, { ...options, listed: ['res_013', 'res_011'] });
        readYesNo(text, spoken);
        splitClauses(text);
        findReservationIds(text);
        findDays(text);
        findPreference(text);
      }),
      { numRuns: 300 },
    );
  });

  it('gives offsets that cut out the words it gives, and ranges that run forwards', () => {
    fc.assert(
      fc.property(speech, anyTime, (text, now) => {
        let last = 0;
        for (const date of findDates(text, { now })) {
          expect(text.slice(date.start, date.end)).toBe(date.text);
          expect(date.start).toBeGreaterThanOrEqual(last);
          last = date.end;
          expect(Date.parse(date.to)).toBeGreaterThan(Date.parse(date.from));
        }
        last = 0;
        for (const clause of splitClauses(text)) {
          expect(text.slice(clause.start, clause.end)).toBe(clause.text);
          expect(clause.text.trim()).not.toBe('');
          expect(clause.start).toBeGreaterThanOrEqual(last);
          last = clause.end;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('gives something to answer for every text that says something', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('cancel', 'samba', 'hi', 'yes', 'Olá', 'quero', 'museu', '?'), {
          minLength: 1,
        }),
        (words) => {
          const text = words.join(' ');
          if (/\w/.test(text)) expect(splitClauses(text).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('never reads a yes where something is negated', () => {
    const negation = fc.constantFrom(
      'not',
      "don't",
      'dont',
      'never',
      'não',
      'nao',
      'nunca',
      'nem',
      "can't",
      'wont',
      'n\u0061\u0303o',
      'NÃO',
      'don’t',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...YES),
        negation,
        speech,
        fc.nat(2),
        language,
        (yes, no, text, place, spoken) => {
          const parts = [yes, text];
          parts.splice(place, 0, no);
          // A quoted line is not the customer's: what is negated there negates nothing.
          fc.pre(!text.includes('>'));
          expect(readYesNo(parts.join(' '), spoken).kind).not.toBe('yes');
        },
      ),
      { numRuns: 400 },
    );
  });

  it('never reads a yes in a question, nor beside a condition', () => {
    const doubt = fc.constantFrom(
      'if',
      'unless',
      'but',
      'only',
      'before',
      'after',
      'wait',
      'later',
      'maybe',
      'se',
      'mas',
      'desde que',
      'depois',
      'talvez',
      'espera',
      'instead',
      'other',
      'outra',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...YES),
        doubt,
        fc.constantFrom('', 'I get it back', 'eu receber tudo', 'the Friday one'),
        language,
        (yes, word, text, spoken) => {
          expect(readYesNo(`${yes} ${word} ${text}`, spoken).kind).not.toBe('yes');
          expect(readYesNo(`${yes} ${text}?`, spoken).kind).not.toBe('yes');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('picks only what there is, and an id only when it is the very one', () => {
    fc.assert(
      fc.property(speech, (text) => {
        const picked = selectCandidate(text, CANDIDATES, { now: NOW });
        const ids = picked.kind === 'one' ? [picked.id] : picked.kind === 'none' ? [] : picked.ids;
        for (const id of ids) expect(CANDIDATES.map((candidate) => candidate.id)).toContain(id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 14, max: 99_999 }), (number) => {
        const id = `res_${String(number).padStart(3, '0')}`;
        expect(selectCandidate(`please cancel ${id}`, CANDIDATES, { now: NOW })).toEqual({
          kind: 'none',
          mentioned: id,
        });
      }),
      { numRuns: 50 },
    );
  });

  it('says the same twice', () => {
    fc.assert(
      fc.property(speech, (text) => {
        expect(findDates(text, { now: NOW })).toEqual(findDates(text, { now: NOW }));
        expect(selectCandidate(text, CANDIDATES, { now: NOW })).toEqual(
          selectCandidate(text, CANDIDATES, { now: NOW }),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('puts today and tomorrow side by side at every moment, whatever the zone', () => {
    fc.assert(
      fc.property(
        anyTime,
        fc.constantFrom('America/Sao_Paulo', 'Asia/Tokyo', 'Europe/Lisbon', 'UTC'),
        (now, timeZone) => {
          const { findDates } = slotsLike({ timeZone });
          const [today] = findDates('today', { now });
          const [tomorrow] = findDates('amanhã', { now });
          expect(Date.parse(today?.from ?? '')).toBeLessThanOrEqual(now.getTime());
          expect(Date.parse(today?.to ?? '')).toBeGreaterThan(now.getTime());
          expect(today?.to).toBe(tomorrow?.from);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('slots, for hostile text', () => {
  const LONG = [
    'a',
    'muito ',
    'i am hi ',
    'no ',
    'sim ',
    '12/05 ',
    'e a ',
    'not the ',
    '"',
    '(',
    '- ',
    '\n',
    '1) a ',
    'R$ 1.',
    'a@',
    'Bearer ',
    '1 ',
    '\u202e',
    '\ud800',
    '\0',
    'thursday and cancel ',
  ];
  it.each(LONG)('100 kB of %j', (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    expect(() => {
      findDates(text, { now: NOW });
      selectCandidate(text, CANDIDATES, { now: NOW });
      splitClauses(text);
      findPreference(text);
      findDays(text);
      findReservationIds(text);
    }).not.toThrow();
    expect(readYesNo(`${text} yes`).kind).not.toBe('yes');
  });

  it('reads through invisible and bidirectional characters', () => {
    expect(readYesNo('\u202eyes\u202c').kind).toBe('yes');
    expect(readYesNo('n\u200bão').kind).toBe('no');
    expect(readYesNo('yes, do\u200bn’t').kind).not.toBe('yes');
    expect(findReservationIds('res\u200b_014')).toEqual(['res_014']);
    expect(findDates('ama\u00adnha\u0303', { now: NOW })).toHaveLength(1);
  });
});
