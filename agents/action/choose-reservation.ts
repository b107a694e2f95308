import { z } from 'zod';
import { textsFor } from '../../src/core/i18n/index.js';
import type { OfflineStep } from '../../src/core/ports/offline-policy.js';
import { findReservationIds, selectCandidate } from '../../src/nlu/slots/index.js';
import type { ReservationShape } from '../../tools/account/shapes.js';
import type { AgentContext } from '../agent-state.js';
import { call, focusOn, numbered, type OfflineDeps, resultOf, say } from '../offline-support.js';

type ReservationTool = 'cancel_reservation' | 'process_refund';

const MAX_LISTED = 8;
const MAX_ATTEMPTS = 3;

const listSchema = z.object({ reservations: z.array(z.custom<ReservationShape>()) });

/**
 * Finds the one reservation the customer means, or asks which. The rules themselves decide whether it may be
 * changed: a reservation that is named clearly goes to the tool even where the rules will refuse it, so that the
 * customer hears the reason.
 */
export function reservationStep(deps: OfflineDeps, context: AgentContext, tool: ReservationTool): OfflineStep {
  const all = resultOf(context, 'get_reservations', listSchema)?.reservations ?? [];
  const eligible = all.filter((reservation) => isEligible(reservation, tool));
  const chosen = choose(deps, context, eligible, all);
  if (chosen.kind === 'one') return call(toolFor(tool, all, chosen.id), { reservation_id: chosen.id });
  const texts = textsFor(context.session.language);
  if (eligible.length === 0 && chosen.mentioned === null) return say(texts.noReservationsFor({ intent: tool }));
  const shown = (chosen.among.length > 0 ? chosen.among : eligible).slice(0, MAX_LISTED);
  const list = shown.length === 0 ? null : numbered(shown.map((reservation) => line(deps, context, reservation)));
  const next = focusOn(context, 'action', tool, shown.map((reservation) => reservation.reservation_id));
  if (next.attempts > MAX_ATTEMPTS) return say('', { unanswered: true });
  if (chosen.mentioned !== null) return say(texts.noSuchReservation({ mentioned: chosen.mentioned, list }), { focus: next });
  return say(texts.whichReservation({ intent: tool, list: list ?? '' }), { focus: next });
}

type Choice =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'unclear'; readonly among: readonly ReservationShape[]; readonly mentioned: string | null };

function choose(
  deps: OfflineDeps,
  context: AgentContext,
  eligible: readonly ReservationShape[],
  all: readonly ReservationShape[],
): Choice {
  const { text } = context.task;
  const [id] = findReservationIds(text);
  // An id that is not among the customer's own goes to the tool too: it answers "not found", whoever owns it.
  if (id) return { kind: 'one', id };
  const options = {
    now: new Date(context.now),
    timeZone: deps.time.timeZone,
    language: context.session.language,
    ...(context.focus && context.focus.listed.length > 0 ? { listed: [...context.focus.listed] } : {}),
  };
  const first = selectCandidate(text, eligible.map(candidate), options);
  if (first.kind === 'one') return { kind: 'one', id: first.id };
  if (first.kind === 'all' && first.ids[0]) return { kind: 'one', id: first.ids[0] };
  if (first.kind === 'many') return { kind: 'unclear', among: pick(eligible, first.ids), mentioned: null };
  const named = first.kind === 'none' ? first.mentioned : null;
  if (named === null) {
    const [only, ...others] = eligible;
    return only && others.length === 0
      ? { kind: 'one', id: only.reservation_id }
      : { kind: 'unclear', among: [], mentioned: null };
  }
  const second = selectCandidate(text, all.map(candidate), options);
  if (second.kind === 'one') return { kind: 'one', id: second.id };
  if (second.kind === 'many') return { kind: 'unclear', among: pick(all, second.ids), mentioned: null };
  return { kind: 'unclear', among: [], mentioned: named };
}

/** A refund of an upcoming reservation is its cancellation, which refunds it. */
function toolFor(tool: ReservationTool, all: readonly ReservationShape[], id: string): ReservationTool {
  const reservation = all.find((candidate) => candidate.reservation_id === id);
  return tool === 'process_refund' && reservation?.upcoming ? 'cancel_reservation' : tool;
}

function isEligible(reservation: ReservationShape, tool: ReservationTool): boolean {
  if (tool === 'cancel_reservation') return reservation.upcoming;
  const refundable = reservation.paid_cents > 0 && reservation.refund === null;
  return refundable && reservation.status !== 'attended' && reservation.status !== 'refunded';
}

function candidate(reservation: ReservationShape) {
  return {
    id: reservation.reservation_id,
    title: reservation.title,
    startsAt: reservation.starts_at,
    location: reservation.location,
    status: reservation.status,
    upcoming: reservation.upcoming,
  };
}

function pick(from: readonly ReservationShape[], ids: readonly string[]): readonly ReservationShape[] {
  return from.filter((reservation) => ids.includes(reservation.reservation_id));
}

function line(deps: OfflineDeps, { session }: AgentContext, reservation: ReservationShape): string {
  return textsFor(session.language).reservationLine({
    title: reservation.title,
    when: deps.time.dateTime(reservation.starts_at, session.language),
    place: reservation.location,
    status: reservation.status,
  });
}
