import type { Choice } from '../../../src/core/domain/session.js';
import * as slots from '../../../src/nlu/slots/index.js';
import { CULTPASS_NLU } from '../../support/company.js';

const ids = slots.createIdReader(CULTPASS_NLU.entities);

/** Ids of CultPass in a text. */
export const findReservationIds = (text: string): readonly string[] => ids.find(text);

/** `selectCandidate` over the records of CultPass. */
export function selectCandidate(
  text: string,
  candidates: slots.Candidate[],
  options: Omit<slots.SelectOptions, 'ids'>,
): slots.Selection {
  return slots.selectCandidate(text, candidates, { ...options, ids });
}

/** `namedAmong` over the records of CultPass. */
export function namedAmong(text: string, choices: readonly Choice[], now: Date): readonly string[] | null {
  return slots.namedAmong(text, choices, now, ids);
}
