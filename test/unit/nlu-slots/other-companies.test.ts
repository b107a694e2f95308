import { describe, expect, it } from 'vitest';
import type { Candidate, Selection } from '../../../src/nlu/slots/index.js';
import { CLINIC, PARCELS } from '../../support/other-trades.js';

const NOW = new Date('2026-06-10T18:00:00Z');
const APPOINTMENTS: readonly Candidate[] = [
  { id: 'apt_0007', title: 'Dental cleaning with Dr. Silva', startsAt: '2026-06-11T09:00:00Z' },
  { id: 'apt_0012', title: 'Eye test with Dr. Moore', startsAt: '2026-06-12T14:00:00Z' },
  { id: 'apt_0031', title: 'Skin check with Dr. Silva', startsAt: '2026-07-02T08:00:00Z' },
];

const SHIPMENTS: readonly Candidate[] = [
  { id: 'shp_000101', title: 'Running shoes', startsAt: null, location: 'Boston' },
  { id: 'shp_000102', title: 'Coffee grinder', startsAt: null, location: 'Newark' },
  { id: 'shp_000103', title: 'Desk lamp', startsAt: '2026-06-12T13:00:00Z', location: 'Boston' },
];

const said = (selection: Selection): string => {
  if (selection.kind === 'one') return selection.id;
  if (selection.kind === 'none') return selection.mentioned === null ? 'none' : `none:${selection.mentioned}`;
  return [...selection.ids].sort().join(' ');
};

describe('a company of another trade', () => {
  it.each([
    ['cancel the dental one please', 'apt_0007'],
    ['cancela a limpeza', 'apt_0007'],
    ['my eye test', 'apt_0012'],
    ['the second appointment', 'apt_0012'],
    ['a segunda consulta', 'apt_0012'],
    ['a consulta de sexta', 'apt_0012'],
    ['the one in july', 'apt_0031'],
    ['apt 31', 'apt_0031'],
    ['consulta 0012', 'apt_0012'],
    ['my next appointment', 'apt_0007'],
    ['Dr. Silva', 'apt_0007 apt_0031'],
    ['all my appointments', 'apt_0007 apt_0012 apt_0031'],
    ['all except the eye test', 'apt_0007 apt_0031'],
    ['my appointment for the hearing aid', 'none:hearing aid'],
    ['cancel apt_0099', 'none:apt_0099'],
    ['cancel res_012', 'none'],
  ])('[COMP-04] a clinic: "%s" is %s', (text, want) => {
    expect(said(CLINIC.selectCandidate(text, APPOINTMENTS, { now: NOW }))).toBe(want);
  });

  it.each([
    ['where are my running shoes', 'shp_000101'],
    ['o moedor? não, the coffee grinder', 'shp_000102'],
    // What has no time stands after what has one.
    ['the third parcel', 'shp_000102'],
    ['a segunda encomenda', 'shp_000101'],
    ['the delivery on friday', 'shp_000103'],
    ['the package in Newark', 'shp_000102'],
    ['S000103', 'shp_000103'],
    ['encomenda 000102', 'shp_000102'],
    ['the parcel with the blue kettle', 'none:blue kettle'],
  ])('[COMP-04] a parcel service: "%s" is %s', (text, want) => {
    expect(said(PARCELS.selectCandidate(text, SHIPMENTS, { now: NOW }))).toBe(want);
  });

  it('[COMP-04] is answered and asked about its own records, and no other company’s', () => {
    expect(CLINIC.readYesNo('yes, the friday appointment').kind).toBe('yes');
    expect(CLINIC.readYesNo('sim, a consulta de sexta').kind).toBe('yes');
    expect(CLINIC.readYesNo('keep my appointment').kind).toBe('no');
    expect(CLINIC.readYesNo('mantém a consulta').kind).toBe('no');
    expect(PARCELS.readYesNo('keep my appointment').kind).not.toBe('no');
    expect(CLINIC.readRequestAct('please keep my appointment').kind).toBe('withdraw');
    expect(PARCELS.readRequestAct('what happened to my parcel?').kind).toBe('status');
    expect(CLINIC.speaksOf('and my cover?', 'pause')).toBe(true);
    expect(PARCELS.speaksOf('and my cover?', 'pause')).toBe(false);
    expect(CLINIC.saidOf('I overslept it', 'appointment')).toEqual(new Set(['missed']));
    expect(CLINIC.saidOf('Esqueci de ir', 'appointment')).toEqual(new Set(['missed']));
    expect(CLINIC.speaksOfSingle('cancela o meu convênio')).toBe(true);
    expect(CLINIC.speaksOfSingle('cancel my plan')).toBe(false);
  });

  it('[COMP-04] takes amounts in its own currency for no id, and its name for a greeting', () => {
    expect(PARCELS.ids.find('parcel 000102 dollars')).toEqual([]);
    expect(PARCELS.ids.find('parcel 000102 euros')).toEqual(['shp_000102']);
    expect(PARCELS.splitClauses('Hi Swift! cancel parcel 000102').map(({ text }) => text)).toEqual([
      'cancel parcel 000102',
    ]);
  });

  it('[COMP-04] knows "today" in its own time zone', () => {
    const late = new Date('2026-06-10T23:30:00Z');
    expect(CLINIC.findDates('today', { now: late })[0]?.from).toBe('2026-06-10T23:00:00.000Z');
    expect(PARCELS.findDates('today', { now: late })[0]?.from).toBe('2026-06-10T04:00:00.000Z');
  });
});
