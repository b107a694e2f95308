import type { IssueType, Priority, Sentiment } from '../core/domain/taxonomy.js';
import { INTENT_INFO, type Intent } from './intents.js';
import type { Signals } from './signals.js';

/** What the priority follows from. */
export interface PriorityFacts {
  readonly intent: Intent;
  readonly issueType: IssueType;
  readonly sentiment: Sentiment;
  readonly signals: Pick<Signals, 'counts'>;
}

/** Symptoms in which money or access is lost. */
const COSTLY: readonly Intent[] = [
  'double_charge',
  'missing_refund',
  'payment_failed',
  'subscription_not_active',
  'cannot_log_in',
];

function rank(priority: Priority): number {
  return ['low', 'medium', 'high', 'urgent'].indexOf(priority);
}

function raise(priority: Priority, atLeast: Priority): Priority {
  return rank(priority) >= rank(atLeast) ? priority : atLeast;
}

/**
 * How soon somebody must act. The first rule that fits gives the base, the later ones only raise it:
 *
 * 1. security incident, or somebody is refused at the door right now: urgent
 * 2. discrimination, legal threat, data leak or erasure, refused at the door earlier: high
 * 3. money or access lost (charged twice, refund missing, cannot log in ...): high
 * 4. anything to be changed, looked up or diagnosed, and complaints: medium
 * 5. general questions, small talk, praise and suggestions: low
 *
 * Frustration raises a plain question to medium and anything else to high; words of haste raise by one step, and to urgent where an event is
 * today and the customer has a problem with it.
 */
export function decidePriority(facts: PriorityFacts): Priority {
  const { counts } = facts.signals;
  const { group } = INTENT_INFO[facts.intent];
  const problem = group === 'symptom' || facts.sentiment === 'negative' || facts.sentiment === 'frustrated';
  let priority = basePriority(facts);
  // An angry question is still a question: answered first, but not a case for a person by itself.
  if (facts.sentiment === 'frustrated') priority = raise(priority, priority === 'low' ? 'medium' : 'high');
  if (counts.urgent > 0) {
    if (problem) priority = priority === 'low' ? 'medium' : priority === 'medium' ? 'high' : 'urgent';
    else if (group !== 'smalltalk' && group !== 'out_of_scope') priority = raise(priority, 'high');
  }
  if (counts.today > 0) {
    if (facts.intent === 'cannot_reserve' || facts.intent === 'app_broken')
      priority = raise(priority, 'high');
    if (group === 'action' && facts.intent !== 'make_reservation') priority = raise(priority, 'high');
    if (facts.intent === 'show_reservations' && problem) priority = raise(priority, 'high');
  }
  return priority;
}

function basePriority(facts: PriorityFacts): Priority {
  const { counts } = facts.signals;
  const { group } = INTENT_INFO[facts.intent];
  if (facts.intent === 'security_incident') return 'urgent';
  if (facts.intent === 'entry_denied') return counts.urgent > 0 || counts.today > 0 ? 'urgent' : 'high';
  if (
    facts.intent === 'discrimination' ||
    facts.intent === 'legal_threat' ||
    facts.intent === 'privacy_request'
  )
    return 'high';
  if (COSTLY.includes(facts.intent)) return 'high';
  if (facts.intent === 'praise' || facts.intent === 'suggestion') return 'low';
  if (group === 'knowledge' || group === 'smalltalk' || group === 'out_of_scope') {
    return group === 'knowledge' && facts.sentiment === 'negative' ? 'medium' : 'low';
  }
  return 'medium';
}
