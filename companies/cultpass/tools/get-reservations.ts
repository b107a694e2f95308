import { z } from 'zod';
import { customerIdOf } from '../../../src/runtime/caller-facts.js';
import { defineTool, type ToolDeps } from '../../../src/runtime/define-tool.js';
import {
  type CultpassDeps,
  reservationShape,
  reservationsView,
  toListedRecord,
  toReservationShape,
} from './shapes.js';

const RECENT_PAST = 10;

/** The signed-in customer's reservations, upcoming first. */
export const getReservations = ({ customers }: Pick<CultpassDeps, 'customers'>) =>
  defineTool({
    name: 'get_reservations',
    label: { en: 'Look up reservations', 'pt-BR': 'Consultar reservas' },
    activity: { en: 'Looking at your reservations', 'pt-BR': 'Olhando suas reservas' },
    description:
      "The customer's reservations: upcoming ones, then past ones, with amounts paid and refunded.",
    effect: 'read',
    access: 'customer',
    input: z.object({ include_past: z.boolean().optional().describe('Default true.') }),
    output: z.object({ reservations: z.array(reservationShape) }),
    lists: { entity: 'reservation', records: ({ reservations }) => reservations.map(toListedRecord) },
    view: ({ reservations }) => reservationsView(reservations),
    async run(deps: Pick<ToolDeps, 'clock'>, input, context) {
      const now = deps.clock.now();
      const all = await customers.listReservations(customerIdOf(context));
      const shapes = all.map((reservation) => toReservationShape(reservation, now));
      const upcoming = shapes.filter((reservation) => reservation.upcoming);
      const past = input.include_past === false ? [] : shapes.filter((reservation) => !reservation.upcoming);
      return { reservations: [...upcoming, ...past.slice(0, RECENT_PAST)] };
    },
  });
