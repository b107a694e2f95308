import type { Ticket, TicketView } from '../../shared/api-types.js';

/** Who has a ticket in hand, as the operator who looks at it sees it. */
export type Holding =
  | { readonly kind: 'hub' | 'nobody' | 'me' | 'resolved' }
  | { readonly kind: 'other'; readonly name: string };

/** @param me who looks */
export function holdingOf(
  ticket: Pick<TicketView, 'status' | 'owner' | 'operator'>,
  me: NonNullable<Ticket['operator']>,
): Holding {
  if (ticket.status === 'resolved') return { kind: 'resolved' };
  if (ticket.operator !== null && ticket.operator !== undefined) {
    return ticket.operator.id === me.id ? { kind: 'me' } : { kind: 'other', name: ticket.operator.name };
  }
  return { kind: ticket.owner === 'operator' ? 'nobody' : 'hub' };
}
