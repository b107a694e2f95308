import type { Language } from '../core/domain/taxonomy.js';
import type { Slots } from '../nlu/slots/index.js';
import { createLeaningParts, type LeaningParts } from './leaning-parts.js';
import { createOnlyAskedReader, type OnlyAskedReader } from './only-asked.js';
import { createShorthandReader, type ShorthandReader } from './shorthand.js';
import { createUndoneReader, type UndoneReader } from './undone.js';

/** Reads how people write in a chat, and what they say of their own messages. */
export interface ChatReader extends ShorthandReader, OnlyAskedReader, LeaningParts, UndoneReader {}

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createChatReader(
  slots: Pick<Slots, 'sentencesOf' | 'isQuestion'>,
  languages: readonly Language[],
): ChatReader {
  return {
    ...createShorthandReader(languages),
    ...createOnlyAskedReader(slots, languages),
    ...createLeaningParts(languages, slots.isQuestion),
    ...createUndoneReader(slots, languages),
  };
}
