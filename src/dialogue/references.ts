import type { EntityRecord } from '../core/domain/entity.js';
import type { DialogueState } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Candidate, SelectOptions, Slots } from '../nlu/slots/index.js';
import { foldText, tokenize } from '../nlu/slots/text.js';
import type { ReadMessage } from './acts.js';
import { isDayName, isOrder, isOther } from './plain-words.js';

export { isOrder } from './plain-words.js';

/** Which records a question is about. */
export type Referent =
  /** These, in the order in which they are to be spoken of. */
  | {
      readonly kind: 'records';
      readonly records: readonly EntityRecord[];
      /** True where nothing names or points at it, and it is only the one there is. */
      readonly isAssumed?: boolean;
    }
  /** One of these: ask which. */
  | { readonly kind: 'which'; readonly among: readonly EntityRecord[] }
  /** Something else is named: it is no question about a record. */
  | { readonly kind: 'none' };

/** What a reference is resolved with. */
export interface ReferenceContext {
  readonly state: DialogueState;
  /** All records that the customer may speak of. */
  readonly own: readonly EntityRecord[];
  readonly now: Date;
  readonly language: Language;
}

const NONE: Referent = { kind: 'none' };
const MOST_ASKED = 8;

/**
 * Finds the records that a question is about: what is named by title, day, place or number among what was shown last, then
 * among all the customer has; what "it" points at; the only one there is. Whatever else the sentence names must be
 * explained by that, or it is about something else.
 */
export function resolveReference(
  slots: Slots,
  text: string,
  { rest, points }: ReadMessage,
  entity: string,
  { state, own, now, language }: ReferenceContext,
): Referent {
  const shown = state.shown.filter((record) => record.entity === entity);
  const mine = own.filter((record) => record.entity === entity);
  const ahead = mine.filter(({ upcoming }) => upcoming);
  const options = { now, language };
  for (const among of [shown, ahead, mine]) {
    if (among.length === 0) continue;
    const listed = among === shown ? { listed: shown.map(({ id }) => id) } : {};
    const picked = slots.selectCandidate(text, among.map(candidateOf), { ...options, ...listed });
    if (picked.kind === 'one' && picked.by !== 'only') {
      const record = among.find(({ id }) => id === picked.id);
      const naming = picked.by === 'id' ? withoutIds(slots, rest) : rest;
      if (record && explains(slots, record, naming)) return { kind: 'records', records: [record] };
    }
    const ids = picked.kind === 'many' || picked.kind === 'all' ? picked.ids : [];
    const several = among.filter(({ id }) => ids.includes(id));
    if (picked.kind === 'all' && rest.every(isOrder)) return { kind: 'records', records: several };
    if (picked.kind === 'many' && several.some((record) => explains(slots, record, rest)))
      return { kind: 'which', among: several.slice(0, MOST_ASKED) };
  }
  const focus = shown.find(({ id }) => id === state.focus);
  const others = shown.filter(({ id }) => id !== state.focus);
  if (focus && others.length > 0 && rest.length > 0 && rest.every(isOther))
    return others.length === 1 || (OTHERS.test(foldText(text)) && others.length <= MOST_ASKED)
      ? { kind: 'records', records: others }
      : { kind: 'which', among: others.slice(0, MOST_ASKED) };
  if (!points || !rest.every(isOrder)) return NONE;
  // "How much were they?" asks of each that was shown; of who is at the one that is spoken of, "do they have a cloakroom?".
  const isOfEach = meansSeveral(text) || (!focus && HOSTS.test(foldText(text)));
  if (shown.length > 1 && shown.length <= MOST_ASKED && isOfEach) return { kind: 'records', records: shown };
  if (focus) return { kind: 'records', records: [focus] };
  const listed = shown.filter(({ upcoming }) => upcoming);
  const among = listed.length > 0 ? listed : shown.length > 0 ? shown : ahead;
  if (among.length === 0) return NONE;
  return among.length === 1
    ? { kind: 'records', records: among, isAssumed: shown.length === 0 }
    : { kind: 'which', among };
}

/** The one of all these records whose name a text says, where that explains whatever else it names; null where none is. */
export function findNamed(
  slots: Slots,
  text: string,
  { rest }: ReadMessage,
  records: readonly EntityRecord[],
  options: SelectOptions,
): EntityRecord | null {
  const picked = slots.selectCandidate(text, records.map(candidateOf), options);
  if (picked.kind !== 'one' || !(picked.by === 'id' || picked.by.startsWith('title'))) return null;
  const record = records.find(({ id }) => id === picked.id);
  const naming = withoutIds(slots, rest).filter((word) => !slots.isThing(word));
  // An id is exact, whatever is told beside it.
  const isExact = picked.by === 'id' && naming.length <= BESIDE_ID;
  return record && (isExact || explains(slots, record, naming)) ? record : null;
}

/** Beside its id so many words may say more of what is asked: "in business". */
const BESIDE_ID = 2;

/** What is named beside the id of a record: "sv 402" and "402" say which as well. */
function withoutIds({ ids }: Slots, rest: readonly string[]): readonly string[] {
  const said = rest.join(' ');
  let left = said;
  for (const { start, end } of ids.spans(said))
    left = left.slice(0, start) + ' '.repeat(end - start) + left.slice(end);
  return left.split(' ').filter(Boolean);
}

/** A record as the slots choose among. */
export function candidateOf({ place, amount, ...record }: EntityRecord): Candidate {
  const priced = amount ? { amount: amount.minorUnits } : {};
  return { ...record, ...priced, ...(place === null ? {} : { location: place }) };
}

/** What points at several. */
const SEVERAL = /\b(?:them|these|those|deles|delas|[nd]?ess[ea]s|[nd]est[ea]s|ellos|ellas)\b/;
/** What may be several things, or those who run the one that is spoken of. */
const HOSTS = /\b(?:they|eles|elas)\b/;

/** True where a text points at several of what was shown: "which of those are in English?". */
export function meansSeveral(text: string): boolean {
  return SEVERAL.test(foldText(text));
}

const OTHERS = /\b(?:other ones|others|outr[ao]s|otr[ao]s)\b/;

/** True where everything that is named beside the question is said of this record. */
function explains(slots: Slots, record: EntityRecord, rest: readonly string[]): boolean {
  const unknown = rest.filter((word) => !isDayName(word) && !isTitled(slots, record, [word]));
  return unknown.length === 0 || (unknown.length === 1 && rest.length > 2);
}

/** True where these words are of the title or the place of a record, or only count. */
export function isTitled(
  { stem }: Slots,
  { title, place }: Pick<EntityRecord, 'title' | 'place'>,
  words: readonly string[],
): boolean {
  const own = tokenize(foldText(`${title} ${place ?? ''}`)).map(({ word }) => stem(word));
  return words.every((word) => isOrder(word) || own.some((one) => one === stem(word) || alike(one, word)));
}

/** The beginning of the same word: "symphony" and "symphonic", "family" and "families". */
function alike(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  const shared = length < 6 ? length : 5;
  return shared >= 4 && a.slice(0, shared) === b.slice(0, shared);
}
