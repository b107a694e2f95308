import { deskNotes } from '../core/desk-notes.js';
import type { Session } from '../core/domain/session.js';
import {
  ESCALATION_ROUTE,
  type EscalationReason,
  PRIORITIES,
  type Priority,
} from '../core/domain/taxonomy.js';
import { type Classification, type Escalation, MATTERS_APART, type Ticket } from '../core/domain/ticket.js';
import type { NextStep } from '../core/i18n/index.js';
import type { GraphDeps } from './graph-deps.js';
import { nextStep } from './next-step.js';
import { escalatedIn } from './operator-messages.js';

/** How a turn's ticket came to the operators. */
export interface EscalatedTicket {
  /** The ticket that waits for them: the turn's own, or the one of the same conversation that waited before. */
  readonly ticketId: string;
  readonly joined: boolean;
  readonly next: NextStep;
}

const SUMMARY_CHARS = 320;
const MAX_REQUESTS = 8;
/** So many words beside a wish for a person are courtesy. */
const AROUND_WISH = 2;
/** From here on triage is believed what a ticket is about that had no subject. */
const SURE_SUBJECT = 0.5;

/** What presses most comes first. */
const PRESSING: readonly EscalationReason[] = [
  'legal',
  'sentiment_priority',
  'customer_request',
  'requires_human',
  'fault',
  'hop_limit',
  'low_confidence',
];

/**
 * Gives the ticket to the operators, once for the same reason: a turn that paused in between has done so already. Where
 * the conversation has a ticket that waits for them, this one joins it.
 * @param ends false where the turn goes on, so that its ticket must stay what it is
 * @throws HubError `taken_over`
 */
export async function escalateTicket(
  deps: GraphDeps,
  session: Session,
  escalation: Escalation,
  ends = true,
): Promise<EscalatedTicket> {
  await deps.ownership.check(session);
  const { ticketId, threadId } = session;
  const known = await deps.tickets.listEscalations(ticketId);
  if (known.some(({ status, reason }) => status === 'open' && reason === escalation.reason)) {
    return { ticketId, joined: false, next: await promiseOf(deps, session, ticketId, known[0]?.createdAt) };
  }
  const waiting = await waitingTicket(deps, threadId, ticketId);
  if (waiting) return join(deps, session, waiting, escalation, ends);
  await deps.tickets.escalate(ticketId, escalation);
  const details = { reason: escalation.reason };
  deps.tools.log.info({ agent: 'supervisor', action: 'escalated', ticketId, details });
  return { ticketId, joined: false, next: await promiseOf(deps, session, ticketId) };
}

async function waitingTicket(
  deps: GraphDeps,
  threadId: string,
  ticketId: string,
): Promise<Ticket | undefined> {
  const all = await deps.tickets.listByThread(threadId);
  return all.findLast(
    (ticket) => ticket.owner === 'operator' && ticket.status !== 'resolved' && ticket.ticketId !== ticketId,
  );
}

async function join(
  deps: GraphDeps,
  session: Session,
  { ticketId, createdAt }: Ticket,
  escalation: Escalation,
  ends: boolean,
): Promise<EscalatedTicket> {
  const { tickets } = deps;
  const escalations = await tickets.listEscalations(ticketId);
  const open = escalations.filter(({ status }) => status === 'open');
  const rank = Math.min(...open.map(({ reason }) => PRESSING.indexOf(reason)));
  if (open.length === 0 || PRESSING.indexOf(escalation.reason) < rank) {
    await tickets.escalate(ticketId, escalation);
  } else if (!open.some(({ reason }) => reason === escalation.reason)) {
    // In quotation marks, so that the customer's own words never read as a note of a change of hands.
    await tickets.addMessage(ticketId, 'system', deskNotes.said('asked_again', escalation.summary));
  }
  await raise(deps, session.ticketId, ticketId);
  if (ends) await tickets.merge(session.ticketId, ticketId);
  const details = { reason: escalation.reason, from: session.ticketId };
  deps.tools.log.info({ agent: 'supervisor', action: 'joined_waiting_ticket', ticketId, details });
  const since = open[0]?.createdAt ?? createdAt;
  return {
    ticketId: ends ? ticketId : session.ticketId,
    joined: true,
    next: await promiseOf(deps, session, ticketId, since),
  };
}

/**
 * Keeps what the ticket is about: all that was asked in it, and not the message that came last. What asks for nothing
 * (thanks, an answer to what the hub asked) leaves the subject as it was. A ticket that operators have is about what it
 * was escalated for: what is said later only makes it more pressing. Where that was a wish for a person and nothing else, it is about
 * what its customer asks next.
 * @param isReply true of a message that answers what the hub asked
 */
export async function saveTriage(
  { tickets, language }: Pick<GraphDeps, 'tickets' | 'language'>,
  ticketId: string,
  classification: Classification,
  isReply: boolean,
): Promise<void> {
  const known = await tickets.getClassification(ticketId);
  if (!known) return tickets.saveClassification(ticketId, classification);
  const withOperators = (await tickets.get(ticketId))?.owner === 'operator';
  const stays = withOperators || isReply;
  const whole = isNamed(language, known, classification)
    ? named(known, classification)
    : stays
      ? morePressing(known, classification)
      : ofBoth(known, classification, 'added');
  await tickets.saveClassification(ticketId, whole);
}

/** The same of what the hub answers beside a ticket that waits for a person and says of nothing what for. */
export async function nameWaiting(
  deps: GraphDeps,
  { threadId, ticketId }: Pick<Session, 'threadId' | 'ticketId'>,
  classification: Classification,
): Promise<void> {
  const waiting = await waitingTicket(deps, threadId, ticketId);
  const known = waiting && (await deps.tickets.getClassification(waiting.ticketId));
  if (known && isNamed(deps.language, known, classification))
    await deps.tickets.saveClassification(waiting.ticketId, named(known, classification));
}

/**
 * Gives a message that is only about the request that waits for a person to that request, so that operators see that its customer
 * presses.
 * @returns the ticket that its answer belongs to
 * @throws HubError `taken_over`
 */
export async function keepWithWaiting(
  deps: GraphDeps,
  session: Session,
  classification: Classification | null,
): Promise<string> {
  const { ticketId, threadId } = session;
  const { pending } = deps.tools;
  const waiting = await escalatedIn(deps, threadId);
  if (!waiting || waiting.ticketId === ticketId) return ticketId;
  // What waits for an answer there keeps its ticket.
  const asked = [
    await pending.findOpenConfirmation(threadId),
    ...(await pending.listOpenApprovals(threadId)),
  ].some((one) => one?.ticketId === ticketId);
  if (asked) return ticketId;
  await deps.ownership.check(session);
  if (classification) await saveTriage(deps, waiting.ticketId, classification, true);
  await deps.tickets.merge(ticketId, waiting.ticketId);
  return waiting.ticketId;
}

/** True where a ticket only said that a person is wanted, and this says what for. */
function isNamed(language: GraphDeps['language'], known: Classification, added: Classification): boolean {
  const around = language.withoutPersonWish(known.summary).match(/\p{L}+/gu) ?? [];
  const isBare = onlyWishes(known) && around.length <= AROUND_WISH;
  const isSure = added.confidence >= SURE_SUBJECT && added.issueType !== known.issueType;
  return isBare && isSure && !onlyWishes(added) && added.requests.length > 0;
}

/** That a person is wanted stands on the ticket anyway. */
function named(known: Classification, added: Classification): Classification {
  return { ...ofBoth(known, added, 'added'), summary: added.summary };
}

/** The same subject, as pressing as what was said last. */
function morePressing(known: Classification, added: Classification): Classification {
  const priority = higher(known.priority, added.priority);
  const isUpset = added.sentiment === 'frustrated' || added.sentiment === 'negative';
  const sentiment = isUpset ? added.sentiment : known.sentiment;
  return { ...known, priority, sentiment, language: added.language };
}

/**
 * Both subjects as one: the more pressing request gives the category.
 * @param first which of two that are alike
 */
function ofBoth(known: Classification, added: Classification, first: 'known' | 'added'): Classification {
  if (added.requests.length === 0) return morePressing(known, added);
  if (known.requests.length === 0) return { ...added, priority: higher(known.priority, added.priority) };
  const isAlike = added.priority === known.priority;
  const addedLeads = isAlike ? first === 'added' : higher(added.priority, known.priority) === added.priority;
  const lead = addedLeads ? added : known;
  const subject = onlyWishes(added) ? known : onlyWishes(known) ? added : lead;
  return {
    ...lead,
    issueType: subject.issueType,
    sentiment: added.sentiment,
    language: added.language,
    requiresHuman: known.requiresHuman || added.requiresHuman,
    summary: joined(known.summary, added.summary),
    requests: [...known.requests, ...added.requests].slice(-MAX_REQUESTS),
  };
}

/** True of a message that asks for a person and says nothing of what for. */
function onlyWishes({ humanReason, requests }: Classification): boolean {
  return humanReason === 'customer_request' && requests.every(({ route }) => route === ESCALATION_ROUTE);
}

/** Both summaries; where they grow too long, the first, which the conversation began with, and the last. */
function joined(known: string, added: string): string {
  const parts = known.split(MATTERS_APART);
  if (parts.includes(added)) return known;
  const all = [...parts, added];
  while (all.length > 2 && all.join(MATTERS_APART).length > SUMMARY_CHARS) all.splice(1, 1);
  return all.join(MATTERS_APART);
}

/** What a customer wants passed on is what this message is about, whatever its words were: "yes, ask them". */
export async function notePassed(
  { tickets }: GraphDeps,
  { ticketId }: Session,
  passed: string,
): Promise<void> {
  const known = await tickets.getClassification(ticketId);
  if (!known) return;
  const before = known.summary.split(MATTERS_APART).slice(0, -1).join(MATTERS_APART);
  const summary = before === '' ? passed : joined(before, passed);
  const requests = known.requests.length > 0 ? known.requests : [{ text: passed, route: ESCALATION_ROUTE }];
  await tickets.saveClassification(ticketId, { ...known, summary, requests });
}

/** The waiting ticket becomes as pressing as what was added to it. */
async function raise({ tickets, language }: GraphDeps, from: string, to: string): Promise<void> {
  const [added, waiting] = [await tickets.getClassification(from), await tickets.getClassification(to)];
  if (!added) return;
  const merged = waiting
    ? isNamed(language, waiting, added)
      ? named(waiting, added)
      : ofBoth(waiting, added, 'known')
    : added;
  await tickets.saveClassification(to, merged);
}

function higher(a: Priority, b: Priority): Priority {
  return PRIORITIES.indexOf(a) >= PRIORITIES.indexOf(b) ? a : b;
}

async function promiseOf(
  deps: GraphDeps,
  { language }: Session,
  ticketId: string,
  since?: string,
): Promise<NextStep> {
  const priority = (await deps.tickets.getClassification(ticketId))?.priority;
  return nextStep(deps, language, priority, since === undefined ? undefined : new Date(since));
}
