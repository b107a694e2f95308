import type { TicketActions } from '../core/app.js';
import type { AttachmentStore } from '../core/attachments.js';
import { deskNotes } from '../core/desk-notes.js';
import type { Operator } from '../core/domain/customer.js';
import type { Ticket, TicketMessage } from '../core/domain/ticket.js';
import { HubError, toHubError } from '../core/errors.js';
import { type AttachedFile, type FileIds, namesOf, uploaderOf } from '../core/file-types.js';
import type { ThreadLock, ThreadRecord, ThreadStore } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { escalatedIn, isAwaited } from '../graph/operator-messages.js';
import type { TurnOwnership } from '../graph/ownership.js';
import { withdrawDropped } from '../runtime/decided-action.js';
import type { TurnService } from '../turns/turn-service.js';

/** What people at the desk need. */
export interface TicketDeps {
  readonly graph: GraphDeps;
  readonly threads: ThreadStore;
  readonly ownership: TurnOwnership;
  readonly locks: ThreadLock;
  readonly turns: TurnService;
  readonly waitMs: number;
  /** Characters of one message. */
  readonly messageChars: number;
  readonly attaching: AttachmentStore;
}

const SUMMARY_CHARS = 500;

/** What operators do with tickets; see TicketActions. Moving them between operators is in claims.ts. */
export function ticketActions(deps: TicketDeps): Omit<TicketActions, 'takeFromColleague' | 'reassign'> {
  return {
    claim: async (ticketId, operator) => claim(deps, await unresolved(deps, ticketId), operator),
    release: (ticketId, operator) => release(deps, ticketId, operator),
    reply: (ticketId, operator, text, files = []) => reply(deps, ticketId, operator, { text, files }),
    note: async (ticketId, operator, text) => {
      const words = checked(deps, text);
      await known(deps, ticketId);
      const extras = { audience: 'desk', author: operator.name } as const;
      return deps.graph.tickets.addMessage(ticketId, 'operator', words, extras);
    },
    resolve: (ticketId, operator, input) => resolve(deps, ticketId, operator, input),
    returnToHub: (ticketId, operator, note) => returnToHub(deps, ticketId, operator, note),
  };
}

/** The row says at once whose it is; then the turn that runs is stopped, and waited for. */
export async function claim(
  deps: TicketDeps,
  { ticketId, threadId }: Ticket,
  operator: Operator,
): Promise<Ticket> {
  const { graph, ownership, threads } = deps;
  const before = await threadOf(deps, ticketId);
  await threads.claim(threadId, operator);
  ownership.drop(threadId);
  if (before.operator === null) {
    await graph.tickets.addMessage(ticketId, 'system', deskNotes.tookOver(operator.name));
  }
  await withHubStopped(deps, threadId, async () => {
    // A turn that began a moment ago may have opened a ticket meanwhile.
    await threads.claim(threadId, operator);
    await withdrawDropped(graph, threadId);
    await withdrawQuestion(graph, threadId);
  });
  log(deps, 'claimed', ticketId, operator);
  return known(deps, ticketId);
}

/**
 * Holds the conversation once the turn that runs there is over. Where that takes too long (a model in another process that
 * hangs) the work is done all the same: whatever that turn still tries is refused.
 */
export async function withHubStopped(
  deps: TicketDeps,
  threadId: string,
  work: () => Promise<void>,
): Promise<void> {
  let done = false;
  try {
    await deps.locks.withThread(threadId, deps.waitMs, async () => {
      done = true;
      await work();
    });
  } catch (error) {
    if (done || toHubError(error).code !== 'thread_busy') throw error;
    await work();
  }
}

/** What the hub asked cannot be answered while people talk. */
async function withdrawQuestion({ tickets, tools }: GraphDeps, threadId: string): Promise<void> {
  const open = await tools.pending.findOpenConfirmation(threadId);
  if (!open) return;
  await tools.pending.supersede(open.pendingId);
  await tickets.addMessage(open.ticketId, 'system', deskNotes.said('unanswered', open.question));
}

async function release(deps: TicketDeps, ticketId: string, operator: Operator): Promise<Ticket> {
  const { threadId } = await known(deps, ticketId);
  await demandClaim(deps, ticketId, operator);
  await withHubStopped(deps, threadId, async () => {
    await deps.graph.tickets.addMessage(ticketId, 'system', deskNotes.putBack(operator.name));
    await deps.threads.release(threadId, operator, 'queue');
  });
  log(deps, 'released', ticketId, operator);
  return known(deps, ticketId);
}

async function reply(
  deps: TicketDeps,
  ticketId: string,
  operator: Operator,
  { text, files: fileIds }: { readonly text: string; readonly files: FileIds },
): Promise<TicketMessage> {
  const ticket = await unresolved(deps, ticketId);
  const files = await deps.attaching.of(ticket.threadId, uploaderOf(operator), fileIds);
  const words = checked(deps, cleanText(text) || namesOf(files));
  await claimFree(deps, ticket, operator);
  return say(deps, ticketId, operator, words, files);
}

async function say(
  { graph }: TicketDeps,
  ticketId: string,
  operator: Operator,
  text: string,
  files: readonly AttachedFile[] = [],
): Promise<TicketMessage> {
  const author = { author: operator.name };
  const extras = files.length === 0 ? author : { ...author, files };
  const message = await graph.tickets.addMessage(ticketId, 'operator', text, extras);
  await graph.tickets.setStatus(ticketId, 'waiting_customer', 'operator');
  return message;
}

async function resolve(
  deps: TicketDeps,
  ticketId: string,
  operator: Operator,
  input: Parameters<TicketActions['resolve']>[2],
): Promise<Ticket> {
  const ticket = await unresolved(deps, ticketId);
  const files = await deps.attaching.of(ticket.threadId, uploaderOf(operator), input.files ?? []);
  const said = cleanText(input.text ?? '') || namesOf(files);
  const last = said === '' ? null : checked(deps, said);
  await claimFree(deps, ticket, operator);
  // What the customer writes meanwhile waits, and is the hub's to answer.
  await withHubStopped(deps, ticket.threadId, async () => {
    await demandClaim(deps, ticketId, operator);
    if (last !== null) await say(deps, ticketId, operator, last, files);
    else await notifyClosed(deps, ticket, operator);
    await settle(deps, ticket, operator, { ...input, text: last ?? undefined });
  });
  log(deps, 'resolved', ticketId, operator);
  return known(deps, ticketId);
}

/** Whoever was promised an answer learns that there will be none; who writes by mail reads nothing but what is sent. */
async function notifyClosed({ graph }: TicketDeps, ticket: Ticket, { name }: Operator): Promise<void> {
  const { ticketId, threadId, channel } = ticket;
  if (channel !== 'email' && !(await isAwaited(graph, threadId))) return;
  const language = (await graph.tickets.getClassification(ticketId))?.language ?? 'en';
  await graph.tickets.addMessage(ticketId, 'hub', graph.tools.texts.for(language).say('closed_by', { name }));
}

/** The ticket is resolved, and the conversation the hub's again. */
async function settle(
  { graph, threads }: TicketDeps,
  ticket: Ticket,
  operator: Operator,
  input: Parameters<TicketActions['resolve']>[2],
): Promise<void> {
  const { ticketId } = ticket;
  const said =
    cleanText(input.summary ?? '') ||
    (await graph.tickets.getClassification(ticketId))?.summary ||
    input.text;
  await graph.tools.memory.addResolution({
    ticketId,
    customerId: ticket.customerId,
    resolutionType: 'resolved',
    summary: (said ?? `Resolved by ${operator.name}.`).slice(0, SUMMARY_CHARS),
    agent: `operator:${operator.operatorId}`,
  });
  await graph.tickets.addMessage(ticketId, 'system', deskNotes.resolved(operator.name));
  await graph.tickets.setStatus(ticketId, 'resolved', 'operator');
  // What else somebody waits for in the conversation stays with its operator, and in sight.
  if ((await escalatedIn(graph, ticket.threadId)) === null)
    await threads.release(ticket.threadId, operator, 'hub');
}

async function returnToHub(
  deps: TicketDeps,
  ticketId: string,
  operator: Operator,
  note: string | undefined,
): Promise<Ticket> {
  const { threadId } = await known(deps, ticketId);
  const words = cleanText(note ?? '') === '' ? null : checked(deps, note ?? '');
  await demandClaim(deps, ticketId, operator);
  await withHubStopped(deps, threadId, () => returnThread(deps, { ticketId, threadId }, operator, words));
  log(deps, 'handed_back', ticketId, operator);
  await answerReturned(deps, threadId, ticketId);
  return known(deps, ticketId);
}

/** The hub has it again; what the customer asked meanwhile is not answered yet. */
export async function returnThread(
  { graph, threads }: Pick<TicketDeps, 'graph' | 'threads'>,
  { ticketId, threadId }: Pick<Ticket, 'ticketId' | 'threadId'>,
  operator: Operator,
  note: string | null,
): Promise<void> {
  await graph.tickets.addMessage(ticketId, 'system', deskNotes.handedBack(operator.name, note));
  await threads.release(threadId, operator, 'hub');
}

/** A fault is no reason to leave it with the person: it is answered with the customer's next message, or at the next start. */
export async function answerReturned(
  { graph, turns }: Pick<TicketDeps, 'graph' | 'turns'>,
  threadId: string,
  ticketId: string,
): Promise<void> {
  try {
    await turns.answerHandedBack(threadId);
  } catch (error) {
    graph.tools.log.error({ agent: 'desk', action: 'hand_back_not_answered', ticketId, details: {} }, error);
  }
}

/** Claims what no operator has. @throws HubError `not_claimed` where it is somebody else's */
export async function claimFree(deps: TicketDeps, ticket: Ticket, operator: Operator): Promise<void> {
  const { operator: holder } = await threadOf(deps, ticket.ticketId);
  if (holder) return demandClaim(deps, ticket.ticketId, operator);
  try {
    await claim(deps, ticket, operator);
  } catch (error) {
    // Somebody else was faster.
    const known = toHubError(error);
    if (known.code !== 'already_claimed') throw known;
    throw new HubError('not_claimed', known.message, known.fields);
  }
}

/** @throws HubError `not_claimed` where the conversation is not claimed by this operator */
export async function demandClaim(
  deps: Pick<TicketDeps, 'graph' | 'threads'>,
  ticketId: string,
  operator: Operator,
): Promise<void> {
  const { operator: holder } = await threadOf(deps, ticketId);
  if (holder?.operatorId === operator.operatorId) return;
  const who = holder ? `${holder.name} has this conversation in hand.` : 'Nobody has claimed this ticket.';
  throw new HubError('not_claimed', who, { ticketId, operator: holder?.name ?? null });
}

/** The conversation of a ticket; one that came in through Studio has no row of its own yet. */
export async function threadOf(
  { graph, threads }: Pick<TicketDeps, 'graph' | 'threads'>,
  ticketId: string,
): Promise<ThreadRecord> {
  const { threadId, customerId } = await known({ graph }, ticketId);
  const row = await threads.get(threadId);
  if (row) return row;
  await threads.put({ threadId, customerId, graphThreadId: threadId });
  return threadOf({ graph, threads }, ticketId);
}

/** The ticket. @throws HubError `not_found` */
export async function known({ graph }: Pick<TicketDeps, 'graph'>, ticketId: string): Promise<Ticket> {
  const ticket = await graph.tickets.get(ticketId);
  if (!ticket) throw new HubError('not_found', `There is no ticket ${ticketId}.`, { ticketId });
  return ticket;
}

/** The ticket. @throws HubError `not_found`, `wrong_status` where it is resolved */
export async function unresolved(deps: TicketDeps, ticketId: string): Promise<Ticket> {
  const ticket = await known(deps, ticketId);
  if (ticket.status !== 'resolved') return ticket;
  throw new HubError('wrong_status', `The ticket ${ticketId} is resolved.`, { ticketId });
}

function checked({ messageChars }: TicketDeps, text: string): string {
  const words = cleanText(text);
  if (words === '') throw new HubError('input_invalid', 'There is nothing written.', { field: 'text' });
  if (words.length <= messageChars) return words;
  throw new HubError('input_too_large', `A message has at most ${messageChars} characters.`, {
    field: 'text',
  });
}

/** Writes down what an operator did. */
export function log({ graph }: TicketDeps, action: string, ticketId: string, { operatorId }: Operator): void {
  graph.tools.log.info({ agent: 'desk', action, ticketId, details: { operatorId } });
}
