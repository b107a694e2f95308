import type { Task } from '../core/domain/session.js';
import type { Classification } from '../core/domain/ticket.js';

/** Upset about something that cannot wait: a person takes over. */
export function isPressing({ sentiment, priority }: Classification): boolean {
  return sentiment === 'frustrated' && (priority === 'high' || priority === 'urgent');
}

/** Below this confidence of triage nobody who is angry is kept from a person by a guess. */
const SURE = 0.6;

/**
 * True where the hub works on the message before a person takes over: a part of it is investigated, or all of it is
 * plainly about the customer's own record, to be looked up or changed.
 */
export function isWorkedOnFirst(tasks: readonly Task[], { confidence, requests }: Classification): boolean {
  const plain = tasks.every(({ route }) => route === 'account' || route === 'action');
  return (
    investigates(tasks) || isToldHow(tasks, requests) || (plain && tasks.length > 0 && confidence >= SURE)
  );
}

/** True where something is wrong that the help centre has steps for, as no record tells of it: "the app keeps crashing, damn it". */
function isToldHow(tasks: readonly Task[], requests: Classification['requests']): boolean {
  const isSymptom = requests.length > 0 && requests.every(({ route }) => route === 'investigation');
  return isSymptom && tasks.length > 0 && tasks.every(({ agent }) => agent === 'knowledge');
}

/**
 * All is done, and a person takes over: it was looked into or looked up, and nothing came of it that the customer could
 * be asked. A change that was asked for ended in its confirmation or its refusal.
 */
export function isLeftToPerson(tasks: readonly Task[], { requests }: Classification): boolean {
  // Whose question their own record answers was helped.
  const looked =
    investigates(tasks) ||
    isToldHow(tasks, requests) ||
    tasks.every(({ route, asks }) => route === 'account' && asks === undefined);
  return looked && tasks.every(({ status, proposal }) => status === 'done' && !proposal);
}

function investigates(tasks: readonly Task[]): boolean {
  return tasks.some(({ route, agent }) => route === 'investigation' && agent === 'investigation');
}
