import type { CapabilityOutcome } from '../core/capabilities.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { refused } from './run-plain.js';

/** What a program hears whose customer's conversation a person has in hand. */
export function takenOver(thread: Pick<ThreadRecord, 'operator'> | null): CapabilityOutcome {
  const operator = thread?.operator;
  const who = operator ? `${operator.name} from the support team has` : 'A person of the support team has';
  return refused(
    'taken_over',
    `${who} this conversation in hand now. Nothing was changed; they answer there.`,
  );
}
