import { createSlots, type Slots, type SlotsOptions } from '../../../src/nlu/slots/index.js';
import { CULTPASS, CULTPASS_NLU } from '../../support/company.js';

/** Readers of slots for a company like CultPass. */
export function slotsLike(other: Partial<SlotsOptions> = {}): Slots {
  return createSlots({
    entities: CULTPASS_NLU.entities,
    companyName: CULTPASS.name,
    currency: CULTPASS.currency,
    timeZone: CULTPASS.timeZone,
    languages: CULTPASS.languages,
    ...other,
  });
}

export const {
  ids,
  findDates,
  findDays,
  selectCandidate,
  readYesNo,
  splitClauses,
  readRequestAct,
  speaksOf,
  namedAmong,
} = slotsLike();

/** Ids of CultPass in a text. */
export const findReservationIds = (text: string): readonly string[] => ids.find(text);
