import type { EntityRecord } from '../core/domain/entity.js';
import type { DialogueState } from '../core/domain/session.js';

/** More than a customer counts through; each is stored with the conversation. */
const MOST_SHOWN = 10;

/**
 * The records that a text names, in the order in which they stand there. Where several have the same title, the line that
 * names one says which by its day.
 * @param whenOf how the time of a record is written in the text
 */
export function shownIn(
  text: string,
  records: readonly EntityRecord[],
  whenOf: (startsAt: string) => string,
): readonly EntityRecord[] {
  const named = records.filter(({ title }) => title !== '' && text.includes(title));
  const found = new Map<string, EntityRecord>();
  for (const line of text.split('\n')) {
    const inLine = named.filter(({ title }) => line.includes(title));
    const places = inLine
      .map((record) => ({ record, at: line.indexOf(record.title) }))
      .sort((a, b) => a.at - b.at || b.record.title.length - a.record.title.length);
    for (const { record } of places) {
      const twins = inLine.filter(({ title }) => title === record.title);
      const dated = twins.filter(({ startsAt }) => startsAt !== null && line.includes(whenOf(startsAt)));
      const one =
        twins.length === 1 ? record : (dated[0] ?? twins.find(({ upcoming }) => upcoming) ?? record);
      // A longer title that holds a shorter one is one name, not two.
      const inside = places.some(
        ({ record: other }) => other.title.length > one.title.length && other.title.includes(one.title),
      );
      if (!inside) found.set(one.id, one);
    }
  }
  return [...found.values()].slice(0, MOST_SHOWN);
}

/** What the conversation is about once these records were shown. One of a list is picked from it, so that the list stays. */
export function afterShowing(state: DialogueState, shown: readonly EntityRecord[]): DialogueState {
  const [first] = shown;
  if (!first) return state;
  const known = state.shown.some(({ id }) => id === first.id);
  if (shown.length === 1 && known) {
    const refreshed = state.shown.map((record) => (record.id === first.id ? first : record));
    return { ...state, shown: refreshed, focus: first.id };
  }
  return { ...state, shown, focus: shown.length === 1 ? first.id : null };
}
