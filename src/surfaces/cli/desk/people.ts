import type { Ticket, TicketMessage } from '../../../core/domain/ticket.js';
import { HubError } from '../../../core/errors.js';
import type { CommandContext } from '../../command.js';
import { toDeskMessageJson, toOutcomeJson, toTicketJson } from '../../desk-json.js';
import { oneLine } from '../../printable.js';
import { formatOutcome } from '../chat/chat-text.js';
import { type DeskOptions, operatorOf, print } from './desk.js';

/** Takes a conversation: the hub is silent there from now on. @throws HubError as the desk does */
export async function claim(
  context: CommandContext,
  ticketId: string,
  options: DeskOptions,
): Promise<number> {
  const ticket = await context.app.desk.claim(ticketId, operatorOf(options));
  return tellTicket(context, ticket, options, `claimed by ${ticket.operatorName ?? 'you'}`);
}

/** Puts it back into the queue. @throws HubError as the desk does */
export async function release(
  context: CommandContext,
  ticketId: string,
  options: DeskOptions,
): Promise<number> {
  const ticket = await context.app.desk.release(ticketId, operatorOf(options));
  return tellTicket(context, ticket, options, 'back in the queue');
}

/** Says something to the customer. @throws HubError as the desk does */
export async function reply(
  context: CommandContext,
  ticketId: string,
  text: string,
  options: DeskOptions,
): Promise<number> {
  const message = await context.app.desk.reply(ticketId, operatorOf(options), text);
  return tellMessage(context, message, options, 'The customer is told');
}

/** Keeps a note that only operators see. @throws HubError as the desk does */
export async function note(
  context: CommandContext,
  ticketId: string,
  text: string,
  options: DeskOptions,
): Promise<number> {
  const message = await context.app.desk.note(ticketId, operatorOf(options), text);
  return tellMessage(context, message, options, 'Noted');
}

/** Ends a ticket. @throws HubError as the desk does */
export async function resolve(
  context: CommandContext,
  ticketId: string,
  options: DeskOptions & { readonly text?: string; readonly summary?: string },
): Promise<number> {
  const { text, summary } = options;
  const ticket = await context.app.desk.resolve(ticketId, operatorOf(options), { text, summary });
  return tellTicket(context, ticket, options, 'resolved');
}

/** Gives the conversation back to the hub. @throws HubError as the desk does */
export async function handBack(
  context: CommandContext,
  ticketId: string,
  options: DeskOptions & { readonly note?: string },
): Promise<number> {
  const ticket = await context.app.desk.handBack(ticketId, operatorOf(options), options.note);
  return tellTicket(context, ticket, options, 'back with the hub');
}

/** Allows an action with other arguments. @throws HubError as the desk does, `usage` for arguments that are no object */
export async function edit(
  { app, io, config }: CommandContext,
  id: string,
  options: DeskOptions & { readonly args: string; readonly reason?: string },
): Promise<number> {
  const outcome = await app.desk.edit(id, operatorOf(options), argsOf(options.args), options.reason);
  print(
    io,
    options,
    () => toOutcomeJson(outcome),
    () => formatOutcome(outcome, config.locale),
  );
  return 0;
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

function tellTicket({ io }: CommandContext, ticket: Ticket, options: DeskOptions, what: string): number {
  print(
    io,
    options,
    () => ({ ticket: toTicketJson(ticket) }),
    () => `${oneLine(`${ticket.ticketId}: ${what} (${ticket.status}).`)}\n`,
  );
  return 0;
}

function tellMessage(
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
