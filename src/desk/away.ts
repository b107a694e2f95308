import type { Away, AwayMove } from '../core/desk-away.js';
import { noteOf } from '../core/desk-notes.js';
import type { Operator } from '../core/domain/customer.js';
import type { TicketMessage } from '../core/domain/ticket.js';
import type { DeskQueries } from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';

const MOST = 5_000;

/** What has happened since an operator was last at the desk: whose ticket came or went, where it is now, and how much came in. */
export async function whileAway(
  { graph, desk }: { readonly graph: GraphDeps; readonly desk: DeskQueries },
  operator: Operator,
  since: string,
): Promise<Away> {
  const to = new Date(graph.tools.clock.now().getTime() + 1).toISOString();
  const [notes, deeds, counts] = await Promise.all([
    desk.handedSince(since, operator.name),
    desk.activities({ from: since, to, limit: MOST }),
    desk.counts(operator.operatorId, operator.name),
  ]);
  // Of several moves of a ticket the last one says how it stands.
  const moves = new Map(
    notes.flatMap((note) => {
      const move = moveOf(note, operator.name);
      return move ? [[note.ticketId, { ...note, ...move }] as const] : [];
    }),
  );
  const moved = await Promise.all(
    [...moves.values()].map(async ({ ticketId, createdAt: at, kind, name, note }): Promise<AwayMove> => {
      const ticket = await graph.tickets.get(ticketId);
      const customer = ticket?.customerId ? await graph.tools.customers.get(ticket.customerId) : null;
      const { status, operatorName = null } = ticket ?? {};
      const now = status === 'resolved' ? 'resolved' : operatorName === null ? 'queue' : 'claimed';
      return {
        ticketId,
        customerName: customer?.name ?? null,
        kind,
        name,
        note,
        at,
        now,
        holder: operatorName,
      };
    }),
  );
  const tickets = (kind: string): number =>
    new Set(deeds.filter((deed) => deed.kind === kind).map(({ ticketId }) => ticketId)).size;
  const { unassigned, unread } = counts;
  return { since, moved, escalated: tickets('escalated'), resolved: tickets('resolved'), unassigned, unread };
}

/** What a note on a ticket says of this operator's having it; null where that is nothing, or was their own doing. */
function moveOf(
  message: Pick<TicketMessage, 'role' | 'content'>,
  own: string,
): Pick<AwayMove, 'kind' | 'name' | 'note'> | null {
  const { kind, name, text } = noteOf(message) ?? {};
  if (name === own && kind === 'lapsed') return { kind, name: null, note: null };
  if (name === own && kind === 'shift_ended') return { kind: 'ended', name: null, note: null };
  if (kind !== 'took_over' || !name) return null;
  const [way = '', ...more] = (text ?? '').split('\n');
  const rest = more.join(' ');
  // As `takeFromColleague` and `reassign` write it.
  const taken = `${own} → ${name}: `;
  if (name !== own && way.startsWith(taken))
    return { kind: 'taken', name, note: `${way.slice(taken.length)} ${rest}`.trim() };
  const given = ` → ${own}`;
  if (name === own && way.endsWith(given))
    return { kind: 'given', name: way.slice(0, -given.length), note: rest === '' ? null : rest };
  return null;
}
