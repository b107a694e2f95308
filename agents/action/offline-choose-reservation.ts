import { z } from 'zod';
import type { ToolTrace } from '../../src/core/domain/session.js';
import type { OfflineStep } from '../../src/core/ports/offline-policy.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import {
  call,
  candidate,
  focusOn,
  isWithheld,
  numbered,
  type OfflineDeps,
  resultOf,
  say,
} from '../offline-support.js';
import type { ReservationShape } from '../record-shapes.js';

type ReservationTool = 'cancel_reservation' | 'process_refund';

const MAX_LISTED = 8;
const MAX_ATTEMPTS = 3;

const listSchema = z.object({ reservations: z.array(z.custom<ReservationShape>()) });

/**
 * Finds the one reservation the customer means, or asks which. The rules themselves decide whether it may be
 * changed: a reservation that is named clearly goes to the tool even where the rules will refuse it, so that the
 * customer hears the reason.
 */
export function reservationStep(
  deps: OfflineDeps,
  context: AgentContext,
  tool: ReservationTool,
): OfflineStep {
  const all = resultOf(context, 'get_reservations', listSchema)?.reservations ?? [];
  const eligible = eligibleFor(all, tool, context.task.text);
  const chosen = choose(deps, context, eligible, all);
  if (chosen.kind === 'one') return call(toolFor(tool, all, chosen.id), { reservation_id: chosen.id });
  const texts = deps.texts.for(context.session.language);
  // Whoever may do it to none is not asked to which.
  if (isWithheld(deps, context, tool)) return say(texts.sayOf('refusal', 'scope_missing'));
  if (eligible.length === 0 && chosen.mentioned === null)
    return say(texts.sayOwn('no_reservations_for', { intent: tool }));
  const shown = (chosen.among.length > 0 ? chosen.among : eligible).slice(0, MAX_LISTED);
  const list =
    shown.length === 0 ? null : numbered(shown.map((reservation) => line(deps, context, reservation)));
  const choices = shown.map(({ reservation_id: id, title, starts_at: startsAt }) => ({
    id,
    title,
    startsAt,
  }));
  const next = focusOn(context, 'action', tool, choices);
  if (next.attempts > MAX_ATTEMPTS) return say('', { unanswered: true });
  if (chosen.mentioned !== null)
    return say(texts.sayOwn('no_such_reservation', { mentioned: chosen.mentioned, list }), { focus: next });
  return say(texts.sayOwn('which_reservation', { intent: tool, list: list ?? '' }), { focus: next });
}

const SUBSCRIPTION_WORDS =
  /\b(?:subscription|plan|membership|account|assinatura|plano|conta|mensalidade)\b/iu;

/** True where the text names one of the bookings by title, date or place, and not the subscription. */
export function namesReservation(deps: OfflineDeps, context: AgentContext): boolean {
  const { text } = context.task;
  if (SUBSCRIPTION_WORDS.test(text)) return false;
  const all = resultOf(context, 'get_reservations', listSchema)?.reservations ?? [];
  const selection = deps.nlu.slots.selectCandidate(
    text,
    all.filter((reservation) => reservation.upcoming).map(candidate),
    {
      now: new Date(context.now),
      language: context.session.language,
    },
  );
  return (
    selection.kind === 'one' &&
    (selection.by === 'title' || selection.by === 'date' || selection.by === 'location')
  );
}

/**
 * "All of them": the next one that was not tried, until the customer says no to one or the program may do it to none.
 * @returns null where one was meant, or all are done
 */
export function nextReservation(
  deps: OfflineDeps,
  context: AgentContext,
  done: readonly ToolTrace[],
): OfflineStep | null {
  const tool = done.at(-1)?.tool;
  if (tool !== 'cancel_reservation' && tool !== 'process_refund') return null;
  if (done.some(({ code }) => code === 'confirmation_rejected' || code === 'scope_missing')) return null;
  const all = resultOf(context, 'get_reservations', listSchema)?.reservations ?? [];
  const listed = (context.focus?.choices ?? []).map((choice) => choice.id);
  const options = {
    now: new Date(context.now),
    language: context.session.language,
  };
  const eligible = eligibleFor(all, tool, context.task.text);
  const selection = deps.nlu.slots.selectCandidate(context.task.text, eligible.map(candidate), {
    ...options,
    listed,
  });
  if (selection.kind !== 'all') return null;
  const tried = new Set(done.map((entry) => entry.args.reservation_id));
  const next = meant(selection.ids, listed).find((id) => !tried.has(id));
  return next === undefined ? null : call(tool, { reservation_id: next });
}

/** "Both" is said of what was listed, where something was. */
function meant(ids: readonly string[], listed: readonly string[]): readonly string[] {
  return listed.length > 0 ? ids.filter((id) => listed.includes(id)) : ids;
}

type Choice =
  | { readonly kind: 'one'; readonly id: string }
  | {
      readonly kind: 'unclear';
      readonly among: readonly ReservationShape[];
      readonly mentioned: string | null;
    };

function choose(
  deps: OfflineDeps,
  context: AgentContext,
  eligible: readonly ReservationShape[],
  all: readonly ReservationShape[],
): Choice {
  const { text } = context.task;
  const [id] = deps.nlu.slots.ids.find(text);
  // An id that is not among the customer's own goes to the tool too: it answers "not found", whoever owns it.
  if (id) return { kind: 'one', id };
  const listed = (context.focus?.choices ?? []).map((choice) => choice.id);
  const options = {
    now: new Date(context.now),
    language: context.session.language,
    ...(listed.length > 0 ? { listed } : {}),
  };
  const offered = eligible.filter((reservation) => listed.includes(reservation.reservation_id));
  // A plain yes to an offer of one thing is about that thing.
  if (offered.length === 1 && offered[0] && isYes(deps, context))
    return { kind: 'one', id: offered[0].reservation_id };
  const first = deps.nlu.slots.selectCandidate(text, eligible.map(candidate), options);
  if (first.kind === 'one') return { kind: 'one', id: first.id };
  const [next] = first.kind === 'all' ? meant(first.ids, listed) : [];
  if (next) return { kind: 'one', id: next };
  if (first.kind === 'many') return { kind: 'unclear', among: pick(eligible, first.ids), mentioned: null };
  const named = first.kind === 'none' && !MISSED.test(text) ? first.mentioned : null;
  if (named === null) {
    const [only, ...others] = eligible;
    return only && others.length === 0
      ? { kind: 'one', id: only.reservation_id }
      : { kind: 'unclear', among: [], mentioned: null };
  }
  const second = deps.nlu.slots.selectCandidate(text, all.map(candidate), options);
  if (second.kind === 'one') return { kind: 'one', id: second.id };
  if (second.kind === 'many') return { kind: 'unclear', among: pick(all, second.ids), mentioned: null };
  return { kind: 'unclear', among: [], mentioned: named };
}

function isYes(deps: OfflineDeps, { task, session }: AgentContext): boolean {
  return deps.nlu.slots.readYesNo(task.text, session.language).kind === 'yes';
}

/** A refund of an upcoming reservation is its cancellation, which refunds it. */
function toolFor(tool: ReservationTool, all: readonly ReservationShape[], id: string): ReservationTool {
  const reservation = all.find((candidate) => candidate.reservation_id === id);
  return tool === 'process_refund' && reservation?.upcoming ? 'cancel_reservation' : tool;
}

const MISSED =
  /\b(?:missed|did ?n[o']t (?:go|attend|make it)|no.?show|perdi|n[aã]o (?:fui|compareci|consegui ir)|faltei)\b/iu;

/**
 * What the action could be about. A refund is first of all for what is over or cancelled; where there is none, an
 * upcoming booking that was paid can be cancelled with its refund.
 */
function eligibleFor(
  all: readonly ReservationShape[],
  tool: ReservationTool,
  text: string,
): readonly ReservationShape[] {
  if (tool === 'cancel_reservation') return all.filter((reservation) => reservation.upcoming);
  const refundable = all.filter(
    ({ status, refund, paid_cents: paid }) =>
      paid > 0 && refund === null && (status === 'cancelled' || status === 'reserved'),
  );
  const missed = refundable.filter(({ status, upcoming }) => status === 'reserved' && !upcoming);
  if (MISSED.test(text)) return missed;
  const past = refundable.filter((reservation) => !reservation.upcoming);
  return past.length > 0 ? past : refundable;
}

function pick(from: readonly ReservationShape[], ids: readonly string[]): readonly ReservationShape[] {
  return from.filter((reservation) => ids.includes(reservation.reservation_id));
}

function line(deps: OfflineDeps, { session }: AgentContext, reservation: ReservationShape): string {
  return deps.texts.for(session.language).sayOwn('reservation_line', {
    title: reservation.title,
    when: deps.time.dateTime(reservation.starts_at, session.language),
    place: reservation.location,
    status: reservation.status,
  });
}
