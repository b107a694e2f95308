import type { EntityRecord } from '../core/domain/entity.js';
import { fold } from '../core/text.js';
import type { DialogueTurn } from './dialogue-types.js';

/** What was said. */
type Said = Pick<DialogueTurn, 'deps' | 'text'>;

/** Those that a text says the word for, where it says one; else all. */
export function calledIn(turn: Said, records: readonly EntityRecord[]): readonly EntityRecord[] {
  const naming = namingPart(turn);
  const called = records.filter(({ entity }) => turn.deps.language.isCalled(naming, entity));
  return called.length > 0 ? called : records;
}

/** A text without what asks: "how many lessons has Otto left?" asks it of a plan, and names no lesson. */
export function namingPart({ deps, text }: Said): string {
  const read = deps.dialogue.read(text);
  return read && read.asked.length > 0 ? read.naming : text;
}

/** Of "how much does Biscuit weigh?" the pet is meant that is called that, before the visit whose longer title has the name in it. */
export function wholeNameFirst(
  { text }: Pick<Said, 'text'>,
  entities: readonly string[],
  records: readonly EntityRecord[],
): readonly string[] {
  const isWhole = (entity: string): boolean =>
    records.some((record) => record.entity === entity && isWhollyNamed(text, record));
  return [...entities.filter(isWhole), ...entities.filter((entity) => !isWhole(entity))];
}

/** True where a text says the whole title of a record, word for word. */
export function isWhollyNamed(text: string, { title }: EntityRecord): boolean {
  return wordsOf(text).includes(wordsOf(title));
}

/** The words of a text between spaces: a name stands in it where its own do. */
const wordsOf = (text: string): string => ` ${(fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
