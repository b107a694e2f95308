import type { IntentInfo } from '../core/domain/intent.js';
import type { IssueType, Priority, Sentiment } from '../core/domain/taxonomy.js';
import type { Signals } from './signals.js';

/** What the priority follows from. */
export interface PriorityFacts {
  readonly intent: Pick<IntentInfo, 'group' | 'priority' | 'pressing' | 'today'>;
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
 * 1. what the company calls pressing, in haste or today: urgent
 * 2. what the engine or the company says of the intent: urgent where a person or an account is in danger, high where money is lost
 * 3. anything to be changed, looked up or diagnosed, and complaints: medium
 * 4. general questions and small talk: low
 *
 * Frustration raises a plain question to medium and anything else to high. Words of haste raise a problem by one step and one of
 * today to urgent; anything else they raise to high, or to medium where nothing else is said.
 */
export function decidePriority(facts: PriorityFacts): Priority {
  const { counts } = facts.signals;
  const { group, today } = facts.intent;
  const problem = group === 'symptom' || facts.sentiment === 'negative' || facts.sentiment === 'frustrated';
  let priority = basePriority(facts);
  // An angry question is still a question: answered first, but not a case for a person by itself.
  if (facts.sentiment === 'frustrated') priority = raise(priority, priority === 'low' ? 'medium' : 'high');
  if (counts.urgent > 0) {
    if (problem && counts.today > 0) priority = 'urgent';
    else if (problem) priority = priority === 'low' ? 'medium' : priority === 'medium' ? 'high' : 'urgent';
    else priority = raise(priority, group === 'smalltalk' || group === 'out_of_scope' ? 'medium' : 'high');
  }
  if (counts.today > 0 && (today === 'always' || (today === 'problem' && problem)))
    priority = raise(priority, 'high');
  return priority;
}

function basePriority(facts: PriorityFacts): Priority {
  const { counts } = facts.signals;
  const { group, priority, pressing } = facts.intent;
  if (pressing && (counts.urgent > 0 || counts.today > 0)) return 'urgent';
  if (priority !== null) return priority;
  if (group === 'knowledge' || group === 'smalltalk' || group === 'out_of_scope') {
    return group === 'knowledge' && facts.sentiment === 'negative' ? 'medium' : 'low';
  }
  return 'medium';
}
