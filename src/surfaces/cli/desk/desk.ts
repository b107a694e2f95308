import type { App, ApprovalOutcome, Desk } from '../../../core/app.js';
import type { Operator } from '../../../core/domain/customer.js';
import { parseObject } from '../../../core/domain/json.js';
import { idOfNumber, type Ticket, type TicketMessage } from '../../../core/domain/ticket.js';
import { HubError } from '../../../core/errors.js';
import { fold } from '../../../core/text.js';
import { type CommandContext, EXIT } from '../../command.js';
import {
  toApprovalJson,
  toChoiceJson,
  toDeskMessageJson,
  toOutcomeJson,
  toQueueJson,
  toTicketJson,
  toTicketViewJson,
} from '../../desk-json.js';
import { oneLine, print } from '../../printable.js';
import { formatOutcome, TERMINAL_OPERATOR } from '../chat/chat-session.js';
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
  print(io, options, entries.map(toQueueJson), formatQueue(entries, io.out.columns));
  return EXIT.done;
}

/** So many tickets that a number is found in are looked through. */
const FOUND = 50;

/**
 * The ticket that somebody names by its id, or by the number that its customer was told.
 * @throws HubError `usage` where a number is that of several
 */
export async function ticketNamed({ desk }: App, named: string): Promise<string> {
  const begin = idOfNumber(named);
  if (begin === null) return named;
  const found = await desk.entries({ view: 'all', text: named, limit: FOUND });
  const ids = found.map(({ ticket }) => ticket.ticketId).filter((id) => id.startsWith(begin));
  if (ids.length > 1) throw new HubError('usage', `${named} is the number of ${ids.join(' and ')}; name one`);
  return ids[0] ?? named;
}

/** One ticket with all that happened to it. @throws HubError `not_found` */
export async function showTicket(
  { app, io }: CommandContext,
  ticketId: string,
  options: DeskOptions,
): Promise<number> {
  const view = await app.desk.show(await ticketNamed(app, ticketId));
  print(io, options, toTicketViewJson(view), formatTicket(view));
  return EXIT.done;
}

/** Actions that wait for a decision. */
export async function showApprovals({ app, io }: CommandContext, options: DeskOptions): Promise<number> {
  const [actions, withdrawn] = await Promise.all([app.desk.approvals(), app.desk.withdrawals()]);
  print(
    io,
    options,
    actions.map(toApprovalJson),
    formatApprovals(actions, io.out.columns) + formatWithdrawals(withdrawn),
  );
  return EXIT.done;
}

/** An operator decides about an action. @throws HubError as the desk does */
export async function decide(
  { app, io, config }: CommandContext,
  options: DeskOptions,
  decided: (desk: Desk, operator: Operator) => Promise<ApprovalOutcome>,
): Promise<number> {
  const outcome = await decided(app.desk, operatorOf(options));
  print(io, options, toOutcomeJson(outcome), formatOutcome(outcome, app.texts.for(config.locale)));
  return EXIT.done;
}

/** Answers the question of an investigation. @throws HubError as the desk does */
export async function choose(
  { app, io }: CommandContext,
  ticketId: string,
  choice: string,
  options: DeskOptions,
): Promise<number> {
  const outcome = await app.desk.choose(await ticketNamed(app, ticketId), choice, operatorOf(options));
  print(io, options, toChoiceJson(outcome), formatChoice(outcome));
  return EXIT.done;
}

/** @throws HubError `usage` for a name by which no person can be recognized */
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

/** The arguments of an action. @throws HubError `usage` for what is no object */
export function argsOf(text: string): Readonly<Record<string, unknown>> {
  const value = parseObject(text);
  if (value) return value;
  throw new HubError('usage', `--args must be a JSON object; it is ${JSON.stringify(text.slice(0, 100))}`);
}

/** An operator does something to a ticket. @param said what became of it. @throws HubError as the desk does */
export async function changeTicket(
  { app, io }: CommandContext,
  options: DeskOptions,
  { named, said }: { readonly named: string; readonly said: string },
  change: (desk: Desk, ticketId: string, operator: Operator) => Promise<Ticket>,
): Promise<number> {
  const ticket = await change(app.desk, await ticketNamed(app, named), operatorOf(options));
  print(
    io,
    options,
    { ticket: toTicketJson(ticket) },
    `${oneLine(`${ticket.ticketId}: ${said} (${ticket.status}).`)}\n`,
  );
  return EXIT.done;
}

/** An operator writes on a ticket. @param said what became of it. @throws HubError as the desk does */
export async function writeOn(
  { app, io }: CommandContext,
  options: DeskOptions,
  { named, said }: { readonly named: string; readonly said: string },
  write: (desk: Desk, ticketId: string, operator: Operator) => Promise<TicketMessage>,
): Promise<number> {
  const message = await write(app.desk, await ticketNamed(app, named), operatorOf(options));
  print(io, options, { message: toDeskMessageJson(message) }, `${said}: ${oneLine(message.content)}\n`);
  return EXIT.done;
}
