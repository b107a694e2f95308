import { describe, expect, it } from 'vitest';
import { decidePriority, type PriorityFacts } from '../../../src/nlu/priority.js';
import { SIGNAL_LISTS, type SignalList } from '../../../src/nlu/signals.js';
import { CULTPASS_NLU } from '../../support/company.js';

type Given = Partial<Omit<PriorityFacts, 'signals' | 'intent'>> & { readonly intent?: string };

function facts({ intent = 'ask_catalog', ...part }: Given, ...signals: SignalList[]): PriorityFacts {
  const counts = Object.fromEntries(
    SIGNAL_LISTS.map((name) => [name, signals.includes(name) ? 1 : 0]),
  ) as Record<SignalList, number>;
  return {
    intent: CULTPASS_NLU.intents.of(intent),
    issueType: 'experience',
    sentiment: 'neutral',
    ...part,
    signals: { counts },
  };
}

describe('priority', () => {
  it.each([
    ['a general question', facts({}), 'low'],
    ['an unhappy general question', facts({ sentiment: 'negative' }), 'medium'],
    ['an ordinary change', facts({ intent: 'cancel_reservation' }), 'medium'],
    ['an ordinary change of something today', facts({ intent: 'cancel_reservation' }, 'today'), 'high'],
    ['praise', facts({ intent: 'praise', sentiment: 'positive' }), 'low'],
    ['money lost', facts({ intent: 'double_charge', sentiment: 'negative' }), 'high'],
    ['money lost and haste', facts({ intent: 'double_charge', sentiment: 'negative' }, 'urgent'), 'urgent'],
    ['access lost', facts({ intent: 'cannot_log_in', sentiment: 'negative' }), 'high'],
    ['refused at the door, in the past', facts({ intent: 'entry_denied', sentiment: 'negative' }), 'high'],
    ['refused at the door now', facts({ intent: 'entry_denied', sentiment: 'negative' }, 'urgent'), 'urgent'],
    ['a security incident', facts({ intent: 'security_incident', sentiment: 'negative' }), 'urgent'],
    ['discrimination', facts({ intent: 'discrimination', sentiment: 'negative' }), 'high'],
    ['anger', facts({ intent: 'complaint', sentiment: 'frustrated' }), 'high'],
    ['a complaint', facts({ intent: 'complaint', sentiment: 'negative' }), 'medium'],
    ['a broken app', facts({ intent: 'app_broken', sentiment: 'negative' }), 'medium'],
    [
      'a broken app before an event today',
      facts({ intent: 'app_broken', sentiment: 'negative' }, 'today'),
      'high',
    ],
    ['small talk in haste', facts({ intent: 'greeting' }, 'urgent'), 'medium'],
  ] as const)('%s', (_, given, expected) => {
    expect(decidePriority(given)).toBe(expected);
  });
});
