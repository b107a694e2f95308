import type { TicketStatus } from '../core/domain/ticket.js';
import type { TicketStore } from '../core/ports/index.js';

/**
 * Says what a ticket waits for after the hub has spoken. A ticket that was handed to the operators meanwhile stays
 * theirs: taking it back would close an escalation the customer was promised an answer to.
 */
export async function waitFor(tickets: TicketStore, ticketId: string, status: TicketStatus): Promise<void> {
  const ticket = await tickets.get(ticketId);
  if (ticket?.owner === 'operator') return;
  await tickets.setStatus(ticketId, status, 'hub');
}
