import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serviceHours } from '../../../src/core/policy/policy.js';
import { policy } from './fixtures.js';

const MINUTE = 60_000;
const { support } = policy;
const saoPaulo = serviceHours(support, 'America/Sao_Paulo');
const newYork = serviceHours(support, 'America/New_York');
const at = (iso: string) => new Date(iso);
const iso = (date: Date) => date.toISOString();

describe('[PPL-40] the service-level clock', () => {
  it.each([
    ['a Wednesday noon', '2026-03-11T15:00:00Z', true],
    ['the first minute', '2026-03-11T12:00:00Z', true],
    ['a moment before', '2026-03-11T11:59:59.999Z', false],
    ['the last moment', '2026-03-11T20:59:59.999Z', true],
    ['the evening', '2026-03-11T21:00:00Z', false],
    ['a Saturday', '2026-03-14T15:00:00Z', false],
    ['Christmas', '2026-12-25T15:00:00Z', false],
    ['Good Friday', '2026-04-03T15:00:00Z', false],
    ['the same date of another year', '2029-04-03T15:00:00Z', true],
  ])('knows %s', (_what, when, open) => {
    expect(saoPaulo.isOpen(at(when))).toBe(open);
  });

  it('counts over nights, weekends and holidays', () => {
    const between = (from: string, to: string) => saoPaulo.businessMinutesBetween(at(from), at(to));
    expect(between('2026-03-11T15:00:00Z', '2026-03-11T16:30:00Z')).toBe(90);
    expect(between('2026-03-13T20:00:00Z', '2026-03-16T13:00:00Z')).toBe(120);
    expect(between('2026-04-02T20:00:00Z', '2026-04-06T13:00:00Z')).toBe(120);
    expect(between('2026-03-11T16:00:00Z', '2026-03-11T15:00:00Z')).toBe(0);
  });

  it('adds business minutes, and says when it opens next', () => {
    expect(iso(saoPaulo.addBusinessMinutes(at('2026-03-13T20:00:00Z'), 120))).toBe(
      '2026-03-16T13:00:00.000Z',
    );
    expect(iso(saoPaulo.addBusinessMinutes(at('2026-03-14T15:00:00Z'), 30))).toBe('2026-03-16T12:30:00.000Z');
    expect(iso(saoPaulo.addBusinessMinutes(at('2026-03-11T15:00:00Z'), 540))).toBe(
      '2026-03-12T15:00:00.000Z',
    );
    expect(iso(saoPaulo.nextOpening(at('2026-03-13T22:00:00Z')))).toBe('2026-03-16T12:00:00.000Z');
    expect(iso(saoPaulo.nextOpening(at('2026-03-11T15:00:00Z')))).toBe('2026-03-11T15:00:00.000Z');
  });

  it('follows the wall clock where it is moved', () => {
    // New York springs forward on Sunday 8 March 2026 and falls back on 1 November 2026.
    expect(iso(newYork.nextOpening(at('2026-03-06T23:30:00Z')))).toBe('2026-03-09T13:00:00.000Z');
    expect(iso(newYork.nextOpening(at('2026-10-30T23:30:00Z')))).toBe('2026-11-03T14:00:00.000Z');
    const nights = serviceHours(
      { ...support, weekdays: [0, 1, 2, 3, 4, 5, 6], hours: { opens: '01:00', closes: '04:00' } },
      'America/New_York',
    );
    const day = (date: string) =>
      nights.businessMinutesBetween(at(`${date}T05:00:00Z`), at(`${date}T12:00:00Z`));
    expect([day('2026-03-07'), day('2026-03-08'), day('2026-11-03')]).toEqual([180, 120, 180]);
  });

  const moment = fc
    .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 11, 31) })
    .map((ms) => new Date(ms));
  const zones = [
    'America/Sao_Paulo',
    'America/New_York',
    'Asia/Kathmandu',
    'Pacific/Auckland',
    'Europe/Lisbon',
  ];
  const clocks = zones.map((zone) => serviceHours(support, zone));
  const clock = fc.constantFrom(...clocks);

  it('gives back the minutes it was given', () => {
    fc.assert(
      fc.property(clock, moment, fc.integer({ min: 1, max: 5000 }), (hours, from, minutes) => {
        const due = hours.addBusinessMinutes(from, minutes);
        expect(hours.businessMinutesBetween(from, due)).toBeCloseTo(minutes, 6);
        expect(hours.isOpen(new Date(due.getTime() - 1))).toBe(true);
      }),
    );
  });

  it('adds up, never runs backwards, and never faster than time', () => {
    fc.assert(
      fc.property(clock, moment, moment, moment, (hours, ...moments) => {
        const [a, b, c] = moments.toSorted((x, y) => x.getTime() - y.getTime()) as [Date, Date, Date];
        const [ab, bc, ac] = [
          hours.businessMinutesBetween(a, b),
          hours.businessMinutesBetween(b, c),
          hours.businessMinutesBetween(a, c),
        ];
        expect(ab + bc).toBeCloseTo(ac, 3);
        expect(ab).toBeGreaterThanOrEqual(0);
        expect(ab).toBeLessThanOrEqual((b.getTime() - a.getTime()) / MINUTE + 1e-6);
      }),
      { numRuns: 15 },
    );
  });

  it('opens next at a moment that is open, with nothing open in between', () => {
    fc.assert(
      fc.property(clock, moment, (hours, from) => {
        const next = hours.nextOpening(from);
        expect(hours.isOpen(next)).toBe(true);
        expect(hours.businessMinutesBetween(from, next)).toBe(0);
        if (hours.isOpen(from)) expect(next).toEqual(from);
      }),
    );
  });
});
