import type { Session } from '../core/domain/session.js';
import { requestNumber } from '../core/domain/ticket.js';
import { namedOwn } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';
import type { HubStateType } from './state.js';

/** By what number a complaint that is passed on is found, and that it may be told more of where it names neither what nor when. */
export async function complaintNote(
  deps: GraphDeps,
  {
    classification,
    escalation,
    escalationNotice,
  }: Pick<HubStateType, 'classification' | 'escalation' | 'escalationNotice'>,
  session: Session,
  text: string,
): Promise<readonly string[]> {
  const isComplaint = escalation?.reason === 'customer_request' && classification?.sentiment === 'negative';
  if (!isComplaint || escalationNotice?.kind !== 'escalated' || deps.models.provider !== 'offline') return [];
  const texts = deps.tools.texts.for(session.language);
  const number = texts.say('ticket_number', { number: requestNumber(session.ticketId) });
  const options = { now: deps.tools.clock.now(), language: session.language };
  const { days, places } = deps.dialogue.filtersIn(text, options).filters;
  const isNamed = days.length + places.length > 0 || (await namedOwn({ deps, session, text })).length > 0;
  // Who is only cross has not told of anything that was at a day and a place.
  const isTold = deps.language.isForTeam(`${session.previousMessage ?? ''}\n${text}`);
  return [isNamed || !isTold ? number : `${number} ${texts.say('complaint_details')}`];
}
