import type { EntityRecord } from '../core/domain/entity.js';
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
