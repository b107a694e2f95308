import { describe, expect, it } from 'vitest';
import * as series from '../../../src/surfaces/web/desk/dashboard/series.js';
import { fromTexts, toTexts } from '../../../src/surfaces/web/desk/lib/edit-args.js';
import type { Report } from '../../../src/surfaces/web/shared/api-types.js';

const row = (
  day: string,
  subject: string,
  tickets: number,
  withoutHuman: number,
  cost = 0,
): Report['rows'][number] => ({
  day,
  issue_type: subject,
  tickets,
  without_human: withoutHuman,
  turns: tickets,
  cost_usd: cost,
  negative: 0,
});
const whole = {
  from: '2026-03-01',
  to: '2026-03-03',
  totals: {
    opened: 6,
    opened_resolved: 0,
    deflected: 0,
    resolved: 0,
    reopened: 0,
    first_answer_minutes: null,
    resolution_minutes: null,
    hub_helpful: 0,
    hub_unhelpful: 0,
  },
  operators: [],
};
const report: Report = {
  ...whole,
  rows: [
    row('2026-03-01', 'refund', 3, 1, 0.5),
    row('2026-03-01', 'billing', 1, 1),
    row('2026-03-03', 'refund', 2, 2, 0.25),
    row('2026-03-03', 'legal', 0, 0),
  ],
  escalations: [],
  escalation_reasons: [
    { reason: 'legal', count: 1 },
    { reason: 'fault', count: 4 },
  ],
  sentiments: [
    { day: '2026-03-01', sentiment: 'neutral', count: 3 },
    { day: '2026-03-01', sentiment: 'negative', count: 1 },
  ],
  response_times: [
    { day: '2026-03-01', hub_median_ms: 40, hub_p95_ms: 90, operator_median_minutes: null },
    { day: '2026-03-03', hub_median_ms: 60, hub_p95_ms: 80, operator_median_minutes: 12 },
  ],
  ratings: [{ day: '2026-03-03', helpful: 3, unhelpful: 1 }],
};
const days = series.daysOf(3, '2026-03-03');

describe("the dashboard's series", () => {
  it('[DUI-09] cover every day of the range, across the end of a month', () => {
    expect(days).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(series.daysOf(2, '2026-03-01')).toEqual(['2026-02-28', '2026-03-01']);
    expect(series.lastDay(report, '2026-03-02')).toBe('2026-03-03');
  });

  it('[DUI-09] count tickets by subject and day; a day without tickets has no share', () => {
    const plot = series.volume(report.rows, days, (subject) => subject, 'others');
    expect(plot.series).toEqual([
      { label: 'refund', key: 'refund', values: [3, 0, 2] },
      { label: 'billing', key: 'billing', values: [1, 0, 0] },
    ]);
    expect(series.automation(report.rows, days, 'share').series[0]?.values).toEqual([50, null, 100]);
    expect(series.sentiment(report, days, { neutral: 'Neutral', negative: 'Negative' }).series).toEqual([
      { label: 'Neutral', key: 'neutral', values: [75, null, null] },
      { label: 'Negative', key: 'negative', values: [25, null, null] },
    ]);
    expect(series.reasons(report, (key) => key, 'n').labels).toEqual(['fault', 'legal']);
    expect(series.hasData(series.cost([], days, 'cost'))).toBe(false);
    expect(series.hasData(series.cost(report.rows, days, 'cost'))).toBe(true);
  });

  it('[DUI-09] put the most frequent subjects first and the others together', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => row('2026-03-01', name, 9 - at, 0));
    const { series: drawn } = series.volume(many, days, (subject) => subject, 'others');
    expect(drawn.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd', 'e', 'others']);
    expect(drawn.at(-1)?.values).toEqual([7, 0, 0]);
  });

  it('[DUI-09] sum up to the numbers above them', () => {
    expect(series.headline(report)).toEqual({
      tickets: 6,
      turns: 6,
      withoutHuman: 4 / 6,
      costUsd: 0.75,
      costPerTicket: 0.125,
      rated: 4,
      helpful: 0.75,
      hubMs: 50,
    });
    const none = {
      ...whole,
      rows: [],
      escalation_reasons: [],
      escalations: [],
      sentiments: [],
      response_times: [],
      ratings: [],
    };
    expect(series.headline(none)).toMatchObject({
      tickets: 0,
      withoutHuman: null,
      helpful: null,
      hubMs: null,
    });
  });
});

describe('arguments that an operator changes', () => {
  const args = { reservation_id: 'res_1', amount_cents: 5000, notify: true };

  it('[DUI-05] keep their types', () => {
    const count = { ...args, days: 7 };
    const texts = { ...toTexts(count, 2), days: ' 9 ' };
    expect(fromTexts(texts, count, 2)).toEqual({ ok: true, args: { ...count, days: 9 } });
  });

  it('[SHF-132] are money where they are money, with a point or a comma, in the digits of the currency', () => {
    expect(toTexts(args, 2)['amount_cents']).toBe('50.00');
    expect(toTexts(args, 0)['amount_cents']).toBe('5000');
    for (const [written, digits, amount] of [
      ['45', 2, 4500],
      ['45,5', 2, 4550],
      [' 45.05 ', 2, 4505],
      ['45', 0, 45],
      ['1.234', 3, 1234],
    ] as const)
      expect(fromTexts({ ...toTexts(args, digits), amount_cents: written }, args, digits)).toEqual({
        ok: true,
        args: { ...args, amount_cents: amount },
      });
  });

  it('[DUI-05] are refused where they cannot be what they were', () => {
    for (const amount of ['', 'abc', '45.555', '1,000.00', '-5', 'Infinity']) {
      expect(fromTexts({ ...toTexts(args, 2), amount_cents: amount }, args, 2)).toEqual({
        ok: false,
        wrong: 'amount_cents',
      });
    }
    expect(fromTexts({ ...toTexts(args, 2), notify: 'maybe' }, args, 2)).toEqual({
      ok: false,
      wrong: 'notify',
    });
  });
});
