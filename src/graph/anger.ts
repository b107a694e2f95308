import type { Task } from '../core/domain/session.js';
import type { Classification } from '../core/domain/ticket.js';

/** Upset about something that cannot wait: a person takes over. */
export function isPressing({ sentiment, priority }: Classification): boolean {
  return sentiment === 'frustrated' && (priority === 'high' || priority === 'urgent');
}

/** True where a part of the message is looked into before anybody takes over. */
export function investigates(tasks: readonly Task[]): boolean {
  return tasks.some(({ route, agent }) => route === 'investigation' && agent === 'investigation');
}

/** All is looked into, and nothing came of it that the customer could be asked. */
export function hasFound(tasks: readonly Task[]): boolean {
  return investigates(tasks) && tasks.every(({ status, proposal }) => status === 'done' && !proposal);
}
