import type { Operator } from '../../../core/domain/customer.js';
import { HubError } from '../../../core/errors.js';
import { fold } from '../../../core/fold.js';
import type { CommandContext } from '../../command.js';
import {
  toApprovalJson,
  toChoiceJson,
  toOutcomeJson,
  toQueueJson,
  toTicketViewJson,
} from '../../desk-json.js';
import { TERMINAL_OPERATOR } from '../chat/chat-session.js';
import { formatOutcome } from '../chat/chat-text.js';
import { formatApprovals, formatChoice, formatQueue, formatTicket, formatWithdrawals } from './desk-text.js';

/** Options that every part of the desk takes. */
export interface DeskOptions {
  readonly json?: boolean;
  /** Name of the operator; it is kept with each decision. */
  readonly as?: string;
}

const QUEUE_LENGTH = 200;

/** Tickets that wait for an operator. */
export async function showQueue(
  { app, io }: CommandContext,
  options: DeskOptions,
  limit = QUEUE_LENGTH,
): Promise<number> {
  const entries = await app.desk.queue({ owner: 'operator', resolved: false, limit });
  print(
    io,
    options,
    () => entries.map(toQueueJson),
    () => formatQueue(entries, io.out.columns),
  );
  return 0;
}

/** One ticket with all that happened to it. @throws HubError `not_found` */
export async function showTicket(
  { app, io }: CommandContext,
  ticketId: string,
  options: DeskOptions,
): Promise<number> {
  const view = await app.desk.show(ticketId);
  print(
    io,
    options,
    () => toTicketViewJson(view),
    () => formatTicket(view),
  );
  return 0;
}

/** Actions that wait for a decision. */
export async function showApprovals({ app, io }: CommandContext, options: DeskOptions): Promise<number> {
  const [actions, withdrawn] = await Promise.all([app.desk.approvals(), app.desk.withdrawals()]);
  print(
    io,
    options,
    () => actions.map(toApprovalJson),
    () => formatApprovals(actions, io.out.columns) + formatWithdrawals(withdrawn),
  );
  return 0;
}

/** Allows an action, which is then carried out. @throws HubError as the desk does */
export async function approve(
  { app, io, config }: CommandContext,
  id: string,
  options: DeskOptions,
): Promise<number> {
  const outcome = await app.desk.approve(id, operatorOf(options));
  print(
    io,
    options,
    () => toOutcomeJson(outcome),
    () => formatOutcome(outcome, config.locale),
  );
  return 0;
}

/** Refuses an action. @throws HubError as the desk does */
export async function reject(
  { app, io, config }: CommandContext,
  id: string,
  options: DeskOptions & { readonly reason: string },
): Promise<number> {
  const outcome = await app.desk.reject(id, operatorOf(options), options.reason);
  print(
    io,
    options,
    () => toOutcomeJson(outcome),
    () => formatOutcome(outcome, config.locale),
  );
  return 0;
}

/** Answers the question of an investigation. @throws HubError as the desk does */
export async function choose(
  { app, io }: CommandContext,
  ticketId: string,
  choice: string,
  options: DeskOptions,
): Promise<number> {
  const outcome = await app.desk.choose(ticketId, choice, operatorOf(options));
  print(
    io,
    options,
    () => toChoiceJson(outcome),
    () => formatChoice(outcome),
  );
  return 0;
}

/** @throws HubError `usage` for a name nobody could be told by */
export function operatorOf({ as }: DeskOptions, option = '--as'): Operator {
  if (as === undefined) return TERMINAL_OPERATOR;
  const name = as.trim();
  const slug = fold(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (slug === '' || name.length > 80)
    throw new HubError('usage', `${option} must be a name of at most 80 characters`);
  return { operatorId: `op_${slug}`, name };
}

/** The result, for programs or for people. */
export function print(
  io: CommandContext['io'],
  { json }: DeskOptions,
  value: () => unknown,
  text: () => string,
): void {
  io.out.write(json ? `${JSON.stringify(value(), null, 2)}\n` : text());
}
