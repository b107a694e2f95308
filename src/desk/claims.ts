import { deskNotes } from '../core/desk-notes.js';
import type { DeskPresence } from '../core/desk-work.js';
import type { Operator } from '../core/domain/customer.js';
import type { Ticket } from '../core/domain/ticket.js';
import { HubError, toHubError } from '../core/errors.js';
import type { WaitingClaim } from '../core/ports/desk-queries.js';
import type { DeskQueries, PresenceStore } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import { nextTime } from '../core/wall-clock.js';
import {
  claim,
  demandClaim,
  known,
  log,
  type TicketDeps,
  threadOf,
  unresolved,
  withHubStopped,
} from './ticket-actions.js';

/* Claims of operators: taking a ticket from a colleague, reassigning it, ending shifts, and claims that lapse. */

/** What moves tickets between operators. */
export interface ClaimDeps extends TicketDeps {
  readonly presence: PresenceStore;
}

const PRESENT_MS = 60_000;
/** Who writes says so every few seconds: of whom nothing was heard for so long has stopped, or closed the page. */
const TYPING_MS = 12_000;
/** Who was not heard of for so long has been away. */
const AWAY_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

/** See DeskPresence. */
export function deskPresence(deps: ClaimDeps & { readonly desk: DeskQueries }): DeskPresence {
  const { presence, threads, graph } = deps;
  const { tools } = graph;
  return {
    async read(ticketId, messageId) {
      const { threadId } = await known(deps, ticketId);
      await threads.read(threadId, 'operator', messageId);
    },
    async awaySince({ operatorId }) {
      const seenAt = (await presence.get(operatorId))?.seenAt ?? null;
      return seenAt !== null && tools.clock.now().getTime() - Date.parse(seenAt) > AWAY_MS ? seenAt : null;
    },
    async endShift(operator) {
      await presence.put(operator, { ticketId: null, typing: false, shiftEndsAt: null, isOver: true });
      return returnClaims(deps, operator, tools.clock.now());
    },
    async attend(operator, { shiftEnds, ...at }) {
      const now = tools.clock.now();
      const ends = shiftEnds && nextTime(now, shiftEnds, tools.time.timeZone).toISOString();
      await presence.put(operator, ends === undefined ? at : { ...at, shiftEndsAt: ends || null });
      const heard = await presence.since(new Date(now.getTime() - PRESENT_MS));
      const isLate = (seenAt: string) => Date.parse(seenAt) < now.getTime() - TYPING_MS;
      return heard.map((one) => (one.typing && isLate(one.seenAt) ? { ...one, typing: false } : one));
    },
  };
}

/** See `TicketActions.takeFromColleague`. */
export async function takeFromColleague(
  deps: TicketDeps,
  ticketId: string,
  operator: Operator,
  reason: string,
): Promise<Ticket> {
  const ticket = await unresolved(deps, ticketId);
  const words = cleanText(reason);
  if (words === '') throw new HubError('input_invalid', 'Say why.', { field: 'take_over' });
  const { operator: holder } = await threadOf(deps, ticketId);
  if (holder === null || holder.operatorId === operator.operatorId) return claim(deps, ticket, operator);
  return move(deps, ticket, holder, operator, `${holder.name} → ${operator.name}: ${words}`);
}

/** See `TicketActions.reassign`. */
export async function reassign(
  deps: ClaimDeps,
  ticketId: string,
  operator: Operator,
  operatorId: string,
  note: string | undefined,
): Promise<Ticket> {
  const ticket = await unresolved(deps, ticketId);
  await demandClaim(deps, ticketId, operator);
  const to = await deps.presence.get(operatorId);
  if (!to) throw new HubError('input_invalid', 'There is no such operator.', { field: 'operator_id' });
  const words = cleanText(note ?? '');
  const why = `${operator.name} → ${to.name}${words === '' ? '' : `\n${words}`}`;
  return move(deps, ticket, operator, { operatorId: to.operatorId, name: to.name }, why);
}

async function move(
  deps: TicketDeps,
  { ticketId, threadId }: Ticket,
  from: Operator,
  to: Operator,
  why: string,
): Promise<Ticket> {
  await deps.threads.transfer(threadId, from, to).catch((error: unknown) => {
    // A third operator was faster.
    const known = toHubError(error);
    throw known.code === 'not_claimed' ? new HubError('already_claimed', known.message, known.fields) : known;
  });
  await deps.graph.tickets.addMessage(ticketId, 'system', deskNotes.tookOver(to.name, why));
  log(deps, 'reassigned', ticketId, to);
  return known(deps, ticketId);
}

/**
 * Ends the shifts whose time has come, and gives back what customers write to whoever has gone. Safe to call at any time and in several
 * processes. Never throws.
 */
export async function endShifts(deps: ClaimDeps & { readonly desk: DeskQueries }): Promise<void> {
  const { clock, log: logger } = deps.graph.tools;
  try {
    for (const { endedAt, ...operator } of await deps.presence.shiftsEnded(clock.now()))
      await returnClaims(deps, operator, new Date(endedAt));
  } catch (error) {
    logger.error({ agent: 'desk', action: 'shift_not_ended', details: {} }, error);
  }
}

/** Puts back into the queue what customers wait for and an operator held when the shift ended. @returns how many */
async function returnClaims(
  deps: ClaimDeps & { readonly desk: DeskQueries },
  operator: Operator,
  endedAt: Date,
): Promise<number> {
  // Whatever was heard of the operator until then, that instant included.
  const claims = await deps.desk.claims(new Date(endedAt.getTime() + 1));
  const own = claims.filter(({ holder }) => holder.operatorId === operator.operatorId);
  let returned = 0;
  for (const one of own) {
    try {
      await withHubStopped(deps, one.threadId, () =>
        backToQueue(deps, one, deskNotes.shiftEnded(operator.name)),
      );
      log(deps, 'shift_ended', one.ticketId, operator);
      returned += 1;
    } catch (error) {
      // Moved or answered meanwhile.
      if (toHubError(error).code !== 'not_claimed') throw error;
    }
  }
  return returned;
}

/** The customer is notified, the desk reads why, and nobody holds the ticket. @throws HubError `not_claimed` where it was moved */
async function backToQueue(
  deps: TicketDeps,
  { ticketId, threadId, holder }: WaitingClaim,
  note: string,
): Promise<void> {
  const { graph, threads } = deps;
  const language = (await graph.tickets.getClassification(ticketId))?.language ?? 'en';
  await demandClaim(deps, ticketId, holder);
  const words = graph.tools.texts.for(language).say('claim_lapsed', { name: holder.name });
  await graph.tickets.addMessage(ticketId, 'hub', words);
  await graph.tickets.addMessage(ticketId, 'system', note);
  await threads.release(threadId, holder, 'queue');
}

/**
 * Puts claimed tickets back into the queue whose customers wait while nothing is heard from their operator: no answer, no
 * note, and no page of theirs that shows the ticket, for the minutes that the policy sets. Safe to call at any time and in
 * several processes; a conversation that is busy is left for the next call. Never throws.
 * @returns how many went back
 */
export async function lapseClaims(deps: TicketDeps & { readonly desk: DeskQueries }): Promise<number> {
  const { graph, desk, locks } = deps;
  const { tools, hours } = graph;
  const now = tools.clock.now();
  const limit = tools.policy.support.claim_lapse_minutes;
  let lapsed = 0;
  const claims = await desk.claims(new Date(now.getTime() - limit * MINUTE_MS)).catch((error: unknown) => {
    tools.log.error({ agent: 'desk', action: 'lapse_failed', details: {} }, error);
    return [];
  });
  for (const claim of claims) {
    const { ticketId, threadId, holder, silentSince } = claim;
    if (hours.businessMinutesBetween(new Date(silentSince), now) <= limit) continue;
    try {
      await locks.withThread(threadId, 0, () => backToQueue(deps, claim, deskNotes.lapsed(holder.name)));
      log(deps, 'claim_lapsed', ticketId, holder);
      lapsed += 1;
    } catch (error) {
      const { code } = toHubError(error);
      if (code === 'thread_busy' || code === 'not_claimed') continue;
      tools.log.error({ agent: 'desk', action: 'lapse_failed', ticketId, details: {} }, error);
    }
  }
  return lapsed;
}
