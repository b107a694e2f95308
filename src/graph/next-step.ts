import type { Language, Priority } from '../core/domain/taxonomy.js';
import type { NextStep } from '../core/i18n/index.js';
import type { GraphDeps } from './graph-deps.js';

/**
 * When an operator answers what was escalated.
 * @param since when it was escalated; a promise that was missed is not made again
 */
export function nextStep(
  { hours, tools }: GraphDeps,
  language: Language,
  priority: Priority | undefined,
  since: Date = tools.clock.now(),
): NextStep {
  const now = tools.clock.now();
  const minutes = tools.policy.support.first_reply_minutes[priority ?? 'medium'];
  const due = hours.addBusinessMinutes(since, minutes);
  const by = due < now ? null : tools.time.dateTime(due.toISOString(), language);
  return { by, outOfHours: !hours.isOpen(now) };
}

/** When people are back; null while they are there. */
export function backAt({ hours, tools }: GraphDeps, language: Language): string | null {
  const now = tools.clock.now();
  if (hours.isOpen(now)) return null;
  return tools.time.dateTime(hours.nextOpening(now).toISOString(), language);
}
