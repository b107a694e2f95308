import type { ApprovalOutcome } from '../../../core/app.js';
import type { Operator } from '../../../core/domain/customer.js';
import type { Ticket, TicketMessage } from '../../../core/domain/ticket.js';
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

function printOutcome(
  { app, io, config }: CommandContext,
  options: DeskOptions,
  outcome: ApprovalOutcome,
): number {
  print(
    io,
    options,
    () => toOutcomeJson(outcome),
    () => formatOutcome(outcome, app.texts.for(config.locale)),
  );
  return EXIT.done;
}

/** Allows an action, which is then carried out. @throws HubError as the desk does */
export async function approve(context: CommandContext, id: string, options: DeskOptions): Promise<number> {
  const outcome = await context.app.desk.approve(id, operatorOf(options));
  return printOutcome(context, options, outcome);
}

/** Refuses an action. @throws HubError as the desk does */
export async function reject(
  context: CommandContext,
  id: string,
  options: DeskOptions & { readonly reason: string },
): Promise<number> {
  const outcome = await context.app.desk.reject(id, operatorOf(options), options.reason);
  return printOutcome(context, options, outcome);
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

/** Takes a conversation: the hub is silent there from now on. @throws HubError as the desk does */
export async function claim(
  context: CommandContext,
  ticketId: string,
  options: DeskOptions,
): Promise<number> {
  const ticket = await context.app.desk.claim(ticketId, operatorOf(options));
  return printTicket(context, ticket, options, `claimed by ${ticket.operatorName ?? 'you'}`);
}

/** Puts it back into the queue. @throws HubError as the desk does */
export async function release(
  context: CommandContext,
  ticketId: string,
  options: DeskOptions,
): Promise<number> {
  const ticket = await context.app.desk.release(ticketId, operatorOf(options));
  return printTicket(context, ticket, options, 'back in the queue');
}

/** Says something to the customer. @throws HubError as the desk does */
export async function reply(
  context: CommandContext,
  ticketId: string,
  text: string,
  options: DeskOptions,
): Promise<number> {
  const message = await context.app.desk.reply(ticketId, operatorOf(options), text);
  return printMessage(context, message, options, 'The customer is told');
}

/** Keeps a note that only operators see. @throws HubError as the desk does */
export async function note(
  context: CommandContext,
  ticketId: string,
  text: string,
  options: DeskOptions,
): Promise<number> {
  const message = await context.app.desk.note(ticketId, operatorOf(options), text);
  return printMessage(context, message, options, 'Noted');
}

/** Ends a ticket. @throws HubError as the desk does */
export async function resolve(
  context: CommandContext,
  ticketId: string,
  options: DeskOptions & { readonly text?: string; readonly summary?: string },
): Promise<number> {
  const { text, summary } = options;
  const ticket = await context.app.desk.resolve(ticketId, operatorOf(options), { text, summary });
  return printTicket(context, ticket, options, 'resolved');
}

/** Gives the conversation back to the hub. @throws HubError as the desk does */
export async function returnToHub(
  context: CommandContext,
  ticketId: string,
  options: DeskOptions & { readonly note?: string },
): Promise<number> {
  const ticket = await context.app.desk.returnToHub(ticketId, operatorOf(options), options.note);
  return printTicket(context, ticket, options, 'back with the hub');
}

/** Allows an action with other arguments. @throws HubError as the desk does, `usage` for arguments that are no object */
export async function edit(
  context: CommandContext,
  id: string,
  options: DeskOptions & { readonly args: string; readonly reason?: string },
): Promise<number> {
  const outcome = await context.app.desk.edit(id, operatorOf(options), argsOf(options.args), options.reason);
  return printOutcome(context, options, outcome);
}

function argsOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new HubError('usage', `--args must be a JSON object; it is ${JSON.stringify(text.slice(0, 100))}`);
}

function printTicket({ io }: CommandContext, ticket: Ticket, options: DeskOptions, what: string): number {
  print(
    io,
    options,
    () => ({ ticket: toTicketJson(ticket) }),
    () => `${oneLine(`${ticket.ticketId}: ${what} (${ticket.status}).`)}\n`,
  );
  return 0;
}

function printMessage(
  { io }: CommandContext,
  message: TicketMessage,
  options: DeskOptions,
  what: string,
): number {
  print(
    io,
    options,
    () => ({ message: toDeskMessageJson(message) }),
    () => `${what}: ${oneLine(message.content)}\n`,
  );
  return 0;
}
