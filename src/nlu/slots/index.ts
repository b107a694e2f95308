export { type Clause, splitClauses } from './clauses.js';
export { type DateOptions, type DateRange, findDates, type Grain } from './dates.js';
export { createIdReader, findMoney, findPauseDays, type IdReader } from './ids-and-money.js';
export { findPreference, type PreferenceSlot } from './preference.js';
export {
  type Candidate,
  type SelectedBy,
  type Selection,
  type SelectOptions,
  selectCandidate,
} from './selection.js';
export { namedAmong, readRequestAct, speaksOf } from './withdrawal.js';
export { readYesNo, type YesNo } from './yes-no.js';
