import type { IntentInfo } from '../core/domain/intent.js';
import type { IssueType, Priority, Sentiment } from '../core/domain/taxonomy.js';
import type { Signals } from './signals.js';

/** What the priority follows from. */
export interface PriorityFacts {
  readonly intent: Pick<IntentInfo, 'name' | 'group' | 'priority' | 'pressing' | 'today'>;
  readonly issueType: IssueType;
  readonly sentiment: Sentiment;
  readonly signals: Pick<Signals, 'counts'>;
}

function rank(priority: Priority): number {
  return ['low', 'medium', 'high', 'urgent'].indexOf(priority);
}

function raise(priority: Priority, atLeast: Priority): Priority {
  return rank(priority) >= rank(atLeast) ? priority : atLeast;
}

/**
 * How soon somebody must act. The first rule that fits gives the base, the later ones only raise it:
 *
 * 1. security incident, or what the company calls pressing, in haste or today: urgent
 * 2. what the company says of the intent, such as high where money or access is lost
 * 3. discrimination, legal threat, data leak or erasure: high
 * 4. anything to be changed, looked up or diagnosed, and complaints: medium
 * 5. general questions, small talk, praise and suggestions: low
 *
 * Frustration raises a plain question to medium and anything else to high; words of haste raise by one step, and to urgent where an event is
 * today and the customer has a problem with it.
 */
export function decidePriority(facts: PriorityFacts): Priority {
  const { counts } = facts.signals;
  const { group, today } = facts.intent;
  const problem = group === 'symptom' || facts.sentiment === 'negative' || facts.sentiment === 'frustrated';
  let priority = basePriority(facts);
  // An angry question is still a question: answered first, but not a case for a person by itself.
  if (facts.sentiment === 'frustrated') priority = raise(priority, priority === 'low' ? 'medium' : 'high');
  if (counts.urgent > 0) {
    if (problem) priority = priority === 'low' ? 'medium' : priority === 'medium' ? 'high' : 'urgent';
    else if (group !== 'smalltalk' && group !== 'out_of_scope') priority = raise(priority, 'high');
  }
  if (counts.today > 0 && (today === 'always' || (today === 'problem' && problem)))
    priority = raise(priority, 'high');
  return priority;
}

function basePriority(facts: PriorityFacts): Priority {
  const { counts } = facts.signals;
  const { name, group, priority, pressing } = facts.intent;
  if (name === 'security_incident') return 'urgent';
  if (pressing && (counts.urgent > 0 || counts.today > 0)) return 'urgent';
  if (priority !== null) return priority;
  if (name === 'discrimination' || name === 'legal_threat' || name === 'privacy_request') return 'high';
  if (name === 'praise' || name === 'suggestion') return 'low';
  if (group === 'knowledge' || group === 'smalltalk' || group === 'out_of_scope') {
    return group === 'knowledge' && facts.sentiment === 'negative' ? 'medium' : 'low';
  }
  return 'medium';
}
