import { describe, expect, it } from 'vitest';
import type { SubscriptionStatus } from '../../../companies/cultpass/data/records.js';
import {
  decideSubscriptionChange,
  type SubscriptionChange,
} from '../../../companies/cultpass/policy/policy.js';
import { blocked, rules, subscription, user } from './fixtures.js';

const decide = (status: SubscriptionStatus, change: SubscriptionChange) =>
  decideSubscriptionChange(user, subscription(status), change, rules);
const pause = (days: number | null): SubscriptionChange => ({ action: 'pause', days });

describe('decideSubscriptionChange', () => {
  it.each([1, 30, 90])('pauses for %i days', (days) => {
    expect(decide('active', pause(days))).toEqual({ kind: 'allowed', terms: { action: 'pause', days } });
  });

  it.each([0, -1, 91, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('does not pause for %d days', (days) => {
    expect(decide('active', pause(days))).toEqual({ kind: 'denied', code: 'policy_denied' });
  });

  it('pauses for the default where no length is named', () => {
    expect(decide('active', pause(null))).toEqual({ kind: 'allowed', terms: { action: 'pause', days: 30 } });
  });

  it.each([
    ['paused', pause(10), 'already_done'],
    ['cancelled', pause(10), 'wrong_status'],
    ['active', { action: 'resume' }, 'already_done'],
    ['cancelled', { action: 'resume' }, 'wrong_status'],
    ['cancelled', { action: 'cancel' }, 'already_done'],
  ] as const)('[RULE-06] denies, while %s, %o', (status, change, code) => {
    expect(decide(status, change)).toEqual({ kind: 'denied', code });
  });

  it.each([
    ['paused', 'resume'],
    ['active', 'cancel'],
    ['paused', 'cancel'],
  ] as const)('[RULE-06] allows, while %s, to %s', (status, action) => {
    expect(decide(status, { action })).toEqual({ kind: 'allowed', terms: { action, days: null } });
  });

  it("does not tell somebody else's subscription from none", () => {
    for (const found of [null, subscription('active', 'usr_2')])
      expect(decideSubscriptionChange(user, found, { action: 'cancel' }, rules)).toEqual({
        kind: 'denied',
        code: 'not_found',
      });
  });

  it('lets a blocked customer do nothing', () => {
    for (const change of [pause(1), { action: 'resume' }, { action: 'cancel' }] as const)
      expect(decideSubscriptionChange(blocked, subscription('active'), change, rules)).toEqual({
        kind: 'denied',
        code: 'customer_blocked',
      });
  });
});
