import type { Clock } from '../../src/core/ports/clock.js';
import type { DeskQueries } from '../../src/core/ports/desk-queries.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { prepareDeskHistory } from './desk-history.js';
import { prepareDayFigures } from './desk-report.js';
import { prepareDeskTickets } from './desk-tickets.js';

/** What operators ask of all tickets, in udahub.db. */
export function createDeskQueries(handle: DatabaseHandle, clock: Clock): DeskQueries {
  const tickets = prepareDeskTickets(handle);
  const history = prepareDeskHistory(handle);
  const figures = prepareDayFigures(handle);
  const now = (): string => clock.now().toISOString();
  return withTranslatedErrors<DeskQueries>(handle, {
    tickets: async (query) => tickets.list(query, now()),
    ticket: async (ticketId) => tickets.one(ticketId, now()),
    ofCustomer: async (customerId, limit) => tickets.ofCustomer(customerId, limit),
    counts: async (operatorId) => tickets.counts(now(), operatorId),
    timeline: async (customerId, limit) => history.timeline(customerId, limit),
    gaps: async (since) => history.gaps(since),
    claims: async (before) => tickets.claims(before.toISOString()),
    figures: async (day) => figures(day),
  });
}
