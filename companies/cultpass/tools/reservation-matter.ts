import type { Choice } from '../../../src/core/domain/session.js';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import type { ToolDeps } from '../../../src/runtime/define-tool.js';
import type { CultpassDeps } from './cultpass-deps.js';

/** A reservation as its customer speaks of it; by its id alone where it is gone. */
interface ReservationMatter {
  readonly title: string;
  readonly when: string;
  readonly status: string | null;
  readonly about: Choice | null;
}

/** Reads what a change of a reservation is about. */
export async function reservationMatter(
  { customers, time }: Pick<ToolDeps, 'time'> & Pick<CultpassDeps, 'customers'>,
  reservationId: string,
  customerId: string,
  language: Language,
): Promise<ReservationMatter> {
  const reservation = await customers.getReservation(customerId, reservationId);
  if (!reservation) return { title: reservationId, when: '', status: null, about: null };
  const { title, startsAt } = reservation.experience;
  return {
    title,
    when: time.dateTime(startsAt, language),
    status: reservation.status,
    about: { id: reservationId, title, startsAt },
  };
}
