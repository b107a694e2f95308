import { describe, expect, it } from 'vitest';
import type { Candidate, Selection } from '../../../src/nlu/slots/index.js';
import { selectCandidate } from './cultpass.js';

const NOW = new Date('2026-06-10T18:00:00Z');
const CANDIDATES: Candidate[] = [
  {
    id: 'res_011',
    title: 'Samba Night at Lapa',
    startsAt: '2026-06-11T23:00:00Z',
    location: 'Rio de Janeiro - Circo Voador',
    upcoming: true,
  },
  {
    id: 'res_012',
    title: 'Pinacoteca: Light and Colour',
    startsAt: '2026-06-12T17:00:00Z',
    location: 'São Paulo - Pinacoteca',
    upcoming: true,
  },
  {
    id: 'res_013',
    title: 'Museum of Tomorrow Guided Tour',
    startsAt: '2026-06-13T14:00:00Z',
    location: 'Rio de Janeiro - Museu do Amanhã',
    upcoming: true,
  },
  {
    id: 'res_014',
    title: 'Choro Concert in the Park',
    startsAt: '2026-06-20T20:00:00Z',
    location: 'Belo Horizonte - Parque Municipal',
    upcoming: true,
  },
  {
    id: 'res_015',
    title: 'Hamlet in Portuguese',
    startsAt: '2026-06-06T23:00:00Z',
    location: 'São Paulo - Theatro Municipal',
    upcoming: false,
  },
];
const LISTED = ['res_013', 'res_011', 'res_012'];

const said = (selection: Selection): string => {
  if (selection.kind === 'one') return selection.id;
  if (selection.kind === 'many') return `many:${selection.ids.join(',')}`;
  return selection.kind === 'all' ? 'all' : `none:${selection.mentioned}`;
};

/** text, what is picked, whether a list was shown */
const CASES: readonly (readonly [string, string, boolean])[] = [
  ['cancel res_014', 'res_014', false],
  ['#RES-012', 'res_012', false],
  ['R013 please', 'res_013', false],
  ['cancel res_099', 'none:res_099', false],
  ['the samba one', 'res_011', false],
  ['cancel my Thursday booking', 'res_011', false],
  ['the one on friday', 'res_012', false],
  ['a de sexta', 'res_012', false],
  ['a do samba', 'res_011', false],
  ['pinacotca', 'res_012', false],
  ['the museum one', 'res_013', false],
  ['o do museu', 'res_013', false],
  ['the one in Belo Horizonte', 'res_014', false],
  ['a de bh', 'res_014', false],
  ['the second one', 'res_011', true],
  ['a segunda', 'res_011', true],
  ['2', 'res_011', true],
  ['number 3', 'res_012', true],
  ['the last one', 'res_012', true],
  ['a última', 'res_012', true],
  ['all of them', 'all', false],
  ['todas', 'all', false],
  ['cancel my booking', 'none:null', false],
  ['my next booking', 'res_011', false],
  ['a próxima', 'res_011', false],
  ['cancel my booking for Macbeth', 'none:Macbeth', false],
  ['the one in Rio', 'many:res_011,res_013', false],
  ['Rio', 'many:res_011,res_013', false],
  ['not the samba one, the choro one', 'res_014', false],
  ['all except the samba one', 'many:res_015,res_012,res_013,res_014', false],
  ['last saturday', 'res_015', false],
  ['hamlet', 'res_015', false],
  ['the fifth', 'none:the fifth', true],
  ['1 and 3', 'many:res_013,res_012', true],
  ['show de samba', 'res_011', false],
  ['quero cancelar a reserva de quinta', 'res_011', false],
  ['20/06', 'res_014', false],
  ['dia 12', 'res_012', false],
  ['cancela a do dia 25', 'none:do dia 25', false],
  ['this weekend', 'res_013', false],
  ['hello', 'none:null', false],
  ['o concerto no parque', 'res_014', false],
  ['both', 'all', false],
  ['I want to cancel tomorrow', 'res_011', false],
  ['the night show', 'res_011', false],
  ['i paid on monday for the samba night', 'res_011', false],
];

describe('selectCandidate', () => {
  it.each(CASES)('[OFF-04] "%s" picks %s (list shown: %s)', (text, want, shown) => {
    expect(said(selectCandidate(text, CANDIDATES, { now: NOW, ...(shown ? { listed: LISTED } : {}) }))).toBe(
      want,
    );
  });

  const one = [CANDIDATES[0]].filter((candidate) => candidate !== undefined);
  it.each([
    ['cancel my booking', 'res_011'],
    ['cancela ela', 'res_011'],
    ['hello', 'none:null'],
    ['my booking for Macbeth', 'none:Macbeth'],
    ['cancel res_012', 'none:res_012'],
    ['cancel the one on Sunday', 'none:on Sunday'],
    ['2', 'none:2'],
    ['the last one', 'res_011'],
  ])('with a single candidate "%s" picks %s', (text, want) => {
    expect(said(selectCandidate(text, one, { now: NOW }))).toBe(want);
  });

  it('never takes a neighbour for an unknown id', () => {
    for (const id of ['res_01', 'res_0111', 'res_111', 'R110', 'res-16', '#res_010']) {
      expect(selectCandidate(`cancel ${id} please`, CANDIDATES, { now: NOW }).kind, id).toBe('none');
    }
    expect(said(selectCandidate('res_011 and res_077', CANDIDATES, { now: NOW }))).toBe('none:res_077');
  });

  it('asks where clues contradict each other', () => {
    expect(said(selectCandidate('the samba one on saturday', CANDIDATES, { now: NOW }))).toBe(
      'many:res_011,res_013',
    );
    expect(said(selectCandidate('2 - the hamlet one', CANDIDATES, { now: NOW, listed: LISTED }))).toBe(
      'many:res_015,res_011',
    );
  });

  it('tells equal titles apart by the date only', () => {
    const twice: Candidate[] = [
      { id: 'res_021', title: 'Samba Night', startsAt: '2026-06-11T23:00:00Z' },
      { id: 'res_022', title: 'Samba Night', startsAt: '2026-06-18T23:00:00Z' },
    ];
    expect(said(selectCandidate('samba night', twice, { now: NOW }))).toBe('many:res_021,res_022');
    expect(said(selectCandidate('samba night on the 18th', twice, { now: NOW }))).toBe('res_022');
    expect(said(selectCandidate('the second samba night one', twice, { now: NOW }))).toBe('res_022');
  });

  it('reads "next Friday" as the Friday on which there is something', () => {
    const [only] = CANDIDATES.filter(({ id }) => id === 'res_012');
    expect(
      said(
        selectCandidate('the one next friday', only === undefined ? [] : [only, ...CANDIDATES.slice(3)], {
          now: NOW,
        }),
      ),
    ).toBe('res_012');
  });

  it('takes "quinta" for Thursday or for the fifth, and asks where both fit', () => {
    const many: Candidate[] = Array.from({ length: 6 }, (_, i) => ({
      id: `res_04${i}`,
      title: `Item ${'abcdef'[i]}${'abcdef'[i]}${'abcdef'[i]}`,
      startsAt: `2026-06-${11 + i}T20:00:00Z`,
    }));
    expect(said(selectCandidate('a quinta', many.slice(0, 3), { now: NOW }))).toBe('res_040');
    expect(said(selectCandidate('a quinta', many, { now: NOW, listed: many.map(({ id }) => id) }))).toBe(
      'many:res_040,res_044',
    );
    expect(said(selectCandidate('quinta-feira', many, { now: NOW, listed: many.map(({ id }) => id) }))).toBe(
      'res_040',
    );
  });

  it('says by what, and is surest of an id', () => {
    expect(selectCandidate('res_011', CANDIDATES, { now: NOW })).toEqual({
      kind: 'one',
      id: 'res_011',
      by: 'id',
      confidence: 1,
    });
    expect(selectCandidate('hamlet', CANDIDATES, { now: NOW })).toMatchObject({ by: 'title' });
    expect(selectCandidate('on thursday', CANDIDATES, { now: NOW })).toMatchObject({ by: 'date' });
    expect(selectCandidate('the first one', CANDIDATES, { now: NOW, listed: LISTED })).toMatchObject({
      by: 'ordinal',
    });
    expect(selectCandidate('a próxima', CANDIDATES, { now: NOW })).toMatchObject({ by: 'position' });
    expect(selectCandidate('in Belo Horizonte', CANDIDATES, { now: NOW })).toMatchObject({ by: 'location' });
  });

  it('finds nothing among nothing', () => {
    expect(selectCandidate('the second one', [], { now: NOW }).kind).toBe('none');
    expect(said(selectCandidate('cancel res_004', [], { now: NOW }))).toBe('none:res_004');
  });
});
