import { useRef, useState } from 'preact/hooks';
import type { Ticket, TicketView } from '../../shared/api-types.js';
import { toast } from '../../shared/components/dialog.js';
import type { ApiError } from '../../shared/problem.js';
import type { ReplyInput } from '../lib/desk-api.js';
import { useDesk } from '../lib/desk-context.js';
import { currentPlace, go } from '../lib/location.js';
import { type Action, useAction } from '../lib/use-data.js';
import { nextTicket } from '../queue/queue-state.js';
import { useTexts } from '../texts.js';

/** Who has claimed a ticket, as the operator who looks at it sees it. */
export type Holding =
  | { readonly kind: 'hub' | 'approval' | 'nobody' | 'me' | 'resolved' }
  | { readonly kind: 'other'; readonly name: string };

/** @param me who looks */
export function holdingOf(
  ticket: Pick<TicketView, 'status' | 'owner' | 'operator' | 'approvals'>,
  me: NonNullable<Ticket['operator']>,
): Holding {
  if (ticket.status === 'resolved') return { kind: 'resolved' };
  if (ticket.operator !== null && ticket.operator !== undefined) {
    return ticket.operator.id === me.id ? { kind: 'me' } : { kind: 'other', name: ticket.operator.name };
  }
  if (ticket.owner === 'operator') return { kind: 'nobody' };
  return { kind: ticket.approvals > 0 ? 'approval' : 'hub' };
}

/** True where nobody of the team has it. */
export function isFree({ kind }: Holding): boolean {
  return kind === 'nobody' || kind === 'hub' || kind === 'approval';
}

/** What an operator can do with a ticket. Whatever comes of it, ticket and queue are read again. */
export interface TicketActions {
  /** Takes it; with a reason, from a colleague. */
  readonly claim: Action<string>;
  readonly reassign: Action<{ readonly operator_id: string; readonly note: string }>;
  readonly release: Action<Record<string, never>>;
  readonly reply: Action<ReplyInput>;
  readonly tag: Action<readonly string[]>;
  /** Until then, ISO 8601; null brings it back. */
  readonly snooze: Action<string | null>;
  /** Sends the words of a macro, with its tags and its end. */
  readonly macro: Action<ReplyInput & { readonly macro_id: string; readonly resolves: boolean }>;
  /** Null leaves it to the rules. */
  readonly team: Action<string | null>;
  readonly note: Action<string>;
  readonly returnToHub: Action<string>;
  readonly resolve: Action<Partial<ReplyInput> & { readonly summary?: string }>;
  /** Counts the claims made here, so that the composer can take the focus after one. */
  readonly claims: number;
}

/** The actions on one ticket. */
export function useTicketActions(ticket: Pick<TicketView, 'ticket_id' | 'snoozed_until'>): TicketActions {
  const { ticket_id: id } = ticket;
  const { api, live } = useDesk();
  const texts = useTexts();
  const [claims, setClaims] = useState(0);
  const ends = useRef(false);
  const after = (said: string | null) => (error: ApiError | null) => {
    live.publish({ kind: 'ticket', ticketId: id });
    if (error === null && said !== null) toast(said);
  };
  /** What is done needs nobody's eyes any more: the next ticket of the list is opened. */
  const done = (said: string) => (error: ApiError | null) => {
    const next = nextTicket(id);
    after(said)(error);
    if (error === null && currentPlace().id === id && next !== null) go('tickets', next);
  };
  return {
    claim: useAction(
      (takeOver: string, key) => api.claim(id, takeOver, key),
      (error) => {
        after(null)(error);
        if (error === null) setClaims((count) => count + 1);
      },
    ),
    reassign: useAction((input, key) => api.reassign(id, input, key), done(texts.reassign.done)),
    release: useAction((_input, key) => api.release(id, key), after(null)),
    tag: useAction((tags: readonly string[], key) => api.tag(id, tags, key), after(null)),
    snooze: useAction(
      (until: string | null, key) => api.snooze(id, until, key),
      ticket.snoozed_until === null ? done(texts.snooze.done) : after(null),
    ),
    reply: useAction((said: ReplyInput, key) => api.reply(id, said, key), after(null)),
    macro: useAction(
      ({ resolves, ...input }, key) => {
        ends.current = resolves;
        return api.useMacro(id, input, key);
      },
      (error) => (ends.current ? done(texts.resolve.done) : after(null))(error),
    ),
    team: useAction((team: string | null, key) => api.team(id, team, key), after(null)),
    note: useAction((text: string, key) => api.note(id, text, key), after(null)),
    returnToHub: useAction(
      (note: string, key) => api.returnToHub(id, note, key),
      after(texts.returnToHub.done),
    ),
    resolve: useAction((input, key) => api.resolve(id, input, key), done(texts.resolve.done)),
    claims,
  };
}
