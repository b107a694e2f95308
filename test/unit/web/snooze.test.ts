import { describe, expect, it } from 'vitest';
import { comesBack, instantOf, localOf } from '../../../src/surfaces/web/desk/lib/snooze.js';

const ZONE = 'America/Sao_Paulo';
const hours = { opens: '09:00', closes: '18:00', weekdays: [1, 2, 3, 4, 5], time_zone: ZONE };

describe('a ticket that is put aside', () => {
  it('[SHF-159] comes back after hours to the minute, and after days as the team comes in', () => {
    // Friday, half past ten at night in Brasília, which is Saturday in Europe.
    const friday = new Date('2026-03-14T01:30:00.000Z');
    const back = (span: Parameters<typeof comesBack>[0]) => comesBack(span, friday, hours).toISOString();
    expect(back('hour')).toBe('2026-03-14T02:30:00.000Z');
    expect(back('hours')).toBe('2026-03-14T05:30:00.000Z');
    // Saturday and Sunday nobody is there: Monday at nine.
    expect(back('day')).toBe('2026-03-16T12:00:00.000Z');
    expect(back('days')).toBe('2026-03-16T12:00:00.000Z');
    expect(back('week')).toBe('2026-03-20T12:00:00.000Z');
  });

  it('[SHF-159] comes back at a time of the company’s clocks, also where they change', () => {
    expect(instantOf('2026-03-16T14:15', ZONE).toISOString()).toBe('2026-03-16T17:15:00.000Z');
    expect(localOf(new Date('2026-03-16T17:15:42.000Z'), ZONE)).toBe('2026-03-16T14:15');
    for (const local of ['2026-03-28T23:30', '2026-03-29T08:00', '2026-10-25T01:30', '2026-10-25T09:00'])
      expect(localOf(instantOf(local, 'Europe/Lisbon'), 'Europe/Lisbon')).toBe(local);
  });
});
