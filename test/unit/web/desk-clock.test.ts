import { describe, expect, it } from 'vitest';
import { formatMoney } from '../../../src/core/i18n/index.js';
import { age, clockText, sheetMoment, span } from '../../../src/surfaces/web/desk/lib/format.js';
import { money } from '../../../src/surfaces/web/desk/lib/values.js';
import en from '../../../src/surfaces/web/desk/texts/en.json' with { type: 'json' };
import pt from '../../../src/surfaces/web/desk/texts/pt-BR.json' with { type: 'json' };
import type { ServiceClock } from '../../../src/surfaces/web/shared/api-types.js';

const clock = (waited: number, more: Partial<ServiceClock> = {}): ServiceClock => ({
  waited_minutes: waited,
  target_minutes: 60,
  due_at: '2026-03-11T16:00:00.000Z',
  running: true,
  breached: waited > 60,
  resumes_at: null,
  ...more,
});
const told = (given: ServiceClock, passed = 0) =>
  clockText(given, passed, en.clock, (iso, brief) => `${brief ? '' : 'Mon '}${iso.slice(11, 16)}`);

describe('money at the desk', () => {
  it('[SHF-156] is written as the hub writes it to customers', () => {
    for (const [minor, language, currency] of [
      [38_000, 'en', 'BRL'],
      [38_000, 'pt-BR', 'BRL'],
      [-5_990, 'en', 'BRL'],
      [4_590, 'en', 'EUR'],
      [8_000, 'es', 'EUR'],
      [8_000, 'en', 'JPY'],
    ] as const)
      expect(money(minor, language, currency).replace(/\s/gu, ' ')).toBe(
        formatMoney(minor, language, currency).replace(/\s/gu, ' '),
      );
    expect(money(38_000, 'en', 'BRL')).toMatch(/^R\$\s380\.00$/u);
  });
});

describe('the service clock in words', () => {
  it('[DUI-13] says how long is left, how late it is, and when an answer is due while the clock stands still', () => {
    expect(told(clock(25))).toMatchObject({ text: 'Due in 35 min', tone: 'fine' });
    expect(told(clock(25), 24.6)).toMatchObject({ text: 'Due in 10 min', tone: 'soon' });
    expect(told(clock(59), 2)).toMatchObject({ text: 'Overdue 1 min', tone: 'late' });
    expect(told(clock(120))).toMatchObject({ text: 'Overdue 1 h', tone: 'late' });
    expect(told(clock(258))).toMatchObject({ text: 'Overdue 3 h 18 min', short: 'Overdue 3 h' });
    const still = { running: false, resumes_at: '2026-03-16T12:00:00.000Z' };
    expect(told(clock(25, still), 500)).toMatchObject({
      text: 'Due Mon 16:00',
      short: '16:00',
      tone: 'stopped',
      detail: 'Waited 25 min of 1 h in business hours, 35 min left. Clock stopped until Mon 12:00',
    });
    expect(told(clock(90, still))).toMatchObject({ text: 'Overdue 30 min', tone: 'late' });
    expect(clockText(clock(25), 0, pt.clock, String).text).toBe('Vence em 35 min');
  });

  it('[DUI-13] writes spans and ages in the units that matter', () => {
    expect([0, 59.6, 61, 120, 1500, 2880].map((minutes) => span(minutes, en.clock))).toEqual([
      '0 min',
      '1 h',
      '1 h 1 min',
      '2 h',
      '1 d 1 h',
      '2 d',
    ]);
    const at = new Date('2026-03-11T15:00:00.000Z');
    const ago = (iso: string) => age(iso, at, en.clock);
    expect(ago('2026-03-11T14:59:40.000Z')).toBe('now');
    expect(ago('2026-03-11T15:00:10.000Z')).toBe('now');
    expect(ago('2026-03-11T14:10:00.000Z')).toBe('50 min');
    expect(ago('2026-03-08T15:00:00.000Z')).toBe('3 d');
  });
});

describe('the moment of a row of a spreadsheet', () => {
  it('[SHF-195] is whole, by the clocks of the company, and sorts as text', () => {
    expect(sheetMoment('2026-03-11T15:00:00.000Z', 'America/Sao_Paulo')).toBe('2026-03-11 12:00');
    expect(sheetMoment('2026-12-01T02:05:00.000Z', 'America/Sao_Paulo')).toBe('2026-11-30 23:05');
    expect(sheetMoment('', 'America/Sao_Paulo')).toBe('');
  });
});
