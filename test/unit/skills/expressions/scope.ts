import { HubError } from '../../../../src/core/errors.js';
import { compileCondition, type Scope } from '../../../../src/skills/expressions/expression.js';

export const scope: Scope = {
  result: {
    count: 0,
    amount: 10.5,
    amount_cents: 101,
    price: 10,
    status: 'reserved',
    ended_at: null,
    created_at: '2026-03-11T15:00:00.000Z',
    stored_at: '2026-03-11 15:00:00',
    postgres_at: '2026-03-11 15:00:00.123+00',
    day: '2026-03-11',
    rows: [{ status: 'paid' }, { status: null }, { note: 'late' }],
  },
  type: 'refund',
  customer: { blocked: false, visits: [3, 1, 2] },
  steps: { step_1: { count: 2 } },
  now: new Date('2026-03-12T00:00:00.000Z'),
};

export const holds = (text: string, over: Scope = scope): boolean => compileCondition(text).holds(over);

export function thrown(work: () => unknown): HubError {
  try {
    work();
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
