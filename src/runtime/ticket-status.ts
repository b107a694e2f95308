import type { TicketStatus } from '../core/domain/ticket.js';
import type { PendingStore, TicketStore } from '../core/ports/index.js';

interface StatusStores {
  readonly tickets: TicketStore;
  readonly tools: { readonly pending: PendingStore };
}

/**
 * Says what a ticket waits for after the hub has spoken. A ticket that was handed to the operators meanwhile stays
 * theirs: taking it back would close an escalation the customer was promised an answer to. Whatever was said beside it, a
 * ticket of which an approval is open waits for the operators.
 */
export async function waitFor(
  { tickets, tools }: StatusStores,
  ticketId: string,
  status: TicketStatus,
): Promise<void> {
  const ticket = await tickets.get(ticketId);
  if (ticket?.owner === 'operator') return;
  const approvals = await tools.pending.listApprovalsOfTicket(ticketId);
  const open = approvals.some((approval) => approval.status === 'pending');
  await tickets.setStatus(ticketId, open ? 'waiting_operator' : status, 'hub');
}
